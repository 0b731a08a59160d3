internal import Cupola

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

// 1. Join photos with the same named group, identical files and copies.
// 2. For photos without a named session, also join bursts (`CaptureTime`) and viewpoints.

enum Grouping {
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

  private static func viewpoint(of traits: PhotoTraits) -> ViewpointCell? {
    guard traits.photo.namedSession == nil, let position = traits.metadata.position,
      let heading = traits.metadata.heading
    else { return nil }
    let degreesToMeters = 111_195.0
    let row = (position.latitude * degreesToMeters / cellMeters).rounded(.down)
    // Use the latitude at the row's middle, so that all cells of a row have the same width.
    let latitude = (row + 0.5) * cellMeters / degreesToMeters
    let across = position.longitude * degreesToMeters * cos(latitude * .pi / 180) / cellMeters
    return ViewpointCell(
      label: traits.photo.label, row: Int(row), column: Int(across.rounded(.down)),
      sector: Int(heading.degrees / cellDegrees))
  }

  private struct ViewpointCell: Hashable {
    let label: String
    let row: Int
    let column: Int
    let sector: Int
  }
}

struct CaptureTime: Equatable {
  let day: Int
  let dayName: String
  let hour: Int
  let seconds: Int

  /// Parses `YYYY:MM:DD HH:MM:SS`; `nil` for impossible times, such as the zeros of a camera without a clock.
  init?(_ text: String) {
    let fields = text.split { $0 == ":" || $0 == " " }
    let numbers = fields.compactMap { Int($0) }
    let ranges = [1...9999, 1...12, 1...31, 0...23, 0...59, 0...60]
    guard fields.count == 6, numbers.count == 6,
      zip(ranges, numbers).allSatisfy({ $0.contains($1) }),
      let midnight = UTCDate(year: numbers[0], month: numbers[1], day: numbers[2])
    else { return nil }
    day = midnight.days
    dayName = numbers.prefix(3).map { Digits.padded($0, to: 2) }.joined(separator: ":")
    hour = numbers[3]
    seconds = midnight.seconds + 3600 * hour + 60 * numbers[4] + numbers[5]
  }
}

extension CaptureTime {
  /// Converts ISO 8601, such as `2026-11-25T10:05:00.5+01:00`, to local time in EXIF form.
  static func exifText(_ text: String) -> String {
    let parts = text.split(maxSplits: 1) { $0 == "T" || $0 == " " }
    let date = parts.first?.split(separator: "-", omittingEmptySubsequences: false) ?? []
    guard parts.count == 2, date.count == 3 else { return text }
    let clock = parts[1].prefix { ("0"..."9").contains($0) || $0 == ":" }
    // A fraction and a time zone may follow, but not "PM", which changes the hour.
    var rest = parts[1].dropFirst(clock.count)
    if rest.hasPrefix(".") || rest.hasPrefix(",") {
      rest = rest.dropFirst().drop { ("0"..."9").contains($0) }
    }
    rest = rest.drop { $0 == " " }
    let isZone = ["Z", "+", "-", "UTC", "GMT"].contains { rest.hasPrefix($0) }
    guard rest.isEmpty || isZone else { return text }
    let seconds = clock.split(separator: ":").count == 2 ? ":00" : ""
    return date.joined(separator: ":") + " " + clock + seconds
  }

  /// The number of capture days; `nil` if it is at most 1 and more than 20% of the photos have no date.
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
  /// The EXIF metadata; uses the time from column `time` of `split.csv` if EXIF has no valid time.
  func metadata(of opened: Photo) -> PhotoMetadata { metadata(opened.metadata) }

  func metadata(_ exif: PhotoMetadata) -> PhotoMetadata {
    var metadata = exif
    let column = attributes["time"].map(CaptureTime.exifText)
    metadata.captureTime = [exif.captureTime, column].compactMap(\.self)
      .first { CaptureTime($0) != nil }
    return metadata
  }
}
