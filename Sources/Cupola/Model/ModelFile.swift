#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif
internal import CupolaCampus

// 1. Write tensors and JSON metadata to a safetensors file with a SHA-256 digest.
// 2. Read a file: check the version, digest, metadata, tensors, and bounds, in this order.
// 3. `ModelSeal` computes and verifies the digest of the whole file.

package enum ModelFile {
  static let format = "cupola.model"
  static let version = "1"
  /// The maximum file size. A model with 10,000 buildings and the largest recipe is smaller.
  static let maximumBytes = 2 << 30

  private enum Key {
    static let format = "format"
    static let version = "format_version"
    static let recipe = "recipe"
    static let labels = "labels"
    static let weights = "weights"
    static let retrieval = "retrieval"
    static let novelty = "novelty"
    static let calibration = "calibration"
    static let campus = "campus"
    static let place = "place"
    static let provenance = "provenance"

    /// All metadata entries in older files, which have no digest over the whole file.
    static let older: Set = [
      format, version, recipe, labels, weights, retrieval, calibration, campus, place, provenance,
      tensorDigestKey,
    ]
  }

  /// The metadata entry for the tensors' digest, which only older files have.
  static let tensorDigestKey = "tensors_sha256"

  // MARK: - Writing

  static func bytes(of model: Model) throws -> [UInt8] {
    var file = SafeTensors()
    switch model.classifier {
    case .softmax(let linear):
      file.tensors = ClassifierTensors.tensors(of: linear, as: model.weightFormat)
    case .retrieval(let retrieval): file.tensors = RetrievalTensors.tensors(of: retrieval)
    }
    file.tensors.merge(model.extractor.tensors) { $1 }
    file.metadata = [
      Key.format: format,
      Key.version: version,
      Key.recipe: try json(model.recipe),
      Key.labels: try json(model.labels.names),
      Key.weights: model.weightFormat.rawValue,
      Key.calibration: try json(model.calibration),
      Key.provenance: try json(model.provenance),
    ]
    if let campus = model.campus {
      file.metadata[Key.campus] = String(decoding: campus.geoJSON(), as: UTF8.self)
    }
    file.metadata[Key.place] = try model.place.map(json)
    if case .retrieval(let retrieval) = model.classifier {
      file.metadata[Key.retrieval] = try json(RetrievalTensors.shape(of: retrieval))
    }
    if let novelty = model.novelty {
      file.tensors.merge(NoveltyTensors.tensors(of: novelty)) { $1 }
      file.metadata[Key.novelty] = try json(NoveltyTensors.Shape(novelty))
    }
    return try ModelSeal.bytes(of: file)
  }

  // MARK: - Reading

  static func model(in file: SafeTensors, _ bytes: [UInt8]) throws -> Model {
    let recipeValue = try checkVersion(file)
    let isSealed = try checkDigest(file, bytes)
    let recipe: Recipe = try value(Key.recipe, from: recipeValue)
    try recipe.check()
    let labels = Labels(try value(Key.labels, in: file.metadata) as [String])
    let format = try weightFormat(of: file)
    let classifier = try classifier(in: file, as: format, labels, recipe)
    guard Set(labels.names).count == labels.names.count, !labels.names.isEmpty else {
      throw CupolaError.badModel(.inconsistent("labels are empty or duplicated"))
    }
    guard labels.names.allSatisfy({ $0.utf8.count <= Labels.longest }) else {
      throw CupolaError.badModel(
        .inconsistent("a label has more than \(Labels.longest) bytes"))
    }
    let calibration: Calibration = try value(Key.calibration, in: file.metadata)
    try ModelBounds.check(calibration)
    let provenance: Provenance = try value(Key.provenance, in: file.metadata)
    try ModelBounds.check(provenance)
    var model = Model(
      recipe: recipe, extractor: try recipe.features.extractor(in: file),
      labels: labels, classifier: classifier, novelty: try novelty(in: file, labels, recipe),
      calibration: calibration,
      campus: try campus(in: file),
      place: try place(in: file),
      provenance: provenance, weightFormat: format)
    model.isSealed = isSealed
    return model
  }

  /// Verifies the digest and returns whether it covers the whole file. Older files only have a digest over the tensors.
  private static func checkDigest(_ file: SafeTensors, _ bytes: [UInt8]) throws -> Bool {
    if let digest = file.metadata[ModelSeal.key] {
      guard ModelSeal.fits(bytes, digest: digest) else {
        throw CupolaError.badModel(.wrongDigest)
      }
      return true
    }
    // Older files have no other entries. Any other entry indicates damage, for example to the name of the digest entry.
    guard Key.older.isSuperset(of: file.metadata.keys),
      file.metadata[tensorDigestKey] == digest(of: file.tensors)
    else { throw CupolaError.badModel(.wrongDigest) }
    return false
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
        in: file, try value(Key.retrieval, in: file.metadata), labels: count, features: features))
  }

  private static func novelty(
    in file: SafeTensors, _ labels: Labels, _ recipe: Recipe
  ) throws -> NoveltyDetector? {
    guard file.metadata[Key.novelty] != nil else { return nil }
    return try NoveltyTensors.detector(
      in: file, try value(Key.novelty, in: file.metadata), labels: labels,
      features: recipe.featureCount)
  }

  private static func checkVersion(_ file: SafeTensors) throws -> JSONValue {
    guard let found = file.metadata[Key.format] else {
      throw CupolaError.badModel(.missing("metadata entry \(Key.format)"))
    }
    guard found == format else { throw CupolaError.badModel(.wrongFormat(found)) }
    let foundVersion = file.metadata[Key.version] ?? "unknown"
    guard foundVersion == version else {
      throw CupolaError.badModel(.unknownVersion(foundVersion))
    }
    let text = try text(Key.recipe, in: file.metadata)
    guard let recipe = try? json(text), case .object(let members) = recipe,
      case .integer(let recipeVersion) = members["version"]
    else { throw unreadable(Key.recipe) }
    guard recipeVersion == Recipe.currentVersion else {
      throw CupolaError.badModel(.unknownVersion("recipe \(recipeVersion)"))
    }
    return recipe
  }

  private static func campus(in file: SafeTensors) throws(CupolaError) -> Campus? {
    guard let text = file.metadata[Key.campus] else { return nil }
    do { return try Campus(geoJSON: Array(text.utf8)) } catch { throw .badCampus(error) }
  }

  private static func place(in file: SafeTensors) throws -> PlaceModel? {
    guard file.metadata[Key.place] != nil else { return nil }
    let place: PlaceModel = try value(Key.place, in: file.metadata)
    guard place.isSound else {
      throw CupolaError.badModel(.inconsistent("place weights are outside 0 to 1"))
    }
    return place
  }

  /// Older files do not store the format; they use 32-bit floats.
  private static func weightFormat(of file: SafeTensors) throws -> WeightFormat {
    guard let name = file.metadata[Key.weights] else { return .float32 }
    guard let format = WeightFormat(rawValue: name) else {
      throw CupolaError.badModel(.unknownVersion("weights \(name)"))
    }
    return format
  }

  private static func value<Value: Decodable>(
    _ key: String, in metadata: [String: String]
  ) throws -> Value {
    let text = try text(key, in: metadata)
    guard let json = try? json(text) else { throw unreadable(key) }
    return try value(key, from: json)
  }

  private static func value<Value: Decodable>(
    _ key: String, from json: JSONValue
  ) throws(CupolaError) -> Value {
    do { return try JSONValueDecoder.decode(Value.self, from: json) } catch {
      throw unreadable(key)
    }
  }

  private static func text(
    _ key: String, in metadata: [String: String]
  ) throws(CupolaError) -> String {
    guard let text = metadata[key] else { throw .badModel(.missing("metadata entry \(key)")) }
    return text
  }

  private static func unreadable(_ key: String) -> CupolaError {
    .badModel(.badHeader("invalid metadata entry \(key)"))
  }

  /// Real metadata is less deeply nested and has fewer values, even with the viewpoints of 10,000 buildings. Deeper
  /// nesting could exhaust the stack.
  private static let limits = JSONReader.Limits(depth: 32, values: 20_000_000)

  package static func value<Value: Decodable>(
    _ type: Value.Type, inJSON text: String
  ) throws -> Value {
    try JSONValueDecoder.decode(type, from: try json(text))
  }

  private static func json(_ text: String) throws(JSONFault) -> JSONValue {
    try JSONReader.value(of: Array(text.utf8), limits: limits)
  }

  /// Encodes a value as JSON. Equal values produce equal text.
  package static func json(_ value: some Encodable) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return String(decoding: try encoder.encode(value), as: UTF8.self)
  }

  /// Returns the SHA-256 digest over all tensors, sorted by name.
  package static func digest(of tensors: [String: SafeTensors.Tensor]) -> String {
    var hash = SHA256()
    for (name, tensor) in tensors.sorted(by: { $0.key < $1.key }) {
      hash.update(Array("\(name) \(tensor.type) \(tensor.shape)\n".utf8))
      hash.update(tensor.bytes)
    }
    return hash.hexadecimal()
  }
}

