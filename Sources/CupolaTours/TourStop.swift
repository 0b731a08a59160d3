public import CupolaGuide

// 1. Read a stop with its media and questions from JSON, and reject paths outside the tour's folder.

/// A stop of a tour.
public struct TourStop: Equatable, Sendable {
  /// The location of a stop.
  public enum Place: Equatable, Sendable {
    /// A place in the guide, by identifier, training label or name.
    case named(String)
    /// A point in WGS 84 degrees, rounded to 1e-7.
    case point(latitude: Double, longitude: Double)
  }

  struct Beacon: Equatable, Sendable {
    let zone: String
    /// The farthest zone in which the stop starts.
    let level: TourZoneLevel
  }

  /// The identifier of the stop.
  public let id: String
  /// The title of the stop.
  public let title: LocalizedText
  /// The location; `nil` if the stop has only a beacon.
  public internal(set) var place: Place?
  /// The radius in meters, 5 to 500.
  var radius = TourStop.defaultRadius
  var beacon: Beacon?
  /// The text shown on arrival.
  public internal(set) var text: LocalizedText?
  /// Images, audio and video.
  public internal(set) var media: [TourMedia] = []
  /// The questions, in order.
  public internal(set) var questions: [TourQuestion] = []
  var after: [String] = []

  static let radii = 5.0...500.0
  static let defaultRadius = 25.0
}

/// An image, audio or video file of a stop.
public struct TourMedia: Equatable, Sendable {
  /// The type of a media file.
  public enum Kind: String, Sendable, CaseIterable {
    case image, audio, video
  }

  /// The path relative to the tour's folder; never outside the folder.
  public let path: String
  /// The type of the file.
  public let kind: Kind
  /// The alternative text for people who cannot see or hear the file.
  public internal(set) var alternative: LocalizedText?

  static let mostPathBytes = 1024
  static let mostNameBytes = 255

  /// Returns the problem with a path, or `nil` if it is portable and inside the tour's folder.
  static func problem(ofPath path: String) -> String? {
    guard !path.isEmpty, path.utf8.count <= mostPathBytes else {
      return "path must have 1 to \(mostPathBytes) bytes"
    }
    // Compare bytes, because a separator and a combining mark form a single character.
    guard !path.utf8.contains(where: "\\:%?#*\"<>|".utf8.contains) else {
      return "path must not contain \\ : % ? # * \" < > |, or be a URL; "
        + "name a file in the tour's folder"
    }
    let (dot, blank) = (UInt8(ascii: "."), UInt8(ascii: " "))
    for name in path.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false) {
      guard let first = name.first, first != dot, first != UInt8(ascii: "~") else {
        return "path leaves the tour's folder or names a hidden file; "
          + "use a path like media/library.jpg"
      }
      guard name.count <= mostNameBytes, name.last != dot, name.last != blank else {
        return
          "names in a path must have at most \(mostNameBytes) bytes and must not end with a dot or space"
      }
    }
    return nil
  }
}

/// The zone of a beacon, determined by signal strength. Strengths are too inaccurate to compute a distance in meters.
public enum TourZoneLevel: String, Equatable, Sendable, CaseIterable, Comparable {
  case immediate, near, far

  var rank: Int { self == .immediate ? 0 : self == .near ? 1 : 2 }

  /// Whether a zone is nearer than another.
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
        "stop without a location; add \"place\" or \"beacon\", or both \"latitude\" and \"longitude\""
      )
    }
    let radius = try node["radius"]?.number(Self.radii)
    if place == nil, let radius = node["radius"] {
      throw radius.fault("radius without a place; remove it, or add a place to the stop")
    }
    self.init(
      id: id, title: title, place: place, radius: radius ?? Self.defaultRadius, beacon: beacon,
      text: try node["text"]?.localized(languages, lines: true),
      media: try Self.media(node["media"], languages),
      questions: try Self.questions(node["questions"], languages),
      after: try Self.after(node["after"]))
  }

  private static func place(_ node: TourNode) throws(GuideError) -> Place? {
    let (latitude, longitude) = (node["latitude"], node["longitude"])
    if let place = node["place"] {
      guard latitude == nil, longitude == nil else {
        throw place.fault("both a place and coordinates; remove one")
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
        throw node.fault("duplicate ID \"\(question.id)\"; use a unique one")
      }
      questions.append(question)
    }
    return questions
  }

  private static func after(_ node: TourNode?) throws(GuideError) -> [String] {
    var after: [String] = []
    for node in try node?.list(0...Tour.mostStops) ?? [] {
      let id = try node.identifier()
      guard !after.contains(id) else { throw node.fault("duplicate stop \"\(id)\"; remove one") }
      after.append(id)
    }
    return after
  }
}
