import CupolaCampus
import Testing

@testable import CupolaGuide
@testable import CupolaGuideBuilder

@Suite("Directions") struct DirectionsTests {
  let campus = TestCampus()

  @Test("A route on part of an edge has that part's length and time")
  func partOfEdge() throws {
    let route = try campus.guide.directions().route(
      from: TestCampus.end(100, 30), to: TestCampus.end(100, 80))
    #expect(route.points.count == 2 && route.segments.map(\.name) == ["Library Walk"])
    // 50 m in the plane; the length on the ellipsoid differs by at most 0.1%.
    #expect((route.meters - 50).magnitude < 0.1)
    #expect((route.seconds - route.meters / (5 / 3.6)).magnitude < 1e-9)
    #expect(route.metersBeyond < 0.02)
  }

  @Test("The shortest route minimizes meters and reports its time")
  func shortest() throws {
    let ends = (
      RouteEnd.place(try campus.place("Café Uno")), RouteEnd.place(try campus.place("Library"))
    )
    let fast = try campus.guide.directions(.walk).route(from: ends.0, to: ends.1)
    let short = try campus.guide.directions(.walk, shortest: true).route(from: ends.0, to: ends.1)
    #expect(short.meters <= fast.meters + 1e-9 && short.seconds >= fast.seconds - 1e-9)
    let walked = short.segments.filter { $0.kind != .steps }.reduce(0) { $0 + $1.meters }
    let climbed = short.segments.filter { $0.kind == .steps }.reduce(0) { $0 + $1.meters }
    #expect(climbed > 9)
    #expect((short.seconds - walked / (5 / 3.6) - climbed / 0.6).magnitude < 1e-6)
  }

  @Test("Returns the nearest of several destinations")
  func nearest() throws {
    let names = ["Library", "Café Uno", "Science Hall"]
    let goals = try names.map { RouteEnd.place(try campus.place($0)) }
    let directions = campus.guide.directions()
    for start in [(100.0, -60.0), (100, 140), (0, 150), (400, 0)] {
      let end = try TestCampus.end(start.0, start.1)
      let (number, route) = try directions.nearest(of: goals, from: end)
      let all = try goals.map { goal in
        let route = try directions.route(from: end, to: goal)
        return route.seconds + route.metersBeyond / (5 / 3.6)
      }
      #expect(all.indices.min { all[$0] < all[$1] } == number)
      #expect(try directions.route(from: end, to: goals[number]) == route)
    }
  }

