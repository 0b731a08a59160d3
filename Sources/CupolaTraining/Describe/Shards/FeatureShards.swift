internal import Cupola
internal import CupolaCampus

// 1. Read or write one file of photo features (`FeatureShard`).
// 2. Read a folder of shards, and check that they match and are complete (`FeatureShards`).

/// A folder of shards with the photo features for one training.
public struct FeatureShards: Sendable {
  package let folder: String
  let plan: FeaturePlan
  let rows: [FeatureTable.Row]
  let failures: ReadingFailures
  package let skipped: [SkippedFile]

  /// Reads all shards of a folder, in any order.
  ///
  /// - Throws: ``TrainingError/badFile(path:problem:)`` if a shard is damaged, missing, a duplicate, or does not match
  ///   the other shards or this machine; ``TrainingError/nothingFound(_:)``; ``TrainingError/file(_:)``.
  public init(folder: String) throws(TrainingError) {
    self.folder = folder
    var shards: [FeatureShard] = []
    for path in try SealedTensors.paths(in: folder) {
      shards.append(try FeatureShard(contentsOf: path))
    }
    guard let first = shards.first else {
      throw .noShards(path: folder, command: "cupola features")
    }
    try Self.checkPlans(shards)
    plan = first.plan
    let failures = ReadingFailures()
    self.failures = failures
    rows = try ShardPlace.ordered(
      shards.map { shard in
        let rows = zip(shard.rows, shard.table(failures: failures))
        return (shard.path, shard.part, rows.map { ($0.role, $0.name, $1) })
      }, in: folder, madeBy: "cupola features")
    skipped = FeatureShard.Skipped.files(shards.flatMap(\.skipped))
  }

  private static func checkPlans(_ shards: [FeatureShard]) throws(TrainingError) {
    for shard in shards.dropFirst() {
      if let difference = shard.plan.difference(to: shards[0].plan) {
        throw .badShard(
          path: shard.path, problem: "does not match \(shards[0].path): \(difference)")
      }
    }
    let (plan, path) = (shards[0].plan, shards[0].path)
    if plan.version != cupolaVersion {
      throw .badShard(
        path: path,
        problem:
          "written by Cupola \(plan.version), but this is \(cupolaVersion); describe the photos again"
      )
    }
    let kernel = PackedMatrix.kernel
    if plan.kernel != kernel {
      throw .badShard(
        path: path,
        problem: "written with the numeric kernel \(plan.kernel), but this machine has \(kernel); "
          + "describe the photos again")
    }
  }
}

/// A file of photo features with their ``FeaturePlan``.
///
/// ``SealedTensors`` with the plan's metadata and tensors, `features` (photos x views x values, `F16`), `thumbnails`
/// (photos x 64 x 64, `U8`), and a JSON array `photos` in the metadata.
struct FeatureShard: Sendable {
  let path: String
  let plan: FeaturePlan
  let part: ShardPlace?
  let rows: [Entry]
  let skipped: [Skipped]
  private let features: Range<Int>
  private let thumbnails: [UInt8]

  struct Entry: Codable, Equatable, Sendable {
    let role: ShardListing.Role
    let name: String
    let label: String
    let group: String?
    let sha256: String
    let position: Position?
    let heading: Heading?
    let time: String?
    let focalLength: Double?
    let isFaulty: Bool
    /// The size of the upright image in pixels; `nil` in shards of earlier versions.
    var width: Int?
    var height: Int?
  }

  struct Skipped: Codable, Equatable, Sendable {
    let name: String
    let problem: String

    init(_ file: SkippedFile) { (name, problem) = (file.name, file.message) }

    static func files(_ skipped: [Skipped]) -> [SkippedFile] {
      skipped.sorted { $0.name.precedes($1.name) }.map {
        SkippedFile(name: $0.name, reason: .reported($0.problem))
      }
    }
  }

  enum Name {
    static let features = "features"
    static let thumbnails = "thumbnails"
    static let photos = "photos"
    static let skipped = "skipped"
    static let part = "part"
  }

  /// Reads everything except the features, and verifies the whole file's digest.
  init(contentsOf path: String) throws(TrainingError) {
    self = try SealedTensors.reading(path) { try FeatureShard(reading: path) }
  }

