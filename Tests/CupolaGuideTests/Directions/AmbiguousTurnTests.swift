import Testing

@testable import CupolaGuide

// Each case was found by reading routes next to the map: users could have taken another way than the one meant.

@Suite("Turns that users could mistake") struct AmbiguousTurnTests {
  private let walk = ["highway": "footway"]
  private let crossing = ["highway": "footway", "footway": "crossing"]

  private func street(_ name: String, _ kind: String = "residential") -> [String: String] {
    ["highway": kind, "name": name]
  }

  @Test("Mentions another way that leads where two turns lead together")
  func separateTurns() throws {
    for isAmbiguous in [true, false] {
      var maker = MapMaker()
      maker.line("way/1", [(0, 0), (100, 0)], walk)
      maker.line("way/2", [(100, 0), (106, 3.3), (200, 55)], walk)
      maker.line("way/3", [(106, 3.3), (111, -60)], walk)
      maker.line("way/4", [(100, 0), isAmbiguous ? (105, -60) : (0, -60)], walk)
      try expect(
        maker, to: (111, -60),
        isAmbiguous
          ? ["Go east", "Past a path on your right, turn right onto the path"]
          : ["Go east", "Turn right onto the path"])
    }
  }

  @Test("Announces two opposite turns that together would lead to another side")
  func zigzag() throws {
    var maker = MapMaker()
    maker.line("way/1", [(0, 0), (100, 0), (200, 0)], walk)
    maker.line("way/2", [(100, 0), (91, -9.5), (100, -100)], walk)
    maker.line("way/3", [(91, -9.5), (0, -40)], walk)
    try expect(
      maker, to: (100, -100),
      ["Go east", "Turn sharply right onto the path", "Bear left onto the path"])
  }

  @Test("Measures a short section by itself, although long ones follow it")
  func shortSection() throws {
    var maker = MapMaker()
    maker.line("way/1", [(0, 0), (60, 0)], walk)
    maker.line("way/2", [(60, 30), (60, 0), (60, -6), (69, -6), (72, -60)], walk)
    maker.line("way/3", [(60, -6), (60, -60)], walk)
    try expect(
      maker, to: (72, -60),
      [
        "Go east", "Turn right onto the path",
        "Turn left onto the path, then follow it to the right",
      ])
  }

  @Test("Announces a turn far inside a square")
  func square() throws {
    var maker = MapMaker()
    maker.area(
      "way/1", [(0, -5), (60, -5), (60, 60), (50, 60), (50, 5), (0, 5)],
      ["highway": "pedestrian", "area": "yes"])
    maker.line("way/2", [(-60, 0), (0, -5)], walk)
    maker.line("way/3", [(50, 60), (50, 120)], walk)
    let texts = try RouteTextTests.sentences(
      maker.guide, .walk, from: TestCampus.end(-60, 0), to: TestCampus.end(50, 120))
    #expect(texts.contains("Turn left across the square"), "\(texts)")
  }

