internal import Cupola
internal import CupolaCampus

/// A file of described photos: what ``FeatureTable`` has of them, and the ``FeaturePlan``.
///
/// A safetensors file with the plan's metadata and tensors, `features` (photos x views x values, `F16`),
/// `thumbnails` (photos x 64 x 64, `U8`), in the metadata `photos` a JSON array, and last `sha256` (32, `U8`) of all
/// bytes before it but the first 8.
struct FeatureShard: Sendable {
  let path: String
  let plan: FeaturePlan
  /// Which part of how many it is, and the parts' listing; `nil` when somebody else divided the photos.
  let part: Part?
  let rows: [Entry]
  let skipped: [Skipped]
  private let features: Range<Int>
  private let thumbnails: [UInt8]

  /// One of so many parts of a listing.
  struct Part: Codable, Equatable, Sendable {
    let number: Int
    let of: Int
    /// SHA-256 over the names of all photos of the listing.
    let listing: String
  }

  /// Whether photos were listed as buildings and backgrounds, or as negatives beside them.
  enum Role: Int, Codable, Comparable, Sendable {
    case photos
    case negatives

    static func < (a: Role, b: Role) -> Bool { a.rawValue < b.rawValue }
  }

  /// What is told of a photo in JSON.
  struct Entry: Codable, Equatable, Sendable {
    let role: Role
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
    static let digest = "sha256"
    static let photos = "photos"
    static let skipped = "skipped"
    static let part = "part"
  }

  /// Reads all but the features, and checks that not a byte of these is lost.
  ///
  /// - Throws: ``TrainingError/badShard(path:problem:)``, ``TrainingError/file(_:)``.
  init(contentsOf path: String) throws(TrainingError) {
    do {
      try self.init(reading: path)
    } catch let error as TrainingError {
      throw error
    } catch CupolaError.file(let error) {
      throw .file(error)
    } catch let error as FileError {
      throw .file(error)
    } catch {
      throw .badShard(path: path, problem: "\(error)")
    }
  }

  private init(reading path: String) throws {
    let index = try SafeTensorsIndex(path: path)
    func bytes(_ name: String) throws -> (place: SafeTensorsIndex.Place, bytes: [UInt8]) {
      guard let place = index.places[name] else {
        throw CupolaError.badModel(.missing("tensor \(name)"))
      }
      return (place, try FileAccess.read(path, bytes: place.bytes))
    }
    guard index.metadata[FeaturePlan.Name.format] == FeaturePlan.format,
      index.metadata[Name.photos] != nil
    else {
      throw TrainingError.badShard(
        path: path, problem: "not a shard of features; make them with cupola features")
    }
    let digest = try bytes(Name.digest)
    guard digest.bytes == (try Self.digest(of: path, upTo: digest.place.bytes.lowerBound)) else {
      throw CupolaError.badModel(.wrongDigest)
    }
    var learned = SafeTensors()
    for (name, place) in index.places
    where ![Name.features, Name.thumbnails, Name.digest].contains(name) {
      learned.tensors[name] = SafeTensors.Tensor(
        type: place.type, shape: place.shape, bytes: try bytes(name).bytes)
    }
    plan = try FeaturePlan(metadata: index.metadata, tensors: learned)
    self.path = path
    rows = try ModelFile.value([Entry].self, inJSON: index.metadata[Name.photos] ?? "")
    skipped = try ModelFile.value([Skipped].self, inJSON: index.metadata[Name.skipped] ?? "[]")
    part = try index.metadata[Name.part].map { try ModelFile.value(Part.self, inJSON: $0) }
    let (values, small) = (index.places[Name.features], try bytes(Name.thumbnails))
    let side = LumaThumbnail.side
    guard let values, values.type == "F16",
      values.shape == [rows.count] + plan.shape, small.place.type == "U8",
      small.place.shape == [rows.count, side, side]
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

  /// SHA-256 of a file from its ninth byte on.
  private static func digest(of path: String, upTo end: Int) throws -> [UInt8] {
    var hash = SHA256()
    for start in stride(from: 8, to: end, by: blockBytes) {
      hash.update(try FileAccess.read(path, bytes: start..<min(start + blockBytes, end)))
    }
    return hash.digest()
  }

  private static let blockBytes = 4 << 20
}
