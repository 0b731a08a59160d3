import CupolaCampus
import Testing

@testable import CupolaGuide

// Users judge a turn by what they see around them, not by the short pieces that the map contains.

@Suite("Turns as users see them") struct PerceivedTurnTests {
  private let walk = ["highway": "footway"]

  private func street(_ name: String, oneway: Bool = false) -> [String: String] {
    ["highway": "residential", "name": name].merging(oneway ? ["oneway": "yes"] : [:]) { $1 }
  }

  @Test("Drivers go straight on across a short jog in a junction")
  func jog() throws {
    var maker = MapMaker()
    maker.line("way/1", [(0, 0), (100, 0), (105.5, 5.5)], street("Row"))
    maker.line("way/2", [(105.5, 5.5), (200, 5.5), (300, 5.5)], street("Lane"))
    maker.line("way/3", [(105.5, 5.5), (80, 60)], street("Row"))
    try expect(maker, .drive, to: (300, 5.5), ["Go east on Row", "Continue onto Lane"])
  }

  @Test("Drivers do not stay on a street of which they used only a piece in a junction")
  func connector() throws {
    for (corner, text) in [
      ((0.0, 100.0), "Turn left to stay on Row"), ((6.5, 125.2), "Turn left onto Row"),
    ] {
      var maker = MapMaker()
      let bend = [(0.0, 100.0), (1.9, 115.9), (3.8, 121.3), (6.5, 125.2), (12, 130.7)]
      let split = (bend.firstIndex { $0 == corner } ?? 0)
      maker.line(
        "way/1", [(0, 0), (0, 50)] + bend[...split], street("Avenue"))
      maker.line("way/2", [(-80, corner.1 + 40)] + bend[split...], street("Row", oneway: true))
      maker.line("way/3", [(12, 130.7), (-78, 174.5)], street("Row", oneway: true))
      maker.line("way/4", [(12, 130.7), (80, 129)], street("Lane"))
      let texts = try RouteTextTests.sentences(
        maker.guide, .drive, from: TestCampus.end(0, 0), to: TestCampus.end(-78, 174.5))
      #expect(texts.contains(text), "\(texts)")
    }
  }

  @Test("Drivers keep to a street that forks with a slip road")
  func slipRoad() throws {
    var maker = MapMaker()
    maker.line("way/1", [(0, 0), (0, 100), (5, 140), (5, 300)], street("Avenue", oneway: true))
    maker.line("way/2", [(0, 100), (-16, 140), (-80, 160)], street("Row", oneway: true))
    try expect(
      maker, .drive, to: (5, 300), ["Go north on Avenue", "Keep right to stay on Avenue"])
  }

  @Test("A turn to a street with two names stays on the name that users know")
  func sharedName() throws {
    var maker = MapMaker()
    maker.line("way/1", [(0, 0), (100, 0)], street("Ring"))
    maker.line("way/2", [(100, -60), (100, 0), (100, 100)], street("Federal Road / Ring"))
    try expect(maker, to: (100, 100), ["Go east on Ring", "Turn left to stay on Ring"])
  }

  @Test("An earlier way at which users could keep to a side is named before a fork")
  func earlierForks() throws {
    for (end, text) in [
      // Users who keep left here follow the route to the fork behind.
      ((120.0, -25.0), "Past a path on your right, keep left"),
      ((100, 40), "Past a path on your left, keep left"), ((60, -60), "Keep left"),
    ] {
      var maker = MapMaker()
      maker.line("way/1", [(0, 0), (88, 0), (100, 0), (200, 20)], walk)
      maker.line("way/2", [(88, 0), end], walk)
      maker.line("way/3", [(100, 0), (200, -35)], walk)
      try expect(maker, to: (200, 20), ["Go east", text])
    }
  }

  @Test("Announces a fork right behind a turn together with it")
  func forkBehindTurn() throws {
    var maker = MapMaker()
    maker.line("way/1", [(0, 0), (60, 0), (150, 0)], ["highway": "residential"])
    maker.line("way/2", [(60, 0), (60, 2.5), (50, 60)], walk)
    maker.line("way/3", [(60, 2.5), (75, 60)], walk)
    try expect(
      maker, to: (75, 60), ["Go east", "Turn left onto the path, then keep right"])
  }

