import Cupola
import Testing

@testable import CupolaGuide
@testable import CupolaGuideBuilder

@Suite("Area crossings") struct AreaCrossingTests {
  /// Returns points on a grid with a spacing of 1e-6 degrees.
  private static func points(_ places: [(Int, Int)]) -> [MapPoint] {
    places.compactMap {
      MapPoint(latitudeE7: Int32(10 * $0.1), longitudeE7: Int32(10 * $0.0))
    }
  }

  private static func pairs(_ lines: [(Int, Int)]?) -> Set<Set<Int>> {
    Set((lines ?? []).map { [$0.0, $0.1] })
  }

  @Test("Crosses a square between corners in either ring direction")
  func square() {
    let points = Self.points([(0, 0), (10, 0), (10, 10), (0, 10)])
    for ring in [[0, 1, 2, 3], [3, 2, 1, 0]] {
      let crossing = AreaCrossing([ring], portals: [0, 2], points: points)
      #expect(Self.pairs(crossing.lines) == [[0, 2]])
    }
  }

  @Test("Crosses an area across the date line")
  func dateLine() {
    let places = [(0, 0), (20, 0), (20, 10), (10, 10), (10, 20), (0, 20), (15, 5)]
    let points = places.compactMap { place in
      MapPoint(
        latitude: Double(place.1) / 1e5, longitude: 179.9999 + Double(place.0) / 1e5)
        ?? MapPoint(
          latitude: Double(place.1) / 1e5, longitude: -180.0001 + Double(place.0) / 1e5)
    }
    let crossing = AreaCrossing([[0, 1, 2, 3, 4, 5]], portals: [2, 4, 6], points: points)
    #expect(Self.pairs(crossing.lines) == [[2, 3], [3, 4], [2, 6], [3, 6]])
  }

  @Test("Goes around a corner without leaving the area")
  func corner() {
    let points = Self.points([(0, 0), (20, 0), (20, 10), (10, 10), (10, 20), (0, 20)])
    let crossing = AreaCrossing([[0, 1, 2, 3, 4, 5]], portals: [2, 4], points: points)
    #expect(Self.pairs(crossing.lines) == [[2, 3], [3, 4]])
  }

  @Test("Goes around a hole")
  func hole() {
    let points = Self.points([
      (0, 0), (40, 0), (40, 40), (0, 40), (10, 10), (30, 10), (30, 30), (10, 30),
    ])
    for hole in [[4, 5, 6, 7], [7, 6, 5, 4]] {
      let crossing = AreaCrossing([[0, 1, 2, 3], hole], portals: [0, 2], points: points)
      let pairs = Self.pairs(crossing.lines)
      #expect(!pairs.contains([0, 2]) && pairs.contains([0, 4]) && pairs.contains([4, 5]))
      #expect(pairs.contains([5, 2]) && !pairs.contains([4, 6]))
    }
  }

  @Test("Lines stay inside random star-shaped areas")
  func inside() {
    var random = SplitMix64(seed: 11)
    for _ in 0..<30 {
      var places: [(Int, Int)] = []
      for corner in 0..<12 {
        let (x, y) = [
          (0, -1), (1, -2), (2, -2), (2, -1), (2, 0), (2, 1), (2, 2), (1, 2), (0, 2), (-1, 2),
          (-2, 1), (-2, -1),
        ][corner]
        let far = 200 + random.below(800)
        places.append((x * far, y * far))
      }
      let points = Self.points(places)
      let ring = Array(points.indices)
      let crossing = AreaCrossing([ring], portals: Set(ring), points: points)
      for (a, b) in crossing.lines ?? [] {
        for step in 1..<20 {
          let share = Double(step) / 20
          let x =
            Double(points[a].longitudeE7) * (1 - share) + Double(points[b].longitudeE7) * share
          let y = Double(points[a].latitudeE7) * (1 - share) + Double(points[b].latitudeE7) * share
          #expect(Self.distance(outside: (x, y), ring.map { points[$0] }) < 1.5)
        }
      }
    }
  }

  /// Returns the distance from a point to an area; 0 if the point is inside.
  private static func distance(outside point: (Double, Double), _ ring: [MapPoint]) -> Double {
    var inside = false
    var nearest = Double.infinity
    for (one, other) in zip(ring, ring.dropFirst() + ring.prefix(1)) {
      let (ax, ay) = (Double(one.longitudeE7), Double(one.latitudeE7))
      let (bx, by) = (Double(other.longitudeE7), Double(other.latitudeE7))
      if (ay > point.1) != (by > point.1), point.0 < ax + (point.1 - ay) * (bx - ax) / (by - ay) {
        inside.toggle()
      }
      let square = (bx - ax) * (bx - ax) + (by - ay) * (by - ay)
      let part = min(1, max(0, ((point.0 - ax) * (bx - ax) + (point.1 - ay) * (by - ay)) / square))
      let (dx, dy) = (point.0 - ax - part * (bx - ax), point.1 - ay - part * (by - ay))
      nearest = min(nearest, (dx * dx + dy * dy).squareRoot())
    }
    return inside ? 0 : nearest
  }

  @Test("Areas with too many corners are not crossed")
  func many() {
    let places = (0..<2_000).map { ($0 % 2 == 0 ? $0 : 5_000 - $0, $0) }
    let points = Self.points(places)
    let ring = Array(points.indices)
    #expect(AreaCrossing([ring], portals: Set(ring), points: points).lines == nil)
  }

