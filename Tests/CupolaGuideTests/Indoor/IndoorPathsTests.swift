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

  @Test("Of thousands of rooms each looks at the stops that are near")
  func many() {
    let count = 8_000
    var maker = MapMaker()
    for room in 0..<count {
      let (x, y) = (Double(room % 90) * 10, Double(room / 90) * 10)
      maker.area(
        "way/\(room)", [(x, y), (x + 8, y), (x + 8, y + 8), (x, y + 8)],
        ["indoor": "room", "level": "0"])
      maker.line(
        "way/\(count + room)", [(x, y), (x + 4, y + 3)],
        ["highway": "footway", "indoor": "yes", "level": "0"])
    }
    var map = maker.map
    var faults: [MapFault] = []
    let features = IndoorFeatures(&map, faults: &faults)
    var draft = PathDraft()
    var spaces: [IndoorSpace] = []
    let time = ContinuousClock().measure {
      spaces = IndoorPaths.add(features, of: map, to: &draft)
    }
    #expect(spaces.count == count && spaces.allSatisfy { $0.vertex != nil })
    // Comparing all with all would take a minute.
    #expect(time < .seconds(10))
  }
}