/// The SHA-256 digest of a model file, computed with zeros in place of the digest itself.
/// It covers the labels, map, and recipe as well as the tensors, so damage anywhere in the file is detected.
package enum ModelSeal {
  static let key = "file_sha256"
  private static let digits = 64
  private static let blank = [UInt8](repeating: UInt8(ascii: "0"), count: digits)

  /// Returns the bytes of a file whose metadata includes the digest of the whole file.
  package static func bytes(of file: SafeTensors) throws -> [UInt8] {
    var file = file
    file.metadata[ModelFile.tensorDigestKey] = nil
    file.metadata[key] = String(decoding: blank, as: UTF8.self)
    var bytes = try file.bytes()
    guard let place = place(in: bytes) else { throw CupolaError.badModel(.wrongDigest) }
    bytes.replaceSubrange(place, with: SHA256.hexadecimal(of: bytes).utf8)
    return bytes
  }

  static func fits(_ bytes: [UInt8], digest: String) -> Bool {
    guard let place = place(in: bytes), bytes[place].elementsEqual(digest.utf8) else {
      return false
    }
    var hash = SHA256()
    hash.update(bytes.span.extracting(..<place.lowerBound))
    hash.update(blank)
    hash.update(bytes.span.extracting(place.upperBound...))
    return hash.hexadecimal() == digest
  }

  /// Returns the position of the digest; `nil` unless there is exactly one.
  /// Other text in the header cannot match, because its quotes are escaped.
  private static func place(in bytes: [UInt8]) -> Range<Int>? {
    guard let size = try? SafeTensorsIndex.headerSize(bytes.prefix(9), fileSize: bytes.count)
    else { return nil }
    let mark = Array("\"\(key)\":\"".utf8)
    let (header, searched) = (bytes.span.extracting(0..<8 + size), mark.span)
    var found: Range<Int>?
    for start in 8..<max(8, header.count - mark.count - digits)
    where header.matches(searched, at: start) {
      guard found == nil else { return nil }
      found = start + mark.count..<start + mark.count + digits
    }
    return found
  }
}

extension Span where Element == UInt8 {
  func matches(_ bytes: Span<UInt8>, at start: Int) -> Bool {
    guard start + bytes.count <= count else { return false }
    for index in 0..<bytes.count where self[start + index] != bytes[index] { return false }
    return true
  }
}
