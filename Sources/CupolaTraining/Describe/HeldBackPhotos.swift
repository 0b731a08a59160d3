package import Cupola

// 1. Choose the non-building photos to hold back for testing without a table (`HeldBackPhotos`).
// 2. Hold them back (`PhotoSet.holdingBackTests`).

/// The choice of photos to hold back for testing: about a fifth of each folder, without a table.
///
/// Sessions, bursts and copies stay together. A session with more than a fifth of a folder's photos is divided, but its
/// copies stay together. The order of digests decides, so that neither names nor added photos change much.
struct HeldBackPhotos {
  private static let photosPerTest = 5

  private let folders: [[Substring]]
  /// The maximum number of photos to hold back, by folder.
  private let wanted: [[Substring]: Int]

  init(_ photos: [PhotoTraits]) {
    folders = photos.map { Array($0.photo.name.split(separator: "/").dropLast()) }
    wanted = Dictionary(grouping: folders) { $0 }.mapValues { $0.count / Self.photosPerTest }
  }

  /// Returns the indices of the photos to hold back.
  func chosen(_ digests: [String], sessions: [Int], copies: [Int]) -> [Int] {
    let units = Dictionary(grouping: digests.indices) { sessions[$0] }.values.flatMap { session in
      fits(session, beside: [:])
        ? [session] : Array(Dictionary(grouping: session) { copies[$0] }.values)
    }
    func first(_ unit: [Int]) -> String { unit.map { digests[$0] }.min() ?? "" }
    var held: [[Substring]: Int] = [:]
    var chosen: [Int] = []
    for unit in units.map({ (first: first($0), photos: $0) }).sorted(by: { $0.first < $1.first })
    where fits(unit.photos, beside: held) {
      for photo in unit.photos { held[folders[photo], default: 0] += 1 }
      chosen += unit.photos
    }
    return chosen
  }

  /// Returns whether each group is held back, without the groups of sessions that are divided.
  static func parts(of photos: [PhotoTraits], groups: [Int], copies: [Int]) -> [Int: Bool] {
    let tests = Set(
      HeldBackPhotos(photos).chosen(photos.map(\.digest), sessions: groups, copies: copies))
    return AutomaticSplit.undivided(
      groups.enumerated().map { ($0.element, tests.contains($0.offset)) })
  }

  /// Whether no folder would lose more photos than wanted.
  private func fits(_ unit: [Int], beside held: [[Substring]: Int]) -> Bool {
    Dictionary(grouping: unit) { folders[$0] }.allSatisfy { folder, photos in
      held[folder, default: 0] + photos.count <= wanted[folder, default: 0]
    }
  }
}

extension PhotoSet {
  /// Holds back about a fifth of the photos in each folder for testing.
  ///
  /// Reads the photos to find copies and sessions; unreadable ones count as training photos. Returns the set unchanged if
  /// it is already split.
  package func holdingBackTests(
    decoder: PhotoDecoder, threads: Int, progress: (@Sendable (Int) -> Void)? = nil
  ) async -> PhotoSet {
    guard !isDivided else { return self }
    let results = await parallelMap(photos, threads: threads, progress: progress) { photo in
      Result { () throws(CupolaError) in try PhotoTraits(reading: photo, with: decoder) }
    }
    let (numbers, traits) = results.indices.reduce(into: ([Int](), [PhotoTraits]())) {
      read, index in
      guard case .success(let traits) = results[index] else { return }
      read.0.append(index)
      read.1.append(traits)
    }
    let copies = await Grouping.copies(of: traits, threads: threads)
    let chosen = HeldBackPhotos(traits).chosen(
      traits.map(\.digest), sessions: Grouping.groups(of: traits, joining: copies), copies: copies)
    var set = self
    for index in photos.indices { set.photos[index].split = .train }
    for photo in chosen { set.photos[numbers[photo]].split = .test }
    return set
  }
}