  @Test("Throws nothingNear with the place far from all ways")
  func nothingNear() throws {
    let far = try TestCampus.end(30_000, 0)
    let library = RouteEnd.place(try campus.place("Library"))
    for (start, goal) in [(far, library), (library, far)] {
      let error = #expect(throws: GuideError.self) {
        try campus.guide.directions().route(from: start, to: goal)
      }
      guard case .nothingNear(let name) = try #require(error) else {
        Issue.record("\(String(describing: error))")
        continue
      }
      #expect(name.hasPrefix("50"))
    }
    #expect(throws: GuideError.nothingNear("the destination")) {
      try campus.guide.directions().nearest(of: [], from: library)
    }
  }

  @Test("Throws if a one-way street has no way back")
  func noWay() throws {
    var maker = MapMaker()
    maker.line("way/1", [(0, 0), (500, 0)], ["highway": "residential", "oneway": "yes"])
    let directions = maker.guide.directions(.drive)
    let ends = (try TestCampus.end(100, 0), try TestCampus.end(400, 0))
    #expect((try directions.route(from: ends.0, to: ends.1).meters - 300).magnitude < 1)
    #expect(throws: GuideError.self) { try directions.route(from: ends.1, to: ends.0) }
    #expect(
      (try maker.guide.directions(.walk).route(from: ends.1, to: ends.0).meters - 300).magnitude < 1
    )
  }

  @Test("Starts on a street that cannot be reentered")
  func streetWithoutReturn() throws {
    var maker = MapMaker()
    maker.line("way/1", [(0, 0), (300, 0)], ["highway": "residential", "oneway": "yes"])
    maker.line("way/2", [(300, 0), (300, 60), (0, 60)], ["highway": "residential"])
    let directions = maker.guide.directions(.drive, shortest: true)
    let route = try directions.route(from: TestCampus.end(100, 0), to: TestCampus.end(150, 60))
    #expect((route.meters - 410).magnitude < 1)
    let back = try directions.route(from: TestCampus.end(150, 60), to: TestCampus.end(100, 0))
    #expect((back.meters - 50).magnitude < 1 && (back.metersBeyond - 60).magnitude < 1)
  }

  @Test("An empty guide has no routes")
  func empty() throws {
    let guide = GuideBuilder(GuideMap()).guide
    #expect(guide.places.isEmpty)
    for mode in TravelMode.allCases {
      let here = try TestCampus.end(0, 0)
      #expect(throws: GuideError.self) { try guide.directions(mode).route(from: here, to: here) }
    }
  }

  @Test("A route starts on the requested floor near elevators and steps")
  func floorOfTheStart() throws {
    let tower = TestTower()
    for mode in [TravelMode.walk, .stepFree] {
      let route = try tower.guide.directions(mode).route(
        from: TestCampus.end(-5, 40, level: 2), to: tower.room)
      #expect(route.points.allSatisfy { $0.level == 2 })
    }
    var maker = MapMaker()
    maker.line("way/1", [(-20, 0), (0, 0)], ["highway": "corridor", "level": "0"])
    maker.line("way/2", [(0, 0), (20, 0)], ["highway": "steps", "level": "0;1", "incline": "up"])
    maker.line("way/3", [(20, 0), (20, 10), (0, 10)], ["highway": "corridor", "level": "1"])
    let directions = maker.guide.directions()
    let ends = try (TestCampus.end(2, 3, level: 1), TestCampus.end(20, 5, level: 1))
    for (start, goal) in [(ends.0, ends.1), (ends.1, ends.0)] {
      let route = try directions.route(from: start, to: goal)
      #expect(route.points.allSatisfy { $0.level == 1 })
    }
  }

  @Test("Throws for unknown and invalid floors")
  func floors() throws {
    let position = try #require(Position(latitude: 50, longitude: 8))
    for level in [7, .nan, .infinity] as [Double] {
      let start = RouteEnd.position(position, level: level)
      #expect(throws: GuideError.self) {
        try campus.guide.directions().route(from: start, to: TestCampus.end(100, 50))
      }
    }
  }

  @Test("Steps without an incline lead up to a bridge and down to a tunnel")
  func stepsToLayers() throws {
    for (tags, direction) in [
      (["bridge": "yes", "layer": "1"], " up"),
      (["tunnel": "yes", "layer": "-1"], " down, through the tunnel"),
      (["layer": "1"], ""), ([:], ""),
    ] {
      var maker = MapMaker()
      maker.line("way/1", [(0, 0), (50, 0)], ["highway": "footway"])
      maker.line("way/2", [(50, 0), (60, 0)], ["highway": "steps"])
      maker.line("way/3", [(60, 0), (100, 0)], ["highway": "footway"].merging(tags) { $1 })
      try expect(maker, to: (100, 0), ["Go east", "Take the steps\(direction)"])
    }
  }

  @Test("Names the side of steps next to a path that leads straight on")
  func stepsAside() throws {
    for (length, text) in [(20.0, "Bear right and take the steps"), (0, "Take the steps")] {
      var maker = MapMaker()
      maker.line("way/1", [(0, 0), (50, 0)], ["highway": "footway"])
      maker.line("way/2", [(50, 0), (62, -9)], ["highway": "steps"])
      maker.line("way/3", [(62, -9), (102, -39)], ["highway": "footway"])
      if length > 0 { maker.line("way/4", [(50, 0), (50 + length, 0)], ["highway": "footway"]) }
      try expect(maker, to: (102, -39), ["Go east", text])
    }
  }

  @Test("A turn behind a bend is announced although both cancel each other out")
  func turnBehindBend() throws {
    var maker = MapMaker()
    let walk = ["highway": "footway"]
    maker.line("way/1", [(0, 0), (60, 0), (60, -5)], walk)
    maker.line("way/2", [(0, -20), (54, -5), (60, -5), (120, -5)], walk)
    try expect(
      maker, to: (120, -5), ["Go east", "Follow the path to the right", "Turn left onto the path"])
  }

  @Test("Walkers use the sidewalk next to a roadway, and start and end on it")
  func sidewalks() throws {
    var maker = MapMaker()
    let row = ["highway": "residential", "name": "Row"]
    let crossing = ["highway": "footway", "footway": "crossing"]
    maker.line("way/1", [(-60, 0), (0, 0), (200, 0), (260, 0)], row)
    maker.line(
      "way/2", [(-60, 8), (0, 8), (200, 8), (260, 8)],
      ["highway": "footway", "footway": "sidewalk"])
    for x in [0.0, 200] {
      maker.line("way/\(10 + x)", [(x, -30), (x, -4)], ["highway": "footway"])
      maker.line("way/\(20 + x)", [(x, -4), (x, 0), (x, 8)], crossing)
    }
    let guide = maker.guide
    func meters(
      _ start: (Double, Double), _ goal: (Double, Double), shortest: Bool = false
    ) throws -> (side: Double, total: Double) {
      let route = try guide.directions(.walk, shortest: shortest).route(
        from: TestCampus.end(start.0, start.1), to: TestCampus.end(goal.0, goal.1))
      let beside = route.segments.filter { $0.kind == .path && $0.name == "Row" }
      return (beside.reduce(0) { $0 + $1.meters }, route.meters)
    }
    #expect(try abs(meters((0, -30), (200, -30)).side - 200) < 1)
    #expect(try meters((0, -30), (200, -30), shortest: true).side == 0)
    // Positions on the roadway.
    #expect(try abs(meters((-50, 1), (250, 0)).side - 300) < 1)
    #expect(try abs(meters((-50, 1), (250, 0)).total - 300) < 1)
  }
}