  @Test("Of two ways to one side, the outermost is named")
  func outermost() throws {
    for (end, text) in [
      ((200.0, 100.0), "Turn left onto the leftmost path"), ((150, 0), "Turn left onto the path"),
    ] {
      var maker = MapMaker()
      maker.line("way/1", [(0, 0), (100, 0), end], walk)
      maker.line("way/2", [(100, 0), (150, 100)], walk)
      try expect(maker, to: (150, 100), ["Go east", text])
    }
  }

  @Test("Drivers turn around at the end of a way")
  func deadEnd() throws {
    var maker = MapMaker()
    maker.line("way/1", [(0, 0), (100, 0), (100, -100)], street("Row"))
    maker.line("way/2", [(100, 0), (150, 0)], ["highway": "residential"])
    maker.restriction("relation/1", from: "way/1", at: (100, 0), to: "way/1")
    maker.line("way/3", [(100, 0), (100, 100)], street("Lane"))
    maker.restriction("relation/2", from: "way/1", at: (100, 0), to: "way/3")
    let route = try maker.guide.directions(.drive).route(
      from: TestCampus.end(0, 0), to: TestCampus.end(100, 100))
    #expect(route.maneuvers.map(\.text).contains("Make a U-turn"), "\(route.maneuvers.map(\.text))")
  }

  @Test("Users follow a path past ways that lead back")
  func slightBend() throws {
    for (end, texts) in [
      ((60.0, 40.0), []), ((110, 40), ["Bear right onto the path"]),
    ] as [((Double, Double), [String])] {
      var maker = MapMaker()
      maker.line("way/1", [(0, 0), (100, 0), (180, -50)], walk)
      maker.line("way/2", [(100, 0), end], walk)
      try expect(maker, to: (180, -50), ["Go east"] + texts)
    }
  }

  @Test("A way to the side is not where the path bends behind it")
  func bendBehindBranch() throws {
    var maker = MapMaker()
    maker.line("way/1", [(0, 0), (100, 0), (105, 0), (105, -80)], walk)
    maker.line("way/2", [(100, 0), (100, 60)], walk)
    try expect(maker, to: (105, -80), ["Go east", "Follow the path to the right"])
  }

  @Test("Users who look for a crossing do not take paths for it")
  func crossing() throws {
    var maker = MapMaker()
    maker.line("way/1", [(0, 0), (30, 0), (60, 0), (90, 0), (150, 0)], walk)
    maker.line("way/2", [(30, 0), (30, 60)], walk)
    maker.line("way/3", [(60, 0), (60, 60)], walk)
    maker.line(
      "way/4", [(90, 0), (90, 5), (90, 10)], ["highway": "footway", "footway": "crossing"])
    maker.line("way/5", [(90, 10), (90, 80)], walk)
    maker.line("way/6", [(40, 5), (90, 5), (140, 5)], street("Row"))
    maker.line("way/7", [(95, 5), (95, 40)], street("Row"))
    try expect(maker, to: (90, 80), ["Go east", "Turn left, cross Row and continue on the path"])
  }

  @Test("Users have not passed a building that is still next to them")
  func landmarkAlongside() throws {
    for hasEarlier in [false, true] {
      for (end, text) in [(101.0, "Past Hall on your right"), (110, "At Hall on your right")] {
        var maker = MapMaker()
        maker.line("way/1", [(0, 0), (90, 0), (100, 0), (200, 0)], street("Long Street"))
        maker.line("way/2", [(100, 0), (100, 100)], walk)
        if hasEarlier { maker.line("way/3", [(90, 0), (90, 100)], walk) }
        maker.building("way/10", "Hall", x: 80...end, y: -20 ... -5)
        let found = try RouteTextTests.sentences(
          maker.guide, .walk, from: TestCampus.end(20, 0), to: TestCampus.end(100, 90))
        // The building does not distinguish two ways along it.
        #expect(found[1].hasPrefix(text) != hasEarlier, "\(found)")
      }
    }
    var named = MapMaker()
    named.line("way/1", [(0, 0), (100, 0), (200, 0)], street("Long Street"))
    named.line("way/2", [(100, 0), (100, 100)], walk.merging(["name": "Hall"]) { $1 })
    named.building("way/10", "Hall", x: 80...95, y: -20 ... -5)
    try expect(named, to: (100, 90), ["Go east on Long Street", "Turn left onto Hall"])
  }

