internal import Cupola

/// The photos of a work that machines share, in order.
struct ShardListing: Sendable {
  /// Whether photos were listed as buildings and backgrounds, or as negatives beside them.
  enum Role: Int, Codable, Comparable, Sendable {
    case photos
    case negatives

    static func < (a: Role, b: Role) -> Bool { a.rawValue < b.rawValue }
  }

  /// A photo, and what it was listed as: both together tell it from all others.
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

  /// The photos of a part: dealt in turn, one to each; `nil` is all.
  func part(_ part: ShardPart?) -> [Entry] {
    guard let part else { return entries }
    return entries.enumerated().filter { $0.offset % part.of == part.number - 1 }.map(\.element)
  }

  /// What photos were listed as, by their files: two of one file in the order of the listing.
  struct Roles {
    fileprivate var byFile: [[UInt8]: [Role]]

    /// Each photo is asked for once.
    mutating func next(for photo: LabeledPhoto) -> Role {
      byFile[photo.file]?.removeFirst() ?? .photos
    }
  }

  static func roles(of entries: [Entry]) -> Roles {
    Roles(byFile: Dictionary(grouping: entries, by: \.photo.file).mapValues { $0.map(\.role) })
  }

  /// What a shard says of its part.
  func place(of part: ShardPart) -> ShardPlace {
    var hash = SHA256()
    for entry in entries {
      hash.update(
        Array("\(entry.role.rawValue)\n\(entry.photo.name)\n\(entry.photo.label)\n".utf8))
    }
    return ShardPlace(number: part.number, of: part.of, listing: hash.hexadecimal())
  }
}

/// A shard's place among those of its listing.
struct ShardPlace: Codable, Equatable, Sendable {
  let number: Int
  let of: Int
  /// SHA-256 over roles, names and labels of all photos of the listing.
  let listing: String

  /// Checks that all parts of a listing are there.
  ///
  /// - Parameters:
  ///   - shards: their paths, and `nil` where somebody else divided the photos.
  ///   - command: what makes shards.
  /// - Throws: ``TrainingError/badShard(path:problem:)`` when one is missing or of another listing.
  static func check(
    _ shards: [(path: String, place: ShardPlace?)], in folder: String, madeBy command: String
  ) throws(TrainingError) {
    guard let known = shards.first(where: { $0.place != nil }), let first = known.place else {
      return
    }
    for shard in shards {
      guard let place = shard.place, place.of == first.of, place.listing == first.listing else {
        throw .badShard(
          path: shard.path,
          problem: "not of the same photos, or not of \(first.of) shards as \(known.path) is; "
            + "remove what is older")
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

  /// Checks that no photo is in two shards, or twice in one.
  ///
  /// - Parameter photos: role, name, and the path of the shard.
  /// - Throws: ``TrainingError/badShard(path:problem:)``.
  static func checkNames(
    _ photos: some Sequence<(role: ShardListing.Role, name: String, path: String)>
  ) throws(TrainingError) {
    // By bytes: two files may have names that Swift takes to be equal.
    var owners: [[UInt8]: String] = [:]
    for photo in photos {
      let name = Array("\(photo.role.rawValue) \(photo.name)".utf8)
      if let other = owners.updateValue(photo.path, forKey: name) {
        throw .badShard(
          path: photo.path, problem: "\(photo.name) is also in \(other); remove one of them")
      }
    }
  }
}

extension ShardPlace {
  /// Reads what a shard says.
  ///
  /// - Throws: `CupolaError/badModel(_:)` for a part that no listing has, and what decoding throws.
  init(json text: String) throws {
    self = try ModelFile.value(ShardPlace.self, inJSON: text)
    guard ShardPart(number, of: of) != nil else {
      throw CupolaError.badModel(.inconsistent("it says that it is shard \(number) of \(of)"))
    }
  }
}