  @Test("Walkers use a sidewalk instead of the middle of a street")
  func sidewalk() throws {
    for hasSidewalk in [true, false] {
      var maker = MapMaker()
      maker.line("way/1", [(0, -60), (0, -6)], walk)
      maker.line("way/2", [(0, -6), (0, 0), (0, 6)], crossing)
      maker.line("way/3", [(0, 6), (0, 10), (0, 60)], walk)
      maker.line("way/4", [(-60, 0), (0, 0), (100, 0), (160, 0)], street("Row"))
      maker.line("way/5", [(100, 0), (100, 10), (100, 60)], walk)
      if hasSidewalk { maker.line("way/6", [(0, 10), (100, 10)], walk) }
      let texts = try RouteTextTests.sentences(
        maker.guide, .walk, from: TestCampus.end(0, -60), to: TestCampus.end(100, 60))
      #expect(
        texts.dropLast()
          == (hasSidewalk
            ? ["Go north", "Cross Row", "Turn right onto the path", "Turn left onto the path"]
            : ["Go north", "Turn right onto Row", "Turn left onto the path"]))
    }
  }

  @Test("Does not name a street at a crossing of a bicycle path only")
  func crossedBicyclePath() throws {
    var maker = MapMaker()
    maker.line("way/1", [(0, 0), (60, 0), (100, 0)], walk)
    maker.line("way/2", [(60, 0), (60, 3), (60, 6)], crossing)
    maker.line("way/3", [(60, 6), (60, 60)], walk)
    maker.line("way/4", [(0, 3), (60, 3), (100, 3)], ["highway": "cycleway"])
    let texts = try RouteTextTests.sentences(
      maker.guide, .walk, from: TestCampus.end(0, 0), to: TestCampus.end(60, 60))
    #expect(
      texts.prefix(2) == ["Go east", "Turn left, take the crossing and continue on the path"])
  }

  @Test("Names the way after a few meters along a street")
  func hook() throws {
    var maker = MapMaker()
    maker.line("way/1", [(0, 0), (100, 0), (200, 0)], street("Campus Drive"))
    maker.line("way/2", [(100, 0), (100, -2.9), (100, -100)], street("Campus Drive"))
    maker.line("way/3", [(100, -2.9), (110, -3.9), (200, -3.9)], walk)
    try expect(
      maker, to: (200, -3.9), ["Go east on Campus Drive", "Bear right onto the path"])
  }

  @Test("Straight on between a fork to the left and a way to the right")
  func middle() throws {
    var maker = MapMaker()
    // Users have not passed this building at the fork.
    maker.building("way/10", "Hall", x: 105...150, y: -30 ... -5)
    maker.line("way/1", [(0, 0), (100, 0), (200, 0)], walk)
    maker.line("way/2", [(100, 0), (200, 25)], walk)
    try expect(maker, to: (200, 0), ["Go east", "Keep right"])
    maker.line("way/3", [(100, 0), (100, -80)], walk)
    try expect(maker, to: (200, 0), ["Go east", "Continue straight"])
    try expect(maker, to: (200, 25), ["Go east", "Keep left"])
  }

  @Test("Walkers stay on a street where another one leads ahead; drivers pass exits")
  func narrowFork() throws {
    var maker = MapMaker()
    maker.line("way/1", [(0, 0), (100, 0), (200, 0)], street("Hill Street"))
    maker.line("way/2", [(100, 0), (200, 34)], street("Castle Street"))
    try expect(
      maker, to: (200, 0), ["Go east on Hill Street", "Keep right to stay on Hill Street"])
    try expect(maker, .drive, to: (200, 0), ["Go east on Hill Street"])
  }

  @Test("Names the side of a fork at the end of steps")
  func forkAfterSteps() throws {
    var maker = MapMaker()
    maker.line("way/1", [(0, 0), (50, 0)], walk)
    maker.line("way/2", [(50, 0), (60, 0)], ["highway": "steps", "incline": "up"])
    maker.line("way/3", [(60, 0), (120, 0)], walk)
    maker.line("way/4", [(60, 0), (64, -3), (120, -20)], walk)
    try expect(
      maker, to: (120, -20), ["Go east", "Take the steps up", "Bear right onto the path"])
  }

  @Test("Announces both right angles at the end of steps if another way goes straight on")
  func jogAfterSteps() throws {
    var maker = MapMaker()
    maker.line("way/1", [(0, 0), (50, 0)], walk)
    maker.line("way/2", [(50, 0), (60, 0)], ["highway": "steps", "incline": "up"])
    maker.line("way/3", [(60, 0), (120, 0)], walk)
    maker.line("way/4", [(60, 0), (60, -5)], walk)
    maker.line("way/5", [(60, -40), (60, -5), (120, -8)], walk)
    try expect(
      maker, to: (120, -8),
      ["Go east", "Take the steps up", "Turn right onto the path", "Turn left onto the path"])
  }

  @Test("Announces both turns of a short jog at the end of a path")
  func jogAtEnd() throws {
    var maker = MapMaker()
    maker.line("way/1", [(0, 0), (96, 0), (100, 0)], walk)
    maker.line("way/2", [(100, -80), (100, 0), (100, 5), (100, 80)], walk)
    maker.line("way/3", [(100, 5), (104, 5), (200, 5)], walk)
    try expect(
      maker, to: (200, 5), ["Go east", "Turn left onto the path", "Turn right onto the path"])
  }

  @Test("Announces a jog onto a path at the end of a street")
  func jogAtStreetEnd() throws {
    for x in [115.0, 160] {
      var maker = MapMaker()
      maker.line(
        "way/1", [(0, 0), (94, 0), (100, 0), (100, 3), (100, 80)], street("Row", "service"))
      maker.line("way/2", [(100, 0), (100, -60)], street("Row", "service"))
      maker.line("way/3", [(100, 3), (106, 3), (x, 3), (x + 60, 3)], walk)
      maker.line("way/4", [(x, 3), (x, -60)], walk)
      try expect(
        maker, to: (x, -60),
        ["Go east on Row", "Continue straight onto the path", "Turn right onto the path"])
    }
  }

  @Test("Of two turns to one side, the nearer one is slight and the other one sharp")
  func twoTurns() throws {
    let places = [(170.0, 96.0), (60, 82)]
    for (place, text) in [
      (places[0], "Bear left onto the path"), (places[1], "Turn sharply left onto the path"),
    ] {
      var maker = MapMaker()
      maker.line("way/1", [(0, 0), (100, 0), (200, 0)], walk)
      for (number, end) in places.enumerated() {
        maker.line("way/\(number + 2)", [(100, 0), end], walk)
      }
      try expect(maker, to: place, ["Go east", text])
    }
    var alone = MapMaker()
    alone.line("way/1", [(0, 0), (100, 0), (200, 0)], walk)
    alone.line("way/2", [(100, 0), places[0]], walk)
    try expect(alone, to: places[0], ["Go east", "Turn left onto the path"])
  }

  @Test("A driveway is not called a street at a crossing")
  func crossedDriveway() throws {
    for (tags, name) in [
      (["highway": "service", "service": "driveway"], "the driveway"),
      (["highway": "residential"], "the street"),
    ] {
      var maker = MapMaker()
      maker.line("way/1", [(0, 0), (0, 50)], walk)
      maker.line("way/2", [(0, 50), (0, 53), (0, 56)], crossing)
      maker.line("way/3", [(0, 56), (0, 120)], walk)
      maker.line("way/4", [(-80, 53), (0, 53), (80, 53)], tags)
      try expect(maker, to: (0, 120), ["Go north", "Cross \(name) and continue on the path"])
    }
  }

  @Test("Mentions a way on the same side shortly before a turn")
  func earlierWay() throws {
    for (x, name, text) in [
      (80.0, nil, "Past a path on your left, turn left onto the path"),
      (80, "Lake Walk", "Past Lake Walk on your left, turn left onto the path"),
      (60, nil, "Past Hall on your left, turn left onto the path"),
    ] as [(Double, String?, String)] {
      var maker = MapMaker()
      maker.building("way/10", "Hall", x: 84...97, y: 5...30)
      maker.line("way/1", [(0, 0), (x, 0), (100, 0), (200, 0)], walk)
      maker.line("way/2", [(x, 0), (x, 60)], walk.merging(name.map { ["name": $0] } ?? [:]) { $1 })
      maker.line("way/3", [(100, 0), (100, 60)], walk)
      try expect(maker, to: (100, 60), ["Go east", text])
    }
    var named = MapMaker()
    named.line("way/1", [(0, 0), (80, 0), (100, 0), (200, 0)], walk)
    named.line("way/2", [(80, 0), (80, 60)], walk)
    named.line("way/3", [(100, 0), (100, 60)], street("North Walk", "footway"))
    try expect(named, to: (100, 60), ["Go east", "Turn left onto North Walk"])
  }

  @Test("States the distance to one of two branches of the street that users are on")
  func sameName() throws {
    var maker = MapMaker()
    for (id, line) in [
      ("way/1", [(0.0, 0.0), (80, 0), (100, 0), (200, 0)]), ("way/2", [(80, 0), (80, 60)]),
      ("way/3", [(100, 0), (100, 60)]),
    ] {
      maker.line(id, line, street("Market"))
    }
    try expect(
      maker, to: (100, 60),
      ["Go east on Market", "Turn left to stay on Market"])
  }

  @Test("One crossing can lead across two streets")
  func twoStreets() throws {
    var maker = MapMaker()
    maker.line("way/1", [(0, 0), (0, 50)], walk)
    maker.line("way/2", [(0, 50), (0, 55), (0, 62), (0, 67)], crossing)
    maker.line("way/3", [(0, 67), (0, 120)], walk)
    for (id, name, y) in [("way/4", "Clark Street", 55.0), ("way/5", "Elgin Road", 62)] {
      maker.line(id, [(-100, y), (0, y), (100, y)], street(name, "primary"))
    }
    try expect(
      maker, to: (0, 120),
      ["Go north", "Cross Clark Street and Elgin Road and continue on the path"])
  }

  @Test("Two crossings that meet at a corner are announced separately")
  func corner() throws {
    var maker = MapMaker()
    maker.line("way/1", [(0, -60), (0, -6)], walk)
    maker.line("way/2", [(0, -6), (0, 0), (0, 6)], crossing)
    maker.line("way/3", [(0, 6), (8, 6), (16, 6)], crossing)
    maker.line("way/4", [(16, 6), (80, 6)], walk)
    maker.line("way/5", [(-60, 0), (0, 0), (60, 0)], street("Row"))
    maker.line("way/6", [(8, -60), (8, 6), (8, 60)], street("Lane"))
    let texts = try RouteTextTests.sentences(
      maker.guide, .walk, from: TestCampus.end(0, -60), to: TestCampus.end(80, 6))
    #expect(
      texts.prefix(3)
        == ["Go north", "Cross Row", "Turn right, cross Lane and continue on the path"])
  }

  @Test("A bicycle path beside a street is not another street")
  func bicyclePath() throws {
    for (kind, first) in [("cycleway", []), ("residential", ["Cross the street"])] {
      var maker = MapMaker()
      maker.line("way/1", [(0, 0), (0, 50)], walk)
      maker.line("way/2", [(0, 50), (0, 53), (0, 55)], crossing)
      maker.line("way/3", [(0, 55), (0, 57)], walk)
      maker.line("way/4", [(0, 57), (0, 61), (0, 65)], crossing)
      maker.line("way/5", [(0, 65), (0, 120)], walk)
      maker.line("way/6", [(-100, 53), (0, 53), (100, 53)], ["highway": kind])
      maker.line("way/7", [(-100, 61), (0, 61), (100, 61)], street("Main Street", "primary"))
      let then = " and continue on the path"
      try expect(maker, to: (0, 120), ["Go north"] + first + ["Cross Main Street" + then])
      let back = try RouteTextTests.sentences(
        maker.guide, .walk, from: TestCampus.end(0, 120), to: TestCampus.end(0, 0))
      let crossings = ["Cross Main Street"] + first
      #expect(
        back == ["Go south"] + crossings.dropLast() + [crossings[crossings.count - 1] + then]
          + ["Arrive at your destination"])
    }
  }

  @Test("Users who leave a street in the middle of a crossing do not cross it")
  func crossingFromStreet() throws {
    var maker = MapMaker()
    maker.line("way/1", [(0, 0), (100, 0), (200, 0)], street("Row"))
    maker.line("way/2", [(100, 0), (108, -6), (120, -15)], crossing)
    maker.line("way/3", [(120, -15), (200, -75)], walk)
    try expect(maker, to: (200, -75), ["Go east on Row", "Bear right onto the path"])
  }

  @Test("Users turn at the edge of a street, not in the middle of a crossing")
  func bendOnRoadway() throws {
    var maker = MapMaker()
    maker.line("way/1", [(0, 0), (60, 0)], walk)
    maker.line("way/2", [(60, 0), (64, 0), (66, 4)], crossing)
    maker.line("way/3", [(66, 4), (66, 80)], walk)
    maker.line("way/4", [(66, 4), (120, 4)], walk)
    maker.line("way/5", [(64, -60), (64, 0), (64, 60)], street("Row"))
    try expect(maker, to: (66, 80), ["Go east", "Cross Row", "Turn left onto the path"])
  }

  @Test("Aisles of a parking lot and driveways are not called streets")
  func parkingLot() throws {
    func service(_ kind: String) -> [String: String] { ["highway": "service", "service": kind] }
    var maker = MapMaker()
    maker.line("way/1", [(0, 0), (100, 0), (150, 0), (200, 0)], street("Main Street"))
    maker.line("way/2", [(100, 0), (100, -30)], service("parking_aisle"))
    maker.line("way/3", [(60, -30), (100, -30), (150, -30)], service("parking_aisle"))
    maker.line("way/4", [(150, 0), (150, 60)], service("driveway"))
    try expect(
      maker, .drive, to: (150, -30),
      [
        "Go east on Main Street", "Turn right into the parking lot",
        "Turn left into the parking aisle",
      ])
    try expect(
      maker, .drive, to: (150, 60), ["Go east on Main Street", "Turn left onto the driveway"])
  }

  @Test("Says that a way with a name consists of steps")
  func namedSteps() throws {
    for (name, street, words) in [
      ("Piaristenstiege", nil, "the steps Piaristenstiege"),
      ("Library Steps", nil, "Library Steps"), ("Grand Stair", nil, "Grand Stair"),
      ("Rue Grimaldi", "Rue Grimaldi", "the steps on Rue Grimaldi"),
    ] as [(String, String?, String)] {
      var maker = MapMaker()
      let before = walk.merging(street.map { ["name": $0] } ?? [:]) { $1 }
      maker.line("way/1", [(0, 0), (50, 0)], before)
      maker.line(
        "way/2", [(50, 0), (60, 0)], ["highway": "steps", "incline": "up", "name": name])
      maker.line("way/3", [(60, 0), (120, 0)], walk)
      let start = "Go east" + (street.map { " on \($0)" } ?? "")
      try expect(maker, to: (120, 0), [start, "Take \(words) up"])
    }
  }

  @Test("Of three names, uses the one that the next street has too")
  func manyNames() throws {
    var maker = MapMaker()
    maker.line("way/1", [(0, 0), (100, 0), (200, 0)], street("Lane"))
    maker.line("way/2", [(100, 0), (100, 30)], street("Gate; High Market; Range"))
    maker.line("way/3", [(100, 30), (100, 90)], street("High Market"))
    try expect(maker, to: (100, 90), ["Go east on Lane", "Turn left onto High Market"])
    try expect(maker, to: (100, 25), ["Go east on Lane", "Turn left onto Gate"])
  }

  @Test("Announces a sharp bend, also at the end of a crossing, but no curve")
  func bends() throws {
    let cases: [(bend: [(Double, Double)], texts: [String])] = [
      ([(60, 0), (60, 60)], ["Go east", "Follow the path to the left"]),
      ([(60, 0), (63, 30), (60, 60)], ["Go east", "Follow the path to the left"]),
      ([(30, 3), (50, 15), (62, 32), (66, 60)], ["Go east"]),
    ]
    for (bend, texts) in cases {
      var maker = MapMaker()
      maker.line("way/1", [(0, 0)] + bend + [(60, 90)], walk)
      try expect(maker, to: (60, 90), texts)
    }
    var maker = MapMaker()
    maker.line("way/1", [(0, 0), (50, 0)], walk)
    maker.line("way/2", [(50, 0), (55, 0), (60, 0)], crossing)
    maker.line("way/3", [(60, 0), (60, 60)], walk)
    maker.line("way/4", [(55, -60), (55, 0), (55, 60)], street("Row"))
    try expect(maker, to: (60, 60), ["Go east", "Cross Row", "Follow the path to the left"])
  }

  @Test("Names the side on which a route continues next to a street")
  func stepAside() throws {
    var maker = MapMaker()
    maker.line("way/1", [(0, 0), (60, 0), (200, 0)], street("Row"))
    maker.line("way/2", [(60, 0), (60, 8)], crossing)
    maker.line("way/3", [(60, 8), (200, 8)], walk)
    try expect(
      maker, to: (200, 8), ["Go east on Row", "Switch to the path on your left"])
    // Users go straight on to the crossing that begins at the side of the street.
    var across = MapMaker()
    across.line("way/1", [(0, 0), (60, 0), (200, 0)], street("Row"))
    across.line("way/2", [(60, 0), (60, 8)], crossing)
    across.line("way/3", [(60, 8), (70, 8), (80, 8)], crossing)
    across.line("way/4", [(80, 8), (200, 8)], walk)
    across.line("way/5", [(70, -60), (70, 8), (70, 60)], street("Lane"))
    try expect(across, to: (200, 8), ["Go east on Row", "Cross Lane and continue on the path"])
  }

  @Test("Does not announce the piece of a crossing at a curb")
  func curb() throws {
    var maker = MapMaker()
    maker.line("way/1", [(0, 0), (60, 0)], walk)
    maker.line("way/2", [(60, 0), (60, 2)], crossing)
    maker.line("way/3", [(60, 2), (160, 2)], walk)
    maker.line("way/4", [(60, 0), (60, -60)], walk)
    try expect(maker, to: (160, 2), ["Go east"])
  }

  @Test("Says to go straight where the street bends or turns off")
  func straightOffBend() throws {
    for (bend, texts) in [
      ((120.0, 30.0), ["Go east on Row", "Continue straight onto the street"]),
      ((100, 60), ["Go east on Row", "Continue straight onto the street"]),
      ((40, 60), ["Go east on Row"]),
    ] {
      var maker = MapMaker()
      maker.line("way/1", [(0, 0), (100, 0), bend], street("Row"))
      maker.line("way/2", [(100, 0), (200, 0)], ["highway": "residential"])
      try expect(maker, to: (200, 0), texts)
    }
  }

  @Test("Drivers turn where they cannot go on into a one-way street")
  func closedWayAhead() throws {
    var maker = MapMaker()
    let oneway = ["highway": "residential", "name": "Row", "oneway": "yes"]
    maker.line("way/1", [(0, 0), (100, 0)], street("Row"))
    maker.line("way/2", [(200, 0), (100, 0)], oneway)
    maker.line("way/3", [(100, 0), (100, 100)], oneway)
    try expect(maker, .drive, to: (100, 100), ["Go east on Row", "Turn left to stay on Row"])
  }

  @Test("The side of a crossing is that on which users cross, not that of its first piece")
  func crossingWithStub() throws {
    var maker = MapMaker()
    maker.line("way/1", [(0, 0), (60, 0)], walk)
    maker.line("way/2", [(60, 0), (60, 6), (66, 6), (72, 6)], crossing)
    maker.line("way/3", [(72, 6), (150, 6)], walk)
    maker.line("way/4", [(66, -60), (66, 6), (66, 60)], street("Row"))
    maker.line("way/5", [(60, 6), (0, 40)], walk)
    try expect(maker, to: (150, 6), ["Go east", "Cross Row and continue on the path"])
  }

  @Test("A corner at the end of a street does not lead across it again")
  func cornerAtStreetEnd() throws {
    var maker = MapMaker()
    maker.line("way/1", [(0, 0), (60, 0)], walk)
    maker.line("way/2", [(60, 0), (68, 0)], crossing)
    maker.line("way/3", [(68, 0), (68, -8)], crossing)
    maker.line("way/4", [(68, -8), (68, -80)], walk)
    maker.line("way/5", [(68, 0), (120, 60)], street("Row"))
    try expect(
      maker, to: (68, -80),
      ["Go east", "Cross Row", "Turn right, take the crossing and continue on the path"])
  }

  @Test("Users turn behind a swerve, and only once at a fork right behind a turn")
  func swerve() throws {
    var maker = MapMaker()
    maker.line("way/1", [(0, 0), (50, 0), (56.7, -3.8), (56.7, 90)], walk)
    maker.line("way/2", [(50, 0), (20, -30)], walk)
    maker.line("way/3", [(56.7, -3.8), (90, -20)], walk)
    let route = try maker.guide.directions().route(
      from: TestCampus.end(0, 0), to: TestCampus.end(56.7, 90))
    #expect(route.maneuvers.map(\.text)[1] == "Turn left onto the path")
    #expect(route.maneuvers[0].meters > 55)

    var fork = MapMaker()
    fork.line("way/1", [(0, 0), (60, 0), (150, 0)], ["highway": "residential"])
    fork.line("way/2", [(60, 0), (60, 1)], walk)
    fork.line("way/3", [(60, 1), (100, 24)], walk)
    fork.line("way/4", [(60, 1), (90, 40)], walk)
    try expect(fork, to: (100, 24), ["Go east", "Bear left onto the path"])
  }
}