@Suite("Routes from door to door") struct RouteDoorToDoorTests {
  @Test("Counts the stretches before and after the ways at walking pace")
  func ends() throws {
    var maker = MapMaker()
    maker.line("way/1", [(0, 0), (100, 0)], ["highway": "footway"])
    let guide = maker.guide
    // The route uses the path (20 m + 100 m + 50 m), although the second pair is closer in a straight line.
    for (start, goal, meters) in [((0.0, 20.0), (100.0, 50.0), 170.0), ((0, 60), (10, 60), 10)] {
      let ends = try (TestCampus.end(start.0, start.1), TestCampus.end(goal.0, goal.1))
      for (mode, pace) in [(TravelMode.walk, 5 / 3.6), (.stepFree, 4 / 3.6)] {
        let found = try guide.directions(mode).route(from: ends.0, to: ends.1)
          .fromDoorToDoor(ends.0, ends.1)
        #expect((found.meters - meters).magnitude < 0.5)
        #expect((found.seconds - found.meters / pace).magnitude < 1e-6)
      }
    }
  }

  @Test("Measures a point above the start along the route up")
  func floors() throws {
    let guide = TestTower().guide
    let ends = try (TestCampus.end(20, 40, level: 0), TestCampus.end(20, 40, level: 2))
    for mode in [TravelMode.walk, .stepFree] {
      let route = try guide.directions(mode).route(from: ends.0, to: ends.1)
      let found = route.fromDoorToDoor(ends.0, ends.1)
      #expect((found.meters - 40).magnitude < 0.5 && found.seconds > 45)
      #expect((found.seconds - route.seconds).magnitude < 0.1)
    }
  }

  @Test("Measures a place inside a building through its door")
  func behindWalls() throws {
    var maker = MapMaker()
    let ring = [(0.0, 0.0), (40, 0), (40, 20), (20, 20), (0, 20)]
    maker.area("way/1", ring, ["building": "yes", "name": "Hall"])
    maker.node("node/1", (20, 20), ["entrance": "main"])
    maker.line("way/2", [(20, 20), (20, 60), (-60, 60), (-60, -15)], ["highway": "footway"])
    maker.node("node/2", (5, 5), ["amenity": "cafe", "name": "Uno"])
    let guide = maker.guide
    let start = try TestCampus.end(-20, -15)
    let cafe = RouteEnd.place(try #require(guide.place("node/2")))
    // The cafe is 32 m away in a straight line, and the path is 40 m from its door.
    let found = try guide.directions().route(from: start, to: cafe).fromDoorToDoor(start, cafe)
    #expect((found.meters - 235).magnitude < 1)
  }
}

/// A path, Long Walk, runs from west to east. To its north is a hall whose front door is at the top of 6 m of steps; to
/// its south is a shed that no path reaches.
@Suite("Ends of step-free routes") struct StepFreeEndTests {
  private static func map(backDoor: Bool = false) -> MapMaker {
    var maker = MapMaker()
    maker.line(
      "way/1", [(0, 0), (50, 0), (100, 0)], ["highway": "footway", "name": "Long Walk"])
    maker.line("way/2", [(50, 0), (50, 6)], ["highway": "steps", "incline": "up"])
    maker.area(
      "way/3", [(30, 6), (50, 6), (70, 6), (70, 20), (50, 20), (30, 20)],
      ["building": "yes", "name": "Hall"])
    maker.node("node/1", (50, 6), ["entrance": "main"])
    maker.building("way/4", "Shed", x: 20...40, y: -30 ... -7)
    if backDoor {
      maker.node("node/2", (50, 20), ["entrance": "yes"])
      maker.line("way/5", [(100, 0), (100, 40), (50, 40), (50, 20)], ["highway": "footway"])
    }
    return maker
  }

