public import Cupola

/// What one model has seen of many photos on many machines.
public struct PredictionShards: Sendable {
  /// In the order of an evaluation that reads the photos themselves: by role, then by name.
  public let seen: SeenPhotos
  private let folder: String

  /// Reads all shards of a folder, in whatever order they are there.
  ///
  /// - Parameters:
  ///   - folder: where they are.
  ///   - model: which is to have seen the photos.
  ///   - digest: SHA-256 of its file.
  /// - Throws: ``TrainingError/badShard(path:problem:)`` when one is damaged, missing, there twice, of another model
  ///   or of another version; ``TrainingError/noShards(path:command:)``; ``TrainingError/file(_:)``.
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
          path: shard.path, problem: "predictions of another model; ask this one about the photos")
      }
      guard shard.version == cupolaVersion else {
        throw .badShard(
          path: shard.path,
          problem: "made by Cupola \(shard.version), this is \(cupolaVersion); make it anew")
      }
    }
    try ShardPlace.check(
      shards.map { ($0.path, $0.part) }, in: folder, madeBy: "cupola evaluate")
    try ShardPlace.checkNames(
      shards.lazy.flatMap { shard in
        shard.rows.map { ($0.role, $0.seen.photo.name, shard.path) }
      })
    seen = SeenPhotos(
      photos: shards.flatMap(\.rows)
        .sorted {
          $0.role == $1.role
            ? $0.seen.photo.name.precedes($1.seen.photo.name) : $0.role < $1.role
        }.map(\.seen),
      skipped: FeatureShard.Skipped.files(shards.flatMap(\.skipped)))
  }

  /// The same with photos that are at hand.
  ///
  /// - Parameter photos: all of them, negatives last.
  /// - Throws: ``TrainingError/badShard(path:problem:)`` when they are not those of the shards.
  public func seen(of photos: [LabeledPhoto]) throws(TrainingError) -> SeenPhotos {
    func key(_ photo: LabeledPhoto) -> String { "\(photo.label)\n\(photo.name)" }
    // Twins come in the same order in both.
    var here: [String: [LabeledPhoto]] = [:]
    for photo in photos.reversed() { here[key(photo), default: []].append(photo) }
    var found: [SeenPhoto] = []
    for photo in seen.photos {
      guard let own = here[key(photo.photo)]?.popLast() else {
        throw .badShard(
          path: folder, problem: "\(photo.photo.name) is in a shard and not among the photos")
      }
      found.append(photo.found(as: own))
    }
    let skipped = Set(seen.skipped.map(\.name))
    let left = here.values.joined().filter { !skipped.contains($0.name) }
    if let missing = left.min(by: { $0.name.precedes($1.name) }) {
      throw .badShard(path: folder, problem: "\(missing.name) is in none of the shards")
    }
    return SeenPhotos(photos: found, skipped: seen.skipped)
  }
}

extension Evaluator {
  /// Shows the model a part of the photos and writes what it makes of them.
  ///
  /// - Parameters:
  ///   - photos: buildings and backgrounds.
  ///   - negatives: things that are no buildings, listed beside them.
  ///   - part: which of both; `nil` is all, of a listing that somebody else divided.
  ///   - digest: SHA-256 of the model's file.
  ///   - path: the file to be written.
  ///   - progress: told how many photos have been read.
  /// - Returns: what was seen.
  /// - Throws: ``TrainingError/file(_:)``, ``TrainingError/badShard(path:problem:)``, ``TrainingError/canceled``.
  public func write(
    _ photos: [LabeledPhoto], negatives: [LabeledPhoto] = [], part: ShardPart? = nil,
    digest: String, to path: String, progress: (@Sendable (Int) -> Void)? = nil
  ) async throws(TrainingError) -> SeenPhotos {
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
