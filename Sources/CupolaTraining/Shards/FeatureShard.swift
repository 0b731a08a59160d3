internal import Cupola
internal import CupolaCampus

/// A file of described photos: what ``FeatureTable`` has of them, and the ``FeaturePlan``.
///
/// ``SealedTensors`` with the plan's metadata and tensors, `features` (photos x views x values, `F16`), `thumbnails`
/// (photos x 64 x 64, `U8`), and in the metadata `photos` a JSON array.
struct FeatureShard: Sendable {
  let path: String
  let plan: FeaturePlan
  /// `nil` when somebody else divided the photos.
  let part: ShardPlace?
  let rows: [Entry]
  let skipped: [Skipped]
  private let features: Range<Int>
  private let thumbnails: [UInt8]

  /// What is told of a photo in JSON.
  struct Entry: Codable, Equatable, Sendable {
    let role: ShardListing.Role
    let name: String
    let label: String
    let group: String?
    let sha256: String
    let position: Position?
    let heading: Heading?
    let time: String?
    /// Also `nil` in shards made before they told it.
    let focalLength: Double?
    let isFaulty: Bool
  }

  /// A photo that could not be used.
  struct Skipped: Codable, Equatable, Sendable {
    let name: String
    let problem: String

    init(_ file: SkippedFile) { (name, problem) = (file.name, file.message) }

    /// Those of some shards, by name.
    static func files(_ skipped: [Skipped]) -> [SkippedFile] {
      skipped.sorted { $0.name.precedes($1.name) }.map {
        SkippedFile(name: $0.name, reason: .told($0.problem))
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

  /// Reads all but the features, and checks that not a byte of these is lost.
  ///
  /// - Throws: ``TrainingError/badShard(path:problem:)``, ``TrainingError/file(_:)``.
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
          path: path, problem: "not a shard of features; make them with cupola features")
      }
      halves = index.places[Name.features]?.bytes ?? halves
    } look: { start, block in
      let own = halves.clamped(to: start..<start + block.count)
      let before = own.lowerBound - halves.lowerBound
      guard
        FeatureBlock.areFeatures(
          block[own.lowerBound - start..<own.upperBound - start], after: before)
      else {
        throw CupolaError.badModel(.inconsistent("its features have values that no photo has"))
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
      throw CupolaError.badModel(.inconsistent("a photo's sha256 is none"))
    }
    skipped = try ModelFile.value([Skipped].self, inJSON: metadata[Name.skipped] ?? "[]")
    part = try metadata[Name.part].map(ShardPlace.init(json:))
    features = try file.place(Name.features, type: "F16", shape: [rows.count] + plan.shape).bytes
    thumbnails = try file.bytes(
      Name.thumbnails, type: "U8", shape: LumaThumbnail.shape(of: rows.count))
  }

  /// The described photos.
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
        isReused: true)
    }
  }
}
