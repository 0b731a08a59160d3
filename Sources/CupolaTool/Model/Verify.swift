import ArgumentParser
import Cupola
import CupolaExport

/// `cupola verify`.
struct Verify: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "verify",
    abstract: "Checks an export by its digests, and byte for byte by its model.",
    discussion: """
      An export names the size and SHA-256 of each of its files: changed, missing and added ones are \
      told. With the model file, the export is also written anew and compared byte for byte, and the \
      first place that differs is told. Needs no other tool. The exit code is 65 when anything is \
      wrong.

      EXAMPLES
        cupola verify campus-onnx
        cupola verify campus-onnx campus.safetensors
      """)

  @Argument(help: "The folder of the export.", completion: .directory)
  var export: String

  @Argument(
    help: "The model file that it was made from.", completion: .file(extensions: ["safetensors"]))
  var model: String?

  func validate() throws { try PhotoArguments.checkPaths([export, model]) }

  func run() async throws {
    let verification = try await ExitStatus.reporting(about: model) {
      try ExportVerification(folder: export, source: try model.map { try FileAccess.read($0) })
    }
    for line in verification.passed { Console.print(line: "ok: " + line) }
    for line in verification.faults { Console.error("\(export): \(line)") }
    if !verification.faults.isEmpty { throw ExitStatus.badData }
  }
}
