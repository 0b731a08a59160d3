public import CupolaGuide

/// A place where a tour stops.
public struct TourStop: Equatable, Sendable {
  /// Where a stop is.
  public enum Place: Equatable, Sendable {
    /// A place of the guide, by its identifier or name.
    case named(String)
    /// A point, degrees of WGS 84, kept to 1e-7.
    case point(latitude: Double, longitude: Double)
  }

  /// A beacon whose signal tells that somebody is at the stop.
  public struct Beacon: Equatable, Sendable {
    /// The zone's name.
    public let zone: String
    /// How near somebody has to be: this or nearer.
    public let level: TourZoneLevel

    init(zone: String, level: TourZoneLevel) { (self.zone, self.level) = (zone, level) }
  }

  /// What the tour knows it by.
  public let id: String
  /// What people call it.
  public let title: LocalizedText
  /// Where it is; `nil` where a beacon alone tells. A stop has a place, a beacon or both.
  public let place: Place?
  /// Meters around the place within which somebody is at the stop, 5...500.
  public let radius: Double
  /// Its beacon.
  public let beacon: Beacon?
  /// What is told there.
  public let text: LocalizedText?
  /// Pictures, sounds and films.
  public let media: [TourMedia]
  /// Questions, in their order.
  public let questions: [TourQuestion]
  /// The stops that have to be passed before this one opens.
  public let after: [String]

  init(
    id: String, title: LocalizedText, place: Place? = nil, radius: Double = 25,
    beacon: Beacon? = nil, text: LocalizedText? = nil, media: [TourMedia] = [],
    questions: [TourQuestion] = [], after: [String] = []
  ) {
    (self.id, self.title, self.place, self.radius) = (id, title, place, radius)
    (self.beacon, self.text, self.media) = (beacon, text, media)
    (self.questions, self.after) = (questions, after)
  }

  static let radii = 5.0...500.0
  static let usualRadius = 25.0
}
