public import Cupola

// 1. Classify a part of the photos and write a shard (`Evaluator.write`).
// 2. Read or write one file (`PredictionShard`).
// 3. Read a folder of shards and match them with local photos (`PredictionShards`).

/// One model's predictions for photos, computed on several machines.
public struct PredictionShards: Sendable {
  /// The predictions sorted by role, then by name, as in an evaluation that reads the photos.
  public let seen: ScoredPhotos
  private let folder: String

  /// Reads all shards of a folder, in any order.
  ///
  /// - Parameters:
  ///   - folder: The folder with the shards.
  ///   - model: The model that made the predictions.
  ///   - digest: The SHA-256 of the model file.
  /// - Throws: ``TrainingError/badFile(path:problem:)`` if a shard is damaged, missing, a duplicate, or from another
  ///   model or version; ``TrainingError/nothingFound(_:)``; ``TrainingError/file(_:)``.
  public init(folder: String, of model: Model, digest: String) throws(TrainingError) {
    self.folder = folder
    var shards: [PredictionShard] = []
    for path in try SealedTensors.paths(in: folder) {
      shards.append(try PredictionShard(contentsOf: path, labels: model.labels.names.count))
    }
    guard !shards.isEmpty else {
      throw .noShards(path: folder, command: "cupola evaluate --shard")
    }
    for shard in shards {
      guard shard.model == digest else {
        throw .badShard(
          path: shard.path,
          problem: "predictions of another model; run cupola evaluate --shard with this one")
      }
      guard shard.version == cupolaVersion else {
        throw .badShard(
          path: shard.path,
          problem:
            "written by Cupola \(shard.version), but this is \(cupolaVersion); create the shard again"
        )
      }
    }
    seen = ScoredPhotos(
      photos: try ShardPlace.ordered(
        shards.map { shard in
          (shard.path, shard.part, shard.rows.map { ($0.role, $0.seen.photo.name, $0.seen) })
        }, in: folder, madeBy: "cupola evaluate"),
      skipped: FeatureShard.Skipped.files(shards.flatMap(\.skipped)))
  }

  /// Matches the predictions with local photos.
  ///
  /// - Parameter photos: All photos, negatives last.
  /// - Throws: ``TrainingError/badFile(path:problem:)`` if they differ from the photos of the shards.
  public func seen(of photos: [LabeledPhoto]) throws(TrainingError) -> ScoredPhotos {
    func key(_ photo: LabeledPhoto) -> String { "\(photo.label)\n\(photo.name)" }
    // Photos with the same label and name are in the same order in both lists.
    var here: [String: [LabeledPhoto]] = [:]
    for photo in photos.reversed() { here[key(photo), default: []].append(photo) }
    var found: [ScoredPhoto] = []
    for photo in seen.photos {
      guard let own = here[key(photo.photo)]?.popLast() else {
        throw .badShard(
          path: folder, problem: "\(photo.photo.name) is in a shard but not among the photos")
      }
      found.append(photo.found(as: own))
    }
    let skipped = Set(seen.skipped.map(\.name))
    let left = here.values.joined().filter { !skipped.contains($0.name) }
    if let missing = left.min(by: { $0.name.precedes($1.name) }) {
      throw .badShard(path: folder, problem: "\(missing.name) is missing from the shards")
    }
    return ScoredPhotos(photos: found, skipped: seen.skipped)
  }
}

extension Evaluator {
  /// Classifies a part of the photos and writes the predictions to a shard.
  ///
  /// - Parameters:
  ///   - photos: Building and background photos.
  ///   - negatives: Non-building photos, listed separately.
  ///   - part: The part of both lists to classify; `nil` classifies all.
  ///   - digest: The SHA-256 of the model file.
  ///   - path: The output file.
  ///   - progress: Called with the number of photos read.
  /// - Returns: The predictions.
  /// - Throws: ``TrainingError/file(_:)``, ``TrainingError/badFile(path:problem:)``, ``TrainingError/canceled``.
  public func write(
    _ photos: [LabeledPhoto], negatives: [LabeledPhoto] = [], part: ShardPart? = nil,
    digest: String, to path: String, progress: (@Sendable (Int) -> Void)? = nil
  ) async throws(TrainingError) -> ScoredPhotos {
    let listing = ShardListing(photos, negatives: negatives)
    let chosen = listing.part(part)
    let seen = await look(at: chosen.map(\.photo), progress: progress)
    guard !Task.isCancelled else { throw .canceled }
    var roles = ShardListing.roles(of: chosen)
    try PredictionShard.write(
      seen.photos.map { (roles.next(for: $0.photo), $0) }, skipped: seen.skipped,
      model: (digest, recognizer.model.labels.names.count), part: part.map(listing.place),
      to: path)
    return seen
  }
}

/// A file with predictions from one machine.
///
/// ``SealedTensors`` with `logits` (photos x labels, `F32`), `thumbnails` (photos x 64 x 64, `U8`), and a JSON array
/// `photos` in the metadata.
struct PredictionShard: Sendable {
  let path: String
  let model: String
  let version: String
  let part: ShardPlace?
  let rows: [(role: ShardListing.Role, seen: ScoredPhoto)]
  let skipped: [FeatureShard.Skipped]

