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
}
