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
}
