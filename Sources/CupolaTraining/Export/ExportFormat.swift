public import Cupola

/// What a model can be exported as.
public enum ExportFormat: String, CaseIterable, Codable, Sendable {
  /// The model file itself, for runtimes of one's own.
  case safetensors
  /// One ONNX file, for ONNX Runtime on any platform and in browsers.
  case onnx
  /// A Core ML package, for Vision on Apple systems.
  case coreml

  /// The weights that the format can store.
  public var weightFormats: [WeightFormat] {
    self == .coreml ? CoreMLPackage.weightFormats : WeightFormat.allCases
  }

  /// How far probabilities may be from the recogniser's.
  var tolerance: Double { 1e-4 }

  /// The model in this format: one file or several, the model's own ones only.
  func files(of model: Model, notes: ExportNotes) throws -> [ExportFile] {
    switch self {
    case .safetensors:
      return [ExportFile(path: "campus.safetensors", bytes: try model.bytes())]
    case .onnx:
      let graph = try Graph(model: model, layout: .channelsFirst, weights: model.weightFormat)
      let file = ONNXModel(graph: graph, notes: notes.texts, version: cupolaVersion)
      return [ExportFile(path: "campus.onnx", bytes: file.bytes())]
    case .coreml:
      let graph = try Graph(model: model, layout: .channelsFirst, weights: model.weightFormat)
      return try CoreMLPackage(graph: graph, metadata: CoreMLMetadata(notes)).exportFiles()
    }
  }
}
