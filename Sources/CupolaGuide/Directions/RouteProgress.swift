public import CupolaCampus
internal import CupolaSupport

// 1. Convert a position to a fix; then search for the route, or follow it.
// 2. Place the user on the route, check for arrival, and add announcements and rerouting.

/// Follows a user along a route: determines the position, announcements, deviations from the route, and arrival.
///
/// A hidden Markov model of positions and speeds (`TrackFilter`) moves forward along the route, so other parts of the
/// route that pass nearby do not attract the position. Results are deterministic; an update takes about 0.02 ms.
///
/// - Announcements: made when the estimated position is within the announcement distance and, with 98% probability, at
///   most 10 m farther away, or when the estimate is past the maneuver.
/// - Off-route: reported when at least 3 consecutive positions over at least 5 seconds (3 when driving) are more than
///   2.4 standard deviations away and the accumulated evidence is sufficient. Cleared after 5 seconds near the route.
/// - Arrival: reported within 20 m of the end (or within the position error if larger) with 97% probability, or after
///   10 seconds at the end.
/// - Joining: if the route starts away from the first position, moving farther away counts as off-route.
public struct RouteProgress: Sendable {
  /// The current route.
  public private(set) var route: Route
  private let pace: TravelPace
  private var track: RouteTrack
  private var plan: AnnouncementPlan
  private var filter: TrackFilter
  private var watch: OffRouteWatch
  /// Until the user has joined the route, and while off the route, each update searches for the route.
  private var phase = RouteUpdate.Status.joining
  private var lastUpdate: RouteUpdate?
  private var lastTime: Double?
  private var lastRerouting: Double?
  private var farthest = 0.0
  private var secondsAtEnd = 0.0
  /// The smallest distance so far to a route that the user has not joined yet.
  private var leastAway = Double.infinity

  static let arrivalMeters = 20.0
  static let secondsBetweenReroutings = 15.0
  static let leastSeconds = 0.5
  /// The radius that contains 68% of positions, in standard deviations of one coordinate.
  private static let radius = 1.51

  /// Starts a route.
  public init(_ route: Route) {
    self.route = route
    pace = TravelPace(route.mode)
    track = RouteTrack(route, spacing: pace.spacing)
    plan = AnnouncementPlan(route, track)
    filter = TrackFilter(pace)
    watch = OffRouteWatch(pace)
  }

  /// Continues with another route. The minimum time between reroutings stays in effect.
  public mutating func reroute(to route: Route) {
    let (time, rerouting) = (lastTime, lastRerouting)
    self = RouteProgress(route)
    (lastTime, lastRerouting) = (time, rerouting)
  }

  /// Returns the distance before a maneuver at which it is announced, in meters.
  func announcingMeters(of maneuver: Int, _ stage: Announcement.Stage) -> Double {
    precondition(route.maneuvers.indices.contains(maneuver))
    return plan.meters(before: maneuver, stage)
  }

  /// Updates the progress with a position.
  ///
  /// - Parameters:
  ///   - position: The position with its 68% radius, as provided by Core Location.
  ///   - heading: The direction of movement or of view, used only to distinguish parallel parts of the route; magnetic
  ///     headings are ignored.
  ///   - time: The time in seconds of any clock. Updates within half a second return the last result again.
  ///   - level: The floor, if known.
  public mutating func update(
    at position: Position, heading: Heading? = nil, time: Double, level: Double? = nil
  ) -> RouteUpdate {
    guard time.isFinite, let passed = passed(until: time) else { return repeated() }
    if phase == .arrived { return repeated() }
    lastTime = time
    let fix = fix(position, heading, level)
    let start = track.cell(at: max(0, farthest - position.assumedError))
    switch phase {
    case .joining, .offRoute: search(fix, from: start, after: passed)
    case .following, .arrived: follow(fix, after: passed)
    }
    let update = answer(fix, position, time)
    lastUpdate = update
    return update
  }

  private func passed(until time: Double) -> Double? {
    guard let lastTime, lastUpdate != nil else { return Self.leastSeconds }
    let passed = time - lastTime
    // Start over if the clock was set back.
    if passed < -5 { return 1 }
    // The difference of two finite times may be infinite.
    return passed >= Self.leastSeconds ? min(passed, .greatestFiniteMagnitude) : nil
  }

  private func repeated() -> RouteUpdate {
    guard var update = lastUpdate else { return place(at: farthest) }
    (update.announcement, update.needsRerouting) = (nil, false)
    return update
  }

  private func fix(
    _ position: Position, _ heading: Heading?, _ level: Double?
  ) -> TrackFilter.Fix {
    var error = position.assumedError
    let level = level.flatMap { $0.isFinite ? $0 : nil }
    // Phones report errors that are too small indoors, unless their source also provides the floor.
    if level == nil, let segment = lastUpdate?.segment, route.segments[segment].isIndoor {
      error = max(1.5 * error, 12)
    }
    let deviation = (error / Self.radius) * (error / Self.radius) + pace.mapError * pace.mapError
    var direction: SIMD2<Double>?
    if let heading, heading.reference == .trueNorth {
      let (sine, cosine) = Degrees.sinCos(heading.degrees)
      direction = [sine, cosine]
    }
    return TrackFilter.Fix(
      place: track.plane.meters(to: RoutePoint(position)), deviation: deviation.squareRoot(),
      level: level,
      direction: direction)
  }

  // MARK: - Searching and following

