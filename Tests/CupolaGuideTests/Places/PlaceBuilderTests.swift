import Cupola
import Testing

@testable import CupolaCampus
@testable import CupolaGuide
@testable import CupolaGuideBuilder

@Suite("Place builder") struct PlaceBuilderTests {
  static let path = ["highway": "footway"]

  static func doors(_ maker: MapMaker) -> [[Double]] {
    (maker.guide.places.first?.doors ?? []).map { door in
      let point = MapMaker.plane.point(
        latitude: door.point.latitude, longitude: door.point.longitude)
      return [point.x.rounded(), point.y.rounded()]
    }
  }

  /// Returns a hall from (0, 0) to (40, 20) with a wall point at (40, 10), and a path from (100, 10) to `end`.
  static func hall(pathTo end: (Double, Double)) -> MapMaker {
    var maker = MapMaker()
    maker.building("way/1", "Hall", x: 0...40, y: 0...20, passing: [(40, 10)])
    maker.line("way/2", [(100, 10), end], path)
    return maker
  }

  @Test("Doors are entrances, visitors' entrances before service ones")
  func entrances() {
    var maker = Self.hall(pathTo: (60, 10))
    maker.node("node/1", (0, 0), ["entrance": "service"])
    #expect(Self.doors(maker) == [[0, 0]])
    maker.node("node/2", (40, 10), ["entrance": "main", "name": "East"])
    #expect(Self.doors(maker) == [[40, 10]])
    #expect(maker.guide.places.first?.doors.first?.name == "East")
    maker.node("node/3", (40, 20), ["entrance": "emergency"])
    #expect(Self.doors(maker) == [[40, 10]])
  }

  @Test("An entrance near a wall belongs to the nearest building")
  func besideWalls() {
    var maker = MapMaker()
    maker.building("way/1", "South", x: 0...40, y: -20 ... -0.1)
    maker.line("way/2", [(-50, 50), (100, 50)], Self.path)
    maker.node("node/1", (20, 0.2), ["entrance": "main"])
    #expect(GuideBuilder(maker.map).withoutEntrance == [])
    #expect(Self.doors(maker) == [[20, 0]])
    maker.building("way/3", "North", x: 0...40, y: 0.3...20)
    #expect(GuideBuilder(maker.map).withoutEntrance == ["way/1"])
  }

