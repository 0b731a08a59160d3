/// What a position means to somebody who follows a route.
public struct RouteUpdate: Equatable, Sendable {
  /// Where somebody is with a route.
  public enum Status: String, CaseIterable, Codable, Sendable {
    /// Not there yet, since the route began away from the first position.
    case joining
    case following
    /// Farther away than errors of the positions explain.
    case offRoute = "off_route"
    /// Final.
    case arrived
  }

  /// Where somebody is with the route.
  public internal(set) var status: Status
  /// The place on the part of the route that is left to go; of somebody off the route where it was left.
  public internal(set) var snapped: RoutePoint
  /// The segment that ``snapped`` is on: a number of ``Route/segments``; `nil` for a route without any.
  public internal(set) var segment: Int?
  /// Meters along the route to its end.
  public internal(set) var metersToGo: Double
  /// Seconds to the end as the route counts them.
  public internal(set) var secondsToGo: Double
  /// Meters along the route by which ``snapped`` may be wrong, both ways, with 68 %.
  public internal(set) var metersUncertain: Double
  /// Meters from the position to the part of the route where somebody may be.
  public internal(set) var metersAway: Double
  /// The maneuver that comes next: a number of ``Route/maneuvers``; `nil` when none is left.
  public internal(set) var nextManeuver: Int?
  /// Meters along the route to the next maneuver.
  public internal(set) var metersToManeuver: Double?
  /// What to say now; each is said once.
  public internal(set) var announcement: Announcement?
  /// Whether the app should ask for another route now; not said again for
  /// ``RouteProgress/secondsBetweenReroutings``.
  public internal(set) var needsRerouting: Bool
}
