import Cupola
import CupolaTestSupport
import Foundation
import Testing

@testable import CupolaGuide

/// By default, ten walks are simulated (two for each shape of route), which is too few for high quantiles. With
/// `CUPOLA_VERIFY`, up to 200 are simulated. With `CUPOLA_WALKS=20000`, 200 walks are simulated for each position
/// error, with seeds starting at 20000, and the results are printed.
@Suite("Route progress on simulated walks")
struct RouteProgressWalkTests {
  private static let isFull = Verification.isFull

  private static func figures(_ radius: Double) -> WalkFigures {
    if let text = ProcessInfo.processInfo.environment["CUPOLA_WALKS"] {
      let first = UInt64(text) ?? 0
      let figures = WalkFigures(radius: radius, walks: first..<(first + 200))
      print(figures)
      return figures
    }
    return WalkFigures(radius: radius, walks: 0..<(isFull ? radius == 15 ? 200 : 50 : 10))
  }

  @Test("Follows positions with 5 m error without mistakes")
  func good() {
    let figures = Self.figures(5)
    #expect(figures.falseReroutings == 0)
    #expect(figures.arrivals.allSatisfy { $0 <= 20 })
    #expect(figures.silent == 0)
    #expect(figures.early.allSatisfy { $0 <= 15 })
    #expect(figures.late.isEmpty)
    #expect(figures.walks.allSatisfy { $0.missed == 0 && $0.arrivals == 1 })
    #expect(figures.unnoticed == 0)
    #expect(figures.noticed.allSatisfy { $0 <= 40 })
    #expect(figures.walks.allSatisfy { $0.back < 0.01 })
  }

  @Test("With 15 m error, false rerouting is rare and arrival is near")
  func usual() {
    let figures = Self.figures(15)
    #expect(figures.falseReroutings <= (Self.isFull ? 0.05 : 0.1))
    #expect(WalkFigures.quantile(Self.isFull ? 0.97 : 0.5, of: figures.arrivals) <= 20)
    #expect(figures.arrivals.allSatisfy { $0 <= 30 })
    #expect(figures.silent <= (Self.isFull ? 0.02 : 0.1))
    #expect(WalkFigures.quantile(Self.isFull ? 0.999 : 0.95, of: figures.early) <= 15)
    if Self.isFull {
      #expect(WalkFigures.quantile(0.5, of: figures.noticed) <= 40)
      #expect(WalkFigures.quantile(0.9, of: figures.noticed) <= 50)
    }
    #expect(figures.unnoticed <= (Self.isFull ? 0.02 : 0.1))
    #expect(figures.walks.allSatisfy { $0.back < 0.01 && $0.arrivals <= 1 })
  }

  @Test("With 30 m error, arrival is near and few announcements are early")
  func poor() {
    let figures = Self.figures(30)
    let share = Self.isFull ? 0.1 : 0.2
    #expect(figures.falseReroutings <= share)
    #expect(WalkFigures.quantile(Self.isFull ? 0.95 : 0.8, of: figures.arrivals) <= 35)
    #expect(figures.silent <= share)
    #expect(WalkFigures.quantile(Self.isFull ? 0.99 : 0.95, of: figures.early) <= 15)
    #expect(WalkFigures.quantile(Self.isFull ? 0.9 : 0.7, of: figures.noticed) <= 100)
    #expect(figures.unnoticed <= (Self.isFull ? 0.05 : 0.2))
    #expect(figures.walks.allSatisfy { $0.back < 0.01 && $0.arrivals <= 1 })
  }
}

/// Statistics of ``RouteProgress`` on simulated walks.
struct WalkFigures: CustomStringConvertible {
  let radius: Double
  let walks: [WalkResult]
  let detours: [WalkResult]

  /// - Parameter radius: 68% of the position errors are within this distance in meters.
  init(radius: Double, walks: Range<UInt64>) {
    self.radius = radius
    func corners(_ seed: UInt64) -> [SIMD2<Double>] {
      var generator = RouteGenerator(seed: seed)
      return generator.corners(RouteGenerator.Form.allCases[Int(seed % 5)])
    }
    self.walks = walks.map { .walk(corners($0), radius: radius, seed: $0) }
    detours = walks.compactMap {
      .detour(corners($0 &+ 5000), radius: radius, seed: $0, wrongTurn: $0 / 5 % 2 == 0)
    }
  }

  init(radius: Double, routes: [Route]) {
    self.radius = radius
    walks = routes.enumerated().map { number, route in
      .walk(
        route.points.map(RouteMaker.place), on: route, radius: radius, seed: UInt64(number))
    }
    detours = []
  }

  /// The fraction of walks that were rerouted.
  var falseReroutings: Double { share(walks) { $0.reroutings > 0 } }
  var arrivals: [Double] { walks.compactMap(\.arrival).sorted() }
  /// The fraction of walks for which no arrival was reported within 20 s at the destination.
  var silent: Double { share(walks) { $0.arrivals == 0 } }
  var early: [Double] { walks.flatMap(\.early).sorted() }
  var late: [Double] { walks.flatMap(\.late).sorted() }
  var noticed: [Double] { detours.compactMap(\.detour).sorted() }
  var unnoticed: Double { share(detours) { $0.detour == nil && $0.reroutings == 0 } }
  var errors: [Double] { walks.flatMap(\.errors).map(\.magnitude).sorted() }

