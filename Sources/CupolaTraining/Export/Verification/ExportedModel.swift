import Cupola

/// What is read back from an export's own files, whatever its format.
protocol ExportedModel {
  /// Names of the probabilities.
  var exportedLabels: [String] { get }
  /// Rows and columns of the picture.
  var exportedSide: Int { get }
  /// The probabilities of a picture of that size, as the file computes them.
  func exportedProbabilities(of image: RGBImage) throws -> [Double]
  /// What differs from a model with its weights as they are stored, and from its notes; `nil` when
  /// nothing does.
  func difference(from model: Model, notes: ExportNotes) throws -> String?
}

extension ExportFormat {
  /// Reads a model's own files.
  ///
  /// - Throws: what is wrong with them, of the format's own type.
  func exportedModel(in files: [ExportFile]) throws -> any ExportedModel {
    func only() throws -> [UInt8] {
      guard files.count == 1, let file = files.first else {
        throw ExportedModelFault.wrongFiles(files.count)
      }
      return file.bytes
    }
    switch self {
    case .safetensors: return try Model(bytes: try only())
    case .onnx: return try ONNXModel(bytes: try only())
    }
  }

  /// One line about an error of reading.
  static func message(_ error: any Error) -> String {
    switch error {
    case let fault as ONNXFault: fault.message
    case let fault as ExportedModelFault: fault.message
    default: "\(error)"
    }
  }
}

/// What keeps an export from being looked at.
enum ExportedModelFault: Error, Equatable {
  /// It should have one file of its own.
  case wrongFiles(Int)

  var message: String {
    switch self {
    case .wrongFiles(let count): "\(count) files instead of one"
    }
  }
}

extension ONNXModel: ExportedModel {
  var exportedLabels: [String] { graph.labels }
  var exportedSide: Int { graph.nodes[0].shape[1] }

  func exportedProbabilities(of image: RGBImage) -> [Double] {
    GraphInterpreter(graph).probabilities(of: image).map(Double.init)
  }

  func difference(from model: Model, notes: ExportNotes) throws -> String? {
    if let key = notes.difference(from: self.notes) { return "its note \"\(key)\" is another" }
    let expected = try Graph(model: model, layout: .channelsFirst, weights: model.weightFormat)
    guard graph.labels == expected.labels else { return "its labels are others" }
    for (found, needed) in zip(graph.nodes, expected.nodes) where found != needed {
      return "\(found.name) is not what the model computes there"
    }
    return graph == expected
      ? nil : "it has \(graph.nodes.count) steps, not \(expected.nodes.count)"
  }
}

extension Model: ExportedModel {
  var exportedLabels: [String] { ModelExport.labels(of: self) }
  var exportedSide: Int { recipe.inputSide }

  func exportedProbabilities(of image: RGBImage) throws -> [Double] {
    try GoldenPictures.answer(self, image)
  }

  func difference(from model: Model, notes: ExportNotes) throws -> String? {
    self == model ? nil : "it is another model"
  }
}