  private init(reading path: String) throws {
    var halves = 0..<0
    let file = try SealedTensors(path: path) { index in
      guard index.metadata[FeaturePlan.Name.format] == FeaturePlan.format,
        index.metadata[Name.photos] != nil
      else {
        throw TrainingError.badShard(
          path: path, problem: "not a feature shard; create shards with cupola features")
      }
      halves = index.places[Name.features]?.bytes ?? halves
    } look: { start, block in
      let own = halves.clamped(to: start..<start + block.count)
      let before = own.lowerBound - halves.lowerBound
      guard
        FeatureBlock.areFeatures(
          block[own.lowerBound - start..<own.upperBound - start], after: before)
      else {
        throw CupolaError.badModel(.inconsistent("its features are out of range"))
      }
    }
    let metadata = file.index.metadata
    plan = try FeaturePlan(
      metadata: metadata,
      tensors: file.tensors(
        but: [Name.features, Name.thumbnails, SealedTensors.seal], most: FeaturePlan.mostBytes))
    self.path = path
    rows = try ModelFile.value([Entry].self, inJSON: metadata[Name.photos] ?? "")
    guard rows.allSatisfy(\.sha256.isSHA256) else {
      throw CupolaError.badModel(.inconsistent("invalid SHA-256 for a photo"))
    }
    skipped = try ModelFile.value([Skipped].self, inJSON: metadata[Name.skipped] ?? "[]")
    part = try metadata[Name.part].map(ShardPlace.init(json:))
    features = try file.place(Name.features, type: "F16", shape: [rows.count] + plan.shape).bytes
    thumbnails = try file.bytes(
      Name.thumbnails, type: "U8", shape: LumaThumbnail.shape(of: rows.count))
  }

  func table(failures: ReadingFailures) -> [FeatureTable.Row] {
    let shape = plan.shape
    return rows.enumerated().map { number, entry in
      var metadata = PhotoMetadata()
      (metadata.position, metadata.heading) = (entry.position, entry.heading)
      (metadata.captureTime, metadata.focalLength) = (entry.time, entry.focalLength)
      if entry.isFaulty { metadata.faults = [.notTIFF] }
      var photo = LabeledPhoto(
        path: entry.name, name: entry.name, label: entry.label, split: .train, group: entry.group)
      photo.isElsewhere = true
      return FeatureTable.Row(
        photo: photo, digest: entry.sha256, metadata: metadata,
        thumbnail: LumaThumbnail(number, in: thumbnails),
        features: .file(
          FeatureFile(
            path: path, offset: features.lowerBound + 2 * number * shape[0] * shape[1],
            shape: shape, failures: failures)),
        isReused: true, size: entry.width.flatMap { width in entry.height.map { (width, $0) } })
    }
  }
}

extension FeatureShard {
  /// Writes photo features atomically; fails if cached features can no longer be read.
  static func write(
    _ rows: [Row], skipped: [Skipped], failures: ReadingFailures, plan: FeaturePlan,
    part: ShardPlace?, to path: String
  ) throws(TrainingError) {
    let learned = SafeTensors.ordered(plan.extractor.tensors)
    let places = learned.map { ($0.name, $0.tensor.type, $0.tensor.shape) }
    let metadata = try SealedTensors.reading(path) {
      try Self.metadata(rows, skipped, plan, part: part)
    }
    let features = rows.lazy.map { $0.described.features.loaded.bytes }
    let thumbnails = rows.lazy.map { $0.described.thumbnail?.samples ?? [] }
    try SealedTensors.write(
      places + Self.places(of: rows.count, plan), metadata: metadata,
      bytes: [
        AnySequence(learned.map(\.tensor.bytes)), AnySequence(features), AnySequence(thumbnails),
      ]
      .joined(), failures: failures, to: path)
  }

  struct Row: Sendable {
    let role: ShardListing.Role
    let described: FeatureTable.Row

    fileprivate var entry: Entry {
      Entry(
        role: role, name: described.photo.name, label: described.photo.label,
        group: described.photo.group, sha256: described.digest,
        position: described.metadata.position, heading: described.metadata.heading,
        time: described.metadata.captureTime, focalLength: described.metadata.focalLength,
        isFaulty: !described.metadata.faults.isEmpty, width: described.size?.width,
        height: described.size?.height)
    }
  }

  private static func places(
    of photos: Int, _ plan: FeaturePlan
  ) -> [(name: String, type: String, shape: [Int])] {
    [
      (Name.features, "F16", [photos] + plan.shape),
      (Name.thumbnails, "U8", LumaThumbnail.shape(of: photos)),
    ]
  }

  private static func metadata(
    _ rows: [Row], _ skipped: [Skipped], _ plan: FeaturePlan, part: ShardPlace?
  ) throws -> [String: String] {
    var metadata = plan.metadata
    metadata[Name.photos] = try ModelFile.json(rows.map(\.entry))
    metadata[Name.skipped] = try ModelFile.json(skipped)
    metadata[Name.part] = try part.map(ModelFile.json)
    return metadata
  }
}