  private mutating func search(_ fix: TrackFilter.Fix, from start: Int, after seconds: Double) {
    let end = track.cells.count - 1
    if phase == .joining {
      let near = min(
        end, start + Int(saturating: min(1e6, min(100, 50 + 2 * fix.deviation) / track.step)))
      let away = track.nearest(to: fix, in: start...near).meters
      if away <= 2 * fix.deviation + pace.mapError {
        return join(fix, from: start, scale: 15 + fix.deviation)
      }
      leastAway = min(leastAway, away)
      _ = watch.update(max(0, away - leastAway) / fix.deviation, after: seconds)
      if watch.isOff { phase = .offRoute }
      return
    }
    let nearest = track.nearest(to: fix, in: start...end)
    guard watch.update(nearest.meters / fix.deviation, after: seconds) else { return }
    // If the route passes this place twice, use the first of the two parts.
    var first = start
    let reach = nearest.meters + fix.deviation
    while first < nearest.cell, track.nearest(to: fix, in: first...first).meters > reach {
      first += 1
    }
    join(fix, from: max(start, first - 10), scale: 30 + 2 * fix.deviation)
  }

  private mutating func join(_ fix: TrackFilter.Fix, from cell: Int, scale: Double) {
    filter.start(fix, on: track, from: cell, scale: scale)
    watch = OffRouteWatch(pace)
    phase = .following
  }

  private mutating func follow(_ fix: TrackFilter.Fix, after seconds: Double) {
    var wide = fix
    // Compensate for phones that report errors that are too small.
    wide.deviation *= max(1, watch.scale)
    filter.update(wide, on: track, after: seconds)
    _ = watch.update(metersAway(fix) / fix.deviation, after: seconds)
    if watch.isOff { phase = .offRoute }
    let isAtEnd =
      track.length - filter.quantile(0.5) * track.step <= max(8, fix.deviation * 0.5)
    secondsAtEnd = isAtEnd ? secondsAtEnd + min(seconds, 2) : 0
  }

  private func metersAway(_ fix: TrackFilter.Fix) -> Double {
    let slack = 1.5 * fix.deviation / track.step
    let most = Double(track.cells.count - 1)
    // Include the part behind the user, so that walking back is not mistaken for progress.
    let least = (farthest - 2 * fix.deviation) / track.step
    let low = Int(min(most, max(0, filter.quantile(0.05) - slack, least)))
    let high = Int(min(most, max(0, filter.quantile(0.95) + slack)))
    return track.nearest(to: fix, in: low...max(low, high)).meters
  }

  // MARK: - Results

  private mutating func answer(
    _ fix: TrackFilter.Fix, _ position: Position, _ time: Double
  ) -> RouteUpdate {
    var (arc, uncertain, away) = (farthest, 0.0, leastAway)
    switch phase {
    case .following:
      let middle = min(track.length, filter.quantile(0.5) * track.step)
      arc = max(middle, farthest - position.assumedError)
      farthest = max(farthest, arc)
      uncertain = (filter.quantile(0.84) - filter.quantile(0.16)) / 2 * track.step
      away = metersAway(fix)
    case .offRoute:
      let start = track.cell(at: max(0, farthest - position.assumedError))
      away = track.nearest(to: fix, in: start...(track.cells.count - 1)).meters
    case .joining, .arrived: break
    }
    if phase == .following, hasArrived(fix, position) { (phase, arc) = (.arrived, track.length) }
    var update = place(at: arc)
    (update.metersUncertain, update.metersAway) = (uncertain, away)
    announce(at: arc, in: &update)
    update.needsRerouting = phase == .offRoute && isTimeForRerouting(time)
    if update.needsRerouting { lastRerouting = time }
    return update
  }

  private func isTimeForRerouting(_ time: Double) -> Bool {
    guard let lastRerouting else { return true }
    return (time - lastRerouting).magnitude >= Self.secondsBetweenReroutings
  }

  private func hasArrived(_ fix: TrackFilter.Fix, _ position: Position) -> Bool {
    let reach = max(Self.arrivalMeters, position.assumedError)
    // Use 5 m less, because errors have long tails.
    let cell = Double(track.cells.count - 1) - (reach - 5) / track.step
    guard !watch.isDoubtful else { return false }
    let isSure = filter.probability(from: cell) >= 0.97 || secondsAtEnd >= 10
    guard isSure else { return false }
    return (fix.place - track.place(atCell: .infinity)).length <= reach + 2 * fix.deviation
  }

  private mutating func announce(at arc: Double, in update: inout RouteUpdate) {
    switch phase {
    case .arrived: update.announcement = plan.announceArrival(meters: update.metersToGo)
    case .following where !watch.isDoubtful:
      let surely = filter.quantile(AnnouncementPlan.doubt) * track.step
      update.announcement = plan.announce(at: arc, surely: surely)
    case .following, .joining, .offRoute: break
    }
  }

  private func place(at arc: Double) -> RouteUpdate {
    let (segment, share) = track.segment(at: arc)
    let left = track.left(at: arc)
    let next = phase == .arrived ? nil : plan.next(at: arc)
    return RouteUpdate(
      status: phase, snapped: route.point(on: segment, share),
      segment: route.segments.isEmpty ? nil : segment, metersToGo: left.meters,
      secondsToGo: left.seconds, metersUncertain: 0, metersAway: 0,
      nextManeuver: next?.maneuver, metersToManeuver: next?.meters, announcement: nil,
      needsRerouting: false)
  }
}

extension Route {
  func point(on segment: Int, _ share: Double) -> RoutePoint {
    let (from, to) = (points[segment], points[min(segment + 1, points.count - 1)])
    if share <= 0 { return from }
    if share >= 1 { return to }
    var point = from.toward(to, share)
    point.level = share < 0.5 ? from.level : to.level
    return point
  }
}
