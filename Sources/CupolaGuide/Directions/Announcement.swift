internal import CupolaSupport

// 1. `AnnouncementPlan` sets two distances for each maneuver, by travel mode and speed.
// 2. `skip` passes over maneuvers that are behind the position.
// 3. `tell` returns the announcement that is due: first ahead, then now.
// 4. `tellArrival` returns the last one.

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

struct AnnouncementPlan: Sendable {
  private struct Entry: Sendable {
    var arc: Double
    var ahead: Double
    var now: Double
  }

  private var entries: [Entry] = []
  private var next = 0
  private var isToldAhead = false

  /// Meters that an announcement may be early by, for what is not known about a place.
  static let slack = 15.0
  /// Meters of it that are used, since errors have long tails.
  private static let margin = 10.0
  /// How probable it may be that an announcement is earlier.
  static let doubt = 0.02
  /// Meters from the start within which people are told to depart.
  private static let start = 50.0
  /// Meters within which maneuvers are told together.
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

  /// Meters before a maneuver at which it is told.
  ///
  /// On foot 50 and 25, or 20 where people see what to do; in a car 25 and 5 seconds.
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

  /// The first maneuver in front of a place, or else the last one, and meters to it.
  func next(at arc: Double) -> (maneuver: Int, meters: Double)? {
    guard let last = entries.indices.last else { return nil }
    let number = entries.firstIndex { $0.arc > arc } ?? last
    return (number, max(0, entries[number].arc - arc))
  }

  /// Forgets what has passed, as where somebody joined the route later on.
  mutating func skip(to arc: Double) {
    while next < entries.count - 1 {
      let reach = next == 0 ? Self.start : Self.slack
      guard entries[next].arc < arc - reach else { return }
      pass()
    }
  }

  private mutating func pass() { (next, isToldAhead) = (next + 1, false) }

  /// What to say at a place; `surely` is where somebody is or farther on, nearly surely.
  mutating func tell(at arc: Double, surely: Double) -> Announcement? {
    skip(to: arc)
    // The last one is told on arrival.
    guard next < entries.count else { return nil }
    let isLast = next == entries.count - 1
    let entry = entries[next]
    let meters = max(0, entry.arc - arc)
    func isTime(_ distance: Double) -> Bool {
      guard meters <= distance else { return false }
      // Where it is most probably there, it is told in any case.
      return entry.arc - surely <= distance + Self.margin || entry.arc <= arc
    }
    if !isLast, isTime(entry.now) {
      defer { pass() }
      return Announcement(maneuver: next, stage: .now, meters: meters, following: following)
    }
    guard !isToldAhead, meters > entry.now + 10, isTime(entry.ahead) else { return nil }
    isToldAhead = true
    return Announcement(maneuver: next, stage: .ahead, meters: meters, following: nil)
  }

  private var following: Int? {
    guard next + 1 < entries.count, entries[next + 1].arc - entries[next].arc < Self.together else {
      return nil
    }
    return next + 1
  }

  mutating func tellArrival(meters: Double) -> Announcement? {
    guard next < entries.count else { return nil }
    next = entries.count
    return Announcement(
      maneuver: entries.count - 1, stage: .now, meters: meters, following: nil)
  }
}

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
  var segment: Int?
  /// Meters along the route to its end.
  public internal(set) var metersToGo: Double
  /// Seconds to the end as the route counts them.
  public internal(set) var secondsToGo: Double
  /// Meters along the route by which ``snapped`` may be wrong, both ways, with 68 %.
  var metersUncertain: Double
  /// Meters from the position to the part of the route where somebody may be.
  var metersAway: Double
  /// The maneuver that comes next: a number of ``Route/maneuvers``; `nil` when none is left.
  public internal(set) var nextManeuver: Int?
  /// Meters along the route to the next maneuver.
  public internal(set) var metersToManeuver: Double?
  /// What to say now; each is said once.
  public internal(set) var announcement: Announcement?
  /// Whether the app should ask for another route now; not said again for
  /// 15 seconds.
  public internal(set) var needsRerouting: Bool
}
