import Testing

@testable import CupolaGuide

@Suite("Indoor paths") struct IndoorPathsTests {
  @Test("A room is reached where a loop over all finds a stop in it", arguments: 1...5)
  func twin(seed: UInt64) {
    let made = MadeRooms(seed: seed)
    var draft = PathDraft()
    let spaces = IndoorPaths.add(made.features, of: made.map, to: &draft)
    #expect(spaces.count == made.rooms.count)
    for (space, room) in zip(spaces, made.rooms) {
      let isReached = made.elevators.contains { room.holds($0.place, on: $0.level) }
      #expect((space.vertex != nil) == isReached)
    }
    #expect((10...70).contains(spaces.count { $0.vertex != nil }))
  }

  @Test("Of many doors at one point each floor is kept once")
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
    // One that does not say its floor is on all, whatever comes before and behind it.
    maker.node("node/100", (0, 0), ["door": "yes"])
    maker.node("node/101", (0, 0), ["door": "yes", "level": "1"])
    map = maker.map
    #expect(IndoorFeatures(&map, faults: &faults).isDoor(0, on: 201))
  }

  /// Meters from the path in the west to the middle of a hall whose main entrance is in the east, 350 m round it.
  ///
  /// - Parameter west: what the map says of the door where the path ends.
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
      from: MadeCampus.end(-30, 20), to: MadeCampus.end(50, 20, level: 0)
    ).meters
  }

  @Test("No way leads in by exits and private doors, but round to the entrance")
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
}
