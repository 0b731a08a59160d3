/// Something to say now to somebody who follows a route.
public struct Announcement: Equatable, Sendable {
  /// How far ahead a maneuver is told.
  public enum Stage: String, CaseIterable, Codable, Sendable {
    /// Some time before: "in 50 meters turn left".
    case ahead
    /// When it is to be done: "turn left now"; of ``Maneuver/Kind/arrive`` on arrival.
    case now
  }

  /// A number of ``Route/maneuvers``.
  public let maneuver: Int
  /// Whether it is told before or to be done.
  public let stage: Stage
  /// Meters to the maneuver by the estimate, 0 or more.
  public let meters: Double
  /// The maneuver that comes at once behind it, to be told along: "then turn right"; `nil` for none.
  public let following: Int?
}
