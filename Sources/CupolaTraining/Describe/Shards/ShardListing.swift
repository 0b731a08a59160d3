internal import Cupola
internal import CupolaCampus

// 1. Order the photos and distribute them over the parts (`ShardListing`).
// 2. Check that all parts of a listing are present and each photo occurs once (`ShardPlace`).
// 3. Read and write files with a digest at the end (`SealedTensors`).

struct ShardListing: Sendable {
  /// Whether a photo was listed with the buildings and backgrounds or with the negatives.
  enum Role: Int, Codable, Comparable, Sendable {
    case photos
    case negatives

    static func < (a: Role, b: Role) -> Bool { a.rawValue < b.rawValue }
  }

  struct Entry: Sendable {
    let role: Role
    let photo: LabeledPhoto
  }

  let entries: [Entry]

  init(_ photos: [LabeledPhoto], negatives: [LabeledPhoto]) {
    entries =
      photos.map { Entry(role: .photos, photo: $0) }
      + negatives.map { Entry(role: .negatives, photo: $0) }
  }

  /// The photos of a part, distributed round-robin; `nil` returns all photos.
  func part(_ part: ShardPart?) -> [Entry] {
    guard let part else { return entries }
    return entries.enumerated().filter { $0.offset % part.of == part.number - 1 }.map(\.element)
  }

  struct Roles {
    fileprivate var byFile: [[UInt8]: [Role]]

    mutating func next(for photo: LabeledPhoto) -> Role {
      byFile[photo.file]?.removeFirst() ?? .photos
    }
  }

  static func roles(of entries: [Entry]) -> Roles {
    Roles(byFile: Dictionary(grouping: entries, by: \.photo.file).mapValues { $0.map(\.role) })
  }

  func place(of part: ShardPart) -> ShardPlace {
    var hash = SHA256()
    for entry in entries {
      hash.update(
        Array("\(entry.role.rawValue)\n\(entry.photo.name)\n\(entry.photo.label)\n".utf8))
    }
    return ShardPlace(number: part.number, of: part.of, listing: hash.hexadecimal())
  }
}

struct ShardPlace: Codable, Equatable, Sendable {
  let number: Int
  let of: Int
  let listing: String

  /// Returns the rows sorted by role, then by name; throws if parts are missing or photos occur twice.
  static func ordered<Row>(
    _ shards: [(
      path: String, place: ShardPlace?,
      rows: [(role: ShardListing.Role, name: String, row: Row)]
    )], in folder: String, madeBy command: String
  ) throws(TrainingError) -> [Row] {
    try check(shards.map { ($0.path, $0.place) }, in: folder, madeBy: command)
    try checkNames(
      shards.lazy.flatMap { shard in shard.rows.map { ($0.role, $0.name, shard.path) } })
    return shards.flatMap(\.rows)
      .sorted { $0.role == $1.role ? $0.name.precedes($1.name) : $0.role < $1.role }
      .map(\.row)
  }

  private static func check(
    _ shards: [(path: String, place: ShardPlace?)], in folder: String, madeBy command: String
  ) throws(TrainingError) {
    guard let known = shards.first(where: { $0.place != nil }), let first = known.place else {
      return
    }
    for shard in shards {
      guard let place = shard.place, place.of == first.of, place.listing == first.listing else {
        throw .badShard(
          path: shard.path,
          problem:
            "does not match \(known.path) in photos or number of shards (\(first.of)); remove "
            + "the older shards")
      }
    }
    let numbers = Set(shards.compactMap(\.place?.number))
    if let missing = (1...first.of).first(where: { !numbers.contains($0) }) {
      throw .badShard(
        path: folder,
        problem: "shard \(missing) of \(first.of) is missing; run \(command) with --shard "
          + "\(missing)/\(first.of)")
    }
  }

  static func checkNames(
    _ photos: some Sequence<(role: ShardListing.Role, name: String, path: String)>
  ) throws(TrainingError) {
    // Compare bytes, because Swift treats canonically equivalent names as equal.
    var owners: [[UInt8]: String] = [:]
    for photo in photos {
      let name = Array("\(photo.role.rawValue) \(photo.name)".utf8)
      if let other = owners.updateValue(photo.path, forKey: name) {
        throw .badShard(
          path: photo.path,
          problem: "\(photo.name) is also in \(other); remove one of the two shards")
      }
    }
  }
}

extension ShardPlace {
  init(json text: String) throws {
    self = try ModelFile.value(ShardPlace.self, inJSON: text)
    guard ShardPart(number, of: of) != nil else {
      throw CupolaError.badModel(.inconsistent("invalid part: shard \(number) of \(of)"))
    }
  }
}

/// One of several parts of a listing.
public struct ShardPart: Equatable, Sendable {
  package let number: Int
  package let of: Int

