import Cupola
import CupolaCampus
import CupolaTestSupport
import Foundation
import Testing

@testable import CupolaGuide
@testable import CupolaGuideBuilder

@Suite("Guide of the sample campus") struct SampleGuideTests {
  private static let maps = [Repository.sampleMap, Repository.sampleCampus + "/paths.geojson"]

  private func builder() throws -> GuideBuilder { GuideBuilder(try GuideMap(reading: Self.maps)) }

  private func sentences(
    _ guide: Guide, from start: String, to goal: String, _ mode: TravelMode = .walk
  ) throws -> [String] {
    let start = try #require(guide.places(matching: start).first)
    let goals = guide.places(matching: goal).map { RouteEnd.place($0) }
    return try guide.directions(mode).nearest(of: goals, from: .place(start)).route.maneuvers
      .map(\.text)
  }

  @Test("The map has no findings and every place is reachable")
  func sound() throws {
    let builder = try builder()
    #expect(GuideCheck(builder).findings == [] && builder.guide.name == "Cupola Sample Campus")
    let directions = builder.guide.directions(.walk)
    let start = RouteEnd.place(try #require(builder.guide.places.first))
    for place in builder.guide.places.dropFirst() {
      #expect(throws: Never.self) { _ = try directions.route(from: start, to: .place(place)) }
    }
  }

  @Test("Routes to an upper floor use stairs, step-free ones the elevator")
  func upstairs() throws {
    let guide = try builder().guide
    let walk = try sentences(guide, from: "Café Cupola", to: "room 1.4")
    #expect(
      walk == [
        "From Café Cupola, go south", "Take Library Steps down (8 steps)",
        "Turn left onto Library Walk", "Turn left onto Founders Walk", "Enter Founders Hall",
        "Take Grand Stair up to floor 1 (28 steps)", "Turn around", "Turn right",
        "Past room 1.5 on your right, turn right into Computer Room",
        "Arrive at Computer Room",
      ])
    let wheels = try sentences(guide, from: "Café Cupola", to: "room 1.4", .stepFree)
    #expect(wheels.contains("Take the elevator up to floor 1"))
    #expect(!wheels.contains { $0.contains("teps") || $0.contains("Stair") })
  }

  @Test("A guide read from a bundle gives the same routes and bytes")
  func bundle() async throws {
    let folder = try TemporaryFolder()
    let guide = try builder().guide
    _ = try guide.write(to: folder.path("campus.guide"))
    let read = try Guide(contentsOf: folder.path("campus.guide"))
    #expect(read.places == guide.places && read.parts == guide.parts && read.name == guide.name)
    #expect(try builder().guide.parts == guide.parts)
    let fromURLs = try Guide(maps: Self.maps.map { URL(fileURLWithPath: $0) })
    #expect(try fromURLs.parts == guide.parts && Guide(maps: Self.maps).parts == guide.parts)
    let folderURL = URL(fileURLWithPath: folder.path("campus.guide"))
    try fromURLs.write(to: folderURL)
    #expect(try Guide(contentsOf: folderURL).parts == guide.parts)
    #expect(try GuideBundle(reading: folderURL).manifest.name == guide.name)
    let copy = URL(fileURLWithPath: folder.path("copy.guide"))
    let fetch = GuideUpdate.fetcher(fromFolder: folderURL)
    _ = try await GuideUpdate(of: copy, fetching: fetch).run()
    #expect(try Guide(contentsOf: copy).parts == guide.parts)
    let route = try sentences(read, from: "North Hall", to: "toilets")
    #expect(try route == sentences(guide, from: "North Hall", to: "toilets"))
  }

  @Test("Finds a building by the recognizer's label")
  func label() throws {
    let guide = try builder().guide
    #expect(guide.building(labeled: "old_library")?.name == "Old Library")
    #expect(guide.building(labeled: "none") == nil)
  }