  private func share(_ results: [WalkResult], where holds: (WalkResult) -> Bool) -> Double {
    Double(results.count(where: holds)) / Double(max(1, results.count))
  }

  /// Returns the quantile `share` of numbers in ascending order, or 0 if there are none.
  static func quantile(_ share: Double, of numbers: [Double]) -> Double {
    numbers.isEmpty ? 0 : numbers[min(numbers.count - 1, Int(share * Double(numbers.count)))]
  }

  var description: String {
    func text(_ numbers: [Double]) -> String {
      let quantiles = [0.5, 0.9, 0.99, 1].map {
        String((Self.quantile($0, of: numbers) * 10).rounded() / 10)
      }
      return quantiles.joined(separator: " / ") + " of \(numbers.count)"
    }
    return """
      \(radius) m, median / 90 % / 99 % / most:
        along the route \(text(errors)), farthest back \(walks.map(\.back).max() ?? 0)
        false reroutings \(falseReroutings), arrival \(text(arrivals)), silent \(silent)
        early \(text(early)), above 15: \(early.count { $0 > 15 })
        late \(text(late)), never told \(walks.map(\.missed).reduce(0, +))
        detours \(text(noticed)), unnoticed \(unnoticed)
      """
  }
}

/// The result of one simulated walk.
struct WalkResult {
  var reroutings = 0
  /// The distance to the destination in meters when arrival was reported; `nil` if it was not reported within 20 s.
  var arrival: Double?
  var arrivals = 0
  var early: [Double] = []
  var late: [Double] = []
  var missed = 0
  /// The position errors along the route in meters; `shares` contains these errors relative to the reported
  /// uncertainty.
  var errors: [Double] = []
  var shares: [Double] = []
  /// The largest jump backward, minus the position error.
  var back = -Double.infinity
  var detour: Double?

  /// Simulates a walk along a whole route, followed by 20 s at its end.
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

  /// Simulates a walk that leaves its route at a corner, for 100 to 200 m; `nil` if no corner is suitable.
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

struct RouteGenerator {
  enum Form: CaseIterable { case grid, curved, hairpins, figureEight, sameBlockTwice }

  var random: SplitMix64

  init(seed: UInt64) { random = SplitMix64(seed: seed) }

  mutating func corners(_ form: Form) -> [SIMD2<Double>] {
    switch form {
    case .grid: grid()
    case .curved: curved()
    case .hairpins: hairpins()
    case .figureEight: figureEight()
    case .sameBlockTwice: sameBlockTwice()
    }
  }

  private mutating func number(_ range: ClosedRange<Double>) -> Double {
    Double.random(in: range, using: &random)
  }

  private mutating func turned(_ path: [SIMD2<Double>]) -> [SIMD2<Double>] {
    let angle = number(0...6.28)
    let (sine, cosine) = (angle.sine, angle.cosine)
    return path.map { [cosine * $0.x - sine * $0.y, sine * $0.x + cosine * $0.y] }
  }

  /// Returns a route along a street grid with a spacing of 30 m.
  private mutating func grid() -> [SIMD2<Double>] {
    var path: [SIMD2<Double>] = [.zero]
    var direction = SIMD2<Double>(0, 1)
    for _ in 0..<Int.random(in: 4...8, using: &random) {
      let blocks = Double(Int.random(in: 1...4, using: &random))
      path.append(path[path.count - 1] + 30 * blocks * direction)
      let side: Double = Bool.random(using: &random) ? 1 : -1
      direction = [side * direction.y, -side * direction.x]
    }
    return turned(path)
  }

  private mutating func curved() -> [SIMD2<Double>] {
    var path: [SIMD2<Double>] = [.zero]
    var (angle, bend) = (number(0...6.28), 0.0)
    for _ in 0..<Int.random(in: 30...55, using: &random) {
      bend = 0.8 * bend + number(-0.09...0.09)
      angle += bend
      path.append(path[path.count - 1] + number(8...12) * SIMD2(angle.sine, angle.cosine))
    }
    return path
  }

  /// Returns a route up and down parallel streets that are 30 m apart.
  private mutating func hairpins() -> [SIMD2<Double>] {
    var path: [SIMD2<Double>] = [.zero]
    let length = number(80...140)
    for turn in 0..<Int.random(in: 3...4, using: &random) {
      let up: Double = turn % 2 == 0 ? length : 0
      path.append([Double(turn) * 30, up])
      path.append([Double(turn + 1) * 30, up])
    }
    path.append([path[path.count - 1].x, length / 2])
    return turned(path)
  }

  private mutating func figureEight() -> [SIMD2<Double>] {
    let size = number(60...120)
    return turned([
      [0, -size], [0, 0], [0, size], [size, size], [size, 0], [0, 0], [-size, 0], [-size, -size],
      [-size / 3, -size],
    ])
  }

  private mutating func sameBlockTwice() -> [SIMD2<Double>] {
    let (a, b) = (number(60...100), number(50...80))
    return turned([
      [0, -50], [0, 0], [0, a], [b, a], [b, 0], [0, 0], [0, a], [-60, a],
    ])
  }
}

extension Double {
  var sine: Double { Degree.sinCos(self).sin }
  var cosine: Double { Degree.sinCos(self).cos }
}
