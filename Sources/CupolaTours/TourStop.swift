public import CupolaGuide

// 1. A stop is read from JSON: its place, its beacon, or both.
// 2. Its media are read; `TourMedia.problem` rejects paths that leave the tour's folder.
// 3. Its questions are read, and the stops that must be passed first.

/// A place where a tour stops.
public struct TourStop: Equatable, Sendable {
  /// Where a stop is.
  public enum Place: Equatable, Sendable {
    /// A place of the guide, by its identifier or name.
    case named(String)
    /// A point, degrees of WGS 84, kept to 1e-7.
    case point(latitude: Double, longitude: Double)
  }

  struct Beacon: Equatable, Sendable {
    let zone: String
    /// How near somebody has to be: this or nearer.
    let level: TourZoneLevel
  }

  /// What the tour knows it by.
  public let id: String
  /// What people call it.
  public let title: LocalizedText
  /// Where it is; `nil` where a beacon alone tells. A stop has a place, a beacon or both.
  public internal(set) var place: Place?
  /// Meters around the place within which somebody is at the stop, 5...500.
  var radius = TourStop.usualRadius
  var beacon: Beacon?
  /// What is told there.
  public internal(set) var text: LocalizedText?
  /// Pictures, sounds and films.
  public internal(set) var media: [TourMedia] = []
  /// Questions, in their order.
  public internal(set) var questions: [TourQuestion] = []
  /// The stops that have to be passed before this one opens.
  var after: [String] = []

  static let radii = 5.0...500.0
  static let usualRadius = 25.0
}

/// A picture, sound or film that belongs to a stop.
public struct TourMedia: Equatable, Sendable {
  /// What it is.
  public enum Kind: String, Sendable, CaseIterable {
    case image, audio, video
  }

  /// Where the file lies, from the folder of the tour; never outside of it.
  public let path: String
  /// What it is.
  public let kind: Kind
  /// What it shows or says, for those who cannot see or hear it; `nil` when nobody wrote it.
  public internal(set) var alternative: LocalizedText?

  static let mostPathBytes = 1024
  /// Bytes of each name of a path at most, as file systems have it.
  static let mostNameBytes = 255

  /// What is wrong with a path; `nil` when it leads to a file of the tour's folder whatever reads it.
  static func problem(ofPath path: String) -> String? {
    guard !path.isEmpty, path.utf8.count <= mostPathBytes else {
      return "a path has 1 to \(mostPathBytes) bytes"
    }
    // Bytes, as systems part them: of characters a mark above a slash would make another.
    guard !path.utf8.contains(where: "\\:%?#*\"<>|".utf8.contains) else {
      return "a path has none of \\ : % ? # * \" < > |, and no address; "
        + "name a file of the tour's folder"
    }
    let (dot, blank) = (UInt8(ascii: "."), UInt8(ascii: " "))
    for name in path.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false) {
      guard let first = name.first, first != dot, first != UInt8(ascii: "~") else {
        return "leads out of the tour's folder, or to a hidden file; "
          + "name a file like media/library.jpg"
      }
      guard name.count <= mostNameBytes, name.last != dot, name.last != blank else {
        return "a name has at most \(mostNameBytes) bytes, and no dot or blank at its end"
      }
    }
    return nil
  }
}

/// How near a beacon is, as far as its signal tells: in zones, never in meters.
public enum TourZoneLevel: String, Equatable, Sendable, CaseIterable, Comparable {
  case immediate, near, far

  /// 0 for the nearest.
  var rank: Int { self == .immediate ? 0 : self == .near ? 1 : 2 }

  /// Whether a level is nearer than another.
  public static func < (a: TourZoneLevel, b: TourZoneLevel) -> Bool { a.rank < b.rank }
}

extension TourStop {
  init(_ node: TourNode, _ languages: [String]) throws(GuideError) {
    try node.checkMembers([
      "id", "title", "place", "latitude", "longitude", "radius", "beacon", "text", "media",
      "questions", "after",
    ])
    let id = try node.required("id").identifier()
    let title = try node.required("title").localized(languages, mostBytes: Tour.mostTitleBytes)
    let place = try Self.place(node)
    let beacon = try Self.beacon(node["beacon"])
    guard place != nil || beacon != nil else {
      throw node.fault(
        "is nowhere; give it \"place\", \"latitude\" and \"longitude\", or \"beacon\"")
    }
    let radius = try node["radius"]?.number(Self.radii)
    if place == nil, let radius = node["radius"] {
      throw radius.fault("a radius around no place; remove it, or give the stop a place")
    }
    self.init(
      id: id, title: title, place: place, radius: radius ?? Self.usualRadius, beacon: beacon,
      text: try node["text"]?.localized(languages, lines: true),
      media: try Self.media(node["media"], languages),
      questions: try Self.questions(node["questions"], languages),
      after: try Self.after(node["after"]))
  }

  private static func place(_ node: TourNode) throws(GuideError) -> Place? {
    let (latitude, longitude) = (node["latitude"], node["longitude"])
    if let place = node["place"] {
      guard latitude == nil, longitude == nil else {
        throw place.fault("a place and coordinates; keep one of them")
      }
      return .named(try place.text(mostBytes: Tour.mostTitleBytes))
    }
    guard latitude != nil || longitude != nil else { return nil }
    let north = try node.required("latitude").number(-90...90)
    let east = try node.required("longitude").number(-180...180)
    guard let point = MapPoint(latitude: north, longitude: east) else { return nil }
    return .point(latitude: point.latitude, longitude: point.longitude)
  }

  private static func beacon(_ node: TourNode?) throws(GuideError) -> Beacon? {
    guard let node else { return nil }
    try node.checkMembers(["zone", "level"])
    return Beacon(
      zone: try node.required("zone").text(mostBytes: Tour.mostTitleBytes),
      level: try node["level"]?.oneOf("immediate", "near", "far") ?? .near)
  }

  private static func media(
    _ node: TourNode?, _ languages: [String]
  ) throws(GuideError) -> [TourMedia] {
    var media: [TourMedia] = []
    for node in try node?.list(0...Tour.mostParts) ?? [] {
      try node.checkMembers(["path", "kind", "alt"])
      let path = try node.required("path")
      let text = try path.text(mostBytes: TourMedia.mostPathBytes)
      if let problem = TourMedia.problem(ofPath: text) { throw path.fault(problem) }
      media.append(
        TourMedia(
          path: text, kind: try node.required("kind").oneOf("image", "audio", "video"),
          alternative: try node["alt"]?.localized(languages, lines: true)))
    }
    return media
  }

  private static func questions(
    _ node: TourNode?, _ languages: [String]
  ) throws(GuideError) -> [TourQuestion] {
    var questions: [TourQuestion] = []
    for (number, node) in (try node?.list(0...Tour.mostParts) ?? []).enumerated() {
      let question = try TourQuestion(node, languages, number: number + 1)
      guard !questions.contains(where: { $0.id == question.id }) else {
        throw node.fault("another question has the id \"\(question.id)\"; give each its own")
      }
      questions.append(question)
    }
    return questions
  }

  private static func after(_ node: TourNode?) throws(GuideError) -> [String] {
    var after: [String] = []
    for node in try node?.list(0...Tour.mostStops) ?? [] {
      let id = try node.identifier()
      guard !after.contains(id) else { throw node.fault("\(id) stands there twice; remove one") }
      after.append(id)
    }
    return after
  }
}
