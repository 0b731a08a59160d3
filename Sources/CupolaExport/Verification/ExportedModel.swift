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
    case .tflite: return try TFLiteModel(bytes: try only())
    case .coreml:
      let prefix = CoreMLPackage.folder + "/"
      let names = files.map {
        $0.path.hasPrefix(prefix) ? String($0.path.dropFirst(prefix.count)) : $0.path
      }
      return try CoreMLPackage(
        files: Dictionary(zip(names, files.map(\.bytes))) { first, _ in first })
    case .c:
      func named(_ name: String) throws -> [UInt8] {
        guard let file = files.first(where: { $0.path == name }), files.count == 2 else {
          throw ExportedModelFault.wrongFiles(files.count)
        }
        return file.bytes
      }
      return try CSource(
        header: try named(CSource.headerName), source: try named(CSource.sourceName))
    }
  }

  /// One line about an error of reading.
  static func message(_ error: any Error) -> String {
    switch error {
    case let fault as ONNXFault: fault.message
    case let fault as CoreMLFault: fault.message
    case let fault as TFLiteFault: fault.message
    case let fault as ExportedModelFault: fault.message
    default: "\(error)"
    }
  }
}

/// What keeps an export from being looked at.
enum ExportedModelFault: Error, Equatable {
  /// It should have fewer or more files of its own.
  case wrongFiles(Int)

  var message: String {
    switch self {
    case .wrongFiles(let count): "\(count) files, which are not those of the format"
    }
  }
}
