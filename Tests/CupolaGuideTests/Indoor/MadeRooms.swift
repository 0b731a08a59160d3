import Cupola

@testable import CupolaGuide

/// Rooms and elevators on three floors at random: corners on whole meters, elevators half a meter beside.
struct MadeRooms {
  struct Room {
    let x, y: ClosedRange<Double>
    let level: Int

    func holds(_ place: (x: Double, y: Double), on level: Int) -> Bool {
      self.level == level && x.contains(place.x) && y.contains(place.y)
    }
  }

  /// In the order of the map.
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
