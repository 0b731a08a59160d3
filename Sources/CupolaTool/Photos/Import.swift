import ArgumentParser
import Cupola
import CupolaTraining

/// `cupola import`.
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
    guard !FileAccess.isSameFile(folder, output) else {
      throw ValidationError("-o must be another folder than \(folder).")
    }
  }

  func run() async throws {
    Console.exitOnInterrupt(after: PhotoImport.endPrograms)
    try await ExitStatus.reporting {
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
}
