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
    let isFaulty: Bool
  }

  /// A photo that could not be described.
  struct Skipped: Codable, Equatable, Sendable {
    let name: String
    let problem: String
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
    let file = try SealedTensors(path: path) { index in
      guard index.metadata[FeaturePlan.Name.format] == FeaturePlan.format,
        index.metadata[Name.photos] != nil
      else {
        throw TrainingError.badShard(
          path: path, problem: "not a shard of features; make them with cupola features")
      }
    }
    let metadata = file.index.metadata
    var learned = SafeTensors()
    for name in file.index.places.keys
    where ![Name.features, Name.thumbnails, SealedTensors.seal].contains(name) {
      let (place, bytes) = try file.tensor(name)
      learned.tensors[name] = SafeTensors.Tensor(
        type: place.type, shape: place.shape, bytes: bytes)
    }
    plan = try FeaturePlan(metadata: metadata, tensors: learned)
    self.path = path
    rows = try ModelFile.value([Entry].self, inJSON: metadata[Name.photos] ?? "")
    skipped = try ModelFile.value([Skipped].self, inJSON: metadata[Name.skipped] ?? "[]")
    part = try metadata[Name.part].map { try ModelFile.value(ShardPlace.self, inJSON: $0) }
    let (values, small) = (try file.place(Name.features), try file.tensor(Name.thumbnails))
    let side = LumaThumbnail.side
    guard values.type == "F16", values.shape == [rows.count] + plan.shape,
      small.place.type == "U8", small.place.shape == [rows.count, side, side]
    else { throw CupolaError.badModel(.badShape(tensor: Name.features)) }
    (features, thumbnails) = (values.bytes, small.bytes)
  }

  /// The described photos.
  func table(failures: ReadingFailures) -> [FeatureTable.Row] {
    let shape = plan.shape
    let size = LumaThumbnail.side * LumaThumbnail.side
    return rows.enumerated().map { number, entry in
      var metadata = PhotoMetadata()
      (metadata.position, metadata.heading) = (entry.position, entry.heading)
      metadata.captureTime = entry.time
      if entry.isFaulty { metadata.faults = [.notTIFF] }
      return FeatureTable.Row(
        photo: LabeledPhoto(
          path: entry.name, name: entry.name, label: entry.label, split: .train,
          group: entry.group),
        digest: entry.sha256, metadata: metadata,
        thumbnail: LumaThumbnail(
          samples: Array(thumbnails[number * size..<(number + 1) * size])),
        features: .file(
          FeatureFile(
            path: path, offset: features.lowerBound + 2 * number * shape[0] * shape[1],
            shape: shape, failures: failures)),
        isReused: true)
    }
  }
}