  @Test(
    "Areas of half the Earth are not crossed and do not overflow",
    arguments: [
      // The computation of the area overflows.
      [(-180, -90), (180, -90), (180, 90), (-180, 90)],
      // Doubling the midpoint of a side overflows.
      [(-180, -90), (180, -90), (180, 90)], [(0, -90), (180, -90), (180, 90), (0, 90)],
    ])
  func halfTheEarth(degrees: [(Int, Int)]) {
    let points = Self.points(degrees.map { ($0.0 * 1_000_000, $0.1 * 1_000_000) })
    let ring = Array(points.indices)
    #expect(points.count == degrees.count)
    for ring in [ring, ring.reversed()] {
      #expect(AreaCrossing([ring], portals: Set(ring), points: points).lines == nil)
    }
    // Because the ring winds around ten thousand times, its area sum exceeds that of its bounding box.
    let small = Self.points([(0, 0), (50_000_000, 0), (50_000_000, 50_000_000)])
    let turns = (0..<30_000).map { $0 % 3 }
    #expect(AreaCrossing([turns], portals: [], points: small).lines != nil)
  }

  @Test("Areas beyond the map's budget are reported once")
  func budget() {
    let points = Self.points([(0, 0), (10, 0), (10, 10), (0, 10)])
    let crossing = AreaCrossing([[0, 1, 2, 3]], portals: [0, 1, 2, 3], points: points)
    for (lines, tests) in [(13, Int.max), (Int.max, 2 * 64 + 63)] {
      var budget = WorkBudget(tests: tests, results: lines)
      let counts = (1...4).map { crossing.lines(within: &budget, of: "way/\($0)")?.count }
      #expect(counts == [6, 6, nil, nil] && budget.skipped == 2)
      #expect(budget.fault?.title == "way/3" && budget.fault?.problem.contains("1 more") ?? false)
    }
  }

  @Test("Does not walk along a wall shared by two holes")
  func sharedWall() {
    let points = Self.points([
      (0, 0), (40, 0), (40, 40), (0, 40), (10, 10), (20, 10), (30, 10), (30, 30), (20, 30),
      (10, 30),
    ])
    let crossing = AreaCrossing(
      [[0, 1, 2, 3], [4, 5, 8, 9], [5, 6, 7, 8]], portals: [0, 2], points: points)
    let pairs = Self.pairs(crossing.lines)
    #expect(!pairs.contains([5, 8]) && pairs.contains([4, 5]) && pairs.contains([5, 6]))
  }

  @Test("Goes around buildings on a plaza and enters them from it")
  func buildings() throws {
    func meters(_ tags: [String: String]) throws -> Double {
      var maker = MapMaker()
      maker.area(
        "way/1", [(0, 0), (100, 0), (100, 100), (0, 100)],
        ["highway": "pedestrian", "area": "yes"])
      maker.line("way/2", [(-50, -50), (0, 0)], ["highway": "footway"])
      maker.line("way/3", [(100, 100), (150, 150)], ["highway": "footway"])
      maker.area("way/4", [(30, 30), (70, 30), (70, 50), (70, 70), (30, 70)], tags)
      maker.node("node/1", (70, 50), ["entrance": "main"])
      let guide = maker.guide
      if let place = guide.places.first {
        let end = try guide.directions().route(
          from: TestCampus.end(150, 150), to: .place(place))
        #expect((end.meters - 70.71 - 58.31).magnitude < 0.5)
      }
      return try guide.directions().route(
        from: TestCampus.end(-50, -50), to: TestCampus.end(150, 150)
      ).meters
    }
    #expect(
      try (meters(["building": "yes", "name": "Tower"]) - 2 * 70.71 - 152.32).magnitude < 0.5)
    for tags in [["landuse": "grass"], ["building": "roof"]] {
      #expect(try (meters(tags) - 4 * 70.71).magnitude < 0.5)
    }
  }

  @Test("Plazas beyond the budget keep their outlines as paths")
  func plazas() {
    var maker = MapMaker()
    for way in 1...4 {
      maker.area(
        "way/\(way)", [(0, 0), (10, 0), (10, 10), (0, 10)],
        ["highway": "pedestrian", "area": "yes"])
    }
    var draft = PathDraft()
    draft.areaBudget.results = 13
    StreetPaths.add(maker.map, to: &draft)
    #expect(draft.edges.count == 4 * 4 + 2 * 6)
    #expect(draft.areaBudget.skipped == 2 && draft.areaBudget.fault?.title == "way/3")
    #expect(GuideBuilder(maker.map).faults.isEmpty)
  }

  @Test("Shortens the identifier of an omitted area")
  func longIdentifier() {
    var budget = WorkBudget(tests: 0)
    let isTaken = budget.take(tests: 1, of: String(repeating: "a", count: 100_000))
    #expect(!isTaken && (budget.fault?.title.count ?? .max) < 100)
  }
}

extension AreaCrossing {
  /// The lines across an area that is the only feature on its map.
  fileprivate var lines: [(Int, Int)]? {
    var budget = WorkBudget.areas
    return lines(within: &budget, of: "way/1")
  }
}
