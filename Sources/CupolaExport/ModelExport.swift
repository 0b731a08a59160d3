public import Cupola

// 1. Read a model file and round its weights as they will be stored.
// 2. Write the model in a format: ONNX, Core ML, TFLite, C, or the model file itself.
// 3. Add test pictures, map, place table, guide and manifest.

/// A file of an export.
public struct ExportFile: Equatable, Sendable {
  /// Relative to the export's folder, parts divided by slashes.
  public let path: String
  /// Its contents.
  public let bytes: [UInt8]
}

extension ExportFile {
  /// A line of JSON.
  init(path: String, json: [String: JSONValue]) {
    self.init(path: path, bytes: JSONWriter.bytes(of: .object(json)) + [0x0A])
  }
}

/// A model with all that an app developer gets with it: a folder of files.
public struct ModelExport: Sendable {
  /// What is exported, with its weights as they are stored.
  public let model: Model
  /// What it is exported as.
  public let format: ExportFormat
  /// The model's own files.
  public let modelFiles: [ExportFile]
  /// All files: those of the model, `README.md`, `golden` and `export.json`; with a map `campus.geojson`; and where the
  /// model knows places `place.json` and the code that reads it.
  public let files: [ExportFile]

  /// Makes an export: the same model gives the same bytes.
  ///
  /// - Parameters:
  ///   - source: the bytes of a model file.
  ///   - format: for which runtime.
  ///   - weights: how its weights are to be stored; `nil` as the file has them.
  /// - Throws: ``ExportError``.
  public init(
    source: [UInt8], format: ExportFormat, weights: WeightFormat? = nil
  ) throws(ExportError) {
    self = try ExportError.wrapping {
      try ModelExport(unwrapped: source, format: format, weights: weights)
    }
  }

  private init(unwrapped source: [UInt8], format: ExportFormat, weights: WeightFormat?) throws {
    let original = try Model(bytes: source)
    let weights = weights ?? original.weightFormat
    guard format.weightFormats.contains(weights) else {
      throw ExportError.weights(weights, format.weightFormats)
    }
    model = original.rounded(to: weights)
    self.format = format
    let notes = ExportNotes(model, source: source)
    modelFiles = try format.files(of: model, notes: notes)
    var files = modelFiles
    files += try GoldenPictures(model).files(
      labels: model.exportLabels, tolerance: format.tolerance)
    if let campus = notes.campus {
      files.append(ExportFile(path: "campus.geojson", bytes: campus))
    }
    if let place = ExportPlace(model) { files.append(place.file) }
    files += format.placeCode
    files.append(
      try ExportGuide(model: model, format: format, hasMap: notes.campus != nil).file())
    files.append(ExportManifest(format: format, notes: notes, files: files).file)
    self.files = files
  }

  /// Bytes of the model's own files.
  public var modelBytes: Int { modelFiles.reduce(0) { $0 + $1.bytes.count } }
}

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

  /// The code for apps that reads `place.json`, in files of its own.
  var placeCode: [ExportFile] {
    switch self {
    case .onnx:
      [
        ExportFile(path: "place.py", bytes: PackageResources.place_py),
        ExportFile(path: "place.js", bytes: PackageResources.place_js),
      ]
    case .coreml: [ExportFile(path: "Place.swift", bytes: PackageResources.Place_swift)]
    case .tflite: [ExportFile(path: "Place.kt", bytes: PackageResources.Place_kt)]
    case .safetensors, .c: []
    }
  }
}

extension Model {
  /// Names of the probabilities of an export: the backgrounds as one, the buildings, and the unknown
  /// building where the model has it.
  var exportLabels: [String] {
    [Graph.notACampusBuilding] + labels.buildings.map { labels.names[$0] }
      + (labels.unfamiliar == nil ? [] : [Graph.unknownBuilding])
  }

  /// Refuses what neither graphs nor C are made of, so that these exports have the same limits.
  ///
  /// - Throws: ``ExportError``.
  func checkForExport() throws(ExportError) {
    guard classifier.kind == .softmax else { throw .retrieval }
    try checkLabelsForExport()
    try extractor.exportable.checkForExport(inputSide: recipe.inputSide)
  }

  /// Refuses a label that could not be told from what exports say of everything else.
  ///
  /// - Throws: ``ExportError/reservedLabel(_:)``.
  func checkLabelsForExport() throws(ExportError) {
    for label in [Graph.notACampusBuilding, Graph.unknownBuilding]
    where labels.names.contains(label) {
      throw .reservedLabel(label)
    }
  }
}

extension Labels {
  /// Probabilities of an export's labels from one a label of the model.
  func exported(_ probabilities: [Double]) -> [Double] {
    [trainedBackgrounds.reduce(0) { $0 + probabilities[$1] }]
      + (buildings + [unfamiliar].compactMap(\.self)).map { probabilities[$0] }
  }
}
