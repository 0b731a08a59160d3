import ArgumentParser
import Cupola
import CupolaTraining

/// `cupola export`.
struct Export: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Writes a model for the apps of phones, browsers and other devices.",
    discussion: """
      PATH becomes a folder: the model, from the pixels of a photo to the probabilities of all
      labels, with README.md on how to use it, the map, and three pictures to try it with.

      EXAMPLES
        cupola export campus.safetensors --format onnx -o campus-onnx
        cupola export campus.safetensors --format onnx --weights int8 -o campus-onnx
      """)

  @Argument(help: "The model file.")
  var model: String

  @Option(help: "What to write.")
  var format: ExportFormat

  @Option(name: .shortAndLong, help: "The folder to write; an older export is replaced.")
  var output: String

  @Option(help: "How the weights are stored (default: as in the model file).")
  var weights: WeightFormat?

  func run() async throws {
    try await ExitStatus.reporting(about: model) {
      let export = try ModelExport(
        source: try FileAccess.read(model), format: format, weights: weights)
      try ExportFolder(path: output).write(export)
      Console.print("\(output): \(export.modelBytes) bytes")
    }
  }
}
