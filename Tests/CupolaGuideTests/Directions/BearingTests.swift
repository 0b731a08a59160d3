import CupolaCampus
import Testing

@testable import CupolaGuide
@testable import CupolaGuideBuilder

@Suite("Bearings and landmarks") struct BearingTests {
  @Test(
    "Names compass directions",
    arguments: [
      (0, "north"), (22, "north"), (23, "northeast"), (90, "east"), (135, "southeast"),
      (180, "south"), (225, "southwest"), (270, "west"), (315, "northwest"), (337, "northwest"),
      (338, "north"), (359.9, "north"), (360, "north"), (-90, "west"), (-45, "northwest"),
    ] as [(Double, String)])
  func names(bearing: Double, name: String) { #expect(Bearing.name(bearing) == name) }

  @Test(
    "Turn angles map to maneuver kinds",
    arguments: [
      (0, .straight), (24, .straight), (-24, .straight), (25, .slightRight), (-49, .slightLeft),
      (90, .right), (-90, .left), (124, .right), (125, .sharpRight), (-164, .sharpLeft),
      (165, .uTurn), (180, .uTurn), (-180, .uTurn),
    ] as [(Double, Maneuver.Kind)])
  func kinds(turn: Double, kind: Maneuver.Kind) { #expect(ManeuverPlan.kind(turn) == kind) }

  @Test("Bearings and distances match plane geometry")
  func directions() throws {
    let here = MapMaker.point(0, 0)
    for (x, y, bearing) in [
      (0.0, 50.0, 0.0), (50, 0, 90), (0, -50, 180), (-50, 0, 270), (30, 30, 45),
    ] {
      let found = try #require(Bearing.of(here, MapMaker.point(x, y)))
      #expect((found - bearing).magnitude < 1e-6)
      #expect(
        (Bearing.meters(here, MapMaker.point(x, y)) - (x * x + y * y).squareRoot()).magnitude < 1e-6
      )
    }
    #expect(Bearing.of(here, here) == nil)
  }

  @Test("Ignores a short hook where a path leaves a street")
  func hooks() throws {
    let points = [(-40.0, 0.0), (0, 0), (1, 0), (1, 40)].map { MapMaker.point($0.0, $0.1) }
    let behind = try #require(Bearing.near(1, of: points, step: 1))
    #expect(behind < 10)
    let before = try #require(Bearing.near(1, of: points, step: -1))
    #expect((before - 90).magnitude < 1e-6)
    #expect(Bearing.near(0, of: points, step: -1) == nil)
    #expect(Bearing.near(3, of: points, step: 1) == nil)
  }

  @Test("Users follow a sidewalk around the corner where its name ends, also by small bends")
  func cornerOfSidewalk() throws {
    let walk = ["highway": "footway"]
    for (name, texts) in [("Row", ["Follow the path to the right"]), (nil, [])] {
      var maker = MapMaker()
      maker.line(
        "way/1", [(0, 0), (0, 60), (4, 66)], walk.merging(name.map { ["name": $0] } ?? [:]) { $1 })
      maker.line("way/2", [(4, 66), (60, 70)], walk)
      try expect(maker, to: (60, 70), ["Go north" + (name.map { " on \($0)" } ?? "")] + texts)
    }
  }

  @Test("Measures a turn only up to steps that lead back")
  func stepsBack() throws {
    let walk = ["highway": "footway"]
    var maker = MapMaker()
    maker.line("way/1", [(0, 0), (0, 40), (0, 44), (1.3, 44)], walk)
    maker.line("way/2", [(0, 40), (-40, 40)], walk)
    maker.line("way/3", [(1.3, 44), (1.3, 30)], ["highway": "steps"])
    maker.line("way/4", [(1.3, 30), (40, 30)], walk)
    try expect(maker, to: (40, 30), ["Go north", "Turn sharply right and take the steps"])
  }

  @Test("The end of a jog from a street to its sidewalk is no part of the turn behind it")
  func jogBeforeTurn() throws {
    let walk = ["highway": "footway", "name": "Row"]
    var maker = MapMaker()
    maker.line(
      "way/1", [(0, -60), (0, 40), (0, 100)], ["highway": "residential", "name": "Row"])
    maker.line("way/2", [(0, 40), (4, 40), (60, 40)], ["highway": "service", "name": "Lane"])
    maker.line("way/3", [(4, 40), (4, 43), (4, 100)], walk)
    maker.line("way/4", [(4, 43), (60, 43)], ["highway": "footway", "name": "Lane"])
    try expect(maker, to: (4, 100), ["Go north on Row"])
  }

  @Test("Several bends lead back on their side, even if their sum exceeds a half turn")
  func bendsBack() throws {
    let walk = ["highway": "footway"]
    var maker = MapMaker()
    maker.line("way/1", [(0, 0), (60, 0), (100, 0)], walk)
    maker.line("way/2", [(60, 0), (60, 2.3), (55, 2.2), (55.5, -3), (56, -40)], walk)
    try expect(maker, to: (56, -40), ["Go east", "Turn sharply left onto the path"])
  }

  @Test("The first bend gives no direction if users turn again immediately")
  func twoBendsAtStart() throws {
    let walk = ["highway": "footway"]
    for (y, text) in [(-3.0, "Go east"), (-9, "Go south")] {
      var maker = MapMaker()
      maker.line("way/1", [(0, 0), (7.5, 0), (7.5, y), (40, y)], walk)
      maker.line("way/2", [(7.5, y), (7.5, -60)], walk)
      let texts = try RouteTextTests.sentences(
        maker.guide, .walk, from: TestCampus.end(0, 0), to: TestCampus.end(40, y))
      #expect(texts[0] == text)
      #expect(texts[1].hasSuffix("left onto the path"), "\(texts)")
    }
  }

  @Test("A turn near the start is said if the first way goes on")
  func turnNearStart() throws {
    let walk = ["highway": "footway"]
    for (goesOn, texts) in [
      (true, ["Go north", "Turn right onto the path"]), (false, ["Go east"]),
    ] {
      var maker = MapMaker()
      maker.line("way/1", [(0, 0), (0, 8)] + (goesOn ? [(0, 80)] : []), walk)
      maker.line("way/2", [(0, 8), (100, 8)], walk)
      if !goesOn { maker.line("way/3", [(-60, 8), (0, 8)], walk) }
      try expect(maker, to: (100, 8), texts)
    }
  }

  @Test("Users keep to the side of a fork that bends less if both branches bend to the other side")
  func forkOnOneSide() throws {
    let walk = ["highway": "footway"]
    for (end, text) in [((180.0, 50.0), "Keep right"), ((140, 90), "Turn left onto the path")] {
      var maker = MapMaker()
      maker.line("way/1", [(0, 0), (100, 0)], walk)
      maker.line("way/2", [(100, 0), (180, 50)], walk)
      maker.line("way/3", [(100, 0), (140, 90)], walk)
      try expect(maker, to: end, ["Go east", text])
    }
  }

  @Test("Announces two right angles to one side that are a few meters apart")
  func twoRightAngles() throws {
    let walk = ["highway": "footway"]
    var maker = MapMaker()
    maker.line("way/1", [(0, 0), (40, 0), (40, -5.5)], walk)
    maker.line("way/2", [(40, -5.5), (60, -5.5)], walk)
    maker.line("way/3", [(40, -5.5), (39, -7), (0, -9)], walk)
    try expect(
      maker, to: (0, -9), ["Go east", "Follow the path to the right", "Turn right onto the path"])
  }

  @Test("Announces two turns to one side if the first way goes on straight behind the second")
  func turnOffNewPath() throws {
    let walk = ["highway": "footway"]
    for (goesOn, texts) in [
      (true, ["Bear left onto the path", "Turn left onto the path"]),
      (false, ["Turn left onto the path"]),
    ] {
      var maker = MapMaker()
      maker.line("way/1", [(0, 0), (100, 0), (200, 0)], walk)
      maker.line("way/2", [(100, 0), (103.5, 2.5)] + (goesOn ? [(140, 28)] : []), walk)
      maker.line("way/3", [(103.5, 2.5), (96, 80)], walk)
      try expect(maker, to: (96, 80), ["Go east"] + texts)
    }
  }

  @Test("Mentions landmarks beside turns, not distant ones or route ends")
  func landmarks() throws {
    var maker = MapMaker()
    maker.addCrossing()
    maker.building("way/10", "Left Hall", x: 80...95, y: 10...30)
    maker.building("way/11", "Far Hall", x: 80...95, y: -80 ... -50)
    let guide = maker.guide
    let ends = (try TestCampus.end(20, 0), try TestCampus.end(100, 90))
    func turn(_ guide: Guide, to goal: RouteEnd) throws -> String {
      try guide.directions().route(from: ends.0, to: goal).maneuvers[1].text
    }
    #expect(
      try turn(guide, to: ends.1) == "Past Left Hall on your left, turn left onto North Street")
    var other = maker
    other.building("way/12", "Right Hall", x: 95...110, y: -20 ... -5)
    #expect(
      try turn(other.guide, to: ends.1)
        == "Past Left Hall on your left, turn left onto North Street")
    // Users who walked past these buildings first would miss the turn.
    for (x, y) in [(105.0...120, 10.0...30), (110...125, -20 ... -5), (90...140, -20 ... -5)] {
      var ahead = MapMaker()
      ahead.addCrossing()
      ahead.building("way/10", "Next Hall", x: x, y: y)
      #expect(try turn(ahead.guide, to: ends.1) == "Turn left onto North Street")
    }
    // Another building, with or without a name, hides one behind it.
    for name in ["Shop", nil] {
      for y in [(3.0, 8.0), (40, 60)] {
        var hidden = maker
        hidden.area(
          "way/12", [(70, y.0), (98, y.0), (98, y.1), (70, y.1)],
          ["building": "yes", "name": name].compactMapValues { $0 })
        #expect(try turn(hidden.guide, to: ends.1).contains("Left Hall") == (y.0 > 30))
      }
    }
    // A building on both sides is on neither, and users must have walked along it.
    var both = MapMaker()
    both.addCrossing()
    both.area(
      "way/10", [(70, -30), (80, -30), (80, 10), (95, 10), (95, 30), (70, 30)],
      ["building": "yes", "name": "Arch"])
    #expect(try turn(both.guide, to: ends.1) == "Turn left onto North Street")
    #expect(
      try guide.directions().route(from: TestCampus.end(98, 0), to: ends.1).maneuvers[0].text
        == "Go north on North Street")
    let place = try #require(guide.place("way/10"))
    #expect(
      try guide.directions().route(from: .place(place), to: ends.1).maneuvers.allSatisfy {
        !$0.text.contains("Past")
      })
  }
}

