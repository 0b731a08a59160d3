public import Cupola

/// What a model can be exported as.
public enum ExportFormat: String, CaseIterable, Codable, Sendable {
  /// The model file itself, without hashes and digests of the photos that trained it, for runtimes of one's own.
  case safetensors
  /// One ONNX file, for ONNX Runtime on any platform and in browsers.
  case onnx
  /// A Core ML package, for Vision on Apple systems.
  case coreml
  /// One TFLite file with task metadata, for MediaPipe Tasks and LiteRT.
  case tflite
  /// One header and one source file in C99, for everything else that has a compiler.
  case c

  /// The weights that the format can store.
  public var weightFormats: [WeightFormat] {
    self == .coreml ? CoreMLPackage.weightFormats : WeightFormat.allCases
  }

  /// How far probabilities may be from the recognizer's.
  var tolerance: Double { self == .tflite ? 5e-4 : 1e-4 }

  /// The model in this format: one file or several, the model's own ones only.
  ///
  /// - Parameter model: with its weights as they are stored.
  func files(of model: Model, notes: ExportNotes) throws -> [ExportFile] {
    func graph(_ layout: GraphLayout) throws(ExportError) -> Graph {
      try Graph(model: model, layout: layout, weights: model.weightFormat)
    }
    switch self {
    case .safetensors:
      // Its pictures to try it with, its manifest and its guide say the same labels as other exports.
      try model.checkLabelsForExport()
      // Apps hand it to everybody: nobody who has it should be able to look up photos.
      let bytes = try model.stripping([.hashes, .digests]).bytes()
      return [ExportFile(path: "campus.safetensors", bytes: bytes)]
    case .onnx:
      let file = ONNXModel(
        graph: try graph(.channelsFirst), geometry: notes.geometry, notes: notes.texts)
      return [ExportFile(path: "campus.onnx", bytes: file.bytes())]
    case .coreml:
      let package = CoreMLPackage(graph: try graph(.channelsFirst), notes: notes)
      return package.files().map { path, bytes in
        ExportFile(path: CoreMLPackage.folder + "/" + path, bytes: bytes)
      }
    case .tflite:
      let file = try TFLiteModel(graph: try graph(.channelsLast), notes: notes)
      return [ExportFile(path: TFLiteModel.file, bytes: try file.bytes())]
    case .c:
      let source = try CSource(model: model, weights: model.weightFormat)
      return [
        ExportFile(path: CSource.headerName, bytes: source.header),
        ExportFile(path: CSource.sourceName, bytes: source.source),
      ]
    }
  }
}
