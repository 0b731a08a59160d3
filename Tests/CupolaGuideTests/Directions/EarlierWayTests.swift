import Testing

@testable import CupolaGuide

// Users who look for "the path on the left" take the first one that they see.

@Suite("Ways that users pass before a turn") struct EarlierWayTests {
  private let walk = ["highway": "footway"]

  private func street(_ name: String) -> [String: String] {
    ["highway": "residential", "name": name]
  }

  /// Returns a way from west to east with branches, each with its start on the way and its end.
  private func maker(
    _ tags: [String: String], _ branches: [(start: Double, end: (x: Double, y: Double))]
  ) -> MapMaker {
    var maker = MapMaker()
    maker.line("way/1", [(0, 0)] + branches.map { ($0.start, 0) } + [(300, 0)], tags)
    for (number, branch) in branches.enumerated() {
      maker.line("way/\(number + 2)", [(branch.start, 0), branch.end], tags)
    }
    return maker
  }

  private func maker(_ tags: [String: String], at places: [Double]) -> MapMaker {
    maker(tags, places.map { ($0, ($0, 60)) })
  }

  @Test("Numbers ways that users still see; others are told apart by the last one")
  func ordinals() throws {
    for (places, text) in [
      ([100.0], "Turn left onto the path"), ([50, 100], "Turn left onto the second path"),
      ([20, 60, 100], "Turn left onto the third path"),
      ([20, 80, 100], "About 20 m past a path on your left, turn left onto the path"),
      ([15, 30, 45, 60, 101], "Turn left onto the fifth path"),
      ([50, 200], "About 150 m past a path on your left, turn left onto the path"),
      ([110, 200], "About 90 m past a path on your left, turn left onto the path"),
      ([20, 40, 60, 130], "About 70 m past a path on your left, turn left onto the path"),
      ([20, 40, 60, 260], "Turn left onto the path"),
    ] {
      try expect(maker(walk, at: places), to: (places[places.count - 1], 60), ["Go east", text])
    }
  }

  @Test("Tells a way from one a few meters before it if users cannot count them")
  func fewMeters() throws {
    let branches = [(40.0, 10.0), (86, 60), (96, 60), (100, 60)]
    try expect(
      maker(walk, branches.map { ($0.0, ($0.0, $0.1)) }), to: (100, 60),
      ["Go east", "About 5 m past a path on your left, turn left onto the path"])
  }

  @Test("Does not count if there are other ways or short ones on the same side")
  func otherWays() throws {
    for (end, tags, text) in [
      (
        60.0, ["highway": "service", "service": "driveway"],
        "About 70 m past a path on your left, turn left onto the path"
      ),
      (
        60, ["highway": "steps"], "About 70 m past a path on your left, turn left onto the path"
      ), (10, walk, "Turn left onto the path"),
    ] {
      var maker = MapMaker()
      maker.line("way/1", [(0, 0), (30, 0), (60, 0), (100, 0), (300, 0)], walk)
      maker.line("way/2", [(100, 0), (100, 60)], walk)
      maker.line("way/3", [(30, 0), (30, 60)], walk)
      maker.line("way/4", [(60, 0), (60, end)], tags)
      try expect(maker, to: (100, 60), ["Go east", text])
    }
  }

  @Test("Does not count the other roadway of the street that was left")
  func otherRoadway() throws {
    for (name, text) in [
      ("Row", "Turn right onto the street"),
      ("Lane", "About 90 m after crossing Lane, turn right onto the street"),
    ] {
      var maker = MapMaker()
      let (plain, street) = (["highway": "residential"], ["highway": "residential", "name": "Row"])
      maker.line("way/1", [(0, 0), (-100, 0), (-200, 0)], street)
      maker.line("way/2", [(-100, 0), (-100, -12), (-100, -100), (-100, -200)], plain)
      maker.line(
        "way/3", [(-200, -12), (-100, -12), (0, -12)], ["highway": "residential", "name": name])
      maker.line("way/4", [(-100, -100), (-160, -100)], plain)
      try expect(maker, to: (-160, -100), ["Go west on Row", "Turn left onto the street", text])
    }
  }