  @Test("Users arrive at the edge of a building or an area")
  func arrival() throws {
    for (y, text) in [
      (-20.0, "Arrive at Hall"), (3, "Arrive at Hall, on your left"),
      (30, "Arrive: Hall is 30 m to your left"),
    ] {
      for tags in [["building": "yes"], ["leisure": "park"]] {
        var maker = MapMaker()
        maker.line("way/1", [(-100, 0), (0, 0), (100, 0)], walk)
        maker.area(
          "way/2", [(-40, y), (40, y), (40, 90), (-40, 90)], tags.merging(["name": "Hall"]) { $1 })
        let guide = maker.guide
        guard let place = guide.place("way/2"), place.doors.isEmpty else { continue }
        let texts = try RouteTextTests.sentences(
          guide, .walk, from: TestCampus.end(-100, 0), to: .place(place))
        #expect(texts.last == text)
      }
    }
  }

  @Test("Names the kind of a way that does not begin at the place")
  func wayAtStart() throws {
    var maker = MapMaker()
    maker.line("way/1", [(-100, 0), (0, 0), (100, 0)], walk)
    maker.node("node/1", (0, 8), ["amenity": "cafe", "name": "Café"])
    let guide = maker.guide
    let place = try #require(guide.place("node/1"))
    let texts = try RouteTextTests.sentences(
      guide, .walk, from: .place(place), to: TestCampus.end(100, 0))
    #expect(texts.first == "From Café, go east on the path")
  }

  @Test("A turn to steps a few meters behind a branch is announced once, at the steps")
  func stepsBehindBranch() throws {
    var maker = MapMaker()
    maker.line("way/1", [(0, 0), (100, 0), (105, 0), (160, 0)], walk)
    maker.line("way/2", [(100, 0), (100, -60)], walk)
    maker.line("way/3", [(105, 0), (105, 10)], ["highway": "steps"])
    maker.line("way/4", [(105, 10), (105, 60)], walk)
    try expect(maker, to: (105, 60), ["Go east", "Turn left and take the steps"])
  }

  @Test("A path that begins a few meters aside, where a street ends, is across the other street")
  func pathAside() throws {
    for name in ["Row", nil] {
      let tags = ["highway": "residential", "name": name].compactMapValues { $0 }
      var maker = MapMaker()
      maker.line("way/1", [(0, 0), (100, 0)], tags)
      maker.line("way/2", [(100, -60), (100, 0), (100, 4), (100, 60)], street("Lane"))
      maker.line("way/3", [(100, 4), (200, 4)], walk)
      let first = name.map { "Go east on \($0)" } ?? "Go east"
      try expect(maker, to: (200, 4), [first, "Cross Lane to the path"])
    }
  }

  @Test("Says to go straight if another branch has the name of the street ahead")
  func sameNameAhead() throws {
    for (name, text) in [("Row", "Continue straight onto Row"), ("Alley", "Continue onto Row")] {
      var maker = MapMaker()
      maker.line("way/1", [(0, 0), (100, 0)], street("Lane"))
      maker.line("way/2", [(100, 0), (200, 0)], street("Row"))
      maker.line("way/3", [(100, 60), (100, 0)], street(name))
      try expect(maker, to: (200, 0), ["Go east on Lane", text])
    }
  }

  @Test("Walkers cross a side street instead of using the roadway, and leave out turning lanes")
  func roadway() throws {
    let crossing = ["highway": "footway", "footway": "crossing"]
    var maker = MapMaker()
    maker.line("way/1", [(0, 0), (0, 54)], walk)
    maker.line("way/2", [(0, 54), (0, 60), (0, 70)], crossing)
    maker.line("way/3", [(0, 70), (20, 70), (40, 70)], crossing)
    maker.line("way/4", [(40, 70), (100, 70), (100, 100)], walk)
    maker.line("way/5", [(-60, 60), (0, 60), (20, 60), (100, 60), (160, 60)], street("Row"))
    maker.line("way/6", [(20, 60), (20, 70), (20, 120)], street("Lane"))
    maker.line("way/7", [(100, 60), (100, 70)], walk)
    try expect(
      maker, to: (100, 100),
      [
        "Go north", "Cross Row", "Turn right, cross Lane and continue on the path",
        "Turn left onto the path",
      ])
    for (kind, isUsed) in [("tertiary", true), ("tertiary_link", false)] {
      var maker = MapMaker()
      maker.line("way/1", [(0, 0), (0, 54)], walk)
      maker.line("way/2", [(0, 54), (0, 60), (0, 66)], crossing)
      maker.line("way/3", [(0, 66), (0, 76), (22, 90), (30, 90), (60, 90)], walk)
      maker.line("way/4", [(-60, 60), (0, 60)], street("Row"))
      maker.line("way/5", [(0, 60), (30, 90)], ["highway": kind])
      let texts = try RouteTextTests.sentences(
        maker.guide, .walk, from: TestCampus.end(0, 0), to: TestCampus.end(60, 90))
      #expect(texts.contains { $0.hasSuffix("onto the street") } == isUsed, "\(texts)")
    }
  }

