@testable import CupolaGuide

/// What 200 simulated walks say about ``RouteProgress``.
struct WalkFigures: CustomStringConvertible {
  let radius: Double
  let walks: [WalkResult]
  let detours: [WalkResult]

  /// - Parameter radius: meters within which 68 % of the positions' errors are.
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

  /// Walks along ways of a real map; no detours.
  init(radius: Double, routes: [Route]) {
    self.radius = radius
    walks = routes.enumerated().map { number, route in
      .walk(
        route.points.map(RouteMaker.place), on: route, radius: radius, seed: UInt64(number))
    }
    detours = []
  }

  /// The share of walks that were told to take another route.
  var falseReroutings: Double { share(walks) { $0.reroutings > 0 } }
  /// Meters, ascending.
  var arrivals: [Double] { walks.compactMap(\.arrival).sorted() }
  /// The share of walks whose arrival was not told when somebody stood at the end for 20 s.
  var silent: Double { share(walks) { $0.arrivals == 0 } }
  var early: [Double] { walks.flatMap(\.early).sorted() }
  var late: [Double] { walks.flatMap(\.late).sorted() }
  /// Meters, ascending.
  var noticed: [Double] { detours.compactMap(\.detour).sorted() }
  var unnoticed: Double { share(detours) { $0.detour == nil && $0.reroutings == 0 } }
  var errors: [Double] { walks.flatMap(\.errors).map(\.magnitude).sorted() }

  private func share(_ results: [WalkResult], where holds: (WalkResult) -> Bool) -> Double {
    Double(results.count(where: holds)) / Double(max(1, results.count))
  }

  /// The number below which a share of the numbers lies; 0 for none.
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