  private func end(_ name: String, of guide: Guide) throws -> RouteEnd {
    .place(try #require(guide.places.first { $0.name == name }))
  }

  @Test("Reports the meters of steps to a door without a step-free way")
  func stepsToTheDoor() throws {
    let guide = Self.map().guide
    let (start, hall) = (try TestCampus.end(0, 0), try end("Hall", of: guide))
    let there = try guide.directions(.stepFree).route(from: start, to: hall)
    #expect((there.metersNotStepFreeBeyond - 6).magnitude < 0.1)
    #expect(there.metersNotStepFreeBefore == 0)
    #expect(
      there.maneuvers.last?.text
        == "Arrive: Hall is 6 m to your left; no step-free route is known for the last 6 m")
    let back = try guide.directions(.stepFree).route(from: hall, to: start)
    #expect((back.metersNotStepFreeBefore - 6).magnitude < 0.1)
    #expect(back.metersNotStepFreeBeyond == 0)
    #expect(
      back.maneuvers.first?.text
        == "From Hall, go 6 m south to Long Walk, then west; "
        + "no step-free route is known for the first 6 m")
    let walk = try guide.directions(.walk).route(from: start, to: hall)
    #expect(walk.metersNotStepFreeBeyond == 0 && walk.maneuvers.last?.text == "Arrive at Hall")
  }

  @Test("A short flat stretch after steps still counts as not step-free")
  func landing() throws {
    var maker = Self.map()
    maker.building("way/6", "Tower", x: 140...160, y: 10...30)
    maker.line("way/7", [(100, 0), (150, 0)], ["highway": "footway"])
    maker.line("way/8", [(150, 0), (150, 4)], ["highway": "steps"])
    maker.line("way/9", [(150, 4), (150, 9.9)], ["highway": "footway"])
    let guide = maker.guide
    let route = try guide.directions(.stepFree).route(
      from: TestCampus.end(0, 0), to: end("Tower", of: guide))
    #expect((route.metersNotStepFreeBeyond - 10).magnitude < 0.2)
  }

  @Test("Uses a farther door that is reached without steps")
  func otherDoor() throws {
    let guide = Self.map(backDoor: true).guide
    let (start, hall) = (try TestCampus.end(0, 0), try end("Hall", of: guide))
    let route = try guide.directions(.stepFree).route(from: start, to: hall)
    #expect((route.meters - 210).magnitude < 1 && route.metersBeyond < 0.1)
    #expect(route.metersNotStepFreeBeyond == 0)
    #expect(try guide.directions(.walk).route(from: start, to: hall).meters < 60)
  }

  /// Returns a hall with a step at its front door; `y` determines the length of the path to its back door.
  private static func mapWithStep(backDoor: Bool, round y: Double = 40) -> MapMaker {
    var maker = MapMaker()
    let walk = ["highway": "footway"]
    maker.line("way/1", [(0, 0), (50, 0), (100, 0)], walk)
    maker.line("way/2", [(50, 0), (50, 6)], walk)
    maker.area(
      "way/3", [(30, 6), (50, 6), (70, 6), (70, 20), (50, 20), (30, 20)],
      ["building": "yes", "name": "Hall"])
    maker.node("node/1", (50, 6), ["entrance": "main", "wheelchair": "no"])
    if backDoor {
      maker.node("node/2", (50, 20), ["entrance": "yes"])
      maker.line("way/5", [(100, 0), (100, y), (50, y), (50, 20)], walk)
    }
    return maker
  }

  @Test("Uses a door with a step only if no other exists, and reports it")
  func stepAtTheDoor() throws {
    let guide = Self.mapWithStep(backDoor: false).guide
    let (start, hall) = (try TestCampus.end(0, 0), try end("Hall", of: guide))
    let there = try guide.directions(.stepFree).route(from: start, to: hall)
    #expect((there.meters - 56).magnitude < 0.5 && there.metersBeyond < 0.1)
    #expect(there.metersNotStepFreeBeyond == 1 && there.metersNotStepFreeBefore == 0)
    #expect(
      there.maneuvers.last?.text == "Arrive at Hall; no step-free route is known for the last 1 m")
    let back = try guide.directions(.stepFree).route(from: hall, to: start)
    #expect(back.metersNotStepFreeBefore == 1 && back.metersNotStepFreeBeyond == 0)
    let walk = try guide.directions(.walk).route(from: start, to: hall)
    #expect(walk.metersNotStepFreeBeyond == 0 && walk.maneuvers.last?.text == "Arrive at Hall")
    let before = try guide.directions(.stepFree).route(from: start, to: TestCampus.end(50, 6))
    #expect(before.metersNotStepFreeBeyond == 0)