  @Test("Does not count ways that users may count differently")
  func unclearWays() throws {
    let cases: [(branches: [(start: Double, end: (x: Double, y: Double))], text: String)] = [
      // A way back at 135 degrees is not clearly to the left.
      ([(50, (10, 40)), (100, (100, 60))], "Turn left onto the path"),
      ([(50, (110, 40)), (150, (210, 40))], "Bear left onto the path"),
      // A way at a right angle is not one to bear to.
      ([(130, (130, 80)), (150, (210, 40))], "Bear left onto the path"),
    ]
    for (branches, text) in cases {
      let end = branches[branches.count - 1].end
      try expect(maker(walk, branches), to: end, ["Go east", text])
    }
  }

  @Test("Uses the article of an alley")
  func alley() throws {
    let alley = ["highway": "service", "service": "alley"]
    try expect(
      maker(alley, at: [20, 80, 100]), to: (100, 60),
      ["Go east", "About 20 m past an alley on your left, turn left onto the alley"])
  }

  @Test("Another way with the name of the street that users are on is a branch of it")
  func branch() throws {
    let row = ["highway": "residential", "name": "Row"]
    var maker = maker(row, [(70, (70, 60)), (90, (90, -60))])
    maker.line("way/4", [(90, 0), (90, 60)], walk)
    try expect(
      maker, to: (90, 60),
      ["Go east on Row", "Past a branch of Row on your left, turn left onto the path"])
  }

  @Test(
    "A street that leads to both sides is crossed; a platform does not have the name of a street")
  func crossedStreet() throws {
    let platform = ["public_transport": "platform", "name": "Lane"]
    for (start, tags, text) in [
      (0.0, street("Lane"), "Past Lane on your left, turn left onto the path"),
      (-60, street("Lane"), "After crossing Lane, turn left onto the path"),
      (-60, platform, "Past a path on your left, turn left onto the path"),
    ] {
      var maker = MapMaker()
      maker.line("way/1", [(0, 0), (80, 0), (100, 0), (200, 0)], street("Row"))
      maker.line(
        "way/2", start < 0 ? [(80, start), (80, 0), (80, 60)] : [(80, 0), (80, 60)], tags)
      maker.line("way/3", [(100, 0), (100, 60)], walk)
      try expect(maker, to: (100, 60), ["Go east on Row", text])
    }
  }

  @Test("A path is the first one if another one follows within a few meters")
  func firstOfTwo() throws {
    for (next, text) in [
      (108.0, "Turn left onto the first path"), (115, "Turn left onto the path"),
    ] {
      try expect(maker(walk, at: [100, next]), to: (100, 60), ["Go east", text])
    }
  }

  @Test("Counts aisles of a parking lot")
  func aisles() throws {
    let aisle = ["highway": "service", "service": "parking_aisle"]
    try expect(
      maker(aisle, at: [40, 100]), .drive, to: (100, 60),
      ["Go east", "Turn left into the second parking aisle"])
  }

  @Test("Drivers also count one-way streets that they cannot enter")
  func wrongWay() throws {
    let street = ["highway": "residential"]
    for (y, text) in [
      (60.0, "Turn left onto the second street"), (-60, "Turn left onto the street"),
    ] {
      var maker = MapMaker()
      maker.line("way/1", [(0, 0), (40, 0), (100, 0), (300, 0)], street)
      maker.line("way/3", [(100, 0), (100, 60)], street)
      maker.line("way/4", [(40, y), (40, 0)], street.merging(["oneway": "yes"]) { $1 })
      try expect(maker, .drive, to: (100, 60), ["Go east", text])
    }
  }

