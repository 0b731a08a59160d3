import Cupola
import CupolaCampus
import Testing

@testable import CupolaGuide
@testable import CupolaGuideBuilder

@Suite("Space locators") struct SpaceLocatorTests {
  @Test("Finds the same first room as a linear search", arguments: 1...5)
  func matchesReference(seed: UInt64) throws {
    let made = RandomRooms(seed: seed)
    let locator = SpaceLocator(made.features.spaces, made.map)
    var budget = WorkBudget.places
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
    #expect(found > 50 && budget.tests < WorkBudget.places.tests)
  }
}

@Suite("Floor indexes") struct FloorIndexTests {
  @Test("Finds items on one floor only, in order")
  func floors() {
    func box(_ west: Double, _ east: Double) -> BoxTree.Box { BoxTree.Box([west, 0], [east, 1]) }
    let index = FloorIndex([
      (level: 1, box: box(5, 9)), (level: 0, box: box(0, 9)), (level: 1, box: box(0, 6)),
      (level: 0.5, box: box(0, 9)), (level: 1, box: box(20, 21)),
    ])
    #expect(index.items(on: 1, meeting: box(6, 7)) == [0, 2])
    #expect(index.items(on: 1, meeting: box(7, 20)) == [0, 4])
    #expect(index.items(on: -0.0, meeting: box(3, 3)) == [1])
    #expect(index.items(on: 2, meeting: box(0, 30)) == [])
    #expect(FloorIndex([]).items(on: 0, meeting: box(0, 30)) == [])
  }
}

@Suite("Stop indexes") struct StopIndexTests {
  @Test("Finds the same stops in a room as a linear search", arguments: 1...5)
  func matchesReference(seed: UInt64) {
    let made = RandomRooms(seed: seed)
    let elevators = zip(made.features.elevators.map(\.point), made.elevators)
    let stops = elevators.map { PathDraft.Vertex(point: $0, level: Double($1.level)) }
    let outdoors = stops.map { PathDraft.Vertex(point: $0.point) }
    let index = StopIndex(stops + outdoors, of: made.map)
    var budget = WorkBudget.areas
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

  @Test("Each of many rooms checks only nearby stops")
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
    var budget = WorkBudget.areas
    for space in features.spaces {
      let found = index.points(in: space, within: &budget)
      #expect(found?.isEmpty == false)
    }
  }
}

/// Random rooms and elevators on three floors. The corners of rooms are at whole meters, and elevators at half meters.
struct RandomRooms {
  struct Room {
    let x, y: ClosedRange<Double>
    let level: Int

    func holds(_ place: (x: Double, y: Double), on level: Int) -> Bool {
      self.level == level && x.contains(place.x) && y.contains(place.y)
    }
  }

  private(set) var rooms: [Room] = []
  private(set) var elevators: [(place: (x: Double, y: Double), level: Int)] = []
  private(set) var map: GuideMap
  let features: IndoorFeatures

  init(seed: UInt64) {
    var generator = SplitMix64(seed: seed)
    func meters(_ most: Int) -> Double { Double(Int.random(in: 0..<most, using: &generator)) }
    func level() -> Int { Int.random(in: -1...1, using: &generator) }
    var maker = MapMaker()
    for number in 0..<80 {
      let (x, y) = (meters(100), meters(100))
      let room = Room(
        x: x...(x + 2 + meters(12)), y: y...(y + 2 + meters(12)), level: level())
      rooms.append(room)
      maker.area(
        "way/\(number)",
        [
          (room.x.lowerBound, room.y.lowerBound), (room.x.upperBound, room.y.lowerBound),
          (room.x.upperBound, room.y.upperBound), (room.x.lowerBound, room.y.upperBound),
        ], ["indoor": "room", "level": "\(room.level)"])
    }
    for number in 0..<300 {
      let place = (x: meters(110) + 0.5, y: meters(110) + 0.5)
      elevators.append((place, level()))
      maker.node(
        "node/\(number)", place, ["highway": "elevator", "level": "\(elevators[number].level)"])
    }
    var map = maker.map
    var faults: [MapFault] = []
    features = IndoorFeatures(&map, faults: &faults)
    self.map = map
  }
}
