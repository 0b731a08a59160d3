import Testing

@testable import CupolaGuide

@Suite("Stop index") struct StopIndexTests {
  @Test("A room has the stops that a loop over all finds in it", arguments: 1...5)
  func twin(seed: UInt64) {
    let made = MadeRooms(seed: seed)
    let elevators = zip(made.features.elevators.map(\.point), made.elevators)
    let stops = elevators.map { PathDraft.Vertex(point: $0, level: Double($1.level)) }
    let outdoors = stops.map { PathDraft.Vertex(point: $0.point) }
    let index = StopIndex(stops + outdoors, of: made.map)
    var budget = AreaBudget()
    for (space, room) in zip(made.features.spaces, made.rooms) {
      let inside = elevators.filter { room.holds($1.place, on: $1.level) }.map(\.0)
      let found = index.points(in: space, within: &budget)
      #expect(found?.sorted() == inside.sorted())
    }
    budget.tests = 0
    for space in made.features.spaces {
      let found = index.points(in: space, within: &budget)
      #expect((found == nil) == !index.candidates(in: space).isEmpty)
    }
  }

  @Test("Of many rooms each looks at the stops that are near")
  func work() {
    let count = 900
    var maker = MapMaker()
    for room in 0..<count {
      let (x, y) = (Double(room % 30) * 10, Double(room / 30) * 10)
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
    let stops = features.lines.flatMap { line in
      line.feature.pointNumbers.map { PathDraft.Vertex(point: $0, level: 0) }
    }
    let index = StopIndex(stops, of: map)
    #expect(features.spaces.count == count && stops.count == 2 * count)
    #expect(features.spaces.allSatisfy { index.candidates(in: $0).count == 2 })
    var budget = AreaBudget()
    for space in features.spaces {
      let found = index.points(in: space, within: &budget)
      #expect(found?.isEmpty == false)
    }
  }
}