  @Test("Drivers do not pass the other lanes of the street that they turn onto")
  func dividedStreet() throws {
    var maker = MapMaker()
    let avenue = ["highway": "secondary", "name": "Avenue", "oneway": "yes"]
    let street = ["highway": "residential", "name": "Row"]
    maker.line("way/1", [(0, 0), (80, 0), (100, 0), (300, 0)], street)
    maker.line("way/2", [(80, 90), (80, 0), (80, -90)], avenue)
    maker.line("way/3", [(100, -90), (100, 0), (100, 90)], avenue)
    try expect(maker, .drive, to: (100, 60), ["Go east on Row", "Turn left onto Avenue"])
  }

  @Test("A turn is where the way bends, not at a choice shortly before it")
  func bendAfterChoice() throws {
    var maker = MapMaker()
    maker.line("way/1", [(0, 0), (100, 0), (104, 0), (200, 0)], walk)
    maker.line("way/2", [(100, 0), (100, -60)], walk)
    maker.line("way/3", [(104, 0), (104, -60)], walk)
    let route = try maker.guide.directions().route(
      from: TestCampus.end(0, 0), to: TestCampus.end(104, -60))
    #expect(route.maneuvers[1].text == "Past a path on your right, turn right onto the path")
    #expect((route.maneuvers[0].meters - 104).magnitude < 0.5)
  }

  @Test("Names the second roadway of a divided street, and the sidewalk on its far side")
  func secondRoadway() throws {
    let row = ["highway": "residential", "name": "Row"]
    for (kind, text) in [("residential", "second roadway"), ("footway", "far side")] {
      var maker = MapMaker()
      maker.line(
        "way/1", [(0, 0), (50, 0), (60, 0), (100, 0)], ["highway": "residential", "name": "Lane"])
      maker.line("way/2", [(50, 0), (50, 90)], row)
      maker.line("way/3", [(60, 0), (60, 90)], ["highway": kind, "name": "Row"])
      try expect(
        maker, to: (60, 90), ["Go east on Lane", "Turn left onto the \(text) of Row"])
    }
  }

  @Test("Measures from the last street with a name if the instruction is far away")
  func namedStreet() throws {
    var maker = maker(walk, at: [20, 60, 100, 330, 400])
    maker.line("way/50", [(330, 0), (330, -60)], ["highway": "residential", "name": "Row"])
    try expect(
      maker, to: (400, 60),
      ["Go east", "About 70 m past Row on your right, turn left onto the path"])
  }

  @Test("Numbers ways that follow at equal distances")
  func equalDistances() throws {
    try expect(
      maker(walk, at: [20, 40, 60, 80]), to: (80, 60),
      ["Go east", "Turn left onto the fourth path"])
  }

  @Test("Counts from the last street with a name if another way follows it")
  func behindNamedStreet() throws {
    var maker = maker(walk, at: [20, 60, 100, 330, 360, 400])
    maker.line("way/50", [(330, 0), (330, -60)], ["highway": "residential", "name": "Row"])
    try expect(
      maker, to: (400, 60),
      ["Go east", "Past Row on your right, turn left onto the second path"])
  }

  @Test("Counts all paths that lead to the side of a slight turn")
  func slightTurn() throws {
    for (places, text) in [
      ([(60.0, 7.0), (80, 44)], "Past the second path on your left, bear left onto the path"),
      ([(75, 44), (85, 7)], "Past the second path on your left, bear left onto the path"),
      ([(40, 7), (60, 7), (80, 44)], "Past the third path on your left, bear left onto the path"),
      ([(80, 7)], "Bear left onto the path"),
    ] {
      var branches = places.map { (start: $0.0, end: (x: $0.0 + $0.1, y: 60.0)) }
      branches.append((100, (200, 50)))
      try expect(maker(walk, branches), to: (200, 50), ["Go east", text])
    }
  }

