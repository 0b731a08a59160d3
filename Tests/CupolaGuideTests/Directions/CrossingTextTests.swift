import Testing

@testable import CupolaGuide
@testable import CupolaGuideBuilder

@Suite("Instructions at crossings") struct CrossingTextTests {
  private let walk = ["highway": "footway"]
  private let across = ["highway": "footway", "footway": "crossing"]
  private let row = ["highway": "residential", "name": "Row"]

  @Test("Says where users walk on behind a crossing, unless it is only for a few meters")
  func behindCrossing() throws {
    let aisle = ["highway": "service", "service": "parking_aisle"]
    for (length, behind, text) in [
      (15.0, walk, ""), (100, walk, " and continue on the path"),
      (100, aisle, " and continue into the parking lot"),
    ] {
      var maker = MapMaker()
      maker.line("way/1", [(0, 0), (50, 0)], walk)
      maker.line("way/2", [(50, 0), (55, 0), (60, 0)], across)
      maker.line("way/3", [(60, 0), (60 + length, 0)], behind)
      maker.line("way/4", [(55, -60), (55, 0), (55, 60)], row)
      try expect(maker, to: (60 + length, 0), ["Go east", "Cross Row\(text)"])
    }
  }

  @Test("Names the pedestrian street under a crossing")
  func pedestrianStreet() throws {
    for (name, text) in [("Mall", "Cross Mall"), (nil, "Take the crossing")] {
      var maker = MapMaker()
      maker.line("way/1", [(0, 0), (50, 0)], walk)
      maker.line("way/2", [(50, 0), (55, 0), (60, 0)], across)
      maker.line("way/3", [(60, 0), (70, 0)], walk)
      var mall = ["highway": "pedestrian"]
      mall["name"] = name
      maker.line("way/4", [(55, -60), (55, 0), (55, 60)], mall)
      try expect(maker, to: (70, 0), ["Go east", text])
    }
  }

  @Test("Says which street lies between a driveway and a parking lot")
  func driveways() throws {
    var maker = MapMaker()
    maker.line("way/1", [(0, 0), (50, 0)], ["highway": "service", "service": "driveway"])
    maker.line("way/2", [(50, 0), (100, 0)], ["highway": "service", "service": "parking_aisle"])
    maker.line("way/3", [(50, -60), (50, 0), (50, 60)], row)
    try expect(maker, to: (100, 0), ["Go east", "Cross Row and continue into the parking lot"])
  }

  @Test("A sidewalk that goes straight on across a side street without a name needs no instruction")
  func sideStreet() throws {
    for (name, texts) in [
      (nil, ["Go east on Row"]), ("Lane", ["Go east on Row", "Cross Lane", "Continue on Row"]),
    ] {
      var maker = MapMaker()
      let sidewalk = ["highway": "footway", "name": "Row"]
      maker.line("way/1", [(0, 0), (50, 0)], sidewalk)
      maker.line("way/2", [(50, 0), (55, 0), (60, 0)], across)
      maker.line("way/3", [(60, 0), (160, 0)], sidewalk)
      var lane = ["highway": "service"]
      lane["name"] = name
      maker.line("way/4", [(55, -60), (55, 0), (55, 60)], lane)
      try expect(maker, to: (160, 0), texts)
    }
  }

