internal import CupolaSupport

// 1. For each maneuver, set two announcement distances based on the travel mode and speed.
// 2. Skip maneuvers behind the position, and return the announcement that is due.

/// An announcement for a user who follows a route.
public struct Announcement: Equatable, Sendable {
  /// When a maneuver is announced.
  public enum Stage: String, CaseIterable, Codable, Sendable {
    /// In advance: "in 50 meters turn left".
    case ahead
    /// At the maneuver: "turn left now". For ``Maneuver/Kind/arrive``, on arrival.
    case now
  }

  /// The index of the maneuver in ``Route/maneuvers``.
  public let maneuver: Int
  /// Whether the maneuver is announced in advance or now.
  public let stage: Stage
  /// The estimated distance to the maneuver in meters, 0 or more.
  public let meters: Double
  /// The maneuver that follows immediately and is announced with this one ("then turn right"); `nil` if there is none.
  public let following: Int?
}

struct AnnouncementPlan: Sendable {
  private struct Entry: Sendable {
    var arc: Double
    var ahead: Double
    var now: Double
  }

  private var entries: [Entry] = []
  private var next = 0
  private var isAnnouncedAhead = false

  /// The distance in meters by which an announcement may be early because the position is uncertain.
  static let slack = 15.0
  /// The part of `slack` that is used, in meters; the rest allows for the long tails of position errors.
  private static let margin = 10.0
  /// The accepted probability that an announcement is even earlier.
  static let doubt = 0.02
  /// The distance in meters from the start within which the departure is announced.
  private static let start = 50.0
  /// The distance in meters within which two maneuvers are announced together.
  private static let together = 20.0

  init(_ route: Route, _ track: RouteTrack) {
    entries = route.maneuvers.map { maneuver in
      let point = min(max(0, maneuver.point), track.arcs.count - 1)
      let speed = point > 0 ? Self.speed(route.segments[point - 1]) : 0
      let (ahead, now) = Self.distances(route.mode, maneuver.kind, speed: speed)
      return Entry(arc: track.arcs[point], ahead: ahead, now: now)
    }
  }

  private static func speed(_ segment: Route.Segment) -> Double {
    let speed = segment.meters / segment.seconds
    return speed.isFinite ? speed : 0
  }

  /// Returns the distances before a maneuver at which it is announced, in meters.
  ///
  /// When walking: 50 and 25 m, or 20 m for visible maneuvers. When driving: the distances covered in 25 and 5 seconds.
  private static func distances(
    _ mode: TravelMode, _ kind: Maneuver.Kind, speed: Double
  ) -> (ahead: Double, now: Double) {
    if mode == .drive { return (min(800, max(150, 25 * speed)), min(120, max(30, 5 * speed))) }
    switch kind {
    case .steps, .stepsUp, .stepsDown, .escalator, .escalatorUp, .escalatorDown, .elevatorUp,
      .elevatorDown, .crossing, .enterBuilding, .leaveBuilding:
      return (50, 20)
    default: return (50, 25)
    }
  }

  func meters(before maneuver: Int, _ stage: Announcement.Stage) -> Double {
    stage == .ahead ? entries[maneuver].ahead : entries[maneuver].now
  }

  func next(at arc: Double) -> (maneuver: Int, meters: Double)? {
    guard let last = entries.indices.last else { return nil }
    let number = entries.firstIndex { $0.arc > arc } ?? last
    return (number, max(0, entries[number].arc - arc))
  }

  /// Skips maneuvers behind the position, for example when the user joins the route after its start.
  mutating func skip(to arc: Double) {
    while next < entries.count - 1 {
      let reach = next == 0 ? Self.start : Self.slack
      guard entries[next].arc < arc - reach else { return }
      pass()
    }
  }

  private mutating func pass() { (next, isAnnouncedAhead) = (next + 1, false) }

  /// Returns the announcement that is due at `arc`.
  ///
  /// - Parameter surely: The distance in meters along the route that the user has almost certainly reached.
  mutating func announce(at arc: Double, surely: Double) -> Announcement? {
    skip(to: arc)
    guard next < entries.count else { return nil }
    let isLast = next == entries.count - 1
    let entry = entries[next]
    let meters = max(0, entry.arc - arc)
    func isTime(_ distance: Double) -> Bool {
      guard meters <= distance else { return false }
      return entry.arc - surely <= distance + Self.margin || entry.arc <= arc
    }
    if !isLast, isTime(entry.now) {
      defer { pass() }
      return Announcement(maneuver: next, stage: .now, meters: meters, following: following)
    }
    guard !isAnnouncedAhead, meters > entry.now + 10, isTime(entry.ahead) else { return nil }
    isAnnouncedAhead = true
    return Announcement(maneuver: next, stage: .ahead, meters: meters, following: nil)
  }

  private var following: Int? {
    guard next + 1 < entries.count, entries[next + 1].arc - entries[next].arc < Self.together else {
      return nil
    }
    return next + 1
  }

  mutating func announceArrival(meters: Double) -> Announcement? {
    guard next < entries.count else { return nil }
    next = entries.count
    return Announcement(
      maneuver: entries.count - 1, stage: .now, meters: meters, following: nil)
  }
}

/// A user's state on a route after a position update.
public struct RouteUpdate: Equatable, Sendable {
  /// The status of a user on a route.
  public enum Status: String, CaseIterable, Codable, Sendable {
    /// Not on the route yet, because it starts away from the first position.
    case joining
    case following
    /// Farther from the route than position errors can explain.
    case offRoute = "off_route"
    /// The final status.
    case arrived
  }

  /// The status of the user.
  public internal(set) var status: Status
  /// The user's position on the remaining route; if the user is off the route, the point where the user left it.
  public internal(set) var snapped: RoutePoint
  var segment: Int?
  /// The remaining distance along the route in meters.
  public internal(set) var metersToGo: Double
  /// The remaining time in seconds, as computed by the route.
  public internal(set) var secondsToGo: Double
  /// The 68% error of ``snapped`` along the route in meters, in both directions.
  var metersUncertain: Double
  var metersAway: Double
  /// The next maneuver, as an index into ``Route/maneuvers``; `nil` if there are none left.
  public internal(set) var nextManeuver: Int?
  /// The distance along the route to the next maneuver in meters.
  public internal(set) var metersToManeuver: Double?
  /// The announcement to make now. Each one is returned once.
  public internal(set) var announcement: Announcement?
  /// Whether the app should compute a new route now. This is `true` at most once in 15 seconds.
  public internal(set) var needsRerouting: Bool
}
