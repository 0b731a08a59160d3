import Testing

@testable import CupolaGuide

@Suite("Routes from door to door") struct RouteDoorToDoorTests {
  @Test("What lies before and beyond the ways counts, at the pace of the mode")
  func ends() throws {
    var maker = MapMaker()
    maker.line("way/1", [(0, 0), (100, 0)], ["highway": "footway"])
    let guide = maker.guide
    // 20 m to the path, 100 m along it, 50 m from it; and straight on, which is nearer than the path.
    for (start, goal, meters) in [((0.0, 20.0), (100.0, 50.0), 170.0), ((0, 60), (10, 60), 10)] {
      let ends = try (MadeCampus.end(start.0, start.1), MadeCampus.end(goal.0, goal.1))
      for (mode, pace) in [(TravelMode.walk, 5 / 3.6), (.stepFree, 4 / 3.6)] {
        let found = try guide.directions(mode).route(from: ends.0, to: ends.1)
          .fromDoorToDoor(ends.0, ends.1)
        #expect((found.meters - meters).magnitude < 0.5)
        #expect((found.seconds - found.meters / pace).magnitude < 1e-6)
      }
    }
  }
}
