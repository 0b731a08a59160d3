import Cupola
import Testing

@testable import CupolaGuide

@Suite("Ways on a real campus", .enabled(if: MapTexts.isThere, MapTexts.absent))
struct RealRouteTests {
  private static let guide: Guide? = try? GuideBuilder(
    GuideMap(reading: [MapTexts.northwestern])
  ).guide

  @Test("No step-free way between any two of 50 buildings has steps")
  func stepFree() throws {
    let guide = try #require(Self.guide)
    let all = guide.places.filter { $0.kind == .building }
    let buildings = stride(from: 0, to: all.count, by: max(1, all.count / 50)).prefix(50).map {
      RouteEnd.place(all[$0])
    }
    let directions = guide.directions(.stepFree)
    var found = 0
    for start in buildings {
      for goal in buildings where start != goal {
        guard let route = try? directions.route(from: start, to: goal) else { continue }
        found += 1
        #expect(!route.segments.contains { $0.kind == .steps || $0.kind == .escalator })
      }
    }
    #expect(buildings.count == 50 && found > 2_000)
  }

  /// Ways of 80 to 1,500 m between two buildings.
  private static func routes(_ count: Int, of guide: Guide) -> [Route] {
    let buildings = guide.places.filter { $0.kind == .building }.map { RouteEnd.place($0) }
    let directions = guide.directions()
    var random = SplitMix64(seed: 18)
    var routes: [Route] = []
    while routes.count < count {
      let start = buildings[random.below(buildings.count)]
      let goal = buildings[random.below(buildings.count)]
      guard start != goal, let route = try? directions.route(from: start, to: goal),
        (80...1_500).contains(route.meters)
      else { continue }
      routes.append(route)
    }
    return routes
  }

  @Test("200 walks between buildings, with the errors that phones have")
  func progress() throws {
    let routes = Self.routes(200, of: try #require(Self.guide))
    let good = WalkFigures(radius: 5, routes: routes)
    #expect(good.falseReroutings <= 0.005 && good.silent == 0)
    #expect(good.arrivals.allSatisfy { $0 <= 20 } && good.early.allSatisfy { $0 <= 15 })
    let usual = WalkFigures(radius: 15, routes: routes)
    #expect(usual.falseReroutings <= 0.05 && usual.silent <= 0.01)
    #expect(usual.arrivals.allSatisfy { $0 <= 20 } && usual.early.allSatisfy { $0 <= 15 })
    let poor = WalkFigures(radius: 30, routes: routes)
    #expect(poor.falseReroutings <= 0.05 && poor.silent <= 0.1)
    #expect(WalkFigures.quantile(0.99, of: poor.early) <= 15)
  }

  @Test("Every named building is reached on foot, or the check names it")
  func reachable() throws {
    let map = try GuideMap(reading: [MapTexts.northwestern])
    let builder = GuideBuilder(map)
    let buildings = builder.guide.places.filter { $0.kind == .building }
    let named = Set(GuideCheck(builder).findings.filter { !$0.isAdvice }.map(\.subject))
    let directions = builder.guide.directions(.walk)
    let library = try #require(
      builder.guide.places(meantBy: "Northwestern University Library").first)
    for building in buildings where building != library {
      let route = try? directions.route(from: .place(library), to: .place(building))
      #expect(route != nil || named.contains { $0.contains(building.id) }, "\(building.title)")
    }
    #expect(buildings.count > 160)
  }
}
