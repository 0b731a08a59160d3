public import CupolaCampus
internal import CupolaSupport

// 1. A position becomes a fix on the plane of the track, with its error.
// 2. `search` finds the route while joining it or off it; `follow` updates the filter on it.
// 3. `answer` places the user on the route and checks for arrival.
// 4. The announcement that is due and a request for rerouting are added.

/// Live use of a route: where somebody is on it, what to say, whether it was left, when it is done.
///
/// The place goes forward along the route by a hidden Markov model of places and speeds
/// (`TrackFilter`), so that neither a part that passes near by nor one that is behind attracts it.
/// Same input, same answers; an update takes some 0.02 ms.
///
/// - An announcement is given when the estimate is nearer than its distance
///   and the place is with 98 % not more than 10 m farther; when the estimate is past, in any case.
/// - Off-route: positions farther from the route than 2.4 standard deviations, 3 in a row or more
///   in 5 seconds (3 in a car) or more, until the evidence suffices; back after 5 seconds near it.
/// - Arrival: within 20 m of the end, or the position's error if that is more, with 97 %; or
///   10 seconds about the end.
/// - A route that begins away from the first position is joined; till then going farther away counts.
public struct RouteProgress: Sendable {
  /// The route that is followed.
  public private(set) var route: Route
  private let pace: TravelPace
  private var track: RouteTrack
  private var plan: AnnouncementPlan
  private var filter: TrackFilter
  private var watch: OffRouteWatch
  /// Of somebody off the route or joining it, the route is searched for again.
  private var phase = RouteUpdate.Status.joining
  private var lastUpdate: RouteUpdate?
  private var lastTime: Double?
  private var lastRerouting: Double?
  /// The place farthest along the track that was told, meters.
  private var farthest = 0.0
  /// Seconds without a break that somebody is taken to be at the end.
  private var secondsAtEnd = 0.0
  /// The least distance to the route of somebody who has not reached it.
  private var leastAway = Double.infinity

  static let arrivalMeters = 20.0
  /// The shortest time between two answers that a new route is needed.
  static let secondsBetweenReroutings = 15.0
  static let leastSeconds = 0.5
  /// A 68 % radius in standard deviations of a coordinate.
  private static let radius = 1.51

  /// Begins a route.
  public init(_ route: Route) {
    self.route = route
    pace = TravelPace(route.mode)
    track = RouteTrack(route, spacing: pace.spacing)
    plan = AnnouncementPlan(route, track)
    filter = TrackFilter(pace)
    watch = OffRouteWatch(pace)
  }

  /// Goes on with another route; the shortest time between reroutings goes on, too.
  public mutating func reroute(to route: Route) {
    let (time, rerouting) = (lastTime, lastRerouting)
    self = RouteProgress(route)
    (lastTime, lastRerouting) = (time, rerouting)
  }

  /// Meters before a maneuver at which it is announced.
  ///
  /// - Parameters:
  ///   - maneuver: a number of ``Route/maneuvers``.
  ///   - stage: which of its announcements.
  func announcingMeters(of maneuver: Int, _ stage: Announcement.Stage) -> Double {
    precondition(route.maneuvers.indices.contains(maneuver))
    return plan.meters(before: maneuver, stage)
  }

  /// Takes a position and says what it means.
  ///
  /// - Parameters:
  ///   - position: its error is the radius of 68 %, as Core Location gives it.
  ///   - heading: where somebody goes or looks; magnetic ones are left out. It only tells parts of the
  ///     route apart that lie side by side.
  ///   - time: seconds of any clock. Updates that come within half a second are answered as the last.
  ///   - level: the floor, where it is known.
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

  /// Seconds since the last update; `nil` for one that is too soon.
  private func passed(until time: Double) -> Double? {
    guard let lastTime, lastUpdate != nil else { return Self.leastSeconds }
    let passed = time - lastTime
    // A clock that was set back starts anew.
    if passed < -5 { return 1 }
    // Between two finite times there may be infinitely many seconds.
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
    // Satellites are not seen inside: phones say too little. Who knows the floor has better means.
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

  // MARK: - Off the route and on it

  /// Looks for the route that is left, from a cell on.
  private mutating func search(_ fix: TrackFilter.Fix, from start: Int, after seconds: Double) {
    let end = track.cells.count - 1
    if phase == .joining {
      // A route begins where somebody is, or at the nearest way.
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
    // The first part near by, when the route passes twice.
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
    // Phones that tell too small errors are noticed.
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
    // Who goes back is not followed.
    let least = (farthest - 2 * fix.deviation) / track.step
    let low = Int(min(most, max(0, filter.quantile(0.05) - slack, least)))
    let high = Int(min(most, max(0, filter.quantile(0.95) + slack)))
    return track.nearest(to: fix, in: low...max(low, high)).meters
  }

  // MARK: - The answer

  private mutating func answer(
    _ fix: TrackFilter.Fix, _ position: Position, _ time: Double
  ) -> RouteUpdate {
    var (arc, uncertain, away) = (farthest, 0.0, leastAway)
    switch phase {
    case .following:
      let middle = min(track.length, filter.quantile(0.5) * track.step)
      // Not farther back than the error.
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
    // Also when the clock was set back.
    return (time - lastRerouting).magnitude >= Self.secondsBetweenReroutings
  }

  /// Whether somebody is so near to the end that it is sure, or has been there for some time.
  private func hasArrived(_ fix: TrackFilter.Fix, _ position: Position) -> Bool {
    let reach = max(Self.arrivalMeters, position.assumedError)
    // Some meters less, since errors have long tails.
    let cell = Double(track.cells.count - 1) - (reach - 5) / track.step
    guard !watch.isDoubtful else { return false }
    let isSure = filter.probability(from: cell) >= 0.97 || secondsAtEnd >= 10
    guard isSure else { return false }
    return (fix.place - track.place(atCell: .infinity)).length <= reach + 2 * fix.deviation
  }

  private mutating func announce(at arc: Double, in update: inout RouteUpdate) {
    switch phase {
    case .arrived: update.announcement = plan.tellArrival(meters: update.metersToGo)
    case .following where !watch.isDoubtful:
      let surely = filter.quantile(AnnouncementPlan.doubt) * track.step
      update.announcement = plan.tell(at: arc, surely: surely)
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
  /// The place on a segment; the floor is that of its nearer end.
  func point(on segment: Int, _ share: Double) -> RoutePoint {
    let (from, to) = (points[segment], points[min(segment + 1, points.count - 1)])
    if share <= 0 { return from }
    if share >= 1 { return to }
    var point = from.toward(to, share)
    point.level = share < 0.5 ? from.level : to.level
    return point
  }
}