  @Test("Tells ways at the start apart that lead in about the same direction")
  func similarWaysAtStart() throws {
    let plain = ["highway": "residential"]
    for (end, other, tags, text) in [
      ((100.0, 20.0), (100.0, -20.0), plain, "Go east on the left street"),
      ((100, -20), (100, 20), plain, "Go east on the right street"),
      ((100, 20), (100, -20), walk, "Go east on the street"),
      ((100, 0), (0, 100), plain, "Go east"),
    ] {
      var maker = MapMaker()
      maker.line("way/1", [(0, 0), end], plain)
      maker.line("way/2", [(0, 0), other], tags)
      try expect(maker, to: end, [text])
    }
  }

  @Test("Walkers cross a small roundabout with the name of a street in one step")
  func namedRoundabout() throws {
    for (end, text) in [
      ((200.0, 0.0), "go straight on Row"), ((110, 90), "turn left to stay on Row"),
    ] {
      var maker = MapMaker()
      let ring = [(100.0, 0.0), (110, -10), (120, 0), (110, 10), (100, 0)]
      maker.line("way/1", ring, street("Row").merging(["junction": "roundabout"]) { $1 })
      maker.line("way/2", [(0, 0), (85, 0), (100, 0)], street("Row"))
      maker.line("way/3", [(120, 0), (200, 0)], street("Row"))
      maker.line("way/4", [(110, 10), (110, 90)], street("Row"))
      try expect(maker, to: end, ["Go east on Row", "At the roundabout, \(text)"])
    }
  }

  @Test("A bend right behind a turn is said with it, and not part of its angle")
  func bendBehindTurn() throws {
    for (meters, side) in [(5.0, "right"), (10, "left"), (10, "right")] {
      let x = side == "right" ? 200.0 : 10
      var maker = MapMaker()
      maker.line("way/1", [(0, 0), (100, 0), (200, 0)], walk)
      maker.line("way/2", [(100, 0), (100, meters), (x, meters + 40)], walk)
      try expect(
        maker, to: (x, meters + 40),
        ["Go east", "Turn left onto the path, then follow it to the \(side)"])
    }
  }

  @Test("A path that goes on some meters aside on the other side of a street crosses it once")
  func diagonalCrossing() throws {
    for (y, text) in [
      (10.0, "Cross Row to the path 10 m to the left"),
      (-8, "Cross Row to the path 10 m to the right"), (3, "Cross Row to the path"),
    ] {
      var maker = MapMaker()
      maker.line("way/1", [(0, 0), (100, 0)], walk)
      maker.line(
        "way/2", [(100, -80), (100, min(0, y)), (100, max(0, y)), (100, 80)], street("Row"))
      maker.line("way/3", [(100, y), (200, y)], walk)
      try expect(maker, to: (200, y), ["Go east", text])
    }
  }

  @Test("The second of two flights of steps is the next one, and a landing has no turns")
  func landing() throws {
    let steps = ["highway": "steps", "incline": "up"]
    var maker = MapMaker()
    maker.line("way/1", [(0, 0), (54, 0)], walk)
    maker.line("way/2", [(54, 0), (60, 0)], steps)
    maker.area(
      "way/3", [(60, -10), (67, -10), (67, 0), (67, 10), (60, 10), (60, 0)],
      ["highway": "pedestrian", "area": "yes"])
    maker.line("way/4", [(67, 0), (73, 0)], steps)
    maker.line("way/5", [(73, 0), (73, -80)], walk)
    maker.line("way/6", [(73, 0), (150, 0)], walk)
    try expect(
      maker, to: (73, -80),
      ["Go east", "Take the steps up", "Take the next steps up", "Turn right onto the path"])
  }

