import Testing

@testable import CupolaGuide
@testable import CupolaGuideBuilder

@Suite("Path graphs") struct PathGraphTests {
  @Test("The length of lines excludes crossings of areas")
  func metersOfLines() {
    var maker = MapMaker()
    maker.line("way/1", [(0, 0), (60, 0), (100, 0)], ["highway": "footway"])
    maker.area(
      "way/2", [(100, 0), (140, 0), (140, 40), (100, 40)],
      ["highway": "pedestrian", "area": "yes"])
    maker.line("way/3", [(140, 40), (190, 40)], ["highway": "steps"])
    let graph = maker.guide.graph
    #expect(graph.lengths.reduce(0, +) > 300)
    #expect((graph.metersOfLines - 150).magnitude < 1)
  }

  @Test("Closed roads are edges where they meet other ways, which no route uses and no map shows")
  func closedRoads() throws {
    var maker = MapMaker()
    maker.line("way/1", [(0, 0), (100, 0)], ["highway": "residential"])
    let open = maker.guide
    maker.line(
      "way/2", [(100, 0), (120, 0), (140, 0)], ["highway": "service", "access": "private"])
    maker.line("way/3", [(0, 50), (100, 50)], ["highway": "motorway", "access": "no"])
    maker.line("way/4", [(0, 0), (0, 50)], ["highway": "footway", "access": "no"])
    maker.restriction("relation/1", from: "way/1", at: (100, 0), to: "way/2")
    let builder = GuideBuilder(maker.map)
    let graph = builder.guide.graph
    #expect(graph.edges.count == open.graph.edges.count + 1)
    #expect(graph.ways.count == open.graph.ways.count + 1)
    #expect(try #require(graph.edges.last).access.isEmpty)
    #expect(graph.forbiddenTurns.isEmpty && builder.faults.isEmpty)
    #expect(graph.metersOfLines == open.graph.metersOfLines)
    #expect(builder.guide.drawnGround.lines.count == open.drawnGround.lines.count)
    #expect(try PathGraph(bytes: graph.bytes).edges == graph.edges)
  }
}

@Suite("Climb of routes") struct PathGraphRiseTests {
  private func route(
    _ tags: [String: String], from start: Double, to goal: Double
  ) throws -> Route {
    var maker = MapMaker()
    maker.line("way/1", [(0, 0), (20, 0), (100, 0)], tags)
    return try maker.guide.directions().route(
      from: TestCampus.end(start, 0), to: TestCampus.end(goal, 0))
  }

  @Test("Counted steps rise 17 cm each in the incline's direction")
  func steps() throws {
    let tags = ["highway": "steps", "incline": "up", "step_count": "50"]
    let up = try route(tags, from: 0, to: 100)
    #expect((up.ascent - 8.5).magnitude < 1e-6 && up.descent == 0)
    let down = try route(tags, from: 100, to: 0)
    #expect((down.descent - 8.5).magnitude < 1e-6 && down.ascent == 0)
    #expect((try route(tags, from: 0, to: 50).ascent - 4.25).magnitude < 0.01)
  }

  @Test("Uncounted steps rise too; without an incline nothing rises")
  func uncounted() throws {
    let down = try route(["highway": "steps", "incline": "down"], from: 0, to: 100)
    #expect(down.ascent == 0 && (55..<62).contains(down.descent))
    let silent = try route(["highway": "steps", "step_count": "50"], from: 0, to: 100)
    #expect(silent.ascent == 0 && silent.descent == 0)
  }

  @Test("A 5% ramp climbs a twentieth of its length")
  func incline() throws {
    let ramp = try route(["highway": "footway", "incline": "-5%"], from: 100, to: 0)
    #expect((ramp.ascent - 5).magnitude < 0.01 && ramp.descent == 0)
    let level = try route(["highway": "footway"], from: 100, to: 0)
    #expect(level.ascent == 0 && level.descent == 0)
  }

  @Test("Floors are 3.5 m high")
  func floors() throws {
    var maker = MapMaker()
    maker.line("way/1", [(0, 0), (20, 0)], ["highway": "corridor", "level": "0"])
    maker.line("way/2", [(0, 30), (20, 30)], ["highway": "corridor", "level": "2"])
    maker.line(
      "way/3", [(20, 0), (20, 30)], ["highway": "steps", "level": "0;2", "incline": "up"])
    let route = try maker.guide.directions().route(
      from: TestCampus.end(0, 0, level: 0), to: TestCampus.end(0, 30, level: 2))
    #expect((route.ascent - 7).magnitude < 1e-9 && route.descent == 0)
  }
}

