import Testing

@testable import CupolaGuide

@Suite("What a map says of the inside of buildings") struct IndoorFeaturesTests {
  @Test("Rooms and ways without a floor, which nobody can walk in, are told")
  func withoutFloor() {
    var maker = MapMaker()
    let ring = [(0.0, 0.0), (9, 0), (9, 9)]
    maker.area("way/1", ring, ["indoor": "room", "name": "Lab"])
    maker.line("way/2", [(0, 0), (20, 0)], ["highway": "footway", "indoor": "yes"])
    maker.line("way/3", [(0, 0), (20, 0)], ["highway": "corridor", "level": "first"])
    maker.node("node/1", (30, 0), ["highway": "elevator"])
    // These need no floor, or are for nobody.
    maker.node("node/2", (40, 0), ["shop": "books", "indoor": "yes"])
    maker.area("way/4", ring, ["leisure": "swimming_pool", "indoor": "yes"])
    maker.area("way/5", ring, ["indoor": "room", "access": "private"])
    maker.line("way/6", [(0, 0), (20, 0)], ["indoor": "yes", "barrier": "fence"])
    var (map, faults) = (maker.map, [MapFault]())
    _ = IndoorFeatures(&map, faults: &faults)
    let missing = "no level; add its floor, such as level=0, -1;0 or 0-3"
    #expect(
      faults.map(\.problem) == [
        missing, missing, "level=first is no floor, such as 0, -1;0 or 0-3", missing,
      ])
    #expect(faults.first?.title.contains("Lab") == true)
  }

  @Test("No more of them are told than of other faults of a map")
  func many() {
    var maker = MapMaker()
    for number in 0..<GuideMap.mostFaults + 10 {
      maker.node("node/\(number)", (Double(number), 0), ["highway": "elevator"])
    }
    var (map, faults) = (maker.map, [MapFault("map.json", "cut")])
    _ = IndoorFeatures(&map, faults: &faults)
    #expect(faults.count == 1 + GuideMap.mostFaults)
  }

  @Test("Where a room is there again on floors that are not of its level, that is told")
  func repeated() {
    var maker = MapMaker()
    let ring = [(0.0, 0.0), (9, 0), (9, 9)]
    let tags = ["indoor": "room", "name": "Lab", "level": "0", "repeat_on": "1-2"]
    maker.area("way/1", ring, tags)
    // Many say the same in both tags.
    maker.area("way/2", ring, ["indoor": "room", "level": "0-2", "repeat_on": "0-2"])
    var (map, faults) = (maker.map, [MapFault]())
    let features = IndoorFeatures(&map, faults: &faults)
    #expect(features.spaces.map(\.level) == [0, 0, 1, 2])
    #expect(faults.count == 1 && faults.first?.title.contains("Lab") == true)
    #expect(faults.first?.problem.hasPrefix("repeat_on=1-2 is not read") == true)
  }

  @Test("Of names and values only the beginning is told, however many marks a character has")
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

  @Test("Doors that are there again on floors which their level lacks are told, too")
  func repeatedDoors() {
    var maker = MapMaker()
    let door = ["door": "yes", "repeat_on": "1-2"]
    maker.node("node/1", (0, 0), door.merging(["level": "0"]) { $1 })
    maker.node("node/2", (3, 0), ["entrance": "yes", "level": "0", "repeat_on": "0;1"])
    // Of every floor, of these, and no doors.
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