    let other = Self.mapWithStep(backDoor: true).guide
    let round = try other.directions(.stepFree).route(from: start, to: end("Hall", of: other))
    #expect((round.meters - 210).magnitude < 1 && round.metersNotStepFreeBeyond == 0)
  }

  @Test("Prefers a step-free door that is at most 2 km farther")
  func farDoor() throws {
    // The front door is 56 m away; the back door is 1990 m or 2110 m away, depending on `y`.
    for (y, meters) in [(930.0, 1990.0), (990, 56)] {
      let guide = Self.mapWithStep(backDoor: true, round: y).guide
      let route = try guide.directions(.stepFree).route(
        from: TestCampus.end(0, 0), to: end("Hall", of: guide))
      #expect((route.meters - meters).magnitude < 10)
      #expect(route.metersNotStepFreeBeyond == (meters == 56 ? 1 : 0))
    }
  }

  @Test("Does not mention steps if no way leads nearer")
  func noWayAtAll() throws {
    let guide = Self.map().guide
    let (start, shed) = (try TestCampus.end(0, 0), try end("Shed", of: guide))
    for mode in [TravelMode.walk, .stepFree] {
      let there = try guide.directions(mode).route(from: start, to: shed)
      #expect(there.maneuvers.last?.text == "Arrive: Shed is 7 m to your right")
      let back = try guide.directions(mode).route(from: shed, to: start)
      #expect(back.maneuvers.first?.text == "From Shed, go west on Long Walk")
      for route in [there, back] {
        #expect(route.metersNotStepFreeBefore == 0 && route.metersNotStepFreeBeyond == 0)
      }
    }
  }

  @Test("Reports steps at a destination but not at the start position")
  func positions() throws {
    let guide = Self.map().guide
    let (beside, away) = (try TestCampus.end(51, 5), try TestCampus.end(0, 0))
    let directions = guide.directions(.stepFree)
    let back = try directions.route(from: beside, to: away)
    #expect(back.metersNotStepFreeBefore == 0)
    #expect(back.maneuvers.first?.text == "Go west on Long Walk")
    let there = try directions.route(from: away, to: beside)
    #expect((there.metersNotStepFreeBeyond - 5).magnitude < 0.1)
  }

  @Test("Totals include straight lines of 20 m or more off the mapped paths")
  func totals() throws {
    var maker = MapMaker()
    maker.line("way/1", [(0, 0), (100, 0)], ["highway": "residential"])
    for (aside, total) in [(10.0, 100.0), (60, 160)] {
      let route = try maker.guide.directions(.drive).route(
        from: TestCampus.end(0, 0), to: TestCampus.end(100, aside))
      #expect((route.meters - 100).magnitude < 0.5 && (route.totalMeters - total).magnitude < 0.5)
      #expect((route.totalSeconds - route.seconds - (total - 100) * 3.6 / 5).magnitude < 0.5)
    }
  }

  @Test("Distances from and to parks are measured to their outlines")
  func outlines() throws {
    var maker = MapMaker()
    maker.line("way/1", [(0, 0), (300, 0)], ["highway": "footway"])
    for (number, x) in [0.0, 220].enumerated() {
      maker.area(
        "way/\(number + 2)", [(x, 30), (x + 80, 30), (x + 80, 130), (x, 130)],
        ["leisure": "park", "name": "Park \(number + 1)"])
    }
    let guide = maker.guide
    let ends = try ["Park 1", "Park 2"].map { name in
      RouteEnd.place(try #require(guide.places.first { $0.name == name }))
    }
    let route = try guide.directions(.walk).route(from: ends[0], to: ends[1])
    #expect(route.maneuvers.first?.text == "From Park 1, go 30 m south to the path, then east")
    #expect(route.maneuvers.last?.text == "Arrive: Park 2 is 30 m to your left")
    #expect((route.metersBeyond - 30).magnitude < 0.5)
    #expect((route.totalMeters - route.meters - 60).magnitude < 0.5)
  }
}