  private struct Entry: Codable {
    let role: ShardListing.Role
    let name: String
    let label: String
    let split: Split?
    let group: String?
    let attributes: [String: String]
    let sha256: String
    let time: String?
    let width: Int
    let height: Int
    let shot: CaptureInfo
    let milliseconds: [String: Double]

    init(_ role: ShardListing.Role, _ seen: ScoredPhoto) {
      let photo = seen.photo
      self.role = role
      (name, label, split, group) = (photo.name, photo.label, photo.split, photo.group)
      attributes = photo.attributes
      (sha256, time) = (seen.traits.digest, seen.traits.metadata.captureTime)
      (width, height, shot) = (seen.width, seen.height, seen.shot)
      milliseconds = Dictionary(
        uniqueKeysWithValues: seen.timing.milliseconds.map { ($0.key.rawValue, $0.value) })
    }

    var isSound: Bool {
      sha256.isSHA256 && milliseconds.values.allSatisfy((0...Self.mostMilliseconds).contains)
    }

    private static let mostMilliseconds = 1e9

    func seen(logits: [Float], thumbnail: LumaThumbnail?) -> ScoredPhoto {
      var photo = LabeledPhoto(path: name, name: name, label: label, split: split, group: group)
      (photo.attributes, photo.isElsewhere) = (attributes, true)
      var metadata = PhotoMetadata()
      metadata.captureTime = time
      let stages = milliseconds.compactMap { name, value in
        StageTiming.Stage(rawValue: name).map { ($0, value) }
      }
      return ScoredPhoto(
        traits: PhotoTraits(
          photo: photo, digest: sha256, metadata: metadata, thumbnail: thumbnail),
        shot: shot, size: (width, height), logits: logits,
        timing: StageTiming(milliseconds: Dictionary(uniqueKeysWithValues: stages)))
    }
  }

  private enum Name {
    static let format = "format"
    static let version = "cupola_version"
    static let model = "model"
    static let photos = "photos"
    static let skipped = "skipped"
    static let part = "part"
    static let logits = "logits"
    static let thumbnails = "thumbnails"
  }
  private static let format = "cupola.predictions/1"

  init(contentsOf path: String, labels: Int) throws(TrainingError) {
    self = try SealedTensors.reading(path) { try PredictionShard(reading: path, labels) }
  }

  private init(reading path: String, _ labels: Int) throws {
    self.path = path
    let file = try SealedTensors(path: path) { index in
      guard index.metadata[Name.format] == Self.format else {
        throw TrainingError.badShard(
          path: path, problem: "not a prediction shard; create shards with cupola evaluate --shard")
      }
    }
    let metadata = file.index.metadata
    model = metadata[Name.model] ?? ""
    version = metadata[Name.version] ?? ""
    part = try metadata[Name.part].map(ShardPlace.init(json:))
    skipped = try ModelFile.value(
      [FeatureShard.Skipped].self, inJSON: metadata[Name.skipped] ?? "[]")
    let entries = try ModelFile.value([Entry].self, inJSON: metadata[Name.photos] ?? "")
    guard entries.allSatisfy(\.isSound) else {
      throw CupolaError.badModel(.inconsistent("invalid SHA-256 or milliseconds for a photo"))
    }
    let shape = [entries.count, labels]
    if let found = file.index.places[Name.logits]?.shape, found.count == 2, found[1] != labels {
      throw TrainingError.badShard(
        path: path,
        problem: "predictions of a model with \(found[1]) labels, but this one has \(labels)")
    }
    let logits = SafeTensors.Tensor(
      type: "F32", shape: shape, bytes: try file.bytes(Name.logits, type: "F32", shape: shape))
    guard let values = logits.floats, values.allSatisfy(\.isFinite) else {
      throw CupolaError.badModel(.notFinite(tensor: Name.logits))
    }
    let thumbnails = try file.bytes(
      Name.thumbnails, type: "U8", shape: LumaThumbnail.shape(of: entries.count))
    rows = entries.enumerated().map { number, entry in
      (
        entry.role,
        entry.seen(
          logits: Array(values[number * labels..<(number + 1) * labels]),
          thumbnail: LumaThumbnail(number, in: thumbnails))
      )
    }
  }

  static func write(
    _ rows: [(role: ShardListing.Role, seen: ScoredPhoto)], skipped: [SkippedFile],
    model: (digest: String, labels: Int), part: ShardPlace?, to path: String
  ) throws(TrainingError) {
    let metadata = try SealedTensors.reading(path) {
      var metadata = [
        Name.format: format, Name.version: cupolaVersion, Name.model: model.digest,
        Name.photos: try ModelFile.json(rows.map { Entry($0.role, $0.seen) }),
        Name.skipped: try ModelFile.json(skipped.map(FeatureShard.Skipped.init)),
      ]
      metadata[Name.part] = try part.map(ModelFile.json)
      return metadata
    }
    let logits = rows.lazy.map {
      SafeTensors.Tensor(floats: $0.seen.logits, shape: [model.labels]).bytes
    }
    let thumbnails = rows.lazy.map { $0.seen.traits.thumbnail?.samples ?? [] }
    try SealedTensors.write(
      [
        (Name.logits, "F32", [rows.count, model.labels]),
        (Name.thumbnails, "U8", LumaThumbnail.shape(of: rows.count)),
      ], metadata: metadata, bytes: [AnySequence(logits), AnySequence(thumbnails)].joined(),
      to: path)
  }
}