/// Checks the speeds listed in Guide.md.
@Suite("Edge costs") struct EdgeCostTests {
  /// Returns the time in seconds along an edge that leads north, and the edge's length in meters.
  private static func cost(
    _ mode: TravelMode, _ kind: WayKind, speed: UInt8 = 0, degrees: Double = 0.001,
    levels: [Double?] = [nil, nil], shortest: Bool = false
  ) throws -> (seconds: Double, meters: Double) {
    var way = PathGraph.Way(id: "way/1", kind: kind)
    way.speed = speed
    let points = [
      try #require(MapPoint(latitude: 50, longitude: 8)),
      try #require(MapPoint(latitude: 50 + degrees, longitude: 8)),
    ]
    let graph = PathGraph(
      vertices: zip(points, levels).map {
        PathGraph.Vertex(point: $0, level: $1, blocked: [])
      },
      edges: [PathGraph.Edge(from: 0, to: 1, way: 0, access: .walk)], ways: [way])
    return (EdgeCost(mode, shortest: shortest).of(0, in: graph), graph.lengths[0])
  }

  @Test(
    "Each mode has its speed per kind of way",
    arguments: [
      (.walk, .path, 0, 5 / 3.6), (.walk, .crossing, 0, 5 / 3.6), (.walk, .street, 50, 5 / 3.6),
      (.stepFree, .path, 0, 4 / 3.6), (.stepFree, .corridor, 0, 4 / 3.6), (.walk, .steps, 0, 0.6),
      (.drive, .street, 50, 40 / 3.6), (.drive, .street, 30, 24 / 3.6),
    ] as [(TravelMode, WayKind, UInt8, Double)])
  func speeds(mode: TravelMode, kind: WayKind, speed: UInt8, pace: Double) throws {
    let cost = try Self.cost(mode, kind, speed: speed)
    // 0.001 degrees of latitude are 111 m.
    #expect((cost.meters - 111.2).magnitude < 0.2)
    #expect((cost.meters / cost.seconds - pace).magnitude < 1e-9)
    let short = try Self.cost(mode, kind, speed: speed, shortest: true)
    #expect(short.seconds == short.meters)
  }

  @Test(
    "An elevator takes 19 s per floor in both directions", arguments: [TravelMode.walk, .stepFree])
  func elevators(mode: TravelMode) throws {
    let rides: [(to: Double, seconds: Double)] = [(1, 19), (3, 57), (-1, 19), (0.5, 9.5)]
    for ride in rides {
      let cost = try Self.cost(mode, .elevator, degrees: 0, levels: [0, ride.to])
      #expect(cost.seconds == ride.seconds)
    }
  }
}

@Suite("Names of sidewalks") struct SidewalkTests {
  private let sidewalk = ["highway": "footway", "footway": "sidewalk"]

  /// A sidewalk around the corner of Mill Road and Park Lane, and one next to a service road.
  private var maker: MapMaker {
    var maker = MapMaker()
    let street = { ["highway": "residential", "name": $0] }
    maker.line("way/1", [(0, 0), (100, 0), (200, 0)], street("Mill Road"))
    maker.line("way/2", [(100, -100), (100, 0)], street("Park Lane"))
    maker.line("way/3", [(0, -8), (90, -8), (92, -10), (92, -100)], sidewalk)
    maker.line("way/4", [(110, 40), (200, 40)], ["highway": "service"])
    maker.line("way/5", [(110, 22), (200, 22)], sidewalk)
    maker.line("way/6", [(90, -8), (90, -4), (90, 4)], ["highway": "footway"])
    maker.line("way/7", [(0, 5), (90, 4)], ["highway": "footway"])
    return maker
  }

  private func names(_ id: String, in maker: MapMaker) -> [String?] {
    let graph = maker.guide.graph
    return graph.edges.compactMap { edge in
      let way = graph.ways[edge.way]
      return way.id == id ? .some(way.name) : nil
    }
  }

  @Test("Sidewalks are named after the street next to them, also around corners")
  func names() {
    #expect(names("way/3", in: maker) == ["Mill Road", "Mill Road", "Park Lane"])
    #expect(names("way/7", in: maker) == [nil])
  }

  @Test("A sidewalk gets the name of the next street only where it follows it")
  func tooEarly() {
    var maker = maker
    maker.line("way/8", [(160, -50), (140, -32), (136, -24), (105, -14)], sidewalk)
    #expect(names("way/8", in: maker) == [nil, nil, "Mill Road"])
  }

  @Test("A sidewalk keeps its name where another street is nearer for some meters")
  func passing() {
    var maker = maker
    maker.line("way/8", [(120, -8), (138, -8), (200, -8)], sidewalk)
    maker.line(
      "way/9", [(118, -14), (136, -14)], ["highway": "residential", "name": "Alley"])
    #expect(names("way/8", in: maker) == ["Mill Road", "Mill Road"])
  }

  @Test("A sidewalk that only leads to a street has no name")
  func stub() {
    var maker = maker
    maker.line("way/8", [(100, -100), (108, -100)], sidewalk)
    #expect(names("way/8", in: maker) == [nil])
  }

  @Test("A sidewalk next to a nearer street without a name has no name")
  func nearer() {
    #expect(names("way/5", in: maker) == [nil])
  }

  @Test("Routes name the street whose sidewalk they take")
  func text() throws {
    let texts = try RouteTextTests.sentences(
      maker.guide, .walk, from: TestCampus.end(0, -8), to: TestCampus.end(92, -100))
    #expect(texts.dropLast() == ["Go east on Mill Road", "Turn right onto Park Lane"])
  }
}