@Suite("Maps across the date line") struct DateLineTests {
  private static func feature(
    _ properties: String, _ type: String, _ coordinates: String
  ) -> String {
    #"{"type":"Feature","properties":{\#(properties)},"#
      + #""geometry":{"type":"\#(type)","coordinates":\#(coordinates)}}"#
  }

  private static func guide(_ features: [String]) throws -> Guide {
    let text = #"{"type":"FeatureCollection","features":[\#(features.joined(separator: ","))]}"#
    var map = GuideMap()
    try map.read(Array(text.utf8), path: "taveuni.json")
    return GuideBuilder(map).guide
  }

  private static func path(_ coordinates: String) -> String {
    feature(#""highway":"footway""#, "LineString", coordinates)
  }

  private static let hall = feature(
    #""building":"yes","name":"Hall""#, "Polygon",
    """
    [[[179.9999, -16.7999], [-179.9997, -16.7999], [-179.9997, -16.7997], [179.9999, -16.7997],
      [179.9999, -16.7999]]]
    """)

  private static func guide() throws -> Guide {
    try guide([path("[[179.999, -16.8], [-179.999, -16.8]]"), hall])
  }

  @Test("A route can start and end on an edge across the date line")
  func route() throws {
    let start = try #require(Position(latitude: -16.8, longitude: 179.9995))
    let goal = try #require(Position(latitude: -16.8, longitude: -179.9995))
    let route = try Self.guide().directions(.walk)
      .route(from: .position(start), to: .position(goal))
    #expect((route.meters - 106.6).magnitude < 0.5)
    let ends = [route.points.first, route.points.last].compactMap { $0?.longitude }
    #expect((ends[0] - 179.9995).magnitude < 1e-6 && (ends[1] + 179.9995).magnitude < 1e-6)
  }

  @Test("Places a building at its middle across the date line")
  func building() throws {
    let hall = try #require(try Self.guide().places.first { $0.name == "Hall" })
    #expect((hall.position.longitude + 179.9999).magnitude < 1e-6)
    #expect((hall.position.latitude + 16.7998).magnitude < 1e-6)
  }

  @Test("Assigns places and doors to a building across the date line")
  func contents() throws {
    let cafes = [("West", "[179.99995, -16.7998]"), ("East", "[-179.9998, -16.7998]")]
      .map { Self.feature(#""amenity":"cafe","name":"\#($0.0)""#, "Point", $0.1) }
    let door = Self.feature(
      #""entrance":"main","name":"South""#, "Point", "[-179.9999, -16.7999]")
    let path = Self.path("[[179.999, -16.8], [-179.999, -16.8]]")
    let guide = try Self.guide([path, Self.hall, door] + cafes)
    let hall = try #require(guide.places.first { $0.name == "Hall" })
    #expect(hall.doors.map(\.name) == ["South"])
    let inside = guide.places.filter { $0.category == "cafe" }
    #expect(inside.count == 2 && inside.allSatisfy { $0.building == hall.id })
  }

  @Test("The default door is the wall point nearest to a path")
  func nearest() throws {
    let path = Self.path("[[-179.99995, -16.8005], [-179.99995, -16.8]]")
    let hall = try #require(try Self.guide([path, Self.hall]).places.first { $0.name == "Hall" })
    let door = try #require(hall.doors.first).point
    #expect((door.longitude + 179.9999667).magnitude < 1e-6 && door.latitude == -16.7999)
  }

  @Test("A room is entered through a wall across the date line")
  func room() throws {
    let corridor = Self.feature(
      #""indoor":"corridor","level":"0""#, "Polygon",
      """
      [[[179.9999, -16.8], [-179.9999, -16.8], [-179.9999, -16.7999], [179.9999, -16.7999],
        [179.9999, -16.8]]]
      """)
    let room = Self.feature(
      #""indoor":"room","level":"0","ref":"7""#, "Polygon",
      """
      [[[179.9999, -16.7999], [-179.9999, -16.7999], [-179.9999, -16.7998],
        [179.9999, -16.7998], [179.9999, -16.7999]]]
      """)
    let guide = try Self.guide([
      Self.path("[[179.999, -16.8], [179.9999, -16.8]]"), corridor, room,
    ])
    let start = try #require(Position(latitude: -16.8, longitude: 179.999))
    let goal = try #require(guide.places.first { $0.ref == "7" })
    let route = try guide.directions(.walk).route(from: .position(start), to: .place(goal))
    #expect((route.meters - 116.8).magnitude < 3)
  }

  @Test("Joins ways that are cut at the line as in RFC 7946")
  func cut() throws {
    let guide = try Self.guide([
      Self.path("[[179.999, -16.8], [180, -16.8]]"),
      Self.path("[[-180, -16.8], [-179.999, -16.8]]"),
    ])
    let start = try #require(Position(latitude: -16.8, longitude: 179.9995))
    let goal = try #require(Position(latitude: -16.8, longitude: -179.9995))
    let route = try guide.directions(.walk).route(from: .position(start), to: .position(goal))
    #expect((route.meters - 106.6).magnitude < 0.5)
  }

  @Test("Joins OpenStreetMap ways whose nodes differ on both sides")
  func nodes() throws {
    let map = try MapTexts.overpass(
      #"{"type":"node","id":1,"lat":-16.8,"lon":179.999}"#,
      #"{"type":"node","id":2,"lat":-16.8,"lon":180}"#,
      #"{"type":"node","id":3,"lat":-16.8,"lon":-180}"#,
      #"{"type":"node","id":4,"lat":-16.8,"lon":-179.999}"#,
      MapTexts.way(1, [1, 2], #"{"highway":"footway"}"#),
      MapTexts.way(2, [3, 4], #"{"highway":"footway"}"#))
    let start = try #require(Position(latitude: -16.8, longitude: 179.9995))
    let goal = try #require(Position(latitude: -16.8, longitude: -179.9995))
    let route = try GuideBuilder(map).guide.directions(.walk)
      .route(from: .position(start), to: .position(goal))
    #expect((route.meters - 106.6).magnitude < 0.5)
  }

  @Test("The midpoint of a line across the date line is on it")
  func middle() throws {
    let line = [179.9, -179.9].compactMap { MapPoint(latitude: 10, longitude: $0) }
    #expect(MapPoint.middle(along: line)?.longitude.magnitude == 180)
  }
}
