import CupolaTestSupport

@testable import CupolaGuide

/// What happened on one simulated walk.
struct WalkResult {
  /// Answers that a new route is needed, while on the route.
  var reroutings = 0
  /// Meters from the end when arrival was said; `nil` when it was not within 20 s at the end.
  var arrival: Double?
  var arrivals = 0
  /// Meters that announcements were earlier than their distance.
  var early: [Double] = []
  /// Maneuvers said behind them, meters behind; and never said.
  var late: [Double] = []
  var missed = 0
  /// Errors of the place along the route, and of those in told uncertainties.
  var errors: [Double] = []
  var shares: [Double] = []
  /// The farthest jump back, less the position's error.
  var back = -Double.infinity
  /// Meters from where a detour began when it was noticed.
  var detour: Double?

  /// A walk along a whole route, and 20 s at its end.
  ///
  /// - Parameter route: by default one with a maneuver at each corner.
  static func walk(
    _ corners: [SIMD2<Double>], on route: Route? = nil, radius: Double, seed: UInt64
  ) -> WalkResult {
    var result = WalkResult()
    let route = route ?? RouteMaker.route(corners)
    var progress = RouteProgress(route)
    var walker = Walker(corners, seed: seed)
    var noise = PositionNoise(radius: radius, seed: seed ^ 0xABCD)
    var (time, waited, farthest) = (0.0, 0, 0.0)
    var told: Set<Int> = []
    while waited <= 20 {
      guard let position = RouteMaker.position(walker.place + noise.next(), error: noise.reported)
      else { break }
      let update = progress.update(at: position, time: time)
      let arc = walker.length - update.metersToGo
      result.back = max(result.back, farthest - arc - noise.reported)
      farthest = max(farthest, arc)
      if update.status == .following {
        result.errors.append(arc - walker.arc)
        result.shares.append((arc - walker.arc).magnitude / max(1, update.metersUncertain))
      }
      if update.needsRerouting { result.reroutings += 1 }
      if let said = update.announcement { result.take(said, route, progress, walker, &told) }
      time += 1
      if walker.isAtEnd { waited += 1 }
      walker.step()
    }
    result.missed = route.maneuvers.count - 1 - told.count
    return result
  }

  private mutating func take(
    _ said: Announcement, _ route: Route, _ progress: RouteProgress, _ walker: Walker,
    _ told: inout Set<Int>
  ) {
    let maneuver = route.maneuvers[said.maneuver]
    let toGo = walker.arcs[maneuver.point] - walker.arc
    if maneuver.kind == .arrive, said.stage == .now {
      arrivals += 1
      arrival = (walker.corners[walker.corners.count - 1] - walker.place).length
      return
    }
    early.append(toGo - progress.announcingMeters(of: said.maneuver, said.stage))
    guard said.stage == .now else { return }
    told.insert(said.maneuver)
    if toGo < 0, said.maneuver > 0 { late.append(-toGo) }
  }

  /// A walk that leaves its route at a corner for 100 to 200 m; `nil` when no corner is fit.
  static func detour(
    _ corners: [SIMD2<Double>], radius: Double, seed: UInt64, wrongTurn: Bool
  ) -> WalkResult? {
    let fit = corners.indices.dropFirst().dropLast().filter {
      RouteMaker.turn(corners, at: $0).magnitude > 60
    }
    guard !fit.isEmpty else { return nil }
    let corner = fit[Int(seed % UInt64(fit.count))]
    let way = corners[corner] - corners[corner - 1]
    let ahead = way / way.length
    let side: Double = RouteMaker.turn(corners, at: corner) > 0 ? -1 : 1
    let wrong = wrongTurn ? SIMD2(side * ahead.y, -side * ahead.x) : ahead
    let length = 100 + Double(seed % 101)
    let path = Array(corners[...corner]) + [corners[corner] + length * wrong]
    var result = WalkResult()
    var progress = RouteProgress(RouteMaker.route(corners))
    var walker = Walker(path, seed: seed)
    var noise = PositionNoise(radius: radius, seed: seed ^ 0xABCD)
    var time = 0.0
    while !walker.isAtEnd {
      guard let position = RouteMaker.position(walker.place + noise.next(), error: noise.reported)
      else { break }
      let update = progress.update(at: position, time: time)
      if update.needsRerouting {
        if walker.arc < walker.arcs[corner] {
          result.reroutings += 1
        } else {
          result.detour = walker.arc - walker.arcs[corner]
          break
        }
      }
      if update.status == .arrived { result.arrivals += 1 }
      time += 1
      walker.step()
    }
    return result
  }
}