  @Test("Tells tracks from paths")
  func tracks() throws {
    for (y, text) in [
      (60.0, "Past a path on your left, turn left onto the track"),
      (-60, "Turn right onto the path"),
    ] {
      var maker = MapMaker()
      maker.line("way/1", [(0, 0), (80, 0), (100, 0), (200, 0)], ["highway": "residential"])
      maker.line("way/2", [(80, 0), (80, 60)], walk)
      maker.line("way/3", [(100, 0), (100, 60)], ["highway": "track"])
      maker.line("way/4", [(100, 0), (100, -60)], walk)
      try expect(maker, to: (100, y), ["Go east", text])
    }
  }

  @Test("Ways at the end of a crossing are passed before the next turn")
  func endOfCrossing() throws {
    let row = ["highway": "residential", "name": "Row"]
    let sidewalk = walk.merging(["name": "Row"]) { $1 }
    for (start, tags, text) in [
      (60.0, walk, "Past a path on your left, turn left onto the path"),
      (60, sidewalk, "Past the sidewalk of Row on your left, turn left onto the path"),
      (67, walk, "Turn left onto the path"),
    ] {
      var maker = MapMaker()
      maker.line("way/1", [(0, 0), (50, 0)], walk)
      maker.line(
        "way/2", [(50, 0), (55, 0), (60, 0)], ["highway": "footway", "footway": "crossing"])
      maker.line("way/3", [(55, -60), (55, 0), (55, 60)], row)
      maker.line("way/4", [(60, 0), (67, 0), (200, 0)], walk)
      maker.line("way/5", [(67, 0), (67, 60)], walk)
      maker.line("way/6", [(start, 0), (start, start == 60 ? 60 : -60)], tags)
      try expect(maker, to: (67, 60), ["Go east", "Cross Row", text])
    }
  }

  @Test("Of two streets to the left, the one that leads back a little is sharply to the left")
  func twoStreets() throws {
    for (end, text) in [
      ((88.5, 59.0), "sharply left onto the street"), ((100, 60), "left onto the leftmost street"),
    ] {
      var maker = MapMaker()
      let street = ["highway": "residential"]
      maker.line("way/1", [(0, 0), (100, 0), (160, -10)], street)
      maker.line("way/2", [(100, 0), end], street)
      maker.line("way/3", [(100, 0), (124, 55)], street)
      try expect(maker, to: end, ["Go east", "Turn \(text)"])
    }
  }

  @Test("Of two ways to the right, the one that leads back a little is not the turn")
  func slightOfTwo() throws {
    for (end, text) in [((106.0, -59.0), "Turn"), ((124, -55), "Bear")] {
      var maker = MapMaker()
      let street = ["highway": "residential"]
      maker.line("way/1", [(0, 0), (100, 0), (160, 10)], street)
      maker.line("way/2", [(100, 0), end], street)
      maker.line("way/3", [(100, 0), (65, -49)], street)
      try expect(maker, to: end, ["Go east", "\(text) right onto the street"])
    }
  }

  @Test("Numbers streets of the same kind that users pass before a path")
  func streetsBeforePath() throws {
    for (places, text) in [
      ([90.0], "Past a street on your right, turn right onto the path"),
      ([60, 90], "Past the second street on your right, turn right onto the path"),
      ([30, 60, 90], "Past the third street on your right, turn right onto the path"),
      ([20, 40, 60, 90], "Past the fourth street on your right, turn right onto the path"),
    ] {
      var maker = MapMaker()
      let street = ["highway": "residential"]
      maker.line("way/1", [(0, 0)] + places.map { ($0, 0) } + [(100, 0), (200, 0)], street)
      for (number, place) in places.enumerated() {
        maker.line("way/\(number + 3)", [(place, 0), (place, -60)], street)
      }
      maker.line("way/2", [(100, 0), (100, -60)], walk)
      try expect(maker, to: (100, -60), ["Go east", text])
    }
  }