  @Test("Without an entrance the door is where a path touches the wall")
  func touched() { #expect(Self.doors(Self.hall(pathTo: (40, 10))) == [[40, 10]]) }

  @Test("The default door is the outline point nearest to a path")
  func nearest() { #expect(Self.doors(Self.hall(pathTo: (60, 10))) == [[40, 10]]) }

  @Test("The default door can be 60 m from a path")
  func distantPath() { #expect(Self.doors(Self.hall(pathTo: (5_000, 10))) == [[40, 10]]) }

  @Test("Links an entrance to the nearest path outside its building")
  func link() throws {
    var maker = MapMaker()
    maker.line("way/2", [(-50, 25), (100, 25)], Self.path)
    maker.line("way/3", [(-50, -30), (100, -30)], Self.path)
    maker.line("way/4", [(-50, 25), (-50, -30)], Self.path)
    maker.area(
      "way/1", [(0, 0), (20, 0), (40, 0), (40, 20), (0, 20)], ["building": "yes", "name": "Hall"])
    maker.node("node/1", (20, 0), ["entrance": "yes", "wheelchair": "no"])
    let graph = maker.guide.graph
    let links = graph.edges.filter { graph.ways[$0.way].kind == .link }
    #expect(links.count == 1 && links.first?.access == .walk)
    let route = try maker.guide.directions().route(
      from: .place(try #require(maker.guide.place("way/1"))), to: TestCampus.end(50, -30))
    #expect((route.meters - 60).magnitude < 0.5)
  }

  @Test("Links paths within 40 m and entrances within 0.5 m of a wall")
  func limits() {
    for (meters, isJoined) in [(39.0, true), (41, false)] {
      var maker = MapMaker()
      maker.line("way/2", [(-50, -meters), (100, -meters)], Self.path)
      maker.area(
        "way/1", [(0, 0), (20, 0), (40, 0), (40, 20), (0, 20)], ["building": "yes", "name": "Hall"])
      maker.node("node/1", (20, 0), ["entrance": "yes"])
      let graph = maker.guide.graph
      let links = graph.edges.count { graph.ways[$0.way].kind == .link }
      #expect(links == (isJoined ? 1 : 0), "\(meters) m")
    }
    for (meters, isDoor) in [(0.45, true), (0.55, false)] {
      var maker = MapMaker()
      maker.building("way/1", "Hall", x: 0...40, y: -20...0)
      maker.line("way/2", [(-50, 20), (100, 20)], Self.path)
      maker.node("node/1", (20, meters), ["entrance": "main"])
      #expect(GuideBuilder(maker.map).withoutEntrance == (isDoor ? [] : ["way/1"]), "\(meters) m")
    }
  }

  @Test("Places are named buildings and points of interest in map order")
  func order() {
    var maker = MapMaker()
    maker.node("node/1", (0, 0), ["amenity": "bench"])
    maker.node("node/2", (0, 1), ["amenity": "atm", "level": "x"])
    maker.building("way/1", "B", x: 0...10, y: 0...10)
    maker.area("way/2", [(20, 0), (30, 0), (30, 9)], ["building": "yes"])
    maker.building("way/3", "A", x: 40...50, y: 0...10)
    maker.area("way/4", [(60, 0), (70, 0), (70, 9)], ["building": "no", "name": "Gone"])
    maker.node("node/3", (5, 5), ["shop": "books", "name": "Books"])
    let guide = maker.guide
    #expect(guide.places.map(\.id) == ["way/1", "way/3", "node/2", "node/3"])
    #expect(guide.place("node/3")?.building == "way/1")
    #expect(guide.place("node/3")?.category == "books")
  }

  @Test("The middle of an area lies inside, also with arms and holes")
  func middles() {
    var random = SplitMix64(seed: 4)
    let horseshoe: [SIMD2<Double>] = [
      [0, 0], [100, 0], [100, 100], [80, 100], [80, 20], [20, 20], [20, 100], [0, 100],
    ]
    let square: [SIMD2<Double>] = [[0, 0], [90, 0], [90, 90], [0, 90]]
    let hole: [SIMD2<Double>] = [[5, 5], [85, 5], [85, 85], [5, 85]]
    func isInside(_ point: SIMD2<Double>, _ ring: [SIMD2<Double>]) -> Bool {
      var inside = false
      for (a, b) in zip(ring, ring.dropFirst() + ring.prefix(1))
      where (a.y > point.y) != (b.y > point.y) {
        if point.x < a.x + (point.y - a.y) * (b.x - a.x) / (b.y - a.y) { inside.toggle() }
      }
      return inside
    }
    #expect(isInside(AreaMiddle.point(of: [horseshoe]), horseshoe))
    let middle = AreaMiddle.point(of: [square, hole])
    #expect(isInside(middle, square) && !isInside(middle, hole))
    for _ in 0..<200 {
      let ring = (0..<9).map { number -> SIMD2<Double> in
        let length = Double.random(in: 5...100, using: &random)
        let (sine, cosine) = Degrees.sinCos(Double(number) * 40)
        return [length * cosine, length * sine]
      }
      #expect(isInside(AreaMiddle.point(of: [ring]), ring))
    }
    #expect(AreaMiddle.point(of: [[[1, 1], [1, 1], [1, 1]]]) == [1, 1])
  }

  @Test("Finds the smallest building around a point")
  func locator() throws {
    var random = SplitMix64(seed: 6)
    var maker = MapMaker()
    var boxes: [(id: String, x: ClosedRange<Double>, y: ClosedRange<Double>)] = []
    for number in 0..<40 {
      let (x, y) = (
        Double.random(in: -300...300, using: &random), Double.random(in: -300...300, using: &random)
      )
      let side = Double.random(in: 5...120, using: &random)
      boxes.append(("way/\(number)", x...(x + side), y...(y + side)))
      maker.building("way/\(number)", "Hall", x: x...(x + side), y: y...(y + side))
    }
    let locator = BuildingLocator(maker.map)
    var budget = WorkBudget.places
    var found = 0
    for _ in 0..<500 {
      let (x, y) = (
        Double.random(in: -310...430, using: &random), Double.random(in: -310...430, using: &random)
      )
      let place = MapMaker.place(x, y)
      let point = try #require(MapPoint(latitude: place.latitude, longitude: place.longitude))
      let expected = boxes.filter { $0.x.contains(x) && $0.y.contains(y) }
        .min { $0.x.upperBound - $0.x.lowerBound < $1.x.upperBound - $1.x.lowerBound }?.id
      let building = locator.building(at: point, within: &budget)
      #expect(building == expected)
      found += expected == nil ? 0 : 1
    }
    #expect(found > 100)
  }

  @Test("Places beyond the budget are reported and stay incomplete")
  func budget() {
    var maker = Self.hall(pathTo: (60, 10))
    maker.node("node/1", (20, 10), ["amenity": "cafe"])
    let map = maker.map
    let graph = maker.guide.graph
    func built(_ tests: Int) -> (doors: [Int], buildings: [String?], fault: String?) {
      var budget = WorkBudget.places
      budget.tests = tests
      var builder = PlaceBuilder(map, graph, EdgeIndex(graph), budget: budget)
      let places = builder.places([])
      return (
        places.map(\.doors.count), places.map(\.building), builder.budget.fault?.description
      )
    }
    let whole = built(1_000_000)
    #expect(whole.doors == [1, 0] && whole.buildings == [nil, "way/1"] && whole.fault == nil)
    let part = built(300)
    #expect(part.doors == [0, 0] && part.buildings == [nil, nil])
    #expect(part.fault?.hasPrefix("Hall (way/1): ") == true)
    #expect(part.fault?.contains(" (and 1 more): ") == true)
  }
}

@Suite("Building parts") struct BuildingPartsTests {
  private static let twins = """
    [[[[8,50],[8.001,50],[8.001,50.001],[8,50.001],[8,50]]],
     [[[8.002,50],[8.003,50],[8.003,50.001],[8.002,50.001],[8.002,50]]]]
    """

  private static func cafe(_ longitude: Double) -> String {
    MapTexts.feature("Point", "[\(longitude),50.0005]", #"{"amenity":"cafe"}"#)
  }

  @Test(
    "A place in any part of a building is in that building",
    arguments: [
      (#"{"@id":"relation/5","building":"yes","name":"Twins"}"#, "relation/5", true),
      (#"{"role":"building","id":"twins","name":"Twins"}"#, "twins", true),
      (#"{"role":"building","id":"twins"}"#, "twins", true),
      (#"{"@id":"relation/5","building":"yes"}"#, "relation/5", false),
    ])
  func places(properties: String, id: String, isNamed: Bool) throws {
    let map = try MapTexts.features(
      MapTexts.feature("MultiPolygon", Self.twins, properties), Self.cafe(8.0005),
      Self.cafe(8.0025),
      MapTexts.feature(
        "Polygon", "[[[8.0021,50.0001],[8.0024,50.0001],[8.0024,50.0004],[8.0021,50.0001]]]",
        #"{"indoor":"room","level":"0","ref":"7"}"#))
    let guide = GuideBuilder(map).guide
    let inside = guide.places.filter { $0.kind != .building }
    #expect(inside.map(\.kind) == [.room, .poi, .poi])
    #expect(inside.map(\.building) == [id, id, id])
    #expect(guide.places.filter { $0.kind == .building }.map(\.id) == (isNamed ? [id] : []))
    #expect(guide.ground.filter { $0.kind == .building }.map(\.id) == [id, id])
  }

  @Test("Buildings with other names or a # in their identifier are not parts")
  func others() {
    var maker = MapMaker()
    for (number, (id, name)) in [
      ("a", "North"), ("a#2", "South"), ("a#3", "South"), ("b#1", "Hall"), ("b#2", "Hall"),
      ("c", "Shed"), ("c#east", "Shed"),
    ].enumerated() {
      let x = Double(number) * 50
      maker.building(id, name, x: x...(x + 40), y: 0...40)
      maker.node("node/\(number)", (x + 20, 20), ["amenity": "cafe"])
    }
    let places = maker.guide.places
    #expect(
      places.filter { $0.kind == .building }.map(\.id) == ["a", "a#2", "b#1", "b#2", "c", "c#east"])
    #expect(
      places.filter { $0.kind == .poi }.map(\.building) == [
        "a", "a#2", "a#2", "b#1", "b#2", "c", "c#east",
      ])
  }

  @Test("A place uses its part's doors; a building those of all parts")
  func doors() {
    var maker = MapMaker()
    maker.line("way/1", [(-20, -10), (200, -10)], ["highway": "footway"])
    maker.building("relation/5", "Twins", x: 0...40, y: 0...20, passing: [(40, 10)])
    maker.building("relation/5#2", "Twins", x: 100...140, y: 0...20, passing: [(140, 10)])
    maker.building("relation/5#3", "Twins", x: 200...240, y: 0...20, passing: [(240, 10)])
    maker.node("node/1", (40, 10), ["entrance": "yes", "name": "West"])
    maker.node("node/2", (140, 10), ["entrance": "yes", "name": "East"])
    maker.node("node/5", (240, 10), ["entrance": "yes", "name": "Far East"])
    maker.node("node/3", (20, 10), ["amenity": "cafe"])
    maker.node("node/4", (120, 10), ["amenity": "cafe"])
    let guide = maker.guide
    func names(_ id: String) -> [String?]? { guide.place(id)?.doors.map(\.name) }
    #expect(names("relation/5") == ["West", "East", "Far East"])
    #expect(names("node/3") == ["West"] && names("node/4") == ["East"])
  }

  @Test("Parts of the destination building are not landmarks")
  func landmarks() throws {
    var maker = MapMaker()
    maker.addCrossing()
    maker.building("relation/5", "Twins", x: 105...120, y: 80...95)
    maker.building("relation/5#2", "Twins", x: 80...95, y: 10...30)
    maker.node("node/1", (110, 90), ["amenity": "cafe"])
    maker.node("node/2", (90, 20), ["amenity": "bar"])
    let guide = maker.guide
    for id in ["relation/5", "node/1", "node/2"] {
      let goal = try #require(guide.place(id))
      let route = try guide.directions().route(from: TestCampus.end(20, 0), to: .place(goal))
      let texts = route.maneuvers.map(\.text)
      #expect(texts.contains("Turn left onto North Street"), "\(texts)")
    }
  }
}
