import ArgumentParser
import Cupola
import CupolaTraining

// 1. Copy JPEG files and convert the others.
// 2. Print what was copied, converted, left out and what failed.

struct Import: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "import",
    abstract: "Makes a folder of JPEG photos from HEIC, PNG, WebP and others.",
    discussion: """
      Sub-folders and names stay; JPEG files are copied byte for byte, others converted in sRGB, upright, \
      with place, heading and time: by this build where it reads them, or else by heif-convert, sips, \
      djxl or ImageMagick, whichever is installed. Videos and other files are left out and counted. \
      What is there already stays as it is, so that a second run goes on; a photo whose name another one has \
      there gets a longer one.

      EXAMPLES
        cupola import DCIM -o photos
        cupola import DCIM -o photos --json
      """)

  @Argument(help: "The folder of photos; it is only read.", completion: .directory)
  var folder: String

  @Option(name: .shortAndLong, help: "The folder to write.", completion: .directory)
  var output: String

  @Flag(help: "Print the summary as JSON.")
  var json = false

  @OptionGroup var common: CommonOptions

  func validate() throws {
    try PhotoArguments.checkPaths([folder, output])
    try ensure(!FileAccess.isSameFile(folder, output), "-o must be another folder than \(folder).")
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
    try tell(of: source, outcomes, failures)
    for failure in failures { Console.error(failure) }
    guard failures.isEmpty else {
      // None failed in vain where one came over.
      throw failures.count == source.unreadable.count + outcomes.count
        ? ExitStatus.badData : ExitStatus.someFailed
    }
  }

  /// Schema `cupola.import/1`.
  private func tell(
    of source: PhotoImport, _ outcomes: [PhotoImport.Outcome], _ failures: [String]
  ) throws {
    let (copied, kept) = (outcomes.count { $0 == .copied }, outcomes.count { $0 == .kept })
    let converted = outcomes.reduce(into: [String: Int]()) { counts, outcome in
      if case .converted(let format) = outcome { counts[format.name, default: 0] += 1 }
    }
    if json {
      return try Console.print(
        json: [
          "schema": "cupola.import/1", "folder": source.source, "output": source.target,
          "copied": copied, "converted": converted, "kept": kept, "failed": failures,
          "left_out": source.ignored.json,
        ] as JSONObject)
    }
    let formats = converted.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }
    let count = converted.values.reduce(0, +)
    var parts = ["\(copied) copied"]
    if count > 0 { parts.append("\(count) converted (\(formats.joined(separator: ", ")))") }
    if kept > 0 { parts.append("\(kept) there already") }
    if !failures.isEmpty { parts.append("\(failures.count) failed") }
    // What cannot even be listed failed as a photo would.
    let photos = FigureText.count(source.items.count + source.unreadable.count, "photo")
    Console.print(line: "\(source.target): \(photos): " + parts.joined(separator: ", "))
    if !source.ignored.text.isEmpty { Console.print("left out: " + source.ignored.text) }
  }
}

extension PhotoImport.Outcome {
  fileprivate var failure: String? {
    guard case .failed(let line) = self else { return nil }
    return line
  }
}
