import ArgumentParser
import Cupola
import CupolaTraining

// 1. Copy JPEG files and convert the others.
// 2. Print how many files were copied, converted, skipped, and failed.

struct Import: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "import",
    abstract: "Copy photos to a folder and convert them to JPEG.",
    discussion: """
      Keeps subfolders and names. JPEG files are copied byte for byte. Other photos (HEIC, PNG, WebP and more) are \
      converted to upright sRGB images with their position, heading and time. If a photo loses any of these, its name \
      is printed and the exit code is 1. Formats that this build cannot read are converted with heif-convert, djxl or \
      ImageMagick, if one is installed. Raw photos (DNG, CR3, NEF and more) are named but not converted. Videos and \
      other files are skipped and counted. Existing files are kept, so an interrupted import can be resumed. If two \
      photos would get the same name, one of them gets a longer name.

      EXAMPLES
        cupola import DCIM -o photos
        cupola import DCIM -o photos --json
      """)

  @Argument(help: "Photo folder, which is not changed.", completion: .directory)
  var folder: String

  @Option(name: .shortAndLong, help: "Folder to write.", completion: .directory)
  var output: String

  @Flag(help: "Print JSON.")
  var json = false

  @OptionGroup var common: CommonOptions

  func validate() throws {
    try PhotoArguments.checkPaths([folder, output])
    try ensure(
      !FileAccess.isSameFile(folder, output), "--output must be a different folder than \(folder)")
  }

  func run() async throws {
    Console.exitOnInterrupt(after: PhotoImport.endPrograms)
    let source = try PhotoImport(from: folder, to: output)
    try Directory.createAll(output)
    try FileAccess.checkFolder(of: output + "/")
    let progress = Progress("importing", total: source.items.count, quiet: common.quiet)
    let outcomes = try await source.run(
      decoder: common.decoder, threads: common.threads
    ) { progress.update($0) }
    let failures = source.unreadable + outcomes.compactMap(\.failure)
    let incomplete = outcomes.compactMap(\.incomplete)
    try report(source, outcomes, failures, incomplete)
    for message in failures + incomplete { Console.error(message) }
    guard failures.isEmpty, incomplete.isEmpty else {
      throw failures.count == source.unreadable.count + outcomes.count
        ? ExitStatus.badData : ExitStatus.someFailed
    }
  }

  private func report(
    _ source: PhotoImport, _ outcomes: [PhotoImport.Outcome], _ failures: [String],
    _ incomplete: [String]
  ) throws {
    let (copied, kept) = (outcomes.count { $0 == .copied }, outcomes.count { $0 == .kept })
    let converted = outcomes.reduce(into: [String: Int]()) { counts, outcome in
      if case .converted(let format, _) = outcome { counts[format.name, default: 0] += 1 }
    }
    if json {
      return try Console.print(
        json: [
          "schema": "cupola.import/1", "folder": source.source, "output": source.target,
          "copied": copied, "converted": converted, "kept": kept, "failed": failures,
          "incomplete": incomplete, "left_out": source.ignored.json,
        ] as JSONObject)
    }
    let formats = converted.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }
    let count = converted.values.reduce(0, +)
    var parts = ["\(copied) copied"]
    if count > 0 { parts.append("\(count) converted (\(formats.joined(separator: ", ")))") }
    if !incomplete.isEmpty { parts.append("\(incomplete.count) of them incomplete") }
    if kept > 0 { parts.append("\(kept) already present") }
    if !failures.isEmpty { parts.append("\(failures.count) failed") }
    // Each unreadable folder and each raw photo counts as one failed photo.
    let photos = FigureText.count(source.items.count + source.unreadable.count, "photo")
    Console.print(line: "\(source.target): \(photos): " + parts.joined(separator: ", "))
    if !source.ignored.text.isEmpty { Console.print("skipped: " + source.ignored.text) }
  }
}

extension PhotoImport.Outcome {
  fileprivate var failure: String? {
    guard case .failed(let line) = self else { return nil }
    return line
  }

  fileprivate var incomplete: String? {
    guard case .converted(_, let message) = self else { return nil }
    return message
  }
}