  @Test("Does not announce small turns on a square, but the street behind it")
  func bentSquare() throws {
    var maker = MapMaker()
    maker.area(
      "way/1", [(60, -10), (122, -10), (172, 40), (165, 47), (118, 0), (60, 0)],
      ["highway": "pedestrian", "area": "yes"])
    maker.line("way/2", [(0, 0), (60, 0)], ["highway": "footway"])
    maker.line("way/3", [(165, 47), (215, 97)], ["highway": "residential", "name": "Lane"])
    try expect(
      maker, to: (215, 97),
      ["Go east, then cross the square toward Lane", "Continue onto Lane"])
  }

  @Test("Names alleys, tunnels and passages, and squares behind a turn")
  func forms() throws {
    let service = ["highway": "service"]
    for (tags, text) in [
      (service.merging(["service": "alley"]) { $1 }, "Turn left onto the alley"),
      (["highway": "footway", "tunnel": "yes"], "Turn left onto the path, through the tunnel"),
      (["highway": "footway", "covered": "yes"], "Turn left onto the path, through the passage"),
      (
        service.merging(["tunnel": "building_passage"]) { $1 },
        "Turn left onto the street, through the passage"
      ),
    ] {
      var maker = MapMaker()
      maker.line("way/1", [(0, 0), (100, 0), (200, 0)], walk)
      maker.line("way/2", [(100, 0), (100, 60)], tags)
      try expect(maker, to: (100, 60), ["Go east", text])
    }
    var maker = MapMaker()
    maker.line("way/1", [(0, 0), (100, 0), (200, 0)], walk)
    maker.line("way/2", [(100, 0), (100, 60)], walk)
    maker.area(
      "way/3", [(80, 60), (100, 60), (120, 60), (120, 100), (100, 100), (80, 100)],
      ["highway": "pedestrian", "area": "yes"])
    maker.line("way/4", [(100, 100), (100, 160)], walk)
    try expect(
      maker, to: (100, 160), ["Go east", "Turn left onto the path, then cross the square"])
  }

  @Test("Drivers turn off a way that looks like their own, even if they must not enter it")
  func closedWayAhead() throws {
    let row = street("Row")
    let cases: [([String: String], [String: String], String?)] = [
      (row, ["highway": "residential", "access": "private"], "Turn right to stay on Row"),
      (row, ["highway": "residential", "motor_vehicle": "no"], "Turn right to stay on Row"),
      (row, ["highway": "service", "service": "driveway", "access": "private"], nil),
      (row, walk, nil),
      (
        ["highway": "track"], ["highway": "track", "access": "private"], "Turn right onto the track"
      ),
      (["highway": "track"], ["highway": "path"], "Turn right onto the track"),
    ]
    for (own, other, text) in cases {
      var maker = MapMaker()
      maker.line("way/1", [(0, 0), (100, 0), (107, -16.5)], own)
      maker.line("way/2", [(100, 0), (200, 30)], other)
      let name = own["name"].map { " on " + $0 } ?? ""
      try expect(
        maker, .drive, to: (107, -16.5), ["Go east" + name] + (text.map { [$0] } ?? []))
    }
  }

  @Test("Straight on where the street turns to both sides, or divides into its roadways")
  func straightOverStreet() throws {
    var maker = MapMaker()
    maker.line("way/1", [(0, 0), (100, 0)], street("Row"))
    maker.line("way/2", [(100, -80), (100, 0), (100, 80)], street("Row"))
    var other = maker
    maker.line("way/3", [(100, 0), (200, 0)], ["highway": "residential"])
    try expect(maker, to: (200, 0), ["Go east on Row", "Continue straight onto the street"])
    other.line("way/3", [(100, 0), (200, -27)], street("Row"))
    other.line("way/4", [(200, 36), (100, 0)], street("Row"))
    try expect(other, to: (200, -27), ["Go east on Row", "Continue straight on Row"])
  }

