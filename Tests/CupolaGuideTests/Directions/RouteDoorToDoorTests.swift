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

  @Test("What lies above the start is as far away as the way up is")
  func floors() throws {
    let guide = MadeTower().guide
    let ends = try (MadeCampus.end(20, 40, level: 0), MadeCampus.end(20, 40, level: 2))
    for mode in [TravelMode.walk, .stepFree] {
      let route = try guide.directions(mode).route(from: ends.0, to: ends.1)
      let found = route.fromDoorToDoor(ends.0, ends.1)
      #expect((found.meters - 40).magnitude < 0.5 && found.seconds > 45)
      #expect((found.seconds - route.seconds).magnitude < 0.1)
    }
  }

  @Test("A place within walls is as far away as its door is")
  func behindWalls() throws {
    var maker = MapMaker()
    let ring = [(0.0, 0.0), (40, 0), (40, 20), (20, 20), (0, 20)]
    maker.area("way/1", ring, ["building": "yes", "name": "Hall"])
    maker.node("node/1", (20, 20), ["entrance": "main"])
    maker.line("way/2", [(20, 20), (20, 60), (-60, 60), (-60, -15)], ["highway": "footway"])
    maker.node("node/2", (5, 5), ["amenity": "cafe", "name": "Uno"])
    let guide = maker.guide
    let start = try MadeCampus.end(-20, -15)
    let cafe = RouteEnd.place(try #require(guide.place("node/2")))
    // 32 m away in a straight line, and 40 m from the path that leads to the door.
    let found = try guide.directions().route(from: start, to: cafe).fromDoorToDoor(start, cafe)
    #expect((found.meters - 235).magnitude < 1)
  }
}
