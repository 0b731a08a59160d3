public import Cupola

/// What a model can be exported as.
public enum ExportFormat: String, CaseIterable, Codable, Sendable {
  /// The model file itself, for runtimes of one's own.
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

  /// How far probabilities may be from the recogniser's.
  var tolerance: Double { self == .tflite ? 5e-4 : 1e-4 }

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
      return try CoreMLPackage(model, notes).files().sorted { $0.key < $1.key }.map { path, bytes in
        ExportFile(path: CoreMLPackage.folder + "/" + path, bytes: bytes)
      }
    case .tflite:
      return [ExportFile(path: TFLiteModel.file, bytes: try TFLiteModel(model, notes).bytes())]
    case .c:
      let source = try CSource(model: model, weights: model.weightFormat)
      return [
        ExportFile(path: CSource.headerName, bytes: source.header),
        ExportFile(path: CSource.sourceName, bytes: source.source),
      ]
    }
  }
}

extension CoreMLPackage {
  /// The package of a model with its weights as they are stored.
  init(_ model: Model, _ notes: ExportNotes) throws {
    self.init(
      graph: try Graph(model: model, layout: .channelsFirst, weights: model.weightFormat),
      metadata: CoreMLMetadata(notes))
  }
}

extension TFLiteModel {
  /// What the file is called in an export's folder.
  static let file = "campus.tflite"

  /// The file of a model with its weights as they are stored.
  init(_ model: Model, _ notes: ExportNotes) throws {
    self.init(
      graph: try Graph(model: model, layout: .channelsLast, weights: model.weightFormat),
      card: Card(
        name: "Campus recogniser",
        description: "Names the building in a photo, or \(Graph.notACampusBuilding). "
          + "Photos must be upright; scale them to fill, do not crop.",
        // Of the model file: it changes when the model does.
        version: String((notes.texts["model_sha256"] ?? "").prefix(12)),
        author: "Cupola \(cupolaVersion)", licence: "as its maker grants it"),
      properties: notes.values, campus: notes.campus)
  }
}
