package import Cupola

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

// 1. Join photos with the same named group, identical files and copies.
// 2. For photos without a named session, also join bursts, or days without a time (`CaptureTime`), and viewpoints.
// 3. Find similar photos that join the photos of several visits, and explain why labels cannot be divided.

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
      guard let shot, shot.hasDate || shot.viewpoint != nil else { return nil }
      return sets.root(of: index)
    }
  }

  /// Joins bursts, photos of a day without a time of day, and viewpoints.
  private static func join(_ shots: [Shot?], _ sets: inout DisjointSets) {
    let timed = zip(shots, shots.indices).compactMap { shot, index in
      shot.flatMap { shot in shot.seconds.map { (label: shot.label, time: $0, index: index) } }
    }
    let ordered = timed.sorted { ($0.label, $0.time, $0.index) < ($1.label, $1.time, $1.index) }
    for (earlier, later) in zip(ordered, ordered.dropFirst())
    where earlier.label == later.label && later.time - earlier.time <= burstSeconds {
      sets.join(earlier.index, later.index)
    }
    sets.joinEqual(shots.map { $0?.untimed })
    sets.joinEqual(shots.map { $0?.viewpoint })
  }

  /// When and where a photo of a label was taken.
  package struct Shot: Equatable, Sendable {
    package var label: String
    /// Seconds since January 1, 1970, in local time; `nil` if the time of day is unknown.
    package let seconds: Int?
    /// The day since January 1, 1970; `nil` if the date is unknown.
    private let day: Int?
    package let position: Position?
    /// The row, column and sector of the viewpoint.
    private let cell: SIMD3<Int>?

    package init(_ metadata: PhotoMetadata, label: String) {
      self.label = label
      (seconds, day) = (metadata.capture?.seconds, metadata.capture?.day)
      position = metadata.position
      cell = Self.cell(of: metadata)
    }

    /// Returns `nil` for a photo whose session was named.
    fileprivate init?(_ traits: PhotoTraits) {
      guard traits.photo.namedSession == nil else { return nil }
      self.init(traits.metadata, label: traits.photo.label)
    }

    var hasDate: Bool { day != nil }

    /// The label and day of a photo whose time of day is unknown.
    fileprivate var untimed: UntimedDay? {
      seconds == nil ? day.map { UntimedDay(label: label, day: $0) } : nil
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

  fileprivate struct UntimedDay: Hashable {
    let label: String
    let day: Int
  }

  fileprivate struct Viewpoint: Hashable {
    let label: String
    let cell: SIMD3<Int>
  }
}

/// Pairs of similar photos from different visits, which join the photos of these visits.
struct VisitLinks {
  private let photos: [PhotoTraits]
  private let groups: [Int]
  private let pairs: [NearDuplicates.Pair]

  init(_ pairs: [NearDuplicates.Pair], of photos: [PhotoTraits], groups: [Int]) {
    (self.photos, self.groups) = (photos, groups)
    self.pairs = pairs.filter { pair in
      guard let first = photos[pair.first].visit, let second = photos[pair.second].visit
      else { return false }
      return first != second
    }
  }

  /// Compares only photos in the groups of labels with several visits.
  init(
    of labels: [AutomaticSplit.Scarce], among photos: [PhotoTraits], groups: [Int], threads: Int
  ) async {
    let own = Dictionary(grouping: photos.indices) { photos[$0].photo.label }
    let asked = Set(
      labels.flatMap { label -> [Int] in
        let members = own[label.label] ?? []
        return Set(members.compactMap { photos[$0].visit }).count > 1
          ? members.map { groups[$0] } : []
      })
    let members = photos.indices.filter { asked.contains(groups[$0]) }
    let pairs = await NearDuplicates.pairs(
      among: members.map { photos[$0].thumbnail }, threads: threads)
    self.init(
      pairs.map { pair in
        NearDuplicates.Pair(
          first: members[pair.first], second: members[pair.second], isMirrored: pair.isMirrored)
      }, of: photos, groups: groups)
  }

  /// Returns the label with similar photos as its origin if they join several of its visits; prefers its own photos.
  func explaining(
    _ label: AutomaticSplit.Scarce, in isAsked: (Int) -> Bool = { _ in true }
  ) -> AutomaticSplit.Scarce {
    let own = photos.indices.filter {
      photos[$0].photo.label == label.label && isAsked(groups[$0])
        && photos[$0].photo.split != .testUnknown
    }
    guard let group = own.first.map({ groups[$0] }), own.allSatisfy({ groups[$0] == group }),
      Set(own.compactMap { photos[$0].visit }).count > 1
    else { return label }
    let linking = pairs.filter { groups[$0.first] == group }
    let ofLabel = linking.first { pair in
      [pair.first, pair.second].contains { photos[$0].photo.label == label.label }
    }
    guard let pair = ofLabel ?? linking.first else { return label }
    return AutomaticSplit.Scarce(
      label: label.label,
      origin: .similar(photos[pair.first].photo.name, photos[pair.second].photo.name))
  }
}

extension PhotoTraits {
  /// The named session or the day; `nil` if both are unknown.
  var visit: String? { photo.namedSession ?? metadata.capture?.dayName }
}

extension [AutomaticSplit.Scarce] {
  /// Lists the labels by the origin of their photos.
  package var text: String {
    func list(_ title: String, _ matches: (AutomaticSplit.Scarce.Origin) -> Bool) -> String? {
      let own = filter { matches($0.origin) }.map(\.label)
      return own.isEmpty ? nil : "\(title) (\(FigureText.list(own)))"
    }
    let linked = compactMap { label -> String? in
      guard case .linkedDays(let days) = label.origin else { return nil }
      return "\(label.label) on \(days) days"
    }
    let kinds = [
      list("photos from one session") { $0 == .session },
      list("photos from one day") { $0 == .day },
      linked.isEmpty
        ? nil : "photos linked by shared viewpoints or copies (\(FigureText.list(linked)))",
      similar.flatMap { pair in
        list(
          "photos of several sessions joined by similar photos, such as \(pair.0) and \(pair.1)",
          \.isSimilar)
      },
      list("photos in groups with other labels") { $0 == .otherLabels },
    ]
    return kinds.compactMap(\.self).joined(separator: ", ")
  }

  package var advice: String { advice() }

  /// - Parameter table: The path of a split table, which keeps similar photos together even if one is deleted.
  package func advice(deleting table: String? = nil) -> String {
    let others = filter { !$0.origin.isSimilar }
    let isLinked = others.contains { $0.origin != .session && $0.origin != .day }
    return [
      similar == nil
        ? nil
        : "delete one of the similar photos"
          + (table.map { ", delete \($0), and split again" } ?? ""),
      others.isEmpty
        ? nil : "take photos on another day" + (isLinked ? ", also from other positions" : ""),
    ].compactMap(\.self).joined(separator: "; ")
  }

  private var similar: (String, String)? {
    lazy.compactMap { label in
      if case .similar(let first, let second) = label.origin { (first, second) } else { nil }
    }.first
  }
}

extension AutomaticSplit.Scarce.Origin {
  fileprivate var isSimilar: Bool { if case .similar = self { true } else { false } }
}

struct CaptureTime: Equatable {
  let day: Int
  /// The date in ISO 8601 form, such as 2026-01-02.
  let dayName: String
  /// `nil` if the time of day is unknown.
  let hour: Int?
  /// Seconds since January 1, 1970; `nil` if the time of day is unknown.
  let seconds: Int?

  /// Parses a time; `nil` for impossible times, such as zeros without a clock.
  init?(_ text: String) {
    guard let time = EXIFTime(text) else { return nil }
    day = time.day
    dayName = String(time.text.prefix(10)).replacing(":", with: "-")
    hour = time.secondOfDay.map { $0 / 3600 }
    seconds = time.secondOfDay.map { 86_400 * time.day + $0 }
  }
}

/// A part of the day, which stands for the light of photos.
enum DayPeriod: Int, CaseIterable {
  case morning, midday, afternoon, evening, night

  init(hour: Int) {
    self = Self.allCases.first { $0.hours.contains(hour) } ?? .night
  }

  /// The hours; those of the night continue after midnight as 24 to 28.
  private var hours: Range<Int> {
    switch self {
    case .morning: 5..<11
    case .midday: 11..<15
    case .afternoon: 15..<19
    case .evening: 19..<22
    case .night: 22..<29
    }
  }

  private var end: Int { hours.upperBound % 24 }
  var shortName: String { "\(hours.lowerBound)-\(end)h" }
  var name: String { "\(self) (\(hours.lowerBound) to \(end) h)" }
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
