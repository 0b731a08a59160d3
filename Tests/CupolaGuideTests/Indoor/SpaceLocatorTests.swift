import Testing

@testable import CupolaGuide

@Suite("Space locator") struct SpaceLocatorTests {
  @Test("A point is in the first room that a loop over all finds", arguments: 1...5)
  func twin(seed: UInt64) throws {
    let made = MadeRooms(seed: seed)
    let locator = SpaceLocator(made.features.spaces, made.map)
    var budget = PlaceBudget()
    var found = 0
    for (place, level) in made.elevators {
      let (latitude, longitude) = MapMaker.place(place.x, place.y)
      let point = try #require(MapPoint(latitude: latitude, longitude: longitude))
      for levels in [[], [level], [-1, 0, 1]] {
        let first = made.rooms.firstIndex { room in
          levels.contains { room.holds(place, on: $0) }
        }
        let space = locator.space(at: point, on: levels.map { Double($0) }, within: &budget)
        #expect(space?.id == first.map { "way/\($0)" })
        found += space == nil ? 0 : 1
      }
    }
    #expect(found > 50 && budget.tests < PlaceBudget().tests)
  }
}