  @Test("Users cross the street at whose middle a side street and a crossing meet")
  func crossingAtSideStreet() throws {
    for name in ["Lane", nil] {
      var maker = MapMaker()
      var lane = street("Lane")
      lane["name"] = name
      maker.line("way/1", [(0, 0), (100, 0)], lane)
      maker.line("way/2", [(100, -60), (100, 0), (100, 60)], street("Row"))
      maker.line("way/3", [(100, 0), (108, 0)], walk.merging(["footway": "crossing"]) { $1 })
      maker.line("way/4", [(108, 0), (200, 0)], walk)
      try expect(
        maker, to: (200, 0),
        ["Go east" + (name.map { " on " + $0 } ?? ""), "Cross Row and continue on the path"])
    }
  }

  @Test("A bend of a street without a name is no turn if the other street leads back")
  func mergingStreet() throws {
    for (end, texts) in [((0.0, 60.0), []), ((200, 5), ["Bear right onto the street"])] {
      var maker = MapMaker()
      maker.line("way/1", [(0, 0), (100, 0), (180, -50)], ["highway": "service"])
      maker.line("way/2", [(100, 0), end], ["highway": "service"])
      try expect(maker, .drive, to: (180, -50), ["Go east"] + texts)
    }
  }

  @Test("A bend right before steps is said once")
  func bendBeforeSteps() throws {
    var maker = MapMaker()
    maker.line("way/1", [(0, 0), (50, 0), (50, 3.5)], walk)
    maker.line("way/2", [(50, 3.5), (50, 20)], ["highway": "steps", "incline": "up"])
    try expect(
      maker, to: (50, 19), ["Go east", "Follow the path to the left", "Take the steps up"])
  }

  @Test("Two turns that lead back have a side, also right before a third one")
  func turnsBack() throws {
    var maker = MapMaker()
    maker.line("way/1", [(0, 0), (100, 0), (150, 0)], walk)
    maker.line("way/2", [(100, 0), (100, 4), (100, 60)], walk)
    maker.line("way/3", [(0, 4), (93, 4), (100, 4), (200, 4)], street("Row"))
    maker.line("way/4", [(93, 4), (93, 60)], ["highway": "residential"])
    try expect(
      maker, to: (93, 60),
      ["Go east", "Turn sharply left onto Row", "Turn right onto the street"])
  }

  @Test("Names the way between similar ones, and the side of one that is about as straight")
  func similarForks() throws {
    for (others, text) in [
      ([(200.0, 20.0), (200, -20)], "Continue straight"), ([(200, -10), (100, 80)], "Keep left"),
      ([(200, -40), (100, 80)], "Continue straight"),
    ] {
      var maker = MapMaker()
      maker.line("way/1", [(0, 0), (100, 0), (200, 0)], walk)
      for (number, other) in others.enumerated() {
        maker.line("way/\(number + 2)", [(100, 0), other], walk)
      }
      try expect(maker, to: (200, 0), ["Go east", text])
    }
  }

  @Test("Walkers cross an avenue by a link across its median in one step")
  func median() throws {
    func cross(_ words: String) -> String {
      "Cross Avenida Central and \(words) along its other side"
    }
    for (end, isDivided, texts) in [
      ((200.0, 20.0), true, [cross("continue")]), ((0, 20), true, [cross("go back")]),
      ((200, 20), false, ["Turn left onto the street", "Turn right onto Av. Central"]),
    ] {
      var maker = MapMaker()
      maker.line("way/1", [(0, 0), (100, 0), (200, 0)], street("Avenida Central", oneway: true))
      let other = street("Av. Central", oneway: isDivided)
      maker.line("way/2", [(200, 20), (100, 20), (0, 20)], other)
      maker.line("way/3", [(100, 0), (100, 20)], ["highway": "residential"])
      try expect(maker, to: end, ["Go east on Avenida Central"] + texts)
    }
    // A street that goes on some meters aside is not an avenue.
    var maker = MapMaker()
    maker.line("way/1", [(0, 0), (100, 0)], street("Row"))
    maker.line("way/2", [(100, 20), (200, 20)], street("Row"))
    maker.line("way/3", [(100, -60), (100, 0), (100, 20), (100, 80)], street("Lane"))
    try expect(
      maker, to: (200, 20), ["Go east on Row", "Turn left onto Lane", "Turn right onto Row"])
  }

