import Testing

@testable import CupolaGuide
@testable import CupolaGuideBuilder

@Suite("Indoor paths") struct IndoorPathsTests {
  @Test("Reaches the same rooms as a linear search for stops", arguments: 1...5)
  func matchesReference(seed: UInt64) {
    let made = RandomRooms(seed: seed)
    var draft = PathDraft()
    let spaces = IndoorPaths.add(made.features, of: made.map, to: &draft)
    #expect(spaces.count == made.rooms.count)
    for (space, room) in zip(spaces, made.rooms) {
      let isReached = made.elevators.contains { room.holds($0.place, on: $0.level) }
      #expect((space.vertex != nil) == isReached)
    }
    #expect((10...70).contains(spaces.count { $0.vertex != nil }))
  }

  @Test("Keeps each floor once for many doors at one point")
  func doorsAtOnePoint() {
    var maker = MapMaker()
    for number in 0..<100 {
      maker.node("node/\(number)", (0, 0), ["door": "yes", "level": "\(number % 3)-200"])
    }
    var map = maker.map
    var faults: [MapFault] = []
    let features = IndoorFeatures(&map, faults: &faults)
    #expect(features.doors.values.map(\.count) == [201] && faults.isEmpty)
    #expect(features.isDoor(0, on: 200) && !features.isDoor(0, on: 201))
    // A door without a level is on all floors, regardless of other doors at the same point.
    maker.node("node/100", (0, 0), ["door": "yes"])
    maker.node("node/101", (0, 0), ["door": "yes", "level": "1"])
    map = maker.map
    #expect(IndoorFeatures(&map, faults: &faults).isDoor(0, on: 201))
  }

  @Test("Rooms beyond the elevator budget are not entered but reported")
  func budget() {
    var maker = MapMaker()
    for number in 0..<450 {
      let place = (Double(number % 30) + 1, Double(number / 30) + 1)
      maker.node("node/\(number)", place, ["highway": "elevator", "level": "0"])
    }
    for room in 0..<3 {
      maker.area(
        "way/\(room)", [(0, 0), (40 + Double(room), 0), (40, 40), (0, 40)],
        ["indoor": "room", "level": "0"])
    }
    var map = maker.map
    var faults: [MapFault] = []
    let features = IndoorFeatures(&map, faults: &faults)
    var draft = PathDraft()
    draft.areaBudget.results = 1000
    let spaces = IndoorPaths.add(features, of: map, to: &draft)
    #expect(spaces.map { $0.vertex != nil } == [true, true, false])
    #expect(draft.edges.count == 900 && draft.areaBudget.skipped == 1)
    #expect(draft.areaBudget.fault?.title == "way/2")
  }

