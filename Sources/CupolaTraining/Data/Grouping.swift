#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif
internal import Cupola

/// Tells which photos must stay together when photos are divided: they show nearly the same.
enum Grouping {
  /// Photos of a label taken within so many seconds of each other are one burst.
  static let burstSeconds = 300

  /// Photos of a label and a cell of so many meters and degrees are of one viewpoint.
  static let cellMeters = 10.0
  static let cellDegrees = 30.0

  /// A group number a photo: by the given group, by equal files and copies, and where nobody named a
  /// session by bursts and viewpoints of the same label.
  ///
  /// Photos of one group have the number of its first.
  ///
  /// - Parameter progress: told of how many photos the copies are known, all of them at the end.
  static func groups(
    of photos: [PhotoTraits], threads: Int, progress: (@Sendable (Int) -> Void)? = nil
  ) async -> [Int] {
    var sets = joined(photos)
    await NearDuplicates.join(
      photos.map(\.thumbnail), in: &sets, threads: threads, progress: progress)
    return photos.indices.map { sets.root(of: $0) }
  }

  /// The same where the copies have been found.
  static func groups(of photos: [PhotoTraits], copies: [NearDuplicates.Pair]) -> [Int] {
    var sets = joined(photos)
    for pair in copies { sets.join(pair.first, pair.second) }
    return photos.indices.map { sets.root(of: $0) }
  }

  /// What stays together whatever the photos show.
  private static func joined(_ photos: [PhotoTraits]) -> DisjointSets {
    var sets = DisjointSets(count: photos.count)
    sets.joinEqual(photos.map(\.photo.group))
    sets.joinEqual(photos.map(\.digest))
    joinBursts(photos, &sets)
    sets.joinEqual(photos.map(viewpoint))
    return sets
  }

  private static func joinBursts(_ photos: [PhotoTraits], _ sets: inout DisjointSets) {
    let timed = photos.indices.compactMap { index -> (label: String, time: Int, index: Int)? in
      let photo = photos[index]
      guard photo.photo.namedSession == nil, let time = photo.metadata.capture?.seconds else {
        return nil
      }
      return (photo.photo.label, time, index)
    }
    let ordered = timed.sorted { ($0.label, $0.time, $0.index) < ($1.label, $1.time, $1.index) }
    for (earlier, later) in zip(ordered, ordered.dropFirst())
    where earlier.label == later.label && later.time - earlier.time <= burstSeconds {
      sets.join(earlier.index, later.index)
    }
  }

  /// Where a photo was taken from and which way, roughly, and of what.
  private static func viewpoint(of traits: PhotoTraits) -> Viewpoint? {
    guard traits.photo.namedSession == nil, let position = traits.metadata.position,
      let heading = traits.metadata.heading
    else { return nil }
    let degreesToMeters = 111_195.0
    let row = (position.latitude * degreesToMeters / cellMeters).rounded(.down)
    // The width of a row's cells is that at its middle, so that all of the row agree.
    let latitude = (row + 0.5) * cellMeters / degreesToMeters
    let across = position.longitude * degreesToMeters * cos(latitude * .pi / 180) / cellMeters
    return Viewpoint(
      label: traits.photo.label, row: Int(row), column: Int(across.rounded(.down)),
      sector: Int(heading.degrees / cellDegrees))
  }

  private struct Viewpoint: Hashable {
    let label: String
    let row: Int
    let column: Int
    let sector: Int
  }
}
