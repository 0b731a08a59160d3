public import Cupola

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
