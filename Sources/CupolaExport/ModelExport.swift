public import Cupola

// 1. Read a model file and round its weights to the storage format.
// 2. Write the model as ONNX, Core ML, TFLite, C, WebAssembly or a model file.
// 3. Add test photos, map, place data, code, guide and manifest.

/// A file in an export.
public struct ExportFile: Equatable, Sendable {
  /// The path relative to the export's folder, separated by slashes.
  public let path: String
  /// The content.
  public let bytes: [UInt8]
}

extension ExportFile {
  init(path: String, json: [String: JSONValue]) {
    self.init(path: path, bytes: JSONWriter.bytes(of: .object(json)) + [0x0A])
  }
}

/// A model together with all files that an app developer needs.
public struct ModelExport: Sendable {
  /// The model, with its weights rounded to the storage format.
  package let model: Model
  /// The format.
  public let format: ExportFormat
  package let modelFiles: [ExportFile]
  /// All files: the model, `README.md`, code, `golden` and `export.json`, plus `campus.geojson` if there is a map, and
  /// `place.json` if the model has place data.
  public let files: [ExportFile]

  /// Exports a model. Equal models produce equal bytes.
  ///
  /// - Parameters:
  ///   - source: The bytes of a model file.
  ///   - format: The format to create.
  ///   - weights: The storage format of the weights; `nil` keeps the model file's format.
  /// - Throws: ``ExportError``.
  public init(
    source: [UInt8], format: ExportFormat, weights: WeightFormat? = nil
  ) throws(ExportError) {
    try self.init(source: source, format: format, weights: weights, options: ExportOptions())
  }

  /// Exports a model with the publisher's texts and photos.
  package init(
    source: [UInt8], format: ExportFormat, weights: WeightFormat? = nil, options: ExportOptions
  ) throws(ExportError) {
    self = try ExportError.wrapping {
      try ModelExport(unwrapped: source, format: format, weights: weights, options: options)
    }
  }

  private init(
    unwrapped source: [UInt8], format: ExportFormat, weights: WeightFormat?, options: ExportOptions
  ) throws {
    let original = try Model(bytes: source)
    let weights = weights ?? original.weightFormat
    guard format.weightFormats.contains(weights) else {
      throw ExportError.weights(weights, format.weightFormats)
    }
    model = original.rounded(to: weights)
    self.format = format
    var notes = ExportNotes(model, source: source, options: options)
    var modelFiles = try format.files(of: model, notes: notes)
    if format == .web {
      let program = WebProgram(modelFiles)
      notes.values[ExportNotes.codeKey] = .string(program.digest)
      let bytes = try options.program ?? program.compiled()
      modelFiles = [ExportFile(path: WebProgram.path, bytes: bytes)]
    }
    self.modelFiles = modelFiles
    var files = modelFiles
    files += try GoldenPictures(model, photos: options.photos).files(
      labels: model.exportLabels, format: format, weights: weights)
    if let campus = notes.campus {
      files.append(ExportFile(path: "campus.geojson", bytes: campus))
    }
    if let place = ExportPlace(model) { files.append(place.file) }
    files += try ExportGuide(model: model, format: format, notes: notes).files()
    files.append(ExportManifest(format: format, notes: notes, files: files).file)
    self.files = files
  }

  /// The total size of the model's files in bytes.
  package var modelBytes: Int { modelFiles.reduce(0) { $0 + $1.bytes.count } }
}

/// An export format.
public enum ExportFormat: String, CaseIterable, Codable, Sendable {
  /// The model file without the hashes and digests of its training photos, for custom runtimes.
  case safetensors
  /// An ONNX file, for ONNX Runtime on any platform and in browsers.
  case onnx
  /// A Core ML package, for Vision on Apple platforms.
  case coreml
  /// A TFLite file with task metadata, for MediaPipe Tasks and LiteRT.
  case tflite
  /// A C99 header and source file, for any platform with a compiler.
  case c
  /// A web page with the C code as WebAssembly, for any static web server. Exporting requires Clang.
  case web

  /// The weight formats that this format supports.
  public var weightFormats: [WeightFormat] {
    self == .coreml ? CoreMLPackage.weightFormats : WeightFormat.allCases
  }

  /// The maximum differences from the recognizer's probabilities and from their natural logarithms. Small probabilities
  /// show errors in preparing a photo that do not change the answer.
  typealias Tolerance = (probability: Double, logarithm: Double)

  func tolerance(_ weights: WeightFormat) -> Tolerance {
    switch self {
    case .onnx, .c, .web: (1e-4, 0.02)
    case .coreml where weights == .float16: (5e-3, 0.05)
    case .coreml, .safetensors: (1e-4, 0.05)
    case .tflite: (5e-4, 0.05)
    }
  }

  /// Returns the model's own files, with the weights rounded to the storage format; for `web`, the C files.
  func files(of model: Model, notes: ExportNotes) throws -> [ExportFile] {
    func graph(_ layout: GraphLayout) throws(ExportError) -> Graph {
      try Graph(model: model, layout: layout, weights: model.weightFormat)
    }
    switch self {
    case .safetensors:
      // Test images, manifest and guide use the same labels as in other formats.
      try model.checkLabelsForExport()
      // Remove data that would allow an app's users to look up training photos.
      let bytes = try model.stripping([.hashes, .digests]).bytes()
      return [ExportFile(path: "campus.safetensors", bytes: bytes)]
    case .onnx:
      let file = ONNXModel(
        graph: try graph(.channelsFirst), geometry: notes.geometry, notes: notes.texts)
      return [ExportFile(path: "campus.onnx", bytes: file.bytes())]
    case .coreml:
      let package = CoreMLPackage(
        graph: try graph(.channelsFirst), notes: notes,
        computesHalves: model.weightFormat == .float16)
      return package.files().map { path, bytes in
        ExportFile(path: CoreMLPackage.folder + "/" + path, bytes: bytes)
      }
    case .tflite:
      let file = try TFLiteModel(graph: try graph(.channelsLast), notes: notes)
      return [ExportFile(path: TFLiteModel.file, bytes: try file.bytes())]
    case .c, .web:
      let source = try CSource(
        model: model, weights: model.weightFormat, point: notes.point)
      return [
        ExportFile(path: CSource.headerName, bytes: source.header),
        ExportFile(path: CSource.sourceName, bytes: source.source),
      ]
    }
  }
}

extension Model {
  /// An export's labels: one for all background classes, the buildings, and the unknown building if the model has it.
  var exportLabels: [String] {
    [Graph.notACampusBuilding] + labels.buildings.map { labels.names[$0] }
      + (labels.unfamiliar == nil ? [] : [Graph.unknownBuilding])
  }

  /// Throws ``ExportError`` if the model is not supported by graphs and C.
  func checkForExport() throws(ExportError) {
    guard classifier.kind == .softmax else { throw .retrieval }
    try checkLabelsForExport()
    try extractor.exportable.checkForExport(inputSide: recipe.inputSide)
  }

  /// Throws ``ExportError/reservedLabel(_:)`` if a label is the same as one that exports add.
  func checkLabelsForExport() throws(ExportError) {
    for label in [Graph.notACampusBuilding, Graph.unknownBuilding]
    where labels.names.contains(label) {
      throw .reservedLabel(label)
    }
  }
}

extension Labels {
  /// Converts the probabilities of the model's labels to those of the export's labels.
  func exported(_ probabilities: [Double]) -> [Double] {
    [trainedBackgrounds.reduce(0) { $0 + probabilities[$1] }]
      + (buildings + [unfamiliar].compactMap(\.self)).map { probabilities[$0] }
  }
}