  @Test(
    "A turn to a short path that leads only to a crossing is one step with it",
    arguments: [(false, false), (true, false), (false, true)])
  func pathToCrossing(isMarked: Bool, hasBranch: Bool) throws {
    var maker = MapMaker()
    maker.line("way/1", [(0, 0), (100, 0), (180, 0)], walk)
    maker.line("way/2", [(100, 0), (100, 6), (100, 8)], walk)
    maker.line("way/3", [(100, 8), (100, 12), (100, 16)], isMarked ? across : walk)
    maker.line("way/4", [(100, 16), (100, 90)], walk)
    maker.line("way/5", [(20, 12), (100, 12), (180, 12)], row)
    if hasBranch { maker.line("way/6", [(100, 6), (140, 6)], walk) }
    let route = try maker.guide.directions().route(
      from: TestCampus.end(0, 0), to: TestCampus.end(100, 90))
    RouteTextTests.expectValid(route)
    let then = "cross Row and continue on the path"
    #expect(
      route.maneuvers.map(\.text)
        == ["Go east"]
        + (hasBranch
          ? ["Turn left onto the path", "C" + then.dropFirst()] : ["Turn left, " + then])
        + ["Arrive at your destination"])
    // The step begins where users turn.
    #expect(Bearing.meters(route.points[route.maneuvers[1].point], MapMaker.point(100, 0)) < 0.1)
  }

  @Test("The part of a crossing before another path is a path if it is long and crosses nothing")
  func approach() throws {
    let take = "Turn left and take the crossing"
    for (y, isRailway, text) in [
      (14.0, false, "Turn left onto the path"), (6, false, take), (14, true, take),
    ] {
      var maker = MapMaker()
      maker.line("way/1", [(0, 0), (60, 0), (200, 0)], walk)
      maker.line("way/2", [(60, 0), (60, y), (60, y + 16), (60, y + 22)], across)
      maker.line("way/3", [(60, y), (60 + 2 * y, y), (160, 60)], walk)
      maker.line("way/4", [(0, y + 16), (60, y + 16), (70, y + 80)], row)
      if isRailway { maker.node("node/1", (60, 0), ["railway": "crossing"]) }
      try expect(maker, to: (160, 60), ["Go east", text, "Turn right onto the path"])
    }
  }

  @Test("A crossing a few meters around the corner of a street is one step")
  func setBack() throws {
    for (y, isMarked, text) in [
      (7.0, true, "Cross Row at the crossing a few meters to the left"),
      (-9, true, "Cross Row at the crossing a few meters to the right"),
      (7, false, "Cross Row a few meters to the left"), (1.5, true, "Cross Row"),
    ] {
      var maker = MapMaker()
      maker.line("way/1", [(0, 0), (100, 0)], walk)
      maker.line("way/2", [(100, 0), (100, y)], walk)
      maker.line("way/3", [(100, y), (105, y), (110, y)], isMarked ? across : walk)
      maker.line("way/4", [(110, y), (200, y)], walk)
      maker.line("way/5", [(105, -60), (105, y), (105, 60)], row)
      maker.line("way/6", [(100, 0), (100, -8 * y)], walk)
      maker.line("way/7", [(100, y), (100, 9 * y)], walk)
      try expect(
        maker, to: (200, y), ["Go east", text + " and continue on the path"])
    }
  }

  @Test("Announces streets that a path crosses without a marking, but not driveways")
  func unmarkedCrossings() throws {
    let street = { ["highway": "residential", "name": $0] }
    let driveway = ["highway": "service", "service": "driveway"]
    let cross = ["Go east", "Cross Row and continue on the path"]
    let cases: [(roads: [(Double, [String: String])], texts: [String])] = [
      ([(50, street("Row"))], cross),
      (
        [(50, ["highway": "residential"])],
        ["Go east", "Cross the street and continue on the path"]
      ),
      ([(50, driveway)], ["Go east"]),
      // The two roadways of one street.
      ([(50, street("Row")), (60, street("Row"))], cross),
      (
        [(50, street("Row")), (60, street("Lane"))],
        ["Go east", "Cross Row", "Cross Lane and continue on the path"]
      ),
      // A roadway next to the street.
      ([(49, ["highway": "residential"]), (50, street("Row")), (53, street("Row"))], cross),
      ([(50, street("Row")), (54, ["highway": "residential"])], cross),
    ]
    for (roads, texts) in cases {
      var maker = MapMaker()
      maker.line("way/1", [(0, 0)] + roads.map { ($0.0, 0) } + [(100, 0)], walk)
      for (number, road) in roads.enumerated() {
        maker.line(
          "way/\(number + 2)", [(road.0, -60), (road.0, 0), (road.0, 60)], road.1)
      }
      try expect(maker, to: (100, 0), texts)
    }
  }

  @Test("Announces the street that a path leads across to a side street or a link")
  func sideStreetBehindPath() throws {
    for (lane, right, text) in [
      ("Lane", "Row", "Cross Row and continue on Lane"), (nil, "Row", "Cross Row"),
      ("Lane", "Road", "Continue onto Lane"),
    ] {
      var maker = MapMaker()
      maker.line("way/1", [(0, 0), (50, 0)], walk)
      maker.line("way/2", [(50, 60), (50, 0)], row)
      maker.line("way/3", [(50, 0), (50, -60)], ["highway": "residential", "name": right])
      var tags = ["highway": "residential"]
      tags["name"] = lane
      maker.line("way/4", [(50, 0), (65, 0)], tags)
      if lane == nil { maker.line("way/5", [(65, 60), (65, 0), (65, -60)], row) }
      maker.line("way/6", [(65, 0), (75, 0)], lane == nil ? walk : tags)
      try expect(maker, to: (75, 0), ["Go east", text])
    }
  }

  @Test("Announces both roadways if a path goes on aside behind the second one")
  func firstRoadway() throws {
    var maker = MapMaker()
    let roadway = row.merging(["oneway": "yes"]) { $1 }
    maker.line("way/1", [(0, 0), (50, 0), (65, 0)], walk)
    maker.line("way/2", [(50, 60), (50, 0), (50, -60)], roadway)
    maker.line("way/3", [(65, -60), (65, 0), (65, 8), (65, 60)], roadway)
    maker.line("way/4", [(65, 8), (120, 8)], walk)
    try expect(
      maker, to: (120, 8), ["Go east", "Cross Row", "Cross Row to the path 10 m to the left"])
  }

  @Test("Names each street of a crossing that turns on an island")
  func islands() throws {
    let lane = ["highway": "residential", "name": "Lane"]
    let bend = (66.0, 0.0)
    for (street, island, exit, texts) in [
      (lane, [bend], (76.0, 8.0), ["Cross Row", "Bear left and cross Lane"]),
      (lane, [bend], (78, 0), ["Cross Row and Lane"]),
      (row, [bend], (76, 8), ["Cross Row"]),
      (row, [bend], (66, 12), ["Cross Row", "Turn left and cross Row"]),
      (lane, [bend, (66, 9)], (78, 9), ["Cross Row and Lane"]),
    ] {
      var maker = MapMaker()
      let start = island[island.count - 1]
      let middle = ((start.0 + exit.0) / 2, (start.1 + exit.1) / 2)
      maker.line("way/1", [(0, 0), (50, 0)], walk)
      maker.line("way/2", [(50, 0), (60, 0)] + island + [middle, exit], across)
      maker.line("way/3", [(60, -60), (60, 0), (60, 60)], row)
      let (east, north) = (middle.1 - start.1, start.0 - middle.0)
      maker.line(
        "way/4",
        [
          (middle.0 - 9 * east, middle.1 - 9 * north), middle,
          (middle.0 + 9 * east, middle.1 + 9 * north),
        ], street)
      try expect(maker, to: exit, ["Go east"] + texts)
    }
  }

  @Test("A turn at a junction of paths is announced although the path bends back to a crossing")
  func turnBeforeCrossing() throws {
    var maker = MapMaker()
    maker.line("way/1", [(0, 0), (60, 0)], walk)
    maker.line("way/2", [(60, 60), (60, 0), (60, -7), (66, -8), (120, -10)], walk)
    maker.line("way/3", [(65, 40), (66, -8), (66, -60)], row)
    maker.line("way/4", [(60, 0), (63, 0), (63, 60)], walk)
    try expect(
      maker, to: (120, -10),
      [
        "Go east", "Turn right onto the path, then follow it to the left",
        "Cross Row and continue on the path",
      ])
  }

  @Test("A few meters from a street to its sidewalk are not announced")
  func ontoSidewalk() throws {
    var maker = MapMaker()
    maker.line("way/1", [(0, 0), (60, 0), (160, 0)], row)
    maker.line("way/2", [(60, 0), (60, 4), (60, 60)], walk)
    maker.line("way/3", [(60, 4), (110, 4), (200, 40)], walk.merging(["name": "Row"]) { $1 })
    try expect(maker, to: (200, 40), ["Go east on Row"])
    var back = MapMaker()
    back.line("way/1", [(0, 0), (60, 0), (60, 40)], walk.merging(["name": "Row"]) { $1 })
    back.line("way/2", [(60, 0), (60, -8)], walk)
    back.line("way/3", [(0, -8), (60, -8), (200, -8)], row)
    try expect(back, to: (200, -8), ["Go east on Row"])
  }

  @Test("A crossing that users reach along the middle of its street is one step")
  func alongStreet() throws {
    var maker = MapMaker()
    maker.line("way/1", [(0, 0), (50, 0), (120, 0)], row)
    let lane = ["highway": "residential", "name": "Lane"]
    maker.line("way/2", [(50, -60), (50, 0), (50, 7), (50, 60)], lane)
    maker.line("way/3", [(50, 7), (58, 7)], across)
    maker.line("way/4", [(58, 7), (120, 40)], walk)
    try expect(
      maker, to: (120, 40),
      [
        "Go east on Row",
        "Cross Lane at the crossing a few meters to the left and continue on the path",
      ])
  }

  @Test("A crossing straight ahead is no turn, although its sidewalk leads to it around a corner")
  func crossingBehindCurve() throws {
    let cases: [(sidewalk: [(Double, Double)], across: (x: Double, y: Double), text: String)] = [
      (
        [(0, 50), (-2, 53), (-6, 55)], (0, 12),
        "Cross Row at the crossing a few meters to the left and continue on the path"
      ),
      ([(0, 50)], (12, 0), "Turn right, cross Row and continue on the path"),
    ]
    for (sidewalk, way, text) in cases {
      var maker = MapMaker()
      let (x, y) = sidewalk[sidewalk.count - 1]
      let (middle, end) = ((x + way.x / 2, y + way.y / 2), (x + way.x, y + way.y))
      let goal = (x: x + 8 * way.x, y: y + 8 * way.y)
      maker.line("way/1", [(0, 0)] + sidewalk, walk)
      maker.line("way/2", [(x, y), middle, end], across)
      maker.line("way/3", [end, goal], walk)
      maker.line(
        "way/4",
        [
          (middle.0 - 5 * way.y, middle.1 - 5 * way.x), middle,
          (middle.0 + 5 * way.y, middle.1 + 5 * way.x),
        ],
        row)
      try expect(maker, to: goal, ["Go north", text])
    }
  }

  @Test("A path that crosses a street diagonally crosses it")
  func diagonal() throws {
    for (x, text) in [(100.0, "Turn right, cross Row"), (15, "Cross Row")] {
      var maker = MapMaker()
      maker.line("way/1", [(0, 0), (0, 100)], walk)
      maker.line("way/2", [(0, 100), (x, 160)], walk)
      maker.line("way/3", [(-80, 100), (0, 100), (80, 100)], row)
      let texts = try RouteTextTests.sentences(
        maker.guide, .walk, from: TestCampus.end(0, 0), to: TestCampus.end(x, 160))
      #expect(texts.contains { $0.hasPrefix(text) }, "\(texts)")
    }
  }

  @Test("A street that begins on the other side, a few meters along the street, is one step")
  func streetAside() throws {
    for (first, name, texts) in [
      (walk, "Lane", ["Cross Row to Lane 5 m to the right"]),
      (["highway": "service"], "Lane", ["Cross Row to Lane 5 m to the right"]),
      (walk, "Row", ["Turn right onto Row", "Turn left to stay on Row"]),
    ] {
      var maker = MapMaker()
      maker.line("way/1", [(0, 0), (0, 100)], first)
      maker.line("way/2", [(-80, 100), (0, 100), (5, 100), (80, 100)], row)
      maker.line("way/3", [(5, 100), (5, 200)], ["highway": "residential", "name": name])
      try expect(maker, to: (5, 200), ["Go north"] + texts)
    }
  }

  @Test("A path that ends at a parking aisle, a few meters from a driveway, goes on there")
  func jogToDriveway() throws {
    var maker = MapMaker()
    let service = ["highway": "service"]
    maker.line("way/1", [(0, 0), (0, 60)], walk)
    maker.line(
      "way/2", [(-40, 60), (-4, 60), (0, 60), (60, 60)],
      service.merging(["service": "parking_aisle"]) { $1 })
    maker.line("way/3", [(-4, 60), (-4, 160)], service.merging(["service": "driveway"]) { $1 })
    try expect(maker, to: (-4, 160), ["Go north", "Continue straight onto the driveway"])
  }

  @Test("A square with the same street on both sides belongs to it")
  func streetOverSquare() throws {
    for (name, texts) in [
      ("Row", ["Turn right to stay on Row"]),
      ("Lane", ["Turn right onto the square toward Lane", "Continue onto Lane"]),
    ] {
      var maker = MapMaker()
      maker.line("way/1", [(0, 0), (0, 100)], row)
      maker.area(
        "way/2", [(0, 100), (0, 140), (40, 140), (40, 100)],
        ["highway": "pedestrian", "area": "yes"])
      maker.line("way/3", [(40, 100), (140, 100)], ["highway": "residential", "name": name])
      let found = try RouteTextTests.sentences(
        maker.guide, .walk, from: TestCampus.end(0, 0), to: TestCampus.end(140, 100))
      #expect(Array(found.dropFirst().prefix(texts.count)) == texts, "\(found)")
    }
  }

  @Test("Users who stepped aside to cross a side street continue on their street")
  func backOnStreet() throws {
    var maker = MapMaker()
    maker.line("way/1", [(0, 0), (50, 0)], walk.merging(["name": "Row"]) { $1 })
    maker.line("way/2", [(50, 0), (56, 0), (62, 0)], across)
    maker.line("way/3", [(62, 0), (62, -8)], across)
    maker.line("way/4", [(62, -8), (200, -8)], row)
    maker.line("way/5", [(56, -60), (56, 0), (56, 60)], row.merging(["name": "Lane"]) { $1 })
    maker.line("way/6", [(62, 0), (62, 40)], walk)
    try expect(maker, to: (200, -8), ["Go east on Row", "Cross Lane", "Continue on Row"])
  }

  @Test("Names the direction across a square that bends behind the turn to it")
  func acrossSquare() throws {
    var maker = MapMaker()
    maker.line("way/1", [(0, 0), (60, 0), (120, 0)], walk)
    maker.line("way/2", [(60, 0), (60, 4)], walk)
    maker.area(
      "way/3",
      [(50, 4), (60, 4), (70, 4), (70, 40), (160, 40), (160, 90), (160, 100), (50, 100)],
      ["highway": "pedestrian", "area": "yes"])
    maker.line("way/4", [(160, 90), (220, 124)], walk)
    try expect(
      maker, to: (220, 124), ["Go east", "Turn left onto the square and cross it to the northeast"])
  }

  @Test("A path at the end of a parking lot is announced if it bends")
  func endOfLot() throws {
    var maker = MapMaker()
    maker.line("way/1", [(0, 0), (50, 0), (100, 0)], row)
    maker.line(
      "way/2", [(50, 0), (50, -40)], ["highway": "service", "service": "parking_aisle"])
    maker.line("way/3", [(50, -40), (80, -80)], walk)
    try expect(
      maker, to: (80, -80),
      ["Go east on Row", "Turn right into the parking lot", "Bear left onto the path"])
  }

  @Test("A street that leads along a square does not lead across it")
  func alongSquare() throws {
    for (name, text) in [("Row", ""), ("Lane", ", then cross the square")] {
      var maker = MapMaker()
      var lane = row
      lane["name"] = name
      maker.line("way/1", [(0, 0), (50, 0)], row)
      maker.area(
        "way/2", [(50, 0), (100, 0), (100, 60), (50, 60)],
        ["highway": "pedestrian", "area": "yes"])
      maker.line("way/3", [(100, 0), (200, 0)], lane)
      try expect(
        maker, to: (200, 0),
        ["Go east on Row" + text + (text.isEmpty ? "" : " toward Lane")]
          + (text.isEmpty ? [] : ["Continue onto Lane"]))
    }
  }

  @Test(
    "An island as wide as a path is not called a square", arguments: [(8.0, false), (30, true)])
  func island(width: Double, isSquare: Bool) throws {
    var maker = MapMaker()
    maker.line("way/1", [(0, 0), (50, 0)], walk)
    maker.area(
      "way/2", [(50, 0), (50, -width), (100, -width), (100, 0)],
      ["highway": "pedestrian", "area": "yes"])
    maker.line("way/3", [(100, 0), (150, 0)], walk)
    try expect(maker, to: (150, 0), ["Go east" + (isSquare ? ", then cross the square" : "")])
  }
}
