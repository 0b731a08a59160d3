import CupolaCampus
import Testing

@testable import CupolaGuide

@Suite("Directions") struct DirectionsTests {
  let campus = MadeCampus()

  @Test("A way between points of one edge has that part of its length and time")
  func partOfEdge() throws {
    let route = try campus.guide.directions().route(
      from: MadeCampus.end(100, 30), to: MadeCampus.end(100, 80))
    #expect(route.points.count == 2 && route.segments.map(\.name) == ["Library Walk"])
    // 50 m of a plane, to a part in a thousand of the ellipsoid.
    #expect((route.meters - 50).magnitude < 0.1)
    #expect((route.seconds - route.meters / (5 / 3.6)).magnitude < 1e-9)
    #expect(route.metersBeyond < 0.02)
  }

  @Test("The shortest way counts meters, and still says its time")
  func shortest() throws {
    let ends = (
      RouteEnd.place(try campus.place("Café Uno")), RouteEnd.place(try campus.place("Library"))
    )
    let fast = try campus.guide.directions(.walk).route(from: ends.0, to: ends.1)
    let short = try campus.guide.directions(.walk, shortest: true).route(from: ends.0, to: ends.1)
    #expect(short.meters <= fast.meters + 1e-9 && short.seconds >= fast.seconds - 1e-9)
    let walked = short.segments.filter { $0.kind != .steps }.reduce(0) { $0 + $1.meters }
    let climbed = short.segments.filter { $0.kind == .steps }.reduce(0) { $0 + $1.meters }
    #expect(climbed > 9)
    #expect((short.seconds - walked / (5 / 3.6) - climbed / 0.6).magnitude < 1e-6)
  }

  @Test("Of several goals the one that is reached first is taken")
  func nearest() throws {
    let names = ["Library", "Café Uno", "Science Hall"]
    let goals = try names.map { RouteEnd.place(try campus.place($0)) }
    let directions = campus.guide.directions()
    for start in [(100.0, -60.0), (100, 140), (0, 150), (400, 0)] {
      let end = try MadeCampus.end(start.0, start.1)
      let (number, route) = try directions.nearest(of: goals, from: end)
      let all = try goals.map { goal in
        let route = try directions.route(from: end, to: goal)
        return route.seconds + route.metersBeyond / (5 / 3.6)
      }
      #expect(all.indices.min { all[$0] < all[$1] } == number)
      #expect(try directions.route(from: end, to: goals[number]) == route)
    }
  }

  @Test("Far from all ways there is no way, and the error names the place")
  func nothingNear() throws {
    let far = try MadeCampus.end(30_000, 0)
    let library = RouteEnd.place(try campus.place("Library"))
    for (start, goal) in [(far, library), (library, far)] {
      let error = #expect(throws: GuideError.self) {
        try campus.guide.directions().route(from: start, to: goal)
      }
      guard case .nothingNear(let name) = try #require(error) else {
        Issue.record("\(String(describing: error))")
        continue
      }
      #expect(name.hasPrefix("50"))
    }
    #expect(throws: GuideError.nothingNear("the goal")) {
      try campus.guide.directions().nearest(of: [], from: library)
    }
  }

  @Test("Where a oneway street has no way back, no way leads there")
  func noWay() throws {
    var maker = MapMaker()
    maker.line("way/1", [(0, 0), (500, 0)], ["highway": "residential", "oneway": "yes"])
    let directions = maker.guide.directions(.drive)
    let ends = (try MadeCampus.end(100, 0), try MadeCampus.end(400, 0))
    #expect((try directions.route(from: ends.0, to: ends.1).meters - 300).magnitude < 1)
    #expect(throws: GuideError.self) { try directions.route(from: ends.1, to: ends.0) }
    #expect(
      (try maker.guide.directions(.walk).route(from: ends.1, to: ends.0).meters - 300).magnitude < 1
    )
  }

  @Test("Who stands on a street that one cannot come back to begins on it, not on the next one")
  func leadsAway() throws {
    var maker = MapMaker()
    maker.line("way/1", [(0, 0), (300, 0)], ["highway": "residential", "oneway": "yes"])
    maker.line("way/2", [(300, 0), (300, 60), (0, 60)], ["highway": "residential"])
    let directions = maker.guide.directions(.drive, shortest: true)
    let route = try directions.route(from: MadeCampus.end(100, 0), to: MadeCampus.end(150, 60))
    #expect((route.meters - 410).magnitude < 1)
    // Nothing leads back there: the nearest place of the others is told.
    let back = try directions.route(from: MadeCampus.end(150, 60), to: MadeCampus.end(100, 0))
    #expect((back.meters - 50).magnitude < 1 && (back.metersBeyond - 60).magnitude < 1)
  }

  @Test("A guide of nothing has no ways")
  func empty() throws {
    let guide = GuideBuilder(GuideMap()).guide
    #expect(guide.places.isEmpty)
    for mode in TravelMode.allCases {
      let here = try MadeCampus.end(0, 0)
      #expect(throws: GuideError.self) { try guide.directions(mode).route(from: here, to: here) }
    }
  }

  @Test("Behind an elevator, and over the foot of steps, a way begins on the floor that was said")
  func floorOfTheStart() throws {
    let tower = MadeTower()
    for mode in [TravelMode.walk, .stepFree] {
      let route = try tower.guide.directions(mode).route(
        from: MadeCampus.end(-5, 40, level: 2), to: tower.room)
      #expect(route.points.allSatisfy { $0.level == 2 })
    }
    var maker = MapMaker()
    maker.line("way/1", [(-20, 0), (0, 0)], ["highway": "corridor", "level": "0"])
    maker.line("way/2", [(0, 0), (20, 0)], ["highway": "steps", "level": "0;1", "incline": "up"])
    maker.line("way/3", [(20, 0), (20, 10), (0, 10)], ["highway": "corridor", "level": "1"])
    let directions = maker.guide.directions()
    let ends = try (MadeCampus.end(2, 3, level: 1), MadeCampus.end(20, 5, level: 1))
    for (start, goal) in [(ends.0, ends.1), (ends.1, ends.0)] {
      let route = try directions.route(from: start, to: goal)
      #expect(route.points.allSatisfy { $0.level == 1 })
    }
  }

  @Test("A floor that the map does not have is near to nothing; neither is one that is no number")
  func floors() throws {
    let position = try #require(Position(latitude: 50, longitude: 8))
    for level in [7, .nan, .infinity] as [Double] {
      let start = RouteEnd.position(position, level: level)
      #expect(throws: GuideError.self) {
        try campus.guide.directions().route(from: start, to: MadeCampus.end(100, 50))
      }
    }
  }
}