  /// Creates a part; `nil` unless 1 <= `number` <= `of`.
  public init?(_ number: Int, of: Int) {
    guard number >= 1, number <= of else { return nil }
    (self.number, self.of) = (number, of)
  }

  package func count(of photos: Int) -> Int { photos / of + (photos % of >= number ? 1 : 0) }
}

/// A safetensors file that ends with its own digest.
///
/// The last tensor, `sha256` (32, `U8`), is the SHA-256 of all preceding bytes except the first 8.
struct SealedTensors {
  let index: SafeTensorsIndex
  private let path: String
  static let seal = "sha256"
  private static let blockBytes = 4 << 20

  /// Reads the header and verifies the digest of the file.
  ///
  /// - Parameters:
  ///   - check: Called first, to reject files of another kind by their header.
  ///   - look: Called with each block of bytes and its offset in the file.
  init(
    path: String, check: (SafeTensorsIndex) throws -> Void,
    look: (_ start: Int, _ block: [UInt8]) throws -> Void = { _, _ in }
  ) throws {
    self.path = path
    index = try SafeTensorsIndex(path: path, mostTensors: FeatureCache.mostTensors)
    try check(index)
    let seal = try place(Self.seal, type: "U8", shape: [32])
    let end = seal.bytes.lowerBound
    guard index.places.values.allSatisfy({ $0 == seal || $0.bytes.upperBound <= end }) else {
      throw CupolaError.badModel(.inconsistent("its digest is not at the end"))
    }
    var hash = SHA256()
    for start in stride(from: 8, to: end, by: Self.blockBytes) {
      let block = try FileAccess.read(path, bytes: start..<min(start + Self.blockBytes, end))
      hash.update(block)
      try look(start, block)
    }
    guard try FileAccess.read(path, bytes: seal.bytes) == hash.digest() else {
      throw CupolaError.badModel(.wrongDigest)
    }
  }

  func place(_ name: String, type: String, shape: [Int]) throws -> SafeTensorsIndex.Place {
    guard let place = index.places[name] else {
      throw CupolaError.badModel(.missing("tensor \(name)"))
    }
    guard place.type == type, place.shape == shape else {
      throw CupolaError.badModel(
        .inconsistent("tensor \(name) is \(place.type) \(place.shape), not \(type) \(shape)"))
    }
    return place
  }

  func bytes(_ name: String, type: String, shape: [Int]) throws -> [UInt8] {
    try FileAccess.read(path, bytes: try place(name, type: type, shape: shape).bytes)
  }

  func tensors(but others: [String], most: Int) throws -> SafeTensors {
    let places = index.places.filter { !others.contains($0.key) }
    let size = places.values.reduce(0) { $0 + $1.bytes.count }
    guard size <= most else {
      throw CupolaError.badModel(
        .inconsistent("its feature extractor has \(size) bytes; the limit is \(most)"))
    }
    var tensors = SafeTensors()
    for (name, place) in places {
      tensors.tensors[name] = SafeTensors.Tensor(
        type: place.type, shape: place.shape, bytes: try FileAccess.read(path, bytes: place.bytes))
    }
    return tensors
  }

  static func paths(in folder: String) throws(TrainingError) -> [String] {
    let base = folder.hasSuffix("/") ? folder : folder + "/"
    return try TrainingError.files { () throws(FileError) in
      try Directory.entries(of: folder)
    }
    .filter { !$0.isDirectory && $0.name.hasSuffix(".safetensors") }.map { base + $0.name }.sorted()
  }

  static func reading<Value>(
    _ path: String, _ body: () throws -> Value
  ) throws(TrainingError) -> Value {
    do {
      return try body()
    } catch let error as TrainingError {
      throw error
    } catch CupolaError.file(let error) {
      throw .file(error)
    } catch let error as FileError {
      throw .file(error)
    } catch CupolaError.badModel(let fault) {
      throw .badShard(path: path, problem: "unusable shard: \(fault.message)")
    } catch {
      throw .badShard(path: path, problem: "\(error)")
    }
  }

  static func write(
    _ tensors: [(name: String, type: String, shape: [Int])], metadata: [String: String],
    bytes: some Sequence<[UInt8]>, failures: ReadingFailures = ReadingFailures(), to path: String
  ) throws(TrainingError) {
    let head: [UInt8]
    do {
      head = try SafeTensors.head(tensors + [(Self.seal, "U8", [32])], metadata: metadata)
    } catch {
      throw .badShard(path: path, problem: "\(error)")
    }
    try TrainingError.files { () throws(FileError) in
      try FileAccess.write(to: path) { write throws(FileError) in
        var hash = SHA256()
        hash.update(Array(head.dropFirst(8)))
        try write(head)
        for piece in bytes {
          if let failure = failures.noted { throw failure }
          hash.update(piece)
          try write(piece)
        }
        try write(hash.digest())
      }
    }
  }
}
