import CupolaTestSupport
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
