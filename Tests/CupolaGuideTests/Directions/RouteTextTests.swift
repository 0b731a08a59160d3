import CupolaCampus
import Testing

@testable import CupolaGuide

/// Expects the instructions from the origin of a map to another place, without the arrival.
func expect(
  _ maker: MapMaker, _ mode: TravelMode = .walk, to place: (x: Double, y: Double),
  _ texts: [String], _ location: SourceLocation = #_sourceLocation
) throws {
  let found = try RouteTextTests.sentences(
    maker.guide, mode, from: TestCampus.end(0, 0), to: TestCampus.end(place.x, place.y))
  #expect(found == texts + ["Arrive at your destination"], sourceLocation: location)
}

@Suite("Route instructions") struct RouteTextTests {
  static func sentences(
    _ guide: Guide, _ mode: TravelMode, from start: RouteEnd, to goal: RouteEnd
  ) throws -> [String] {
    let route = try guide.directions(mode).route(from: start, to: goal)
    Self.expectValid(route)
    return route.maneuvers.map(\.text)
  }

  static func expectValid(_ route: Route) {
    #expect(route.points.count == route.segments.count + 1)
    #expect(route.maneuvers.first?.kind == .depart && route.maneuvers.last?.kind == .arrive)
    #expect(route.maneuvers.first?.point == 0)
    #expect(route.maneuvers.last?.point == route.points.count - 1)
    let places = route.maneuvers.map(\.point)
    #expect(places == places.sorted())
    let meters = route.maneuvers.reduce(0) { $0 + $1.meters }
    #expect((meters - route.meters).magnitude <= 1e-9 * max(1, route.meters))
    let seconds = route.maneuvers.reduce(0) { $0 + $1.seconds }
    #expect((seconds - route.seconds).magnitude <= 1e-9 * max(1, route.seconds))
    for (one, other) in zip(route.points, route.points.dropFirst()) { #expect(one != other) }
    for maneuver in route.maneuvers {
      #expect(maneuver.text.first?.isUppercase == true && !maneuver.text.hasSuffix("."))
    }
  }

  private func expect(
    _ guide: Guide, _ mode: TravelMode, from start: RouteEnd, to goal: RouteEnd,
    _ expected: [String], _ location: SourceLocation = #_sourceLocation
  ) throws {
    let found = try Self.sentences(guide, mode, from: start, to: goal)
    #expect(found == expected, sourceLocation: location)
  }

  let campus = TestCampus()

  func place(_ name: String) throws -> RouteEnd { .place(try campus.place(name)) }

  @Test("Walking instructions with steps, a crossing and landmarks")
  func walk() throws {
    try expect(
      campus.guide, .walk, from: place("Café Uno"), to: place("Library"),
      [
        "From Café Uno, go north on the path",
        "Cross Main Street",
        "Continue onto Library Walk",
        "Take the steps up (12 steps)",
        "Continue on Library Walk",
        "Turn left onto the path",
        "Arrive at Library",
      ])
  }

  @Test("The turn onto a square leads where users cross it, not around its corner")
  func cornerOfSquare() throws {
    var maker = MapMaker()
    // The outline bends 5 m after the place where the path ends at the square.
    maker.area(
      "way/1", [(0, 0), (2, 5), (80, 5), (80, 60), (0, 60)],
      ["highway": "pedestrian", "area": "yes", "name": "Campus Green"])
    maker.line("way/2", [(0, -60), (0, 0)], ["highway": "footway"])
    maker.line("way/3", [(0, 0), (-40, 40)], ["highway": "footway"])
    maker.line("way/4", [(80, 5), (200, 5)], ["highway": "footway", "name": "East Walk"])
    let found = try Self.sentences(
      maker.guide, .walk, from: TestCampus.end(0, -60), to: TestCampus.end(200, 5))
    #expect(found.contains("Turn right onto Campus Green toward East Walk"), "\(found)")
  }

  @Test("On a square, instructions name large turns and say where to leave it")
  func square() throws {
    var maker = MapMaker()
    maker.area(
      "way/1", [(0, 0), (80, 0), (80, 30), (30, 30), (30, 80), (0, 80)],
      ["highway": "pedestrian", "area": "yes", "name": "Campus Green"])
    maker.line("way/2", [(80, 0), (200, 0)], ["highway": "footway", "name": "East Walk"])
    maker.line("way/3", [(0, 80), (0, 200)], ["highway": "footway", "name": "North Walk"])
    for start in [(12.0, 70.0), (5, 40), (20, 75), (10, 10)] {
      let found = try Self.sentences(
        maker.guide, .walk, from: TestCampus.end(start.0, start.1), to: TestCampus.end(200, 0))
      #expect(found[0].hasSuffix("on Campus Green"))
      let turn = "Turn left to stay on Campus Green toward East Walk"
      #expect(start.0 != 5 || found.contains(turn), "\(found)")
      let last = found[found.count - 2]
      #expect(last.hasSuffix(" onto East Walk") || last == "Continue onto East Walk")
    }
    try expect(
      maker.guide, .walk, from: TestCampus.end(200, 0), to: TestCampus.end(0, 200),
      [
        "Go west on East Walk", "Bear right onto Campus Green toward North Walk",
        "Bear right onto North Walk", "Arrive at your destination",
      ])
  }

  @Test("Walking instructions in the reverse direction")
  func back() throws {
    try expect(
      campus.guide, .walk, from: place("Library"), to: place("Café Uno"),
      [
        "From Library, go east",
        "Turn right onto Library Walk",
        "Take the steps down (12 steps)",
        "Continue on Library Walk",
        "Cross Main Street and continue on the path",
        "Arrive: Café Uno is 10 m to your left",
      ])
  }

  @Test("Step-free instructions use the ramp and name where to turn")
  func stepFree() throws {
    try expect(
      campus.guide, .stepFree, from: place("Library"), to: place("Café Uno"),
      [
        "From Library, go east",
        "Turn right onto Library Walk",
        "Turn left onto the path",
        "Follow the path to the right",
        "Turn left onto Library Walk",
        "Cross Main Street and continue on the path",
        "Arrive: Café Uno is 10 m to your left",
      ])
  }

  @Test("Merges two turns in quick succession into one")
  func mergedTurns() throws {
    try expect(
      campus.guide, .walk, from: place("Gym"), to: place("Science Hall"),
      [
        "From Gym, go north on Library Walk",
        "Take the steps up (12 steps)",
        "Continue on Library Walk",
        "At Library on your left, turn right onto the path",
        "Arrive at Science Hall",
      ])
  }

  @Test("Walks around a private gate but through a gate for cars")
  func gates() throws {
    try expect(
      campus.guide, .walk, from: TestCampus.end(0, 100), to: TestCampus.end(100, 100),
      [
        "Go south on First Avenue",
        "Turn left onto Main Street",
        "Turn left onto Library Walk",
        "Arrive at your destination",
      ])
    try expect(
      campus.guide, .walk, from: TestCampus.end(-200, 0), to: TestCampus.end(0, 150),
      [
        "Go east on Main Street",
        "Turn left onto Back Lane",
        "Follow Back Lane to the right",
        "Turn left onto First Avenue",
        "Arrive at your destination",
      ])
  }

  @Test("Cars obey one-way streets, gates and turn restrictions")
  func drive() throws {
    try expect(
      campus.guide, .drive, from: TestCampus.end(-200, 0), to: TestCampus.end(0, 150),
      [
        "Go east on Main Street",
        "Turn left onto Second Avenue",
        "Turn left onto Park Street",
        "Turn left onto First Avenue",
        "Arrive at your destination",
      ])
    try expect(
      campus.guide, .drive, from: TestCampus.end(-200, 0), to: TestCampus.end(400, 0),
      [
        "Go east on Main Street",
        "Turn left onto Second Avenue",
        "Turn right onto Park Street",
        "Turn right onto Third Avenue",
        "Turn left onto Main Street",
        "Arrive at your destination",
      ])
    try expect(
      campus.guide, .drive, from: TestCampus.end(0, 100), to: TestCampus.end(300, 200),
      [
        "Go south on First Avenue",
        "Turn left onto Main Street",
        "Turn left onto Second Avenue",
        "Turn right onto Park Street",
        "Arrive at your destination",
      ])
  }

  @Test("States the distance and side of a start or destination off the way")
  func offsets() throws {
    try expect(
      campus.guide, .drive, from: place("Gym"), to: place("Science Hall"),
      [
        "From Gym, go 20 m south to Main Street, then west",
        "Turn right onto First Avenue",
        "Turn right onto Park Street",
        "Park here; Science Hall is 50 m to the south",
      ])
    #expect(
      try Self.sentences(campus.guide, .walk, from: TestCampus.end(520, 500), to: place("Café Uno"))
        .first == "Go 372 m southwest to Park Street, then west")
    #expect(
      try Self.sentences(campus.guide, .walk, from: place("Café Uno"), to: TestCampus.end(520, 500))
        .last == "Arrive: your destination is 372 m to your left")
  }

  @Test("States where a place inside a building is, and uses the door near it")
  func insideBuilding() throws {
    var maker = MapMaker()
    maker.line("way/1", [(-50, -10), (10, -10), (110, -10), (200, -10)], ["highway": "footway"])
    maker.area(
      "way/2", [(0, 0), (10, 0), (110, 0), (120, 0), (120, 80), (0, 80)],
      ["building": "yes", "name": "Mall"])
    for x in [10.0, 110] {
      maker.node("node/\(Int(x))", (x, 0), ["entrance": "yes"])
      maker.line("way/\(Int(x))", [(x, -10), (x, 0)], ["highway": "footway"])
    }
    maker.node("node/1", (100, 50), ["amenity": "cafe", "name": "Café Uno"])
    let guide = maker.guide
    let cafe = RouteEnd.place(try #require(guide.place("node/1")))
    try expect(
      guide, .walk, from: TestCampus.end(-50, -10), to: cafe,
      [
        "Go east", "Turn left onto the path",
        "Arrive: Café Uno is 51 m ahead, inside the building",
      ])
    try expect(
      guide, .walk, from: cafe, to: TestCampus.end(200, -10),
      [
        "From Café Uno, leave the building 51 m to the south, then go south",
        "Turn left onto the path", "Arrive at your destination",
      ])
  }

  @Test("Leaves out the turns of the last meters from and to a door")
  func endsOfRoute() throws {
    var maker = MapMaker()
    maker.line("way/1", [(-50, 0), (0, 0), (100, 0), (150, 0)], ["highway": "footway"])
    maker.line("way/2", [(0, 0), (0, 6)], ["highway": "footway"])
    maker.line("way/3", [(100, 0), (100, -3)], ["highway": "footway"])
    try expect(
      maker.guide, .walk, from: TestCampus.end(0, 6), to: TestCampus.end(100, -3),
      ["Go east", "Arrive at your destination, on your right"])
  }

  @Test("Instructions for a route to the start itself")
  func routeToStart() throws {
    try expect(
      campus.guide, .walk, from: place("Library"), to: place("Library"),
      [
        "Start at Library", "Arrive at Library",
      ])
    let here = try TestCampus.end(0, 0)
    let route = try campus.guide.directions().route(from: here, to: here)
    #expect(route.maneuvers.map(\.text) == ["Start here", "Arrive at your destination"])
    #expect(route.meters == 0 && route.points.count == 1)
  }

  @Test("Indoor instructions name the door, elevator, floor and room")
  func indoors() throws {
    let tower = TestTower()
    let start = try TestCampus.end(0, 0)
    try expect(
      tower.guide, .stepFree, from: start, to: tower.room,
      [
        "Go north",
        "Enter The Tower",
        "Take the elevator up to floor 2",
        "Turn left into the room",
        "Arrive at room 2.07",
      ])
    try expect(
      tower.guide, .stepFree, from: tower.room, to: start,
      [
        "Leave room 2.07",
        "Turn right into the corridor",
        "Take the elevator down to floor 0",
        "Turn left",
        "Leave The Tower",
        "Arrive at your destination",
      ])
  }

  @Test("Adds up step counts of consecutive flights if all are known")
  func flights() throws {
    let cases: [(second: String?, text: String)] = [
      ("10", "Take the steps up (30 steps)"), (nil, "Take the steps up"),
    ]
    for (second, text) in cases {
      var maker = MapMaker()
      maker.line("way/1", [(-30, 0), (0, 0)], ["highway": "footway"])
      let steps = ["highway": "steps", "incline": "up"]
      maker.line(
        "way/2", [(0, 0), (10, 0), (20, 0)], steps.merging(["step_count": "20"]) { $1 })
      var flight = steps
      flight["step_count"] = second
      maker.line("way/3", [(20, 0), (30, 0)], flight)
      maker.line("way/4", [(30, 0), (60, 0)], ["highway": "footway"])
      try expect(
        maker.guide, .walk, from: TestCampus.end(-30, 0), to: TestCampus.end(60, 0),
        ["Go east", text, "Arrive at your destination"])
    }
  }

  @Test("Escalators and indoor steps name their target floors")
  func escalators() throws {
    let tower = TestTower()
    let start = RouteEnd.position(
      try #require(Position(latitude: 50.00035932, longitude: 8.0002795)), level: 0)
    try expect(
      tower.guide, .walk, from: start, to: tower.room,
      [
        "Go east and take the escalator up to floor 1", "Take the steps up to floor 2 (17 steps)",
        "Turn left into the room", "Arrive at room 2.07",
      ])
  }

  @Test("A start at an elevator is on the requested floor")
  func atElevator() throws {
    let tower = TestTower()
    let hall = try TestCampus.end(0, 40, level: 2)
    try expect(
      tower.guide, .stepFree, from: hall, to: tower.room,
      ["Go east", "Turn left into the room", "Arrive at room 2.07"])
    let back = try tower.guide.directions(.stepFree).route(from: tower.room, to: hall)
    #expect((back.meters - 60).magnitude < 0.5 && back.points.last?.level == 2)
  }

  @Test("Routes between all places are valid in each mode", arguments: TravelMode.allCases)
  func sound(mode: TravelMode) throws {
    let directions = campus.guide.directions(mode)
    for start in campus.guide.places {
      for goal in campus.guide.places {
        let route = try directions.route(from: .place(start), to: .place(goal))
        Self.expectValid(route)
        #expect(try directions.route(from: .place(start), to: .place(goal)) == route)
        if mode == .stepFree { #expect(!route.segments.contains { $0.kind == .steps }) }
        guard mode != .drive else { continue }
        let back = try directions.route(from: .place(goal), to: .place(start))
        #expect((back.meters - route.meters).magnitude < 1e-9 * max(1, route.meters))
      }
    }
  }

  private func expectFromOrigin(
    _ maker: MapMaker, to x: Double, _ y: Double, _ texts: [String],
    _ location: SourceLocation = #_sourceLocation
  ) throws {
    try expect(
      maker.guide, .walk, from: TestCampus.end(0, 0), to: TestCampus.end(x, y),
      texts + ["Arrive at your destination"], location)
  }

  private static let walk = ["highway": "footway"]
  private static let across = ["highway": "footway", "footway": "crossing"]
  private static let row = ["highway": "residential", "name": "Row"]

  @Test("Announces both turns if a crossing leads to the other side than the path behind it")
  func halfCrossing() throws {
    var maker = MapMaker()
    maker.line("way/1", [(0, 0), (60, 0), (65, 60)], Self.row)
    maker.line("way/2", [(60, 0), (60, -9)], Self.across)
    maker.line("way/3", [(60, -9), (100, 14)], Self.walk)
    maker.line("way/4", [(60, -9), (60, -60)], Self.walk)
    try expectFromOrigin(
      maker, to: 100, 14,
      ["Go east on Row", "Turn right onto the crossing", "Turn left onto the path"])
  }

  @Test("A few meters of an aisle from a path lead to the street and not into the parking lot")
  func outOfLot() throws {
    for (end, texts) in [
      ((150.0, 10.0), ["Turn left toward Row", "Turn right onto Row"]),
      ((60, -50), ["Turn right into the parking lot"]),
    ] {
      var maker = MapMaker()
      maker.line("way/1", [(0, 0), (60, 0)], Self.walk)
      maker.line(
        "way/2", [(60, -60), (60, 0), (60, 10)],
        ["highway": "service", "service": "parking_aisle"])
      maker.line("way/3", [(-40, 10), (60, 10), (200, 10)], Self.row)
      try expectFromOrigin(maker, to: end.0, end.1, ["Go east"] + texts)
    }
  }

  @Test("Names the side of a crossing behind a bend if the path goes on")
  func crossingBehindBend() throws {
    for goesOn in [true, false] {
      var maker = MapMaker()
      let bend = [(-42.4, 0.2), (-44.8, 1.4), (-53.9, 9.2), (-55.2, 11.3), (-55.4, 13.3)]
      maker.line("way/1", [(0, 0)] + bend + [(-54.6, 15.3)], Self.walk)
      maker.line("way/2", [(-54.6, 15.3), (-56.8, 17.4), (-60, 20.4)], Self.across)
      maker.line("way/3", [(-60, 20.4), (-108, 66.4)], Self.walk)
      maker.line("way/4", [(-106.5, -29.6), (-56.8, 17.4), (-22, 52)], Self.row)
      if goesOn { maker.line("way/5", [(-54.6, 15.3), (-18, 51.4)], Self.walk) }
      let side = goesOn ? " at the crossing a few meters to the right" : ""
      try expectFromOrigin(
        maker, to: -108, 66.4, ["Go west", "Cross Row\(side) and continue on the path"])
    }
  }

  @Test("Measures a turn a few meters behind another one from between them")
  func turnBehindTurn() throws {
    let street = ["highway": "residential"]
    var maker = MapMaker()
    maker.line("way/1", [(0, 0), (-42, -11.8), (-51, -12.5), (-100, -8)], street)
    maker.line("way/2", [(-10, -35), (-51, -12.5), (-50.6, -8.4), (-47, 60)], street)
    maker.line("way/3", [(-45, -8), (-50.6, -8.4), (-54.3, -8.6)], Self.across)
    maker.line("way/4", [(-54.3, -8.6), (-60.2, -8), (-120, -2)], Self.walk)
    maker.line("way/5", [(-60.2, -8), (-60, 5), (-58, 65)], Self.walk)
    try expectFromOrigin(
      maker, to: -58, 65,
      [
        "Go west", "Cross the street at the crossing a few meters to the right",
        "Turn right onto the path",
      ])
  }
}

/// A tower for tests, with an elevator, steps and an escalator. Its door is 20 m north of the start of a path.
///
/// ```
/// floor 2:           60 . room          y = 40: corridor, from the elevator (x = 0) to the east
/// floor 1:  escalator from x = 20 to x = 30, floor 0 to 1, on to floor 2 by steps
/// floor 0:  door (0, 20), corridor to (0, 40) and (20, 40)
/// ```
struct TestTower {
  let guide: Guide

  init() {
    var vertices: [PathGraph.Vertex] = []
    var edges: [PathGraph.Edge] = []
    func vertex(_ x: Double, _ y: Double, _ level: Double?) -> Int {
      let (latitude, longitude) = MapMaker.place(x, y)
      guard let point = MapPoint(latitude: latitude, longitude: longitude) else {
        preconditionFailure("invalid coordinates of a test graph")
      }
      vertices.append(PathGraph.Vertex(point: point, level: level, blocked: []))
      return vertices.count - 1
    }
    let kinds: [WayKind] = [.path, .corridor, .elevator, .escalator, .steps, .room]
    let ways = kinds.map { kind in
      var way = PathGraph.Way(id: "way/\(kind)", kind: kind)
      way.isIndoor = kind != .path
      way.stepCount = kind == .steps ? 17 : 0
      return way
    }
    func edge(_ from: Int, _ to: Int, _ kind: WayKind) {
      edges.append(
        PathGraph.Edge(
          from: from, to: to, way: kinds.firstIndex(of: kind) ?? 0,
          access: kind == .steps || kind == .escalator ? .walk : .onFoot))
    }
    let door = vertex(0, 20, nil)
    edge(vertex(0, 0, nil), door, .path)
    let hall = vertex(0, 40, 0)
    edge(door, vertex(0, 20, 0), .corridor)
    edge(vertices.count - 1, hall, .corridor)
    let lift = vertex(0, 40, 2)
    edge(hall, lift, .elevator)
    let corner = vertex(40, 40, 2)
    edge(lift, corner, .corridor)
    edge(corner, vertex(40, 60, 2), .room)
    let foot = vertex(20, 40, 0)
    edge(hall, foot, .corridor)
    let landing = vertex(30, 40, 1)
    edge(foot, landing, .escalator)
    edge(landing, corner, .steps)
    let ring = [(-10.0, 20.0), (70, 20), (70, 80), (-10, 80), (0, 20)].compactMap { x, y in
      let (latitude, longitude) = MapMaker.place(x, y)
      return MapPoint(latitude: latitude, longitude: longitude)
    }
    let room = Place(
      id: "way/9@2", kind: .room, ref: "2.07", position: MapMaker.point(40, 60, level: 2),
      building: "way/1", doors: [Place.Door(RoutePoint(vertices[6].point, level: 2))])
    guide = Guide(
      name: "Tower", attribution: nil, timeZone: nil, places: [room],
      graph: PathGraph(vertices: vertices, edges: edges, ways: ways),
      ground: [GroundArea(.building, id: "way/1", name: "The Tower", rings: [ring])])
  }

  var room: RouteEnd { .place(guide.places[0]) }
}
