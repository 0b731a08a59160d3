internal import CupolaGuide

/// How long a tour is, about.
public struct TourLength: Equatable, Sendable {
  /// Meters to walk.
  public let meters: Double
  /// Seconds to walk.
  public let walking: Double
  /// Seconds to read and answer.
  public let stays: Double
  /// Whether some way is only known as the crow flies.
  public let isStraight: Bool

  /// Seconds for all.
  public var seconds: Double { walking + stays }

  /// Such as `1.4 km on foot, 50 min with 30 min at the stops`.
  public var text: String {
    let known = "\(isStraight ? "at least " : "")\(DistanceText.text(meters: meters)) on foot"
    // Without a guide some stops are nowhere.
    let way = isStraight && meters < 0.5 ? "a way that is not known" : known
    return "\(way), about \(Self.minutes(seconds)) with \(Self.minutes(stays)) at the stops"
  }

  private static func minutes(_ seconds: Double) -> String {
    guard seconds.isFinite, seconds.magnitude < 1e9 else { return "long" }
    let minutes = Int((seconds / 60).rounded(.up))
    return minutes < 120 ? "\(minutes) min" : "\(minutes / 60) h \(minutes % 60) min"
  }
}