  @Test("Draws a route with its floors")
  func drawing() throws {
    let guide = try builder().guide
    let room = try #require(guide.places(matching: "room 1.4").first)
    let chapel = try #require(guide.places(matching: "Saint Afra Chapel").first)
    let route = try guide.directions().route(from: .place(chapel), to: .place(room))
    let svg = String(decoding: guide.drawing(of: route), as: UTF8.self)
    #expect(svg.contains("Floor 0") && svg.contains("Floor 1") && svg.contains("Computer Room"))
    let floor = String(decoding: guide.drawing(ofFloor: 1, with: route), as: UTF8.self)
    #expect(floor.contains("Computer Room") && !floor.contains("Floor 0"))
    #expect(String(decoding: guide.drawing(), as: UTF8.self).contains("Founders Hall"))
  }
}

@Suite("Routes on a real campus", .enabled(if: MapTexts.exist, MapTexts.missingReason))
struct RealRouteTests {
  private static let guide: Guide? = try? GuideBuilder(
    GuideMap(reading: [MapTexts.northwestern])
  ).guide

  @Test("Step-free routes between buildings have no steps")
  func stepFree() throws {
    let guide = try #require(Self.guide)
    let all = guide.places.filter { $0.kind == .building }
    let count = Verification.isFull ? 50 : 15
    let buildings = stride(from: 0, to: all.count, by: max(1, all.count / count)).prefix(count).map
    {
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
    #expect(buildings.count == count && found > (Verification.isFull ? 2_000 : 100))
  }

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

  @Test("Follows simulated walks between buildings with phone errors")
  func progress() throws {
    let isFull = Verification.isFull
    let routes = Self.routes(isFull ? 200 : 12, of: try #require(Self.guide))
    let good = WalkFigures(radius: 5, routes: routes)
    #expect(good.falseReroutings <= (isFull ? 0.005 : 0.1) && good.silent == 0)
    #expect(good.arrivals.allSatisfy { $0 <= 20 } && good.early.allSatisfy { $0 <= 15 })
    let usual = WalkFigures(radius: 15, routes: routes)
    #expect(usual.falseReroutings <= (isFull ? 0.05 : 0.2) && usual.silent <= (isFull ? 0.01 : 0.1))
    #expect(usual.arrivals.allSatisfy { $0 <= 20 } && usual.early.allSatisfy { $0 <= 15 })
    let poor = WalkFigures(radius: 30, routes: routes)
    #expect(poor.falseReroutings <= (isFull ? 0.05 : 0.2) && poor.silent <= (isFull ? 0.1 : 0.3))
    #expect(WalkFigures.quantile(isFull ? 0.99 : 0.95, of: poor.early) <= 15)
  }

  @Test("Every named building is reachable on foot or has a finding")
  func reachable() throws {
    let map = try GuideMap(reading: [MapTexts.northwestern])
    let builder = GuideBuilder(map)
    let buildings = builder.guide.places.filter { $0.kind == .building }
    let named = Set(GuideCheck(builder).findings.filter { !$0.isAdvice }.map(\.subject))
    let directions = builder.guide.directions(.walk)
    let library = try #require(
      builder.guide.places(matching: "Northwestern University Library").first)
    for building in buildings where building != library {
      let route = try? directions.route(from: .place(library), to: .place(building))
      #expect(route != nil || named.contains { $0.contains(building.id) }, "\(building.title)")
    }
    #expect(buildings.count > 160)
  }
}

@Suite("Distance texts") struct DistanceTextTests {
  @Test(
    "Prints whole meters, and kilometers from 1,000 m",
    arguments: [
      (0, "0 m"), (84.6, "85 m"), (999.4, "999 m"), (999.6, "1.0 km"), (1_000, "1.0 km"),
      (1_449, "1.4 km"), (12_345, "12.3 km"), (.infinity, "far"), (.nan, "far"),
    ] as [(Double, String)])
  func distances(meters: Double, text: String) {
    #expect(DistanceText.text(meters: meters) == text)
  }

  @Test("Reports missing or unusable maps as guide errors")
  func badMaps() throws {
    let folder = try TemporaryFolder()
    #expect(throws: GuideError.self) { try Guide(maps: [folder.path("missing.geojson")]) }
    try folder.write(Array("[]".utf8), to: "list.geojson")
    let error = #expect(throws: GuideError.self) {
      try Guide(maps: [URL(fileURLWithPath: folder.path("list.geojson"))])
    }
    #expect(error?.message.hasPrefix(folder.path("list.geojson") + ": ") == true)
  }
}
