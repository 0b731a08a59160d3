package import Cupola

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

// 1. Join photos with the same named group, identical files and copies.
// 2. For photos without a named session, also join bursts (`CaptureTime`) and viewpoints.

package enum Grouping {
  /// The maximum gap in seconds between consecutive photos of a burst.
  static let burstSeconds = 300

  /// The size of a viewpoint cell, in meters and degrees of heading.
  static let cellMeters = 10.0
  static let cellDegrees = 30.0

  /// Returns the group number of each photo; groups are numbered by their first photo.
  ///
  /// Joins given groups, identical files and copies. For photos without a named session, also joins a label's bursts
  /// and viewpoints.
  static func groups(
    of photos: [PhotoTraits], threads: Int, progress: (@Sendable (Int) -> Void)? = nil
  ) async -> [Int] {
    var sets = joined(photos)
    await NearDuplicates.join(
      photos.map(\.thumbnail), in: &sets, threads: threads, progress: progress)
    return photos.indices.map { sets.root(of: $0) }
  }

  static func groups(of photos: [PhotoTraits], copies: [NearDuplicates.Pair]) -> [Int] {
    var sets = joined(photos)
    for pair in copies { sets.join(pair.first, pair.second) }
    return photos.indices.map { sets.root(of: $0) }
  }

  /// Returns groups that contain only identical files and copies.
  static func copies(
    of photos: [PhotoTraits], threads: Int, progress: (@Sendable (Int) -> Void)? = nil
  ) async -> [Int] {
    var sets = DisjointSets(count: photos.count)
    sets.joinEqual(photos.map(\.digest))
    await NearDuplicates.join(
      photos.map(\.thumbnail), in: &sets, threads: threads, progress: progress)
    return photos.indices.map { sets.root(of: $0) }
  }

  /// Returns the groups of photos whose copies are known.
  static func groups(of photos: [PhotoTraits], joining copies: [Int]) -> [Int] {
    var sets = joined(photos)
    sets.joinEqual(copies)
    return photos.indices.map { sets.root(of: $0) }
  }

  private static func joined(_ photos: [PhotoTraits]) -> DisjointSets {
    var sets = DisjointSets(count: photos.count)
    sets.joinEqual(photos.map(\.photo.group))
    sets.joinEqual(photos.map(\.digest))
    join(photos.map(Shot.init), &sets)
    return sets
  }

  /// Returns the session of each photo; `nil` for photos whose time and viewpoint are unknown.
  ///
  /// These are the groups of ``groups(of:threads:progress:)``, except that copies and given groups are not compared.
  package static func sessions(of shots: [Shot?]) -> [Int?] {
    var sets = DisjointSets(count: shots.count)
    join(shots, &sets)
    return zip(shots, shots.indices).map { shot, index in
      shot?.seconds == nil && shot?.viewpoint == nil ? nil : sets.root(of: index)
    }
  }

  /// Joins bursts and viewpoints.
  private static func join(_ shots: [Shot?], _ sets: inout DisjointSets) {
    let timed = zip(shots, shots.indices).compactMap { shot, index in
      shot.flatMap { shot in shot.seconds.map { (label: shot.label, time: $0, index: index) } }
    }
    let ordered = timed.sorted { ($0.label, $0.time, $0.index) < ($1.label, $1.time, $1.index) }
    for (earlier, later) in zip(ordered, ordered.dropFirst())
    where earlier.label == later.label && later.time - earlier.time <= burstSeconds {
      sets.join(earlier.index, later.index)
    }
    sets.joinEqual(shots.map { $0?.viewpoint })
  }

  /// When and where a photo of a label was taken.
  package struct Shot: Equatable, Sendable {
    package var label: String
    /// Seconds since January 1, 1970, in local time; `nil` if the time of day is unknown.
    package let seconds: Int?
    package let position: Position?
    /// The row, column and sector of the viewpoint.
    private let cell: SIMD3<Int>?

    package init(_ metadata: PhotoMetadata, label: String) {
      self.label = label
      (seconds, position) = (metadata.capture?.seconds, metadata.position)
      cell = Self.cell(of: metadata)
    }

    /// Returns `nil` for a photo whose session was named.
    fileprivate init?(_ traits: PhotoTraits) {
      guard traits.photo.namedSession == nil else { return nil }
      self.init(traits.metadata, label: traits.photo.label)
    }

    fileprivate var viewpoint: Viewpoint? { cell.map { Viewpoint(label: label, cell: $0) } }

    private static func cell(of metadata: PhotoMetadata) -> SIMD3<Int>? {
      guard let position = metadata.position, let heading = metadata.heading else { return nil }
      let degreesToMeters = 111_195.0
      let row = (position.latitude * degreesToMeters / cellMeters).rounded(.down)
      // Use the latitude at the row's middle, so that all cells of a row have the same width.
      let latitude = (row + 0.5) * cellMeters / degreesToMeters
      let across = position.longitude * degreesToMeters * cos(latitude * .pi / 180) / cellMeters
      return SIMD3(Int(row), Int(across.rounded(.down)), Int(heading.degrees / cellDegrees))
    }
  }

  fileprivate struct Viewpoint: Hashable {
    let label: String
    let cell: SIMD3<Int>
  }
}

struct CaptureTime: Equatable {
  let day: Int
  let dayName: String
  /// `nil` if the time of day is unknown.
  let hour: Int?
  /// Seconds since January 1, 1970; `nil` if the time of day is unknown.
  let seconds: Int?

  /// Parses a time; `nil` for impossible times, such as zeros without a clock.
  init?(_ text: String) {
    guard let time = EXIFTime(text) else { return nil }
    day = time.day
    dayName = String(time.text.prefix(10))
    hour = time.secondOfDay.map { $0 / 3600 }
    seconds = time.secondOfDay.map { 86_400 * time.day + $0 }
  }
}

extension CaptureTime {
  /// The number of capture days; `nil` if it is 1 or less and more than 20% of the photos have no date.
  static func days(_ captures: [CaptureTime?]) -> Int? {
    let dated = captures.compactMap(\.self)
    let days = Set(dated.map(\.day)).count
    let isKnown = days > 1 || days == 1 && 5 * dated.count >= 4 * captures.count
    return isKnown ? days : nil
  }
}

extension PhotoMetadata {
  var capture: CaptureTime? { captureTime.flatMap(CaptureTime.init) }
}

extension LabeledPhoto {
  /// The EXIF metadata, with the time from column `time` of `split.csv` if EXIF has none.
  func metadata(of opened: Photo) -> PhotoMetadata { metadata(opened.metadata) }

  func metadata(_ exif: PhotoMetadata) -> PhotoMetadata {
    var metadata = exif
    let column = attributes["time"]
    metadata.captureTime =
      [exif.captureTime, column].lazy.compactMap(\.self)
      .compactMap { EXIFTime($0)?.text }.first
    if metadata.captureTime != nil { metadata.unreadableTime = nil }
    if metadata.captureTime == nil, let column, !column.isEmpty { metadata.unreadableTime = column }
    return metadata
  }
}
