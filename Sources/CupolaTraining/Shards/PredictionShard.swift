internal import Cupola

/// A file of photos that a model has seen on some machine.
///
/// ``SealedTensors`` with `logits` (photos x labels, `F32`), `thumbnails` (photos x 64 x 64, `U8`), and in the metadata
/// `photos`, a JSON array.
struct PredictionShard: Sendable {
  let path: String
  /// SHA-256 of the model's file.
  let model: String
  let version: String
  /// `nil` when somebody else divided the photos.
  let part: ShardPlace?
  let rows: [(role: ShardListing.Role, seen: SeenPhoto)]
  let skipped: [FeatureShard.Skipped]

  /// What is told of a photo in JSON.
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
    let shot: Shot
    let milliseconds: [String: Double]

    init(_ role: ShardListing.Role, _ seen: SeenPhoto) {
      let photo = seen.photo
      self.role = role
      (name, label, split, group) = (photo.name, photo.label, photo.split, photo.group)
      attributes = photo.attributes
      (sha256, time) = (seen.traits.digest, seen.traits.metadata.captureTime)
      (width, height, shot) = (seen.width, seen.height, seen.shot)
      milliseconds = Dictionary(
        uniqueKeysWithValues: seen.timing.milliseconds.map { ($0.key.rawValue, $0.value) })
    }

    /// Whether a model or a report can have its digest and its times in it.
    var isSound: Bool {
      sha256.isSHA256 && milliseconds.values.allSatisfy((0...Self.mostMilliseconds).contains)
    }

    /// Some days.
    private static let mostMilliseconds = 1e9

    func seen(logits: [Float], thumbnail: LumaThumbnail?) -> SeenPhoto {
      var photo = LabeledPhoto(path: name, name: name, label: label, split: split, group: group)
      (photo.attributes, photo.isElsewhere) = (attributes, true)
      var metadata = PhotoMetadata()
      metadata.captureTime = time
      let stages = milliseconds.compactMap { name, value in
        StageTiming.Stage(rawValue: name).map { ($0, value) }
      }
      return SeenPhoto(
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

  // MARK: - Reading

  /// - Parameter labels: how many labels the model has.
  /// - Throws: ``TrainingError/badShard(path:problem:)``, ``TrainingError/file(_:)``.
  init(contentsOf path: String, labels: Int) throws(TrainingError) {
    self = try SealedTensors.reading(path) { try PredictionShard(reading: path, labels) }
  }

  private init(reading path: String, _ labels: Int) throws {
    self.path = path
    let file = try SealedTensors(path: path) { index in
      guard index.metadata[Name.format] == Self.format else {
        throw TrainingError.badShard(
          path: path, problem: "not a shard of predictions; make them with cupola evaluate --shard")
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
      throw CupolaError.badModel(.inconsistent("a photo's sha256 or milliseconds are none"))
    }
    let shape = [entries.count, labels]
    if let found = file.index.places[Name.logits]?.shape, found.count == 2, found[1] != labels {
      throw TrainingError.badShard(
        path: path, problem: "of a model of \(found[1]) labels, this one has \(labels)")
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

  // MARK: - Writing

  /// Writes what a model has seen, replacing a file only when the new one is whole.
  ///
  /// - Parameter model: SHA-256 of its file.
  /// - Throws: ``TrainingError/file(_:)``, ``TrainingError/badShard(path:problem:)``.
  static func write(
    _ rows: [(role: ShardListing.Role, seen: SeenPhoto)], skipped: [SkippedFile],
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
