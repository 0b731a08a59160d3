import ArgumentParser
import Cupola
import CupolaExport
import CupolaTraining

/// `cupola verify`.
struct Verify: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Checks an export: its files, what they compute, and what they say.",
    discussion: """
      Needs no other tool. The exit code is 65 when anything is wrong.

      EXAMPLE
        cupola verify campus-onnx campus.safetensors
      """)

  @Argument(help: "The folder of the export.")
  var export: String

  @Argument(help: "The model file that it was made from.")
  var model: String

  func run() async throws {
    let verification = try await ExitStatus.reporting(about: model) {
      try ExportVerification(folder: export, source: try FileAccess.read(model))
    }
    for line in verification.passed { Console.print("ok: " + line) }
    for line in verification.faults { Console.error("\(export): \(line)") }
    if !verification.faults.isEmpty { throw ExitStatus.badData }
  }
}
