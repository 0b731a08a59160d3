import CupolaCampus
import Testing

@testable import CupolaGuide
@testable import CupolaGuideBuilder

@Suite("Directions in corridors") struct CorridorTests {
  private static func place(_ guide: Guide, _ ref: String) throws -> RouteEnd {
    .place(try #require(guide.places.first { $0.ref == ref }))
  }

  private func sentences(_ guide: Guide, _ from: String, _ to: String) throws -> [String] {
    try RouteTextTests.sentences(
      guide, .walk, from: Self.place(guide, from), to: Self.place(guide, to))
  }

  private static func room(
    _ maker: inout MapMaker, _ ref: String, _ ring: [(Double, Double)], doors: [(Double, Double)]
  ) {
    maker.area("way/\(ref)", ring, ["indoor": "room", "level": "0", "ref": ref])
    for (number, door) in doors.enumerated() {
      maker.node("node/\(ref)/\(number)", door, ["door": "yes"])
    }
  }

  private static let corridor = ["indoor": "corridor", "level": "0"]

  @Test("At the ends of a T, rooms on the left and on the right have different directions")
  func tShape() throws {
    var maker = MapMaker()
    maker.area(
      "way/9",
      [
        (0, 20), (18.5, 20), (18.5, 0), (20, 0), (21.5, 0), (21.5, 20), (40, 20), (40, 23),
        (38, 23), (28, 23), (2, 23), (0, 23),
      ], Self.corridor)
    Self.room(&maker, "1", [(15, -8), (25, -8), (25, 0), (20, 0), (15, 0)], doors: [(20, 0)])
    Self.room(&maker, "2", [(0, 23), (2, 23), (10, 23), (10, 30), (0, 30)], doors: [(2, 23)])
    Self.room(&maker, "3", [(30, 23), (38, 23), (40, 23), (40, 30), (30, 30)], doors: [(38, 23)])
    Self.room(&maker, "4", [(22, 23), (28, 23), (30, 23), (30, 30), (22, 30)], doors: [(28, 23)])
    let guide = maker.guide
    #expect(
      try sentences(guide, "1", "2") == [
        "Leave room 1", "Go straight along the corridor", "Turn left", "Turn right into room 2",
        "Arrive at room 2",
      ])
    #expect(
      try sentences(guide, "1", "3") == [
        "Leave room 1", "Go straight along the corridor", "Turn right",
        "Past room 4 on your left, turn left into room 3", "Arrive at room 3",
      ])
    #expect(
      try sentences(guide, "3", "2") == [
        "Leave room 3", "Turn right into the corridor", "Turn right into room 2",
        "Arrive at room 2",
      ])
  }

  @Test("Says on which side to leave a room with several doors")
  func severalDoors() throws {
    for doors in [[(20.0, 0.0)], [(20, 0), (20, -8)]] {
      var maker = MapMaker()
      maker.area("way/9", [(0, 0), (20, 0), (40, 0), (40, 3), (30, 3), (0, 3)], Self.corridor)
      maker.area("way/8", [(0, -11), (40, -11), (40, -8), (20, -8), (0, -8)], Self.corridor)
      let ring = [(15.0, -8.0), (20, -8), (25, -8), (25, 0), (20, 0), (15, 0)]
      Self.room(&maker, "1", ring, doors: doors)
      Self.room(&maker, "2", [(30, 3), (40, 3), (40, 9), (25, 9), (25, 3)], doors: [(30, 3)])
      let side = doors.count > 1 ? " on its north side" : ""
      #expect(try sentences(maker.guide, "1", "2").first == "Leave room 1\(side)")
    }
  }

  @Test("Routes can start in a corridor in front of a room")
  func startInCorridor() throws {
    var maker = MapMaker()
    maker.area("way/9", [(0, 0), (40, 0), (40, 3), (30, 3), (0, 3)], Self.corridor)
    Self.room(&maker, "2", [(30, 3), (40, 3), (40, 9), (25, 9), (25, 3)], doors: [(30, 3)])
    let texts = try RouteTextTests.sentences(
      maker.guide, .walk, from: TestCampus.end(0, 3, level: 0), to: Self.place(maker.guide, "2"))
    #expect(texts.last == "Arrive at room 2")
  }

  @Test("Names the direction at the door of a building")
  func doorOfBuilding() throws {
    var maker = MapMaker()
    maker.area("way/9", [(0, -2), (40, -2), (40, 2), (0, 2), (0, 0)], Self.corridor)
    maker.node("node/1", (0, 0), ["entrance": "yes", "level": "0"])
    maker.line("way/1", [(0, 0), (-1, -10), (-1, -60)], ["highway": "footway"])
    let (inside, outside) = try (TestCampus.end(20, 0, level: 0), TestCampus.end(-1, -60))
    let guide = maker.guide
    #expect(
      try RouteTextTests.sentences(guide, .walk, from: inside, to: outside) == [
        "Go west", "Leave the building and turn left", "Arrive at your destination",
      ])
    #expect(
      try RouteTextTests.sentences(guide, .walk, from: outside, to: inside) == [
        "Go north", "Enter the building and turn right", "Arrive at your destination",
      ])
    // A corridor to both sides of the door makes no second turn.
    var sides = MapMaker()
    sides.node("node/1", (0, 0), ["entrance": "yes", "level": "0"])
    sides.line("way/1", [(0, 0), (0, -60)], ["highway": "footway"])
    sides.line("way/2", [(-30, 0), (0, 0), (30, 0)], ["highway": "corridor", "level": "0"])
    let (hall, path) = try (TestCampus.end(30, 0, level: 0), TestCampus.end(0, -60))
    for (start, goal, texts) in [
      (path, hall, ["Go north", "Enter the building and turn right"]),
      (hall, path, ["Go west", "Leave the building and turn left"]),
    ] {
      #expect(
        try RouteTextTests.sentences(sides.guide, .walk, from: start, to: goal)
          == texts + ["Arrive at your destination"])
    }
    // At a door, the direction is that behind it.
    #expect(
      try RouteTextTests.sentences(guide, .walk, from: TestCampus.end(0, 0), to: inside).first
        == "Go east")
  }

  @Test("Announces both corners of a U")
  func uShape() throws {
    var maker = MapMaker()
    maker.area(
      "way/9",
      [
        (0, 0), (20, 0), (20, 20), (18.5, 20), (17, 20), (17, 3), (3, 3), (3, 20), (1.5, 20),
        (0, 20),
      ], Self.corridor)
    Self.room(&maker, "1", [(-2, 20), (1.5, 20), (5, 20), (5, 26), (-2, 26)], doors: [(1.5, 20)])
    Self.room(
      &maker, "2", [(15, 20), (18.5, 20), (22, 20), (22, 26), (15, 26)], doors: [(18.5, 20)])
    #expect(
      try sentences(maker.guide, "1", "2") == [
        "Leave room 1", "Go straight along the corridor", "Turn left", "Turn left",
        "Continue straight into room 2", "Arrive at room 2",
      ])
  }

  @Test("Tells the two sides of a corridor apart")
  func doubleLoaded() throws {
    var maker = MapMaker()
    maker.area(
      "way/9",
      [
        (0, 0), (5, 0), (15, 0), (25, 0), (30, 0), (30, 3), (25, 3), (15, 3), (5, 3), (0, 3),
      ], Self.corridor)
    for (number, x) in [5.0, 15, 25].enumerated() {
      let (west, east) = (x - 5, x + 5)
      Self.room(
        &maker, "\(number + 1)", [(west, -8), (east, -8), (east, 0), (x, 0), (west, 0)],
        doors: [(x, 0)])
      Self.room(
        &maker, "\(number + 4)", [(west, 3), (x, 3), (east, 3), (east, 11), (west, 11)],
        doors: [(x, 3)])
    }
    let guide = maker.guide
    #expect(
      try sentences(guide, "1", "5") == [
        "Leave room 1", "Turn right into the corridor", "Turn left into room 5",
        "Arrive at room 5",
      ])
    #expect(
      try sentences(guide, "1", "3") == [
        "Leave room 1", "Turn right into the corridor",
        "Past room 2 on your right, turn right into room 3", "Arrive at room 3",
      ])
    #expect(
      try sentences(guide, "1", "4") == [
        "Leave room 1", "Continue straight into room 4", "Arrive at room 4",
      ])
    // Routes to different rooms must differ before the name of the room.
    var seen: Set<String> = []
    for goal in ["2", "3", "4", "5", "6"] {
      let all = try sentences(guide, "1", goal)
      seen.insert(all.dropLast().joined(separator: "; ").replacing("into room \(goal)", with: ""))
    }
    #expect(seen.count == 5)
  }

  @Test("Announces the turn into a room behind a corner once")
  func niche() throws {
    var maker = MapMaker()
    maker.area(
      "way/9",
      [
        (0, 0), (30, 0), (30, 3), (26, 3), (26, 5), (25, 5), (24, 5), (24, 3), (0, 3), (0, 1.5),
      ], Self.corridor)
    Self.room(&maker, "1", [(-8, 0), (0, 0), (0, 1.5), (0, 3), (-8, 3)], doors: [(0, 1.5)])
    Self.room(
      &maker, "2", [(20, 5), (24, 5), (25, 5), (26, 5), (30, 5), (30, 13), (20, 13)],
      doors: [(25, 5)])
    #expect(
      try sentences(maker.guide, "1", "2") == [
        "Leave room 1", "Go straight along the corridor", "Turn left into room 2",
        "Arrive at room 2",
      ])
  }

  @Test("Names the side of a room without a mapped door")
  func withoutDoor() throws {
    for (y, side) in [(3.0, "left"), (0, "right")] {
      var maker = MapMaker()
      maker.area(
        "way/9", [(0, 0), (20, 0), (30, 0), (30, 3), (20, 3), (0, 3), (0, 1.5)], Self.corridor)
      Self.room(
        &maker, "1", [(-8, 0), (0, 0), (0, 1.5), (0, 3), (-8, 3)], doors: [(0, 1.5)])
      let far = y > 0 ? y + 4 : y - 4
      Self.room(
        &maker, "2", [(15, y), (20, y), (25, y), (25, far), (15, far)], doors: [])
      #expect(
        try sentences(maker.guide, "1", "2").last == "Arrive at room 2, on your \(side)")
    }
  }

  @Test("Announces a corner, but not a slight bend", arguments: [(60.0, true), (30, false)])
  func bend(degrees: Double, isAnnounced: Bool) throws {
    let (sine, cosine) = Degrees.sinCos(degrees)
    // A corridor of 3 m, which turns left after 20 m.
    func place(_ along: Double, _ left: Double) -> (Double, Double) {
      (20 + along * cosine - left * sine, 3 + along * sine + left * cosine)
    }
    let outer = 20 + 3 * sine / (1 + cosine)
    var maker = MapMaker()
    maker.area(
      "way/9",
      [
        (0, 0), (outer, 0), place(20, -3), place(20, -1.5), place(20, 0), (20, 3), (0, 3), (0, 1.5),
      ], Self.corridor)
    Self.room(
      &maker, "1", [(-6, 0), (0, 0), (0, 1.5), (0, 3), (-6, 3)], doors: [(0, 1.5)])
    Self.room(
      &maker, "2", [place(20, -3), place(26, -3), place(26, 0), place(20, 0), place(20, -1.5)],
      doors: [place(20, -1.5)])
    #expect(
      try sentences(maker.guide, "1", "2") == ["Leave room 1", "Go straight along the corridor"]
        + (isAnnounced ? ["Turn left"] : [])
        + ["Continue straight into room 2", "Arrive at room 2"])
  }

  @Test("A door in a side wall is to the side, even if the middle of the room is ahead")
  func shallowRoom() throws {
    var maker = MapMaker()
    maker.area(
      "way/7", [(0, 0), (60, 0), (60, 3), (55, 3), (22, 3), (5, 3), (0, 3)], Self.corridor)
    Self.room(&maker, "8", [(0, 3), (5, 3), (10, 3), (10, 11), (0, 11)], doors: [(5, 3)])
    Self.room(&maker, "9", [(20, 3), (22, 3), (50, 3), (50, 6), (20, 6)], doors: [(22, 3)])
    Self.room(&maker, "10", [(52, 3), (55, 3), (58, 3), (58, 11), (52, 11)], doors: [(55, 3)])
    #expect(
      try sentences(maker.guide, "8", "9") == [
        "Leave room 8", "Turn left into the corridor", "Turn left into room 9",
        "Arrive at room 9",
      ])
    #expect(
      try sentences(maker.guide, "9", "8") == [
        "Leave room 9", "Turn right into the corridor", "Turn right into room 8",
        "Arrive at room 8",
      ])
  }

  @Test("A door straight ahead is not a turn, wherever the middle of the room is")
  func doorsAhead() throws {
    // Room 1, small room 2, a corridor, small room 3; from there doors to room 5 ahead and room 4 on the left.
    var maker = MapMaker()
    maker.area(
      "way/9", [(10, 0), (30, 0), (30, 3), (30, 6), (10, 6), (10, 3)], Self.corridor)
    Self.room(
      &maker, "1", [(36, -20), (56, -20), (56, 6), (36, 6), (36, 3), (36, 0)], doors: [(36, 3)])
    Self.room(
      &maker, "2", [(30, 0), (36, 0), (36, 3), (36, 6), (30, 6), (30, 3)], doors: [(30, 3)])
    Self.room(
      &maker, "3", [(4, 0), (7, 0), (10, 0), (10, 3), (10, 6), (4, 6), (4, 3)], doors: [(10, 3)])
    Self.room(
      &maker, "4", [(4, 0), (4, -20), (24, -20), (24, 0), (10, 0), (7, 0)], doors: [(7, 0)])
    Self.room(
      &maker, "5", [(4, 6), (4, 26), (-16, 26), (-16, 0), (4, 0), (4, 3)], doors: [(4, 3)])
    let guide = maker.guide
    let toCorridor = ["Leave room 1", "Go into room 2", "Go straight along the corridor"]
    #expect(
      try sentences(guide, "1", "4") == toCorridor + [
        "Continue straight into room 3", "Turn left into room 4", "Arrive at room 4",
      ])
    #expect(
      try sentences(guide, "1", "5") == toCorridor + [
        "Continue straight into room 3", "Continue straight into room 5", "Arrive at room 5",
      ])
    #expect(
      try sentences(guide, "4", "1") == [
        "Leave room 4", "Go into room 3", "Turn right into the corridor",
        "Continue straight into room 2", "Continue straight into room 1", "Arrive at room 1",
      ])
  }

  @Test("Says that a route passes a hall of 10 m and turns into a corridor")
  func halls() throws {
    var maker = MapMaker()
    let hall = ["indoor": "area", "level": "0"]
    maker.area(
      "way/7", [(0, 0), (40, 0), (40, 1), (40, 9), (40, 10), (0, 10), (0, 5)],
      hall.merging(["name": "Hall A"]) { $1 })
    maker.area(
      "way/8", [(40, 0), (48, 0), (50, 0), (50, 10), (40, 10), (40, 9), (40, 1)],
      hall.merging(["name": "Hall B"]) { $1 })
    maker.area("way/9", [(48, 0), (48, -30), (49, -30), (50, -30), (50, 0)], Self.corridor)
    Self.room(&maker, "1", [(-8, 0), (0, 0), (0, 5), (0, 10), (-8, 10)], doors: [(0, 5)])
    Self.room(
      &maker, "2", [(46, -30), (46, -36), (52, -36), (52, -30), (49, -30)], doors: [(49, -30)])
    #expect(
      try sentences(maker.guide, "1", "2") == [
        "Leave room 1", "Go straight along Hall A", "Continue along Hall B",
        "Turn right into the corridor", "Continue straight into room 2", "Arrive at room 2",
      ])
  }

  /// Returns two corridors with a room between them that has a door to each, and if wanted, a way around the room.
  private func throughRoom(around: Bool, tags: [String: String] = [:]) -> Guide {
    var maker = MapMaker()
    let west = [(0.0, 0.0), (3, 0), (3, 5)]
    let east = [(20.0, 5.0), (20, 0), (23, 0)]
    if around {
      maker.area(
        "way/8", west + [(3, 37), (20, 37)] + east + [(23, 40), (0, 40)], Self.corridor)
    } else {
      maker.area("way/8", west + [(3, 40), (0, 40)], Self.corridor)
      maker.area("way/9", east + [(23, 40), (20, 40)], Self.corridor)
    }
    let ring = [(3.0, 0.0), (20, 0), (20, 5), (20, 10), (3, 10), (3, 5)]
    let room = ["indoor": "room", "level": "0", "ref": "7"].merging(tags) { $1 }
    maker.area("way/7", ring, room)
    for (id, x) in [("node/1", 3.0), ("node/2", 20)] { maker.node(id, (x, 5), ["door": "yes"]) }
    return maker.guide
  }

  @Test("Routes pass through a room only if nothing else connects")
  func rooms() throws {
    func meters(_ guide: Guide) throws -> Double {
      try guide.directions().route(
        from: TestCampus.end(3, 5, level: 0), to: TestCampus.end(20, 5, level: 0)
      ).meters
    }
    #expect(try (meters(throughRoom(around: true)) - 81).magnitude < 1)
    #expect(try (meters(throughRoom(around: false)) - 17).magnitude < 1)
    // Lobbies and stairwells are for passing through.
    for tags in [["room": "lobby"], ["room": "stairs"], ["stairs": "yes"]] {
      #expect(try (meters(throughRoom(around: true, tags: tags)) - 17).magnitude < 1, "\(tags)")
    }
    let guide = throughRoom(around: true)
    let route = try guide.directions().route(
      from: Self.place(guide, "7"), to: TestCampus.end(20, 5, level: 0))
    #expect(route.meters < 20)
  }

  @Test("An open indoor area is a hall; a missing door is mentioned")
  func hall() throws {
    var maker = MapMaker()
    maker.area(
      "way/9", [(0, 0), (20, 0), (20, 5), (20, 10), (0, 10), (0, 5)],
      ["indoor": "area", "level": "0"])
    Self.room(&maker, "1", [(-8, 0), (0, 0), (0, 5), (0, 10), (-8, 10)], doors: [(0, 5)])
    Self.room(
      &maker, "2", [(20, 0), (28, 0), (28, 10), (20, 10), (20, 5)], doors: [(20, 5)])
    Self.room(&maker, "3", [(28, 0), (34, 0), (34, 10), (28, 10)], doors: [])
    let guide = maker.guide
    #expect(
      try sentences(guide, "1", "2") == [
        "Leave room 1", "Go straight along the hall", "Continue straight into room 2",
        "Arrive at room 2",
      ])
    let missing = "; the map shows no public door"
    #expect(try sentences(guide, "1", "3").last?.hasSuffix(missing) == true)
    #expect(try sentences(guide, "3", "1").first?.hasSuffix(missing) == true)
  }
}
