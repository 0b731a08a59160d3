import Testing

@testable import CupolaGuide

@Suite("Maneuver plans") struct ManeuverPlanTests {
  /// Returns the instructions between two x positions; steps run from x = 20 to 40.
  private func sentences(
    _ tags: [String: String], from start: Double, to goal: Double
  ) throws -> [String] {
    var maker = MapMaker()
    maker.line("way/1", [(0, 0), (20, 0)], ["highway": "footway"])
    maker.line("way/2", [(20, 0), (30, 0), (40, 0)], tags.merging(["highway": "steps"]) { $1 })
    maker.line("way/3", [(40, 0), (60, 0)], ["highway": "footway"])
    let route = try maker.guide.directions().route(
      from: TestCampus.end(start, 0), to: TestCampus.end(goal, 0))
    RouteTextTests.expectValid(route)
    return route.maneuvers.map(\.text)
  }

  @Test("Steps without an incline have no direction")
  func unknownIncline() throws {
    let counted = ["step_count": "12"]
    for (start, goal) in [(0.0, 60.0), (60, 0)] {
      #expect(try sentences([:], from: start, to: goal).dropFirst().first == "Take the steps")
      #expect(
        try sentences(counted, from: start, to: goal).dropFirst().first
          == "Take the steps (12 steps)")
      #expect(
        try sentences(["conveying": "yes"], from: start, to: goal).dropFirst().first
          == "Take the escalator")
    }
  }

  @Test("A route that starts and ends on the same steps has the right direction")
  func sameSteps() throws {
    for (incline, first, second) in [("up", "up", "down"), ("down", "down", "up")] {
      let tags = ["incline": incline]
      let (begin, other) = (
        "Go east and take the steps \(first)", "Go west and take the steps \(second)"
      )
      #expect(try sentences(tags, from: 22, to: 28).first == begin)
      #expect(try sentences(tags, from: 28, to: 22).first == other)
      #expect(try sentences(tags, from: 22, to: 38).first == begin)
      #expect(try sentences(tags, from: 38, to: 22).first == other)
      #expect(try sentences(tags, from: 0, to: 60).contains("Take the steps \(first)"))
      #expect(try sentences(tags, from: 60, to: 0).contains("Take the steps \(second)"))
    }
  }

  @Test("Announces stairs of several pieces once with the target floor")
  func floors() throws {
    var maker = MapMaker()
    maker.line("way/1", [(0, 0), (20, 0)], ["highway": "corridor", "level": "0"])
    maker.line(
      "way/2", [(20, 0), (20, 10), (20, 20), (20, 30)], ["highway": "steps", "level": "0;1"])
    maker.line("way/3", [(0, 30), (20, 30)], ["highway": "corridor", "level": "1"])
    let directions = maker.guide.directions()
    let ends = try (TestCampus.end(0, 0, level: 0), TestCampus.end(0, 30, level: 1))
    let up = try directions.route(from: ends.0, to: ends.1).maneuvers.map(\.text)
    #expect(up.filter { $0.contains("steps") } == ["Turn left and take the steps up to floor 1"])
    let down = try directions.route(from: ends.1, to: ends.0).maneuvers.map(\.text)
    #expect(
      down.filter { $0.contains("steps") } == ["Turn right and take the steps down to floor 0"])
  }

  @Test("Announces stairs up and down again separately")
  func upAndDown() throws {
    var maker = MapMaker()
    maker.line("way/1", [(0, 0), (20, 0)], ["highway": "corridor", "level": "0"])
    for (id, x, incline) in [("way/2", 20.0, "up"), ("way/3", 30, "down")] {
      maker.line(
        id, [(x, 0), (x + 10, 0)], ["highway": "steps", "level": "0;1", "incline": incline])
    }
    maker.line("way/4", [(40, 0), (60, 0)], ["highway": "corridor", "level": "0"])
    let route = try maker.guide.directions().route(
      from: TestCampus.end(0, 0, level: 0), to: TestCampus.end(60, 0, level: 0))
    #expect(
      route.maneuvers.map(\.text).filter { $0.contains("steps") }
        == ["Take the steps up to floor 1", "Take the steps down to floor 0"])
  }

  @Test("Announces each turn at a crossing once")
  func crossings() throws {
    var maker = MapMaker()
    let crossing = ["highway": "footway", "footway": "crossing"]
    maker.line("way/1", [(0, -50), (0, 0)], ["highway": "footway", "name": "South Path"])
    maker.line("way/2", [(0, 0), (0, 5), (0, 10)], crossing)
    maker.line("way/3", [(0, 10), (0, 15)], ["highway": "footway"])
    maker.line("way/4", [(0, 15), (0, 20), (0, 25)], crossing)
    maker.line("way/5", [(0, 25), (40, 25)], ["highway": "footway", "name": "North Path"])
    for (id, name, y) in [("way/6", "Street One", 5.0), ("way/7", "Street Two", 20)] {
      maker.line(id, [(-100, y), (0, y), (100, y)], ["highway": "primary", "name": name])
    }
    let across = try maker.guide.directions().route(
      from: TestCampus.end(40, 25), to: TestCampus.end(0, -50))
    RouteTextTests.expectValid(across)
    #expect(
      across.maneuvers.map(\.text) == [
        "Go west on North Path", "Turn left and cross Street Two", "Cross Street One",
        "Continue onto South Path", "Arrive at your destination",
      ])

    var row = MapMaker()
    row.line("way/1", [(-60, 0), (-4, 0)], ["highway": "footway"])
    row.line("way/2", [(-4, 0), (0, 0)], crossing)
    row.line("way/3", [(0, -50), (0, 0), (0, 50)], ["highway": "residential", "name": "Row"])
    let along = try row.guide.directions().route(
      from: TestCampus.end(-60, 0), to: TestCampus.end(0, 50))
    #expect(
      along.maneuvers.map(\.text) == [
        "Go east", "Turn left onto Row", "Arrive at your destination",
      ])
  }

  @Test(
    "Does not announce the turn after the second of two crossings, which are one of one street",
    arguments: [("Street Two", ["Cross Street Two"]), ("Street One", [])])
  func island(second: String, texts: [String]) throws {
    var maker = MapMaker()
    let (walk, crossing) = (["highway": "footway"], ["highway": "footway", "footway": "crossing"])
    maker.line("way/1", [(0, 40), (0, 0)], walk)
    maker.line("way/2", [(0, 0), (-4, 0), (-7, 0)], crossing)
    maker.line("way/3", [(-7, 0), (-8, 0)], walk)
    maker.line("way/4", [(-8, 0), (-10, 0), (-13, 0)], crossing)
    maker.line("way/5", [(-13, 0), (-13, -40)], ["highway": "footway", "name": "South Path"])
    maker.line("way/6", [(-7, 0), (-7, 30)], walk)
    for (id, name, x) in [("way/7", "Street One", -4.0), ("way/8", second, -10)] {
      maker.line(id, [(x, -60), (x, 0), (x, 60)], ["highway": "primary", "name": name])
    }
    let route = try maker.guide.directions().route(
      from: TestCampus.end(0, 40), to: TestCampus.end(-13, -40))
    #expect(
      route.maneuvers.map(\.text) == [
        "Go south", "Turn right and cross Street One",
      ] + texts + ["Turn left onto South Path", "Arrive at your destination"])
  }

  @Test("Merges two turns right after a crossing into one")
  func turnsBehindCrossing() throws {
    var maker = MapMaker()
    maker.line("way/1", [(0, 0), (50, 0)], ["highway": "footway", "name": "A"])
    maker.line(
      "way/2", [(50, 0), (50, 3), (50, 6)], ["highway": "footway", "footway": "crossing"])
    maker.line("way/3", [(0, 3), (50, 3), (90, 3)], ["highway": "residential", "name": "Road"])
    maker.line(
      "way/4", [(50, 6), (53, 12), (20, 20)], ["highway": "footway", "name": "Bend"])
    maker.line("way/5", [(50, 6), (40, 60)], ["highway": "footway"])
    maker.line("way/6", [(53, 12), (80, 30)], ["highway": "footway"])
    let route = try maker.guide.directions().route(
      from: TestCampus.end(0, 0), to: TestCampus.end(20, 20))
    #expect(
      route.maneuvers.map(\.text) == [
        "Go east on A", "Turn left and cross Road", "Turn left onto Bend",
        "Arrive at your destination",
      ])
  }

  @Test("Two turns before a crossing are announced with it")
  func turnsBeforeCrossing() throws {
    var maker = MapMaker()
    let walk = ["highway": "footway"]
    maker.line("way/1", [(0, 0), (50, 0)], walk)
    maker.line("way/2", [(50, 0), (50, 10)], walk)
    maker.line("way/3", [(50, 10), (52, 10)], walk)
    maker.line(
      "way/4", [(52, 10), (53.5, 10), (55, 10)], ["highway": "footway", "footway": "crossing"])
    maker.line("way/5", [(55, 10), (55, 60)], ["highway": "footway", "name": "North Path"])
    maker.line(
      "way/6", [(53.5, -60), (53.5, 10), (53.5, 60)], ["highway": "primary", "name": "Street"])
    maker.line("way/7", [(50, 0), (20, -30)], walk)
    maker.line("way/8", [(50, 10), (40, 60)], walk)
    let route = try maker.guide.directions().route(
      from: TestCampus.end(0, 0), to: TestCampus.end(55, 60))
    #expect(
      route.maneuvers.map(\.text) == [
        "Go east", "Cross Street at the crossing a few meters to the left",
        "Turn left onto North Path", "Arrive at your destination",
      ])
  }

  @Test("Announces a crossing at the start only before the street")
  func beginsOnCrossing() throws {
    var maker = MapMaker()
    maker.line("way/1", [(0, 0), (0, -40)], ["highway": "footway"])
    maker.line(
      "way/2", [(0, 0), (6, 0), (12, 0)], ["highway": "footway", "footway": "crossing"])
    maker.line("way/3", [(12, 0), (60, 0)], ["highway": "footway", "name": "East Path"])
    maker.line("way/4", [(6, -60), (6, 0), (6, 60)], ["highway": "primary", "name": "Street"])
    let directions = maker.guide.directions()
    for (x, isShown) in [(0.0, true), (2, true), (9, false)] {
      let route = try directions.route(from: TestCampus.end(x, 0), to: TestCampus.end(60, 0))
      RouteTextTests.expectValid(route)
      #expect(
        route.maneuvers.map(\.text) == [
          "Go east" + (isShown ? " and cross Street" : ""), "Continue onto East Path",
          "Arrive at your destination",
        ])
    }
  }

  @Test("Two left turns some meters apart are not a U-turn")
  func noUTurn() throws {
    for (meters, texts) in [
      (4.0, ["Go east", "Turn sharply left onto Back Path"]),
      (12, ["Go east", "Turn left onto the path", "Turn left onto Back Path"]),
    ] {
      var maker = MapMaker()
      let walk = ["highway": "footway"]
      maker.line("way/1", [(0, 0), (50, 0), (90, 0)], walk)
      maker.line("way/2", [(50, 0), (50, meters)], walk)
      maker.line(
        "way/3", [(50, meters), (0, meters)], ["highway": "footway", "name": "Back Path"])
      maker.line("way/4", [(50, meters), (50, 90)], walk)
      let route = try maker.guide.directions().route(
        from: TestCampus.end(0, 0), to: TestCampus.end(10, meters))
      #expect(route.maneuvers.map(\.text) == texts + ["Arrive at your destination"])
    }
  }

  @Test("A street that leads back is sharply to one side")
  func sharplyBack() throws {
    for (y, side) in [(-10.0, "right"), (10, "left")] {
      var maker = MapMaker()
      maker.line("way/1", [(0, 0), (100, 0), (160, 0)], ["highway": "residential"])
      maker.line("way/2", [(100, 0), (70, y)], ["highway": "residential", "name": "Back Road"])
      for mode in [TravelMode.walk, .drive] {
        let texts = try sentences(maker, mode, to: 72, 0.93 * y)
        #expect(texts[1] == "Turn sharply \(side) onto Back Road")
      }
    }
  }

  @Test("Announces sharp turns; a destination past the end is ahead")
  func sharp() throws {
    for (side, y) in [("left", 30.0), ("right", -30)] {
      var maker = MapMaker()
      let walk = ["highway": "footway"]
      maker.line("way/1", [(0, 0), (100, 0), (160, 0)], walk)
      maker.line(
        "way/2", [(100, 0), (50, y)], ["highway": "footway", "name": "Back Path"])
      let directions = maker.guide.directions()
      let start = try TestCampus.end(0, 0)
      let back = try directions.route(from: start, to: TestCampus.end(50, y))
      #expect(
        back.maneuvers.map(\.text) == [
          "Go east", "Turn sharply \(side) onto Back Path", "Arrive at your destination",
        ])
      let beyond = try directions.route(from: start, to: TestCampus.end(190, 0))
      #expect(
        beyond.maneuvers.map(\.text) == [
          "Go east", "Arrive: your destination is 30 m ahead",
        ])
    }
  }

  @Test("Two left turns some meters apart are not a sharp turn")
  func noSharpTurn() throws {
    for (meters, texts) in [
      (4.0, ["Go east", "Turn sharply left onto Back Path"]),
      (12, ["Go east", "Turn left onto the path", "Turn left onto Back Path"]),
    ] {
      var maker = MapMaker()
      let walk = ["highway": "footway"]
      let (x, y) = (50 + 0.342 * meters, 0.94 * meters)
      let end = (x - 76.6, y + 64.3)
      maker.line("way/1", [(0, 0), (50, 0), (90, 0)], walk)
      maker.line("way/2", [(50, 0), (x, y)], walk)
      maker.line("way/3", [(x, y), end], ["highway": "footway", "name": "Back Path"])
      maker.line("way/4", [(x, y), (x + 10, 90)], walk)
      let route = try maker.guide.directions().route(
        from: TestCampus.end(0, 0), to: TestCampus.end(end.0, end.1))
      #expect(route.maneuvers.map(\.text) == texts + ["Arrive at your destination"])
    }
  }

  @Test("Names the exit of a roundabout to drivers, and the direction to walkers")
  func roundabout() throws {
    var maker = MapMaker()
    let ring = [
      (0.0, -20.0), (14, -14), (20, 0), (14, 14), (0, 20), (-14, 14), (-20, 0), (-14, -14),
      (0, -20),
    ]
    maker.line("way/1", ring, ["highway": "residential", "junction": "roundabout"])
    for (id, name, x, y) in [
      ("way/2", "South Road", 0.0, -1.0), ("way/3", "East Road", 1, 0),
      ("way/4", "North Road", 0, 1),
      ("way/5", "West Road", -1, 0),
    ] {
      let tags = ["highway": "residential", "name": name]
      maker.line(id, [(100 * x, 100 * y), (20 * x, 20 * y)], tags)
    }
    // Driveways, and streets that only lead into the roundabout, are not exits.
    maker.line("way/6", [(14, -14), (60, -60)], ["highway": "service", "service": "driveway"])
    maker.line("way/7", [(60, 60), (14, 14)], ["highway": "residential", "oneway": "yes"])
    let guide = maker.guide
    func sentences(_ x: Double, _ y: Double, _ mode: TravelMode = .drive) throws -> [String] {
      try RouteTextTests.sentences(
        guide, mode, from: TestCampus.end(0, -100), to: TestCampus.end(x, y))
    }
    for (x, y, exit) in [
      (-100.0, 0.0, "third exit onto West Road"), (0, 100, "second exit onto North Road"),
      (100, 0, "first exit onto East Road"),
    ] {
      #expect(
        try sentences(x, y) == [
          "Go north on South Road", "At the roundabout, take the \(exit)",
          "Arrive at your destination",
        ])
    }
    for (mode, text, place) in [
      (TravelMode.drive, "Enter the roundabout and stay on it for 75 m", " on the roundabout"),
      (.walk, "Follow the roundabout to the left for 45 m", ""),
    ] {
      #expect(
        try sentences(-14, 14, mode) == [
          "Go north on South Road", text, "Arrive at your destination" + place,
        ])
    }
    #expect(try sentences(60, -60)[1] == "At the roundabout, turn sharply right onto the driveway")
    for (x, y, text) in [
      (-100.0, 0.0, "turn left onto West Road"), (0, 100, "go straight onto North Road"),
      (100, 0, "turn right onto East Road"),
    ] {
      #expect(
        try sentences(x, y, .walk) == [
          "Go north on South Road", "At the roundabout, \(text)", "Arrive at your destination",
        ])
    }
  }

  @Test("Measures a turn after short steps from the steps' direction")
  func turnsBehindSteps() throws {
    var maker = MapMaker()
    maker.line("way/1", [(0, 0), (50, 0), (90, 0)], ["highway": "footway", "name": "A"])
    maker.line("way/2", [(50, 0), (50, 4)], ["highway": "steps", "incline": "up"])
    maker.line("way/3", [(50, 4), (50, 60)], ["highway": "footway", "name": "B"])
    maker.line("way/4", [(50, 4), (90, 4)], ["highway": "footway", "name": "C"])
    let directions = maker.guide.directions()
    for (x, y, text) in [(50.0, 60.0, "Continue onto B"), (90, 4, "Turn right onto C")] {
      let route = try directions.route(from: TestCampus.end(0, 0), to: TestCampus.end(x, y))
      #expect(
        route.maneuvers.map(\.text) == [
          "Go east on A", "Turn left and take the steps up", text, "Arrive at your destination",
        ])
    }
  }

  private func sentences(
    _ maker: MapMaker, _ mode: TravelMode = .walk, to x: Double, _ y: Double
  ) throws -> [String] {
    try RouteTextTests.sentences(
      maker.guide, mode, from: TestCampus.end(0, 0), to: TestCampus.end(x, y))
  }

  @Test("Names the side at forks, where both branches lead ahead")
  func forks() throws {
    var paths = MapMaker()
    let walk = ["highway": "footway"]
    paths.line("way/1", [(0, 0), (100, 0)], walk)
    paths.line("way/2", [(100, 0), (200, 20)], walk)
    paths.line("way/3", [(100, 0), (200, -20)], walk)
    for (y, side) in [(20.0, "left"), (-20, "right")] {
      #expect(
        try sentences(paths, to: 200, y) == [
          "Go east", "Keep \(side)", "Arrive at your destination",
        ])
    }

    var streets = MapMaker()
    func street(_ name: String) -> [String: String] { ["highway": "residential", "name": name] }
    streets.line("way/1", [(0, 0), (100, 0)], street("Main Street"))
    streets.line("way/2", [(100, 0), (200, 20)], street("Main Street"))
    streets.line("way/3", [(100, 0), (200, -20)], street("Side Street"))
    for (y, text) in [
      (20.0, "Keep left to stay on Main Street"), (-20, "Keep right onto Side Street"),
    ] {
      for mode in [TravelMode.walk, .drive] {
        #expect(
          try sentences(streets, mode, to: 200, y) == [
            "Go east on Main Street", text, "Arrive at your destination",
          ])
      }
    }
  }

  @Test("Names the side where a street goes on as a pedestrian zone beside the route")
  func forkAtZone() throws {
    var maker = MapMaker()
    maker.line("way/1", [(0, 0), (100, 0)], ["highway": "residential", "name": "Main Street"])
    maker.line("way/2", [(100, 0), (200, 40)], ["highway": "pedestrian", "name": "Main Street"])
    maker.line("way/3", [(100, 0), (200, 0)], ["highway": "residential", "name": "Side Street"])
    #expect(
      try sentences(maker, to: 200, 0) == [
        "Go east on Main Street", "Keep right onto Side Street", "Arrive at your destination",
      ])
  }

  @Test("Names the side of a path that leaves a street and runs next to it")
  func forkToPath() throws {
    var maker = MapMaker()
    maker.line(
      "way/1", [(0, 0), (100, 0), (300, 0)], ["highway": "residential", "name": "Main Street"])
    maker.line("way/2", [(100, 0), (103, 3), (300, 3)], ["highway": "footway"])
    #expect(
      try sentences(maker, to: 300, 3) == [
        "Go east on Main Street", "Keep left onto the path", "Arrive at your destination",
      ])
  }

  @Test("The way ahead is clear beside a path to the side, and on a street beside a footpath")
  func noForks() throws {
    var maker = MapMaker()
    maker.line("way/1", [(0, 0), (100, 0), (200, 0)], ["highway": "footway"])
    maker.line("way/2", [(100, 0), (180, 67)], ["highway": "footway"])
    #expect(try sentences(maker, to: 200, 0) == ["Go east", "Arrive at your destination"])

    var street = MapMaker()
    let main = ["highway": "residential", "name": "Main Street"]
    street.line("way/1", [(0, 0), (100, 0), (200, 0)], main)
    street.line("way/2", [(100, 0), (200, 20)], ["highway": "footway"])
    #expect(
      try sentences(street, to: 200, 0) == ["Go east on Main Street", "Arrive at your destination"])
  }

  @Test("Follows a bend of a named street unless another way leads ahead")
  func bends() throws {
    for (end, name, isAhead) in [
      ((60.0, -80.0), "Side Street", false), ((200, 0), "Side Street", true),
      ((0, -80), "Ring Road", false),
    ] {
      var maker = MapMaker()
      maker.line(
        "way/1", [(0, 0), (100, 0), (200, 70)], ["highway": "residential", "name": "Ring Road"])
      maker.line("way/2", [(100, 0), end], ["highway": "residential", "name": name])
      #expect(
        try sentences(maker, to: 200, 70) == ["Go east on Ring Road"]
          + (isAhead ? ["Bear left to stay on Ring Road"] : []) + ["Arrive at your destination"])
    }
  }

  @Test("Announces a turn off a one-way street, which has no way back")
  func oneway() throws {
    var maker = MapMaker()
    maker.line(
      "way/1", [(0, 0), (100, 0), (200, 0)],
      ["highway": "residential", "name": "Main Street", "oneway": "yes"])
    maker.line("way/2", [(100, 0), (100, -100)], ["highway": "residential"])
    #expect(
      try sentences(maker, .drive, to: 100, -100) == [
        "Go east on Main Street", "Turn right onto the street", "Arrive at your destination",
      ])
  }

  @Test("Announces both turns of a jog whose first turn is a choice")
  func jogs() throws {
    for (meters, texts) in [
      (4.0, []), (10, ["Turn left onto the path", "Turn right onto the path"]),
    ] {
      var maker = MapMaker()
      let walk = ["highway": "footway"]
      maker.line("way/1", [(0, 0), (50, 0)], walk)
      maker.line("way/2", [(50, -40), (50, 0), (50, meters), (50, 60)], walk)
      maker.line("way/3", [(50, meters), (100, meters)], walk)
      #expect(
        try sentences(maker, to: 100, meters) == ["Go east"] + texts
          + ["Arrive at your destination"])
    }
  }

  @Test("A street with several names continues under each of them")
  func severalNames() throws {
    var maker = MapMaker()
    for (id, x, name) in [("way/1", 0.0, "Ring Road; Route 3"), ("way/2", 100, "Route 3")] {
      maker.line(id, [(x, 0), (x + 100, 0)], ["highway": "residential", "name": name])
    }
    #expect(
      try sentences(maker, to: 200, 0) == [
        "Go east on Ring Road / Route 3", "Arrive at your destination",
      ])
  }
}