  @Test("Walkers on a street cross main roads, both roadways in one step")
  func mainRoads() throws {
    let cases: [(kind: String, roads: [Double], behind: String, end: (Double, Double), String?)] = [
      ("primary", [50], "Lane", (100, 0), "Cross Avenue and continue on Lane"),
      ("secondary", [50, 70], "Lane", (100, 0), "Cross Avenue and continue on Lane"),
      ("primary", [50, 70], "Row", (100, 0), "Cross Avenue and continue on Row"),
      ("primary", [50, 70], "Lane", (70, 60), "Turn left onto the second roadway of Avenue"),
      ("residential", [50], "Lane", (100, 0), nil),
    ]
    for (kind, roads, behind, end, text) in cases {
      var maker = MapMaker()
      maker.line("way/1", [(0, 0)] + roads.map { ($0, 0) }, street("Lane"))
      maker.line("way/2", [(roads[roads.count - 1], 0), (100, 0)], street(behind))
      for x in roads {
        maker.line(
          "way/\(Int(x))", [(x, -60), (x, 0), (x, 60)], ["highway": kind, "name": "Avenue"])
      }
      try expect(maker, to: end, ["Go east on Lane"] + (text.map { [$0] } ?? []))
      if end == (100, 0), behind == "Lane" {
        try expect(maker, .drive, to: end, ["Go east on Lane"])
      }
    }
    // A sidewalk is not the other roadway.
    var maker = MapMaker()
    maker.line("way/1", [(0, 0), (50, 0), (60, 0)], walk)
    maker.line("way/2", [(50, -60), (50, 0), (50, 60)], street("Row"))
    maker.line("way/3", [(60, 0), (60, 60)], walk.merging(["name": "Row"]) { $1 })
    try expect(maker, to: (60, 60), ["Go east", "Cross Row", "Turn left onto Row"])
  }

  @Test("A turn right before a street without a marked crossing is one step with it")
  func turnAndCross() throws {
    for (x, y, text) in [
      (103.0, -3.0, "Bear right, cross Row and continue on the path"),
      (100, 4, "Turn left, cross Row and continue on the path"),
    ] {
      var maker = MapMaker()
      let (dx, dy) = (x - 100, y)
      maker.line("way/1", [(0, 0), (100, 0), (180, 0)], walk)
      maker.line("way/2", [(100, 0), (x, y), (100 + 20 * dx, 20 * dy)], walk)
      maker.line(
        "way/3", [(x - 10 * dy, y + 10 * dx), (x, y), (x + 10 * dy, y - 10 * dx)], street("Row"))
      try expect(maker, to: (100 + 20 * dx, 20 * dy), ["Go east", text])
    }
  }

  @Test("Drives start where cars can stop, not on the ramp of a motorway")
  func ramp() throws {
    var maker = MapMaker()
    maker.line("way/1", [(0, 40), (100, 40), (200, 0)], ["highway": "motorway_link"])
    maker.line("way/2", [(0, 0), (100, 0), (200, 0), (300, 0)], street("Row"))
    maker.node("node/1", (100, 30), ["amenity": "cafe", "name": "Mocca"])
    let guide = maker.guide
    let texts = try RouteTextTests.sentences(
      guide, .drive, from: .place(try #require(guide.place("node/1"))),
      to: TestCampus.end(300, 0))
    #expect(texts.first == "From Mocca, go 30 m south to Row, then east")
  }

  @Test("Drivers walk to a street that is far from the place")
  func walkToCar() throws {
    var maker = MapMaker()
    maker.line("way/1", [(0, 0), (100, 0), (300, 0)], ["highway": "residential", "name": "Row"])
    maker.node("node/1", (100, 60), ["amenity": "cafe", "name": "Mocca"])
    let guide = maker.guide
    let cafe = try #require(guide.place("node/1"))
    let goal = try TestCampus.end(300, 0)
    #expect(
      try RouteTextTests.sentences(guide, .drive, from: .place(cafe), to: goal).first
        == "From Mocca, walk 60 m south to Row, then drive east")
    #expect(
      try RouteTextTests.sentences(guide, .drive, from: TestCampus.end(100, 60), to: goal).first
        == "Walk 60 m south to Row, then drive east")
  }
}