  @Test("Names the street at the end of a crossing instead of the driveway at its start")
  func crossingFromDriveway() throws {
    var maker = MapMaker()
    maker.line("way/1", [(0, 0), (100, 0), (200, 0)], walk)
    maker.line("way/2", [(100, 0), (100, 8)], ["highway": "footway", "footway": "crossing"])
    maker.line("way/3", [(100, -40), (100, 0)], ["highway": "service", "service": "driveway"])
    maker.line("way/4", [(60, 8), (100, 8), (105, 8)], street("Row"))
    try expect(maker, to: (105, 8), ["Go east", "Turn left and cross Row", "Turn right onto Row"])
  }

  @Test("A street with two roadways is crossed once, also with a few meters along a roadway")
  func roadwaysWithJog() throws {
    let crossing = ["highway": "footway", "footway": "crossing"]
    let roadway = street("Row").merging(["oneway": "yes"]) { $1 }
    var maker = MapMaker()
    maker.line("way/1", [(0, 0), (60, 0)], walk)
    maker.line("way/2", [(60, 0), (70, 0)], crossing)
    maker.line("way/3", [(70, 100), (70, 0), (70, -4), (70, -100)], roadway)
    maker.line("way/4", [(82, -100), (82, -4), (82, 100)], roadway)
    maker.line("way/5", [(70, -4), (82, -4), (90, -4)], crossing)
    maker.line("way/6", [(90, -4), (160, -4)], walk)
    try expect(maker, to: (160, -4), ["Go east", "Cross Row and continue on the path"])
    var unmarked = MapMaker()
    unmarked.line("way/1", [(0, 0), (70, 0)], walk)
    unmarked.line("way/2", [(70, 100), (70, 0), (70, -4), (70, -100)], roadway)
    unmarked.line("way/3", [(90, -100), (90, -4), (90, 100)], roadway)
    unmarked.line("way/4", [(70, -4), (90, -4), (160, -4)], walk)
    try expect(unmarked, to: (160, -4), ["Go east", "Cross Row to the path"])
  }

  @Test("The start in a parking lot includes the side to which the route turns onto the street")
  func sideOutOfLot() throws {
    var maker = MapMaker()
    maker.line(
      "way/1", [(4, -11), (0, 0), (-4, 3)], ["highway": "service", "service": "parking_aisle"])
    maker.line("way/2", [(-4, 100), (-4, 3), (-4, -100)], street("Row"))
    try expect(
      maker, to: (-4, -100), ["Leave the parking lot to the northwest and turn left onto Row"])
  }

  @Test("Turns between the aisles of the parking lot at the start are not announced")
  func leavingLot() throws {
    let aisle = ["highway": "service", "service": "parking_aisle"]
    let turns = ["Turn left into the parking aisle", "Turn right into the parking aisle"]
    let exit = ["highway": "service"]
    for (width, ahead, turns) in [
      (20.0, aisle, []), (40, aisle, []), (60, aisle, turns), (20, exit, turns),
    ] {
      var maker = MapMaker()
      maker.line("way/1", [(0, 0), (2 * width, 0), (2 * width, 2 * width)], aisle)
      maker.line("way/2", [(2 * width, 0), (4 * width, 0)], ahead)
      maker.line(
        "way/3", [(width, 2 * width), (2 * width, 2 * width), (3 * width, 2 * width)], aisle)
      maker.line("way/4", [(3 * width, 2 * width), (3 * width, 3 * width)], aisle)
      maker.line(
        "way/5", [(0, 3 * width), (3 * width, 3 * width), (10 * width, 3 * width)],
        ["highway": "residential", "name": "Long Street"])
      let leave = turns.isEmpty ? "Leave the parking lot to the northeast" : "Go east"
      try expect(
        maker, .drive, to: (10 * width, 3 * width),
        [leave] + turns + ["Turn right onto Long Street"])
    }
  }
}
