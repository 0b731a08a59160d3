#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// A model as one safetensors file: tensors, and JSON texts in its metadata.
package enum ModelFile {
  static let format = "cupola.model"
  static let version = "1"
  /// A model of 10,000 buildings with the largest recipe is below this.
  static let maximumBytes = 2 << 30

  private enum Key {
    static let format = "format"
    static let version = "format_version"
    static let recipe = "recipe"
    static let labels = "labels"
    static let weights = "weights"
    static let retrieval = "retrieval"
    static let calibration = "calibration"
    static let campus = "campus"
    static let place = "place"
    static let provenance = "provenance"
    static let digest = "tensors_sha256"
  }

  // MARK: - Writing

  static func bytes(of model: Model) throws -> [UInt8] {
    var file = SafeTensors()
    switch model.classifier {
    case .softmax(let linear):
      file.tensors = ClassifierTensors.tensors(of: linear, as: model.weightFormat)
    case .retrieval(let retrieval): file.tensors = RetrievalTensors.tensors(of: retrieval)
    }
    file.tensors.merge(model.extractor.own.tensors) { $1 }
    file.metadata = [
      Key.format: format,
      Key.version: version,
      Key.recipe: try json(model.recipe),
      Key.labels: try json(model.labels.names),
      Key.weights: model.weightFormat.rawValue,
      Key.calibration: try json(model.calibration),
      Key.provenance: try json(model.provenance),
      Key.digest: digest(of: file.tensors),
    ]
    if let campus = model.campus {
      file.metadata[Key.campus] = String(decoding: campus.geoJSON(), as: UTF8.self)
    }
    file.metadata[Key.place] = try model.place.map(json)
    if case .retrieval(let retrieval) = model.classifier {
      file.metadata[Key.retrieval] = try json(RetrievalTensors.shape(of: retrieval))
    }
    return try file.bytes()
  }

  // MARK: - Reading

  static func model(in bytes: [UInt8]) throws -> Model {
    let file = try SafeTensors(bytes: bytes)
    try checkVersion(file)
    guard file.metadata[Key.digest] == digest(of: file.tensors) else {
      throw CupolaError.badModel(.wrongDigest)
    }
    let recipe: Recipe = try value(Key.recipe, in: file)
    try recipe.check()
    let labels = Labels(try value(Key.labels, in: file) as [String])
    let format = try weightFormat(of: file)
    let classifier = try classifier(in: file, as: format, labels, recipe)
    guard Set(labels.names).count == labels.names.count, !labels.names.isEmpty else {
      throw CupolaError.badModel(.inconsistent("its labels are empty or repeat"))
    }
    let calibration: Calibration = try value(Key.calibration, in: file)
    guard calibration.temperature > 0, calibration.temperature.isFinite else {
      throw CupolaError.badModel(.inconsistent("its temperature is not positive"))
    }
    let curves = [
      calibration.notBuildings, calibration.unknownBuildings, calibration.wrongNames,
    ]
    for curve in curves.compactMap(\.self) {
      guard curve.scores.count <= curve.photos, curve.scores == curve.scores.sorted(by: >) else {
        throw CupolaError.badModel(.inconsistent("its error curve is out of order"))
      }
    }
    return Model(
      recipe: recipe, extractor: try recipe.features.extractor(in: file),
      labels: labels, classifier: classifier, calibration: calibration,
      campus: try campus(in: file),
      place: try place(in: file),
      provenance: try value(Key.provenance, in: file), weightFormat: format)
  }

  private static func classifier(
    in file: SafeTensors, as format: WeightFormat, _ labels: Labels, _ recipe: Recipe
  ) throws -> Classifier {
    let (count, features) = (labels.names.count, recipe.featureCount)
    guard file.metadata[Key.retrieval] != nil else {
      return .softmax(
        try ClassifierTensors.classifier(in: file, as: format, labels: count, features: features))
    }
    return .retrieval(
      try RetrievalTensors.classifier(
        in: file, try value(Key.retrieval, in: file), labels: count, features: features))
  }

  private static func checkVersion(_ file: SafeTensors) throws {
    guard let found = file.metadata[Key.format] else {
      throw CupolaError.badModel(.missing("metadata entry \(Key.format)"))
    }
    guard found == format else { throw CupolaError.badModel(.wrongFormat(found)) }
    let foundVersion = file.metadata[Key.version] ?? "unknown"
    guard foundVersion == version else {
      throw CupolaError.badModel(.unknownVersion(foundVersion))
    }
    struct Versioned: Decodable { let version: Int }
    let recipe: Versioned = try value(Key.recipe, in: file)
    guard recipe.version == Recipe.currentVersion else {
      throw CupolaError.badModel(.unknownVersion("recipe \(recipe.version)"))
    }
  }

  private static func campus(in file: SafeTensors) throws(CupolaError) -> Campus? {
    guard let text = file.metadata[Key.campus] else { return nil }
    do { return try Campus(geoJSON: Array(text.utf8)) } catch { throw .badCampus(error) }
  }

  /// Older files have none.
  private static func place(in file: SafeTensors) throws -> PlaceModel? {
    guard file.metadata[Key.place] != nil else { return nil }
    let place: PlaceModel = try value(Key.place, in: file)
    guard place.isSound else {
      throw CupolaError.badModel(.inconsistent("its weights of place are not 0 to 1"))
    }
    return place
  }

  /// Older files do not say: their weights are 32-bit floats.
  private static func weightFormat(of file: SafeTensors) throws -> WeightFormat {
    guard let name = file.metadata[Key.weights] else { return .float32 }
    guard let format = WeightFormat(rawValue: name) else {
      throw CupolaError.badModel(.unknownVersion("weights \(name)"))
    }
    return format
  }

  /// A tensor of one of some types.
  static func tensor(
    _ name: String, in file: SafeTensors, shape: [Int], types: [String]
  ) throws -> SafeTensors.Tensor {
    guard let tensor = file.tensors[name] else {
      throw CupolaError.badModel(.missing("tensor \(name)"))
    }
    guard tensor.shape == shape, types.contains(tensor.type) else {
      let needed = types.joined(separator: " or ")
      throw CupolaError.badModel(
        .inconsistent("tensor \(name) is \(tensor.type) \(tensor.shape), \(needed) \(shape) needed")
      )
    }
    return tensor
  }

  /// The finite numbers of a tensor of type `F32` or `F16`.
  static func floats(
    _ name: String, in file: SafeTensors, shape: [Int], types: [String] = ["F32"]
  ) throws -> [Float] {
    let tensor = try tensor(name, in: file, shape: shape, types: types)
    guard let floats = tensor.floats ?? tensor.halves, floats.allSatisfy(\.isFinite) else {
      throw CupolaError.badModel(.notFinite(tensor: name))
    }
    return floats
  }

  /// The same of numbers that must be more than 0.
  static func positiveFloats(
    _ name: String, in file: SafeTensors, shape: [Int], types: [String] = ["F32"]
  ) throws -> [Float] {
    let floats = try floats(name, in: file, shape: shape, types: types)
    guard floats.allSatisfy({ $0 > 0 }) else {
      throw CupolaError.badModel(.inconsistent("tensor \(name) is not positive"))
    }
    return floats
  }

  private static func value<Value: Decodable>(
    _ key: String, in file: SafeTensors
  ) throws -> Value {
    guard let text = file.metadata[key] else {
      throw CupolaError.badModel(.missing("metadata entry \(key)"))
    }
    do {
      return try value(Value.self, inJSON: text)
    } catch {
      throw CupolaError.badModel(.badHeader("metadata entry \(key) is not what it should be"))
    }
  }

  /// Reads what ``json(_:)`` wrote.
  package static func value<Value: Decodable>(
    _ type: Value.Type, inJSON text: String
  ) throws -> Value {
    try JSONDecoder().decode(type, from: Data(text.utf8))
  }

  /// Equal values give equal texts.
  package static func json(_ value: some Encodable) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return String(decoding: try encoder.encode(value), as: UTF8.self)
  }

  /// SHA-256 over the bytes of all tensors in the order of their names.
  package static func digest(of tensors: [String: SafeTensors.Tensor]) -> String {
    var hash = SHA256()
    for (name, tensor) in tensors.sorted(by: { $0.key < $1.key }) {
      hash.update(Array("\(name) \(tensor.type) \(tensor.shape)\n".utf8))
      hash.update(tensor.bytes)
    }
    return hash.hexadecimal()
  }
}

