import Cupola
import CupolaCampus
import Testing

@testable import CupolaGuide

@Suite("Route progress")
struct RouteProgressTests {
  /// Updates `progress` every second with exact positions on the line through the corners, and returns all updates.
  private func follow(
    _ progress: inout RouteProgress, _ corners: [SIMD2<Double>], speed: Double = 1.4,
    from start: Double = 0, error: Double = 5, level: Double? = nil
  ) -> [RouteUpdate] {
    var updates: [RouteUpdate] = []
    var time = start
    for (a, b) in zip(corners, corners.dropFirst()) {
      let steps = max(1, Int((b - a).length / speed))
      for step in 0...steps {
        let place = a + Double(step) / Double(steps) * (b - a)
        guard let position = RouteMaker.position(place, error: error) else { continue }
        updates.append(progress.update(at: position, time: time, level: level))
        time += 1
      }
    }
    return updates
  }

  private let bent: [SIMD2<Double>] = [[0, 0], [0, 150], [100, 150]]

  @Test(
    "An exact walk announces each maneuver once and then arrives")
  func exact() throws {
    var progress = RouteProgress(RouteMaker.route(bent))
    let updates = follow(&progress, bent)
    let told = updates.compactMap(\.announcement)
    #expect(told.map(\.maneuver) == [0, 1, 1, 2, 2])
    #expect(told.map(\.stage) == [.now, .ahead, .now, .ahead, .now])
    #expect(updates.count { $0.announcement?.maneuver == 2 && $0.announcement?.stage == .now } == 1)
    let last = try #require(updates.last)
    #expect(last.status == .arrived && last.metersToGo == 0 && last.nextManeuver == nil)
    #expect(updates.allSatisfy { $0.status != .offRoute && !$0.needsRerouting })
    let far = try #require(RouteMaker.position([500, 500], error: 5))
    #expect(progress.update(at: far, time: 9e3).status == .arrived)
    for (number, update) in updates.enumerated() where update.status == .following && number < 100 {
      #expect((250 - update.metersToGo - Double(number) * 1.4).magnitude < 8)
      #expect((update.secondsToGo - update.metersToGo / 1.4).magnitude < 1e-6)
    }
  }

  @Test(
    "Announcement distances depend on mode, maneuver and speed")
  func distances() {
    func meters(_ route: Route) -> [Double] {
      let progress = RouteProgress(route)
      return [progress.announcingMeters(of: 1, .ahead), progress.announcingMeters(of: 1, .now)]
    }
    let walk = RouteMaker.route(bent)
    #expect(meters(walk) == [50, 25])
    for kind in [Maneuver.Kind.stepsUp, .elevatorDown, .crossing, .enterBuilding] {
      let maneuvers = [(Maneuver.Kind.depart, 0), (kind, 1), (.arrive, 2)].map {
        RouteMaker.maneuver($0, $1)
      }
      let route = Route(
        mode: .walk, points: walk.points, segments: walk.segments, maneuvers: maneuvers)
      #expect(meters(route) == [50, 20])
    }
    // The distances covered in 25 s and 5 s, clamped to 150 to 800 m and 30 to 120 m.
    for (speed, expected) in [(10.0, [250.0, 50]), (1, [150, 30]), (50, [800, 120])] {
      let segments = walk.segments.map {
        Route.Segment(kind: .street, meters: $0.meters, seconds: $0.meters / speed)
      }
      let route = Route(
        mode: .drive, points: walk.points, segments: segments, maneuvers: walk.maneuvers)
      #expect(zip(meters(route), expected).allSatisfy { ($0 - $1).magnitude < 1e-9 })
    }
  }

