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
    let summary = ImportSummary(source, outcomes)
    Console.print(json ? try JSONObject.text(summary.json, pretty: true) : summary.text)
    for failure in summary.failures { Console.error(failure) }
    if !summary.failures.isEmpty {
      throw summary.isInVain ? ExitStatus.badData : ExitStatus.someFailed
    }
  }
}

/// What `cupola import` tells of its work: schema `cupola.import/1`.
struct ImportSummary {
  private let source: PhotoImport
  private let copied: Int
  private let kept: Int
  private let converted: [String: Int]
  let failures: [String]
  var isInVain: Bool { copied == 0 && kept == 0 && converted.isEmpty }

  init(_ source: PhotoImport, _ outcomes: [PhotoImport.Outcome]) {
    self.source = source
    copied = outcomes.filter { $0 == .copied }.count
    kept = outcomes.filter { $0 == .kept }.count
    var converted: [String: Int] = [:]
    var failures = source.unreadable
    for outcome in outcomes {
      if case .converted(let format) = outcome { converted[format.name, default: 0] += 1 }
      if case .failed(let line) = outcome { failures.append(line) }
    }
    (self.converted, self.failures) = (converted, failures)
  }

  var json: JSONObject {
    [
      "schema": "cupola.import/1", "folder": source.source, "output": source.target,
      "copied": copied, "converted": converted, "kept": kept, "failed": failures,
      "left_out": source.ignored.json,
    ]
  }

  var text: String {
    let formats = converted.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }
    let count = converted.values.reduce(0, +)
    var parts = ["\(copied) copied"]
    if count > 0 { parts.append("\(count) converted (\(formats.joined(separator: ", ")))") }
    if kept > 0 { parts.append("\(kept) there already") }
    if !failures.isEmpty { parts.append("\(failures.count) failed") }
    // What cannot even be listed failed as a photo would.
    let photos = FigureText.count(source.items.count + source.unreadable.count, "photo")
    var lines = [VisibleText.line("\(source.target): \(photos): " + parts.joined(separator: ", "))]
    if !source.ignored.text.isEmpty { lines.append("left out: " + source.ignored.text) }
    return lines.joined(separator: "\n")
  }
}