  @Test("Inclined ways connect floors, level ways exist on each floor")
  func ramp() throws {
    func meters(_ incline: String?) throws -> Double {
      var maker = MapMaker()
      maker.line("way/1", [(-30, 0), (0, 0)], ["highway": "footway"])
      maker.node("node/1", (0, 0), ["entrance": "yes", "level": "0"])
      var ramp = ["highway": "footway", "indoor": "yes", "level": "0;1"]
      ramp["incline"] = incline
      maker.line("way/2", [(0, 0), (50, 0)], ramp)
      maker.line("way/3", [(50, 0), (80, 0)], ["highway": "corridor", "level": "1"])
      return try maker.guide.directions(.stepFree).route(
        from: TestCampus.end(-30, 0), to: TestCampus.end(80, 0, level: 1)
      ).meters
    }
    for incline in ["up", "6%"] { #expect(try (meters(incline) - 110).magnitude < 1) }
    for incline in [nil, "0%"] { #expect(throws: GuideError.self) { _ = try meters(incline) } }
  }

  private static func corridor(_ level: String) -> [String: String] {
    ["highway": "corridor", "level": level]
  }

  private func expect(
    _ maker: MapMaker, from level: Double? = 0, to end: RouteEnd, _ texts: [String],
    _ location: SourceLocation = #_sourceLocation
  ) throws {
    let start = try TestCampus.end(0, 0, level: level)
    let said = try RouteTextTests.sentences(maker.guide, .walk, from: start, to: end)
    #expect(said == texts + ["Arrive at your destination"], sourceLocation: location)
  }

  @Test("Steps without a direction lead down from a corridor on the upper floor")
  func stepsFromCorridor() throws {
    var maker = MapMaker()
    maker.line("way/1", [(0, 0), (20, 0)], Self.corridor("0"))
    maker.line("way/2", [(20, 0), (20, 30)], Self.corridor("0"))
    maker.line("way/3", [(20, 0), (20, -10)], ["highway": "steps", "level": "-1;0"])
    maker.line("way/4", [(20, -10), (20, -40)], Self.corridor("-1"))
    try expect(
      maker, to: TestCampus.end(20, -40, level: -1),
      ["Go east", "Turn right and take the steps down to floor -1"])
    try expect(maker, to: TestCampus.end(20, 30, level: 0), ["Go east", "Turn left"])
  }

  @Test("A platform below ground is inside the station, other platforms are outdoors")
  func platform() throws {
    for (level, text) in [
      ("-1", "Turn left onto platform 6"), ("0", "Leave the building and turn left"),
    ] {
      var maker = MapMaker()
      maker.line("way/1", [(0, 0), (20, 0)], Self.corridor("0"))
      maker.node("node/1", (20, 0), ["highway": "elevator", "level": "-1;0"])
      maker.line("way/2", [(20, 0), (40, 0)], Self.corridor(level))
      maker.line(
        "way/3", [(40, 0), (40, 60)], ["railway": "platform", "ref": "6", "level": level])
      let texts = level == "-1" ? ["Take the elevator down to floor -1"] : []
      try expect(maker, to: TestCampus.end(40, 60), ["Go east"] + texts + [text])
    }
  }

  @Test("Does not announce turns on a platform, which users see")
  func turnOnPlatform() throws {
    var maker = MapMaker()
    maker.line("way/1", [(0, 0), (40, 0)], Self.corridor("-1"))
    maker.area(
      "way/2", [(38, 0), (40, 0), (42, 0), (42, 60), (80, 60), (80, 64), (38, 64)],
      ["railway": "platform", "area": "yes", "ref": "6", "level": "-1"])
    let start = try TestCampus.end(0, 0, level: -1)
    #expect(
      try RouteTextTests.sentences(
        maker.guide, .walk, from: start, to: TestCampus.end(80, 64)) == [
          "Go east", "Turn left onto platform 6", "Arrive at your destination",
        ])
  }

  @Test("Users who leave an elevator turn only if they could take another way")
  func turnBehindElevator() throws {
    for hasOther in [true, false] {
      var maker = MapMaker()
      maker.line("way/1", [(0, 0), (20, 0)], Self.corridor("0"))
      maker.node("node/1", (20, 0), ["highway": "elevator", "level": "0;1;2"])
      maker.line("way/2", [(20, 0), (40, 15)], Self.corridor("1"))
      if hasOther { maker.line("way/3", [(20, 0), (40, -15)], Self.corridor("1")) }
      try expect(
        maker, to: TestCampus.end(40, 15, level: 1),
        ["Go east", "Take the elevator up to floor 1"] + (hasOther ? ["Turn left"] : []))
    }
  }

  @Test("Outdoor ways on different floors meet at an elevator, but do not join there")
  func elevatorOutdoors() throws {
    for (floors, ground) in [
      (["level": "-1;0"], ["level": "0"]), (["levels": "-1;0"], [:]), ([:], [:]),
    ] {
      var maker = MapMaker()
      func path(_ id: String, to place: (Double, Double), _ level: [String: String]) {
        maker.line(id, [place, (20, 0)], ["highway": "footway"].merging(level) { $1 })
      }
      path("way/1", to: (0, 0), ground)
      maker.node("node/1", (20, 0), ["highway": "elevator"].merging(floors) { $1 })
      path("way/2", to: (20, 30), ["level": "-1"])
      path("way/3", to: (20, -30), ground)
      try expect(
        maker, from: nil, to: TestCampus.end(20, 30),
        ["Go east", "Take the elevator down to floor -1"])
      try expect(
        maker, from: nil, to: TestCampus.end(20, -30), ["Go east", "Turn right onto the path"])
    }
  }

  @Test("An outdoor way without a floor is on the elevator's floor without an indoor way")
  func elevatorToHall() throws {
    for (levels, text) in [("-1;0", "up to floor 0"), ("0;1", "down to floor 0")] {
      var maker = MapMaker()
      maker.line("way/1", [(0, 0), (20, 0)], ["highway": "footway"])
      maker.node("node/1", (20, 0), ["highway": "elevator", "level": levels])
      maker.line("way/2", [(20, 0), (40, 0)], Self.corridor("0"))
      try expect(
        maker, from: nil, to: TestCampus.end(40, 0, level: 0),
        ["Go east", "Take the elevator \(text)"])
    }
  }

  @Test("A path between two points of a hall is inside it, unless it begins at a door")
  func pathInHall() throws {
    for (tags, isInside) in [([:], true), (["door": "yes"], false)] {
      var maker = MapMaker()
      maker.line("way/1", [(0, 0), (10, 0), (40, 0), (60, 0)], Self.corridor("0"))
      maker.line(
        "way/2", [(10, 0), (10, 30), (40, 30), (40, 0)], ["highway": "footway", "level": "0"])
      maker.node("node/1", (10, 0), tags)
      let texts = try RouteTextTests.sentences(
        maker.guide, .walk, from: TestCampus.end(0, 0, level: 0),
        to: TestCampus.end(10, 25, level: isInside ? 0 : nil))
      #expect(texts.contains { $0.hasPrefix("Leave") } != isInside, "\(texts)")
    }
  }

  @Test("A platform does not join the hall above it where their outlines meet")
  func platformBelow() throws {
    var maker = MapMaker()
    maker.area(
      "way/1", [(0, 0), (40, 0), (40, 20), (20, 20), (0, 20)], ["indoor": "area", "level": "0"])
    maker.area(
      "way/2", [(40, 0), (60, 0), (60, 20), (50, 20), (40, 20)],
      ["railway": "platform", "area": "yes", "level": "-1"])
    maker.node("node/1", (40, 0), ["entrance": "yes"])
    maker.line("way/3", [(20, 20), (50, 20)], ["highway": "steps", "level": "-1;0"])
    try expect(
      maker, to: TestCampus.end(50, 0),
      [
        "Go 22 m northeast to the hall, then north",
        "Turn right and take the steps down to floor -1", "Turn right onto the platform",
      ])
  }

  /// Returns the distance in meters from a path in the west to the middle of a hall. The hall's main entrance is in the
  /// east; a path of about 350 m leads to it around the hall.
  ///
  /// - Parameter west: The tags of the door at the end of the western path.
  private func meters(
    west: [String: String], inside: [String: String] = ["indoor": "corridor", "level": "0"]
  ) throws -> Double {
    var maker = MapMaker()
    let ring = [(0.0, 0.0), (100, 0), (100, 20), (100, 40), (0, 40), (0, 20)]
    maker.area("way/1", ring, ["building": "yes", "name": "Hall"])
    if inside["indoor"] == "corridor" {
      maker.area("way/2", ring, inside)
    } else {
      maker.line("way/2", [(0, 20), (50, 20), (100, 20)], inside)
    }
    maker.node("node/1", (0, 20), west)
    maker.node("node/2", (100, 20), ["entrance": "main"])
    maker.line("way/3", [(-30, 20), (0, 20)], ["highway": "footway"])
    maker.line(
      "way/4", [(-30, 20), (-30, -60), (130, -60), (130, 20), (100, 20)], ["highway": "footway"])
    return try maker.guide.directions().route(
      from: TestCampus.end(-30, 20), to: TestCampus.end(50, 20, level: 0)
    ).meters
  }

  @Test("Routes avoid exits and private doors")
  func closedDoors() throws {
    let corridor = ["highway": "corridor", "level": "0"]
    let closed = [
      ["entrance": "emergency"], ["entrance": "exit"], ["entrance": "no"],
      ["entrance": "yes", "access": "private"], ["door": "yes", "access": "private"],
      ["entrance": "emergency", "door": "yes"],
    ]
    for door in closed {
      #expect(try (meters(west: door) - 400).magnitude < 1, "\(door)")
      #expect(try (meters(west: door, inside: corridor) - 400).magnitude < 1, "\(door)")
    }
    for door in [["entrance": "yes"], ["door": "yes"], ["entrance": "yes", "foot": "yes"], [:]] {
      #expect(try (meters(west: door) - 80).magnitude < 1, "\(door)")
      #expect(try (meters(west: door, inside: corridor) - 80).magnitude < 1, "\(door)")
    }
  }

  /// Returns a map with a room inside a corridor. The door is in the room's north wall; the room shares its south wall
  /// with the corridor.
  ///
  /// - Parameters:
  ///   - south: The tags of a point in the middle of the south wall.
  ///   - north: The tags of a point in the middle of the north wall.
  private func lab(south: [String: String], north: [String: String] = ["door": "yes"]) -> MapMaker {
    var maker = MapMaker()
    maker.area(
      "way/1",
      [
        (0, -10), (40, -10), (40, 0), (30, 0), (20, 0), (10, 0), (10, 20), (20, 20), (30, 20),
        (40, 20), (40, 30), (0, 30),
      ], ["indoor": "corridor", "level": "0"])
    maker.area(
      "way/2", [(20, 0), (30, 0), (40, 0), (40, 20), (30, 20), (20, 20)],
      ["indoor": "room", "level": "0", "name": "Lab"])
    maker.node("node/1", (30, 0), south)
    maker.node("node/2", (30, 20), north)
    return maker
  }

  @Test("A shared point of a room and a corridor is no door unless tagged")
  func sharedPoints() throws {
    func meters(_ south: [String: String]) throws -> Double {
      let guide = lab(south: south).guide
      return try guide.directions().route(
        from: TestCampus.end(35, -5, level: 0), to: .place(try #require(guide.place("way/2@0")))
      ).meters
    }
    for south in [
      [:], ["door": "no"], ["door": "yes", "access": "private"], ["entrance": "emergency"],
      ["door": "yes", "level": "1"],
    ] {
      #expect(try meters(south) > 60, "\(south)")
    }
    #expect(try meters(["door": "yes"]) < 30)
  }

  @Test("A room whose only door is private is not entered through its wall")
  func onlyClosedDoor() throws {
    func builder(_ south: [String: String]) -> GuideBuilder {
      GuideBuilder(lab(south: south, north: [:]).map)
    }
    for south in [["door": "yes", "access": "private"], ["entrance": "emergency", "level": "0"]] {
      let made = builder(south)
      #expect(made.indoorFindings == [.roomCutOff("Lab (way/2)")])
      #expect(made.guide.place("way/2@0")?.doors == [])
    }
    // A door on the floor above does not affect this floor.
    for south in [[:], ["door": "yes", "access": "private", "level": "1"]] {
      #expect(builder(south).indoorFindings == [.doorMissing("Lab (way/2)")])
    }
  }
}

@Suite("Indoor features of maps") struct IndoorFeaturesTests {
  @Test("Reports rooms and ways without a floor")
  func withoutFloor() {
    var maker = MapMaker()
    let ring = [(0.0, 0.0), (9, 0), (9, 9)]
    maker.area("way/1", ring, ["indoor": "room", "name": "Lab"])
    maker.line("way/2", [(0, 0), (20, 0)], ["highway": "footway", "indoor": "yes"])
    maker.line("way/3", [(0, 0), (20, 0)], ["highway": "corridor", "level": "first"])
    maker.node("node/1", (30, 0), ["highway": "elevator"])
    maker.node("node/2", (40, 0), ["shop": "books", "indoor": "yes"])
    maker.area("way/4", ring, ["leisure": "swimming_pool", "indoor": "yes"])
    maker.area("way/5", ring, ["indoor": "room", "access": "private"])
    maker.line("way/6", [(0, 0), (20, 0)], ["indoor": "yes", "barrier": "fence"])
    var (map, faults) = (maker.map, [MapFault]())
    _ = IndoorFeatures(&map, faults: &faults)
    let missing = "missing level; add the floor, such as level=0, -1;0 or 0-3"
    #expect(
      faults.map(\.problem) == [
        missing, missing, "level=first is not a valid floor; use a value such as 0, -1;0 or 0-3",
        missing,
      ])
    #expect(faults.first?.title.contains("Lab") == true)
  }

  @Test("Limits the number of reported faults")
  func many() {
    var maker = MapMaker()
    for number in 0..<GuideMap.mostFaults + 10 {
      maker.node("node/\(number)", (Double(number), 0), ["highway": "elevator"])
    }
    var (map, faults) = (maker.map, [MapFault("map.json", "cut")])
    _ = IndoorFeatures(&map, faults: &faults)
    #expect(faults.count == 1 + GuideMap.mostFaults)
  }

  @Test("Reports repeat_on floors that are not in the level tag")
  func repeated() {
    var maker = MapMaker()
    let ring = [(0.0, 0.0), (9, 0), (9, 9)]
    let tags = ["indoor": "room", "name": "Lab", "level": "0", "repeat_on": "1-2"]
    maker.area("way/1", ring, tags)
    // Some maps repeat the same floors in both tags.
    maker.area("way/2", ring, ["indoor": "room", "level": "0-2", "repeat_on": "0-2"])
    var (map, faults) = (maker.map, [MapFault]())
    let features = IndoorFeatures(&map, faults: &faults)
    #expect(features.spaces.map(\.level) == [0, 0, 1, 2])
    #expect(faults.count == 1 && faults.first?.title.contains("Lab") == true)
    #expect(faults.first?.problem.hasPrefix("repeat_on=1-2 is not supported") == true)
  }

  @Test("Shortens long names and values with combining marks")
  func long() {
    let text = "a" + String(repeating: "\u{301}", count: 10_000)
    var maker = MapMaker()
    let ring = [(0.0, 0.0), (9, 0), (9, 9)]
    maker.area("way/1", ring, ["indoor": "room", "name": text, "level": text])
    maker.area("way/2", ring, ["indoor": "room", "name": text, "level": "0", "repeat_on": text])
    maker.line("way/3", [(0, 0), (9, 0)], ["highway": "path", "name": text, "incline": text])
    var (map, faults) = (maker.map, [MapFault]())
    _ = IndoorFeatures(&map, faults: &faults)
    faults += Incline.faults(of: map)
    #expect(faults.count == 3 && faults.allSatisfy { $0.description.utf8.count < 1000 })
  }

  @Test("Reports doors whose repeat_on floors are not in the level tag")
  func repeatedDoors() {
    var maker = MapMaker()
    let door = ["door": "yes", "repeat_on": "1-2"]
    maker.node("node/1", (0, 0), door.merging(["level": "0"]) { $1 })
    maker.node("node/2", (3, 0), ["entrance": "yes", "level": "0", "repeat_on": "0;1"])
    // A door on all floors, a door on these floors, and two points that are not doors.
    maker.node("node/3", (6, 0), door)
    maker.node("node/4", (9, 0), door.merging(["level": "0-2"]) { $1 })
    maker.node("node/5", (12, 0), ["door": "no", "level": "0", "repeat_on": "1-2"])
    maker.node("node/6", (15, 0), ["shop": "books", "level": "0", "repeat_on": "1-2"])
    var (map, faults) = (maker.map, [MapFault]())
    let features = IndoorFeatures(&map, faults: &faults)
    #expect(faults.map(\.title) == ["node/1", "node/2"])
    #expect(features.isDoor(0, on: 0) && !features.isDoor(0, on: 1))
  }
}