  @Test("Crossing and parallel stretches do not attract the position")
  func noJumps() {
    for corners: [SIMD2<Double>] in [
      [[0, -90], [0, 90], [90, 90], [90, 0], [-90, 0]],
      [[0, 0], [0, 120], [12, 120], [12, 0], [24, 0], [24, 100]],
    ] {
      var progress = RouteProgress(RouteMaker.route(corners))
      var (last, followed): (Double?, Int) = (nil, 0)
      for update in follow(&progress, corners, error: 10) where update.status == .following {
        if let last { #expect((-15...10).contains(last - update.metersToGo)) }
        last = update.metersToGo
        followed += 1
      }
      #expect(followed > 200)
    }
  }

  @Test("Walking back is off route and requests a route every 15 s at most")
  func walkingBack() throws {
    var progress = RouteProgress(RouteMaker.route([[0, 0], [0, 300]]))
    let updates = follow(&progress, [[0, 0], [0, 150], [0, 0]])
    let asked = updates.indices.filter { updates[$0].needsRerouting }
    let first = try #require(asked.first)
    // 150 m at 1.4 m/s, plus at most 53 m.
    #expect((107...145).contains(first))
    #expect(asked.count >= 2)
    #expect(zip(asked, asked.dropFirst()).allSatisfy { $1 - $0 == 15 })
    #expect(updates[first...].allSatisfy { $0.announcement == nil })
  }

  @Test("The minimum time between reroutings continues on the new route")
  func reroute() throws {
    var progress = RouteProgress(RouteMaker.route([[0, 0], [0, 300]]))
    let away: [SIMD2<Double>] = [[0, 0], [0, 100], [200, 100]]
    let updates = follow(&progress, away)
    #expect(updates.contains { $0.needsRerouting })
    let asked = try #require(updates.lastIndex { $0.needsRerouting })
    progress.reroute(to: RouteMaker.route([[400, 0], [400, 300]]))
    let more = follow(&progress, [[200, 100], [0, 100]], from: Double(updates.count))
    let again = try #require(more.firstIndex { $0.needsRerouting })
    #expect(updates.count + again - asked >= 15)
  }

  @Test("Follows the route again after rejoining it farther on")
  func rejoins() throws {
    var progress = RouteProgress(RouteMaker.route([[0, 0], [0, 100], [100, 100], [100, 400]]))
    let updates = follow(
      &progress, [[0, 0], [0, 60], [-90, 60], [-90, 200], [100, 200], [100, 400]])
    #expect(updates.contains { $0.status == .offRoute })
    let last = try #require(updates.last)
    #expect(last.status == .arrived)
    #expect(updates.count { $0.status == .arrived } < 25)
  }

  @Test("Joins a distant route; walking away from it requests rerouting")
  func joins() throws {
    let route = RouteMaker.route([[0, 0], [0, 200]])
    var progress = RouteProgress(route)
    let updates = follow(&progress, [[120, -10], [0, 0], [0, 200]])
    #expect(updates.first?.status == .joining)
    #expect(updates.allSatisfy { !$0.needsRerouting })
    #expect(updates.last?.status == .arrived)
    progress = RouteProgress(route)
    let away = follow(&progress, [[120, 0], [220, 0]])
    #expect(away.contains { $0.needsRerouting })
  }

  @Test("Follows an elevator by level; another floor is off route")
  func floors() throws {
    let places: [(SIMD2<Double>, Double)] = [
      ([0, 0], 0), ([0, 40], 0), ([0, 40], 3), ([30, 40], 3), ([30, 0], 3),
    ]
    let kinds: [WayKind] = [.corridor, .elevator, .corridor, .corridor]
    let meters: [Double] = [40, 0, 30, 40]
    let route = Route(
      mode: .walk, points: places.map { RouteMaker.point($0.0, level: $0.1) },
      segments: zip(kinds, meters).map {
        Route.Segment(kind: $0, meters: $1, seconds: max(30, $1), isIndoor: true)
      },
      maneuvers: [
        RouteMaker.maneuver(.depart, 0), RouteMaker.maneuver(.elevatorUp, 1),
        RouteMaker.maneuver(.arrive, 4),
      ])
    var progress = RouteProgress(route)
    var updates = follow(&progress, [[0, 0], [0, 40]], error: 8, level: 0)
    #expect(updates.compactMap(\.announcement).map(\.maneuver).contains(1))
    updates += follow(&progress, [[0, 40], [0, 40]], from: 40, error: 8, level: 1)
    let above = follow(&progress, [[0, 40], [30, 40]], from: 60, error: 8, level: 3)
    #expect(above.last?.snapped.level == 3)
    #expect(above.last?.status == .following)
    let wrong = follow(&progress, [[30, 40], [30, 20]], speed: 0.5, from: 90, error: 8, level: 4)
    #expect(wrong.last?.status == .offRoute)
  }

  @Test("Announces earlier in a car and detects a missed turn within 120 m")
  func drives() throws {
    let corners: [SIMD2<Double>] = [[0, 0], [0, 900], [500, 900]]
    var progress = RouteProgress(RouteMaker.route(corners, mode: .drive))
    let updates = follow(&progress, corners, speed: 12, error: 8)
    let told = try #require(updates.compactMap(\.announcement).first { $0.maneuver == 1 })
    #expect(told.stage == .ahead && (200...310).contains(told.meters))
    #expect(updates.last?.status == .arrived)
    progress = RouteProgress(RouteMaker.route(corners, mode: .drive))
    let straight = follow(&progress, [[0, 0], [0, 900], [0, 1200]], speed: 12, error: 8)
    let noticed = try #require(straight.firstIndex { $0.needsRerouting })
    #expect(Double(noticed) * 12 - 900 < 120)
  }

  @Test("The heading selects the side of a hairpin")
  func heading() throws {
    let corners: [SIMD2<Double>] = [[0, 0], [0, 60], [8, 60], [8, 0]]
    let route = RouteMaker.route(corners)
    func toGo(_ degrees: Double) throws -> Double {
      var progress = RouteProgress(route)
      var toGo = 0.0
      for second in 0..<60 {
        let north = second < 40 ? Double(second) * 1.4 : 56 - Double(second - 40) * 0.2
        let position = try #require(RouteMaker.position([4, north], error: 15))
        let heading = second < 40 ? Heading(degrees: 0) : Heading(degrees: degrees)
        toGo = progress.update(at: position, heading: heading, time: Double(second)).metersToGo
      }
      return toGo
    }
    #expect(try toGo(180) < toGo(0))
  }

  @Test("Handles short routes and unusual input")
  func unusualInput() throws {
    let here = try #require(RouteMaker.position([0, 0], error: 5))
    let far = try #require(Position(latitude: -42, longitude: 92, horizontalError: 1e7))
    var single = RouteProgress(RouteMaker.route([[0, 0]]))
    let update = single.update(at: here, time: .nan)
    #expect(update.status == .joining && update.segment == nil)
    #expect(single.update(at: here, time: 0).status == .arrived)
    var short = RouteProgress(RouteMaker.route([[0, 0], [0, 4]]))
    #expect(short.update(at: here, time: 0).status == .arrived)
    var progress = RouteProgress(RouteMaker.route(bent))
    for time in [0, 0, 0.1, .infinity, -1e9, 1e18, 3, -.infinity, 1e300, 4, 5, 6] {
      for position in [here, far] {
        let update = progress.update(at: position, time: time, level: .nan)
        #expect((0...250.01).contains(update.metersToGo))
        #expect(update.snapped.latitude.isFinite && update.metersUncertain.isFinite)
      }
    }
  }

  @Test("Handles extreme times and position errors")
  func extremeInput() throws {
    let start = try #require(RouteMaker.position([0, 0], error: 5))
    let way = try #require(RouteMaker.position([0, 40], error: 5))
    let lost = try #require(RouteMaker.position([0, 40], error: 1.7e308))
    for second in [way, lost] {
      var progress = RouteProgress(RouteMaker.route(bent))
      #expect(progress.update(at: start, time: -1.7e308).status == .following)
      let update = progress.update(at: second, time: 1.7e308)
      #expect((0...250.01).contains(update.metersToGo) && update.metersUncertain.isFinite)
    }
  }

  @Test(
    "Random input gives values in range and reproducible updates")
  func random() {
    var random = SplitMix64(seed: 5)
    for _ in 0..<20 {
      let corners: [SIMD2<Double>] = (0..<Int.random(in: 1...9, using: &random)).map { _ in
        [Double.random(in: -60...60, using: &random), Double.random(in: -60...60, using: &random)]
      }
      let route = RouteMaker.route(corners)
      var (one, other) = (RouteProgress(route), RouteProgress(route))
      var time = 0.0
      for _ in 0..<40 {
        let place: SIMD2<Double> = [
          Double.random(in: -90...90, using: &random), Double.random(in: -90...90, using: &random),
        ]
        let error = Double.random(in: 0...60, using: &random)
        guard let position = RouteMaker.position(place, error: error) else { continue }
        time += Double.random(in: 0...40, using: &random)
        let update = one.update(at: position, time: time)
        #expect(update == other.update(at: position, time: time))
        #expect((0...(route.meters + 1e-6)).contains(update.metersToGo))
        #expect(update.metersUncertain >= 0 && update.metersAway >= 0)
        #expect(update.segment.map(route.segments.indices.contains) ?? true)
      }
    }
  }
}