extension Model {
  /// Reads a model file's bytes.
  ///
  /// - Throws: ``CupolaError/badModel(_:)`` or ``CupolaError/badCampus(_:)`` when anything about them is
  ///   not as it should be.
  public init(bytes: [UInt8]) throws(CupolaError) {
    self = try Self.typed { try ModelFile.model(in: bytes) }
  }

  /// Reads a model file.
  ///
  /// - Throws: ``CupolaError/file(_:)``, and as ``init(bytes:)`` does.
  public init(contentsOf path: String) throws(CupolaError) {
    try self.init(
      bytes: try Self.typed { try FileAccess.read(path, limit: ModelFile.maximumBytes) })
  }

  /// The model as a file: equal models give equal bytes.
  ///
  /// - Throws: ``CupolaError/badModel(_:)`` when no file can hold it.
  public func bytes() throws(CupolaError) -> [UInt8] {
    try Self.typed { try ModelFile.bytes(of: self) }
  }

  /// Writes the model, replacing a file only when the new one is whole and on the disk.
  ///
  /// - Throws: ``CupolaError/file(_:)``, and as ``bytes()`` does.
  public func write(to path: String) throws(CupolaError) {
    let bytes = try bytes()
    try Self.typed { try FileAccess.write(bytes, to: path) }
  }

  private static func typed<Result>(_ body: () throws -> Result) throws(CupolaError) -> Result {
    do {
      return try body()
    } catch let error as CupolaError {
      throw error
    } catch let error as FileError {
      throw .file(error)
    } catch {
      throw .badModel(.badHeader("\(error)"))
    }
  }
}
