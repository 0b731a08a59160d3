import Testing

@testable import CupolaGuide
@testable import CupolaGuideBuilder

@Suite("Turn rules") struct TurnRulesTests {
  /// Returns four ways that meet at (0, 0), and streets that start at the end of the eastern way.
  static func cross() -> MapMaker {
    var maker = MapMaker()
    let tags = ["highway": "residential"]
    maker.line("way/west", [(-100, 0), (0, 0)], tags)
    maker.line("way/east", [(0, 0), (100, 0)], tags)
    maker.line("way/north", [(0, 0), (0, 100)], tags)
    maker.line("way/south", [(0, 0), (0, -100)], tags)
    maker.line("way/far", [(100, 0), (100, 100)], tags)
    maker.line("way/farther", [(100, 0), (200, 0)], tags)
    return maker
  }

  /// Returns the forbidden turns as names of ways, such as `west>north`; consecutive edges of the same way repeat its
  /// name.
  static func rows(_ maker: MapMaker) -> (rows: [String], faults: [String]) {
    let builder = GuideBuilder(maker.map)
    let graph = builder.guide.graph
    let rows = graph.forbiddenTurns.map { turn in
      turn.arcs.map { String(graph.ways[graph.edges[$0 >> 1].way].id.dropFirst(4)) }
        .joined(separator: ">")
    }
    return (rows.sorted(), builder.faults.map(\.title))
  }

  @Test("Forbids a turn at a point")
  func point() {
    var maker = Self.cross()
    maker.restriction("relation/1", from: "way/west", at: (0, 0), to: "way/north")
    #expect(Self.rows(maker) == (["west>north"], []))
  }

  @Test("Forbids turning back to the other roadway of a divided street, unless it is the only way")
  func reversal() {
    for hasOther in [true, false] {
      var maker = MapMaker()
      let tags = ["highway": "primary", "oneway": "yes"]
      maker.line("way/there", [(-100, 5), (0, 0)], tags)
      maker.line("way/back", [(0, 0), (-100, -5)], tags)
      if hasOther { maker.line("way/on", [(0, 0), (100, 0)], tags) }
      #expect(Self.rows(maker) == (hasOther ? ["there>back"] : [], []))
    }
  }

  @Test("An only-turn forbids all other turns, including U-turns")
  func only() {
    var maker = Self.cross()
    maker.restriction("relation/1", only: true, from: "way/west", at: (0, 0), to: "way/north")
    #expect(Self.rows(maker) == (["west>east", "west>south", "west>west"], []))
  }

  @Test("A turn via a way is a sequence of its edges")
  func way() {
    var maker = Self.cross()
    maker.restriction("relation/1", from: "way/west", over: ["way/east"], to: "way/far")
    #expect(Self.rows(maker) == (["west>east>far"], []))
  }

  @Test("An only-turn via a way forbids leaving it elsewhere")
  func onlyOver() {
    var maker = Self.cross()
    maker.restriction(
      "relation/1", only: true, from: "way/west", over: ["way/east"], to: "way/far")
    #expect(
      Self.rows(maker).rows == [
        "west>east>east", "west>east>farther", "west>north", "west>south", "west>west",
      ])
  }

  @Test("An only-turn into an uncut street allows both directions")
  func onlyUncut() {
    var maker = MapMaker()
    let tags = ["highway": "residential"]
    maker.line("way/west", [(-100, 0), (0, 0)], tags)
    maker.line("way/east", [(0, 0), (100, 0)], tags)
    maker.line("way/through", [(0, -100), (0, 0), (0, 100)], tags)
    maker.restriction("relation/1", only: true, from: "way/west", at: (0, 0), to: "way/through")
    #expect(Self.rows(maker) == (["west>east", "west>west"], []))
  }

  @Test("A U-turn restriction on an uncut street allows going straight on")
  func turningRound() {
    var maker = MapMaker()
    let tags = ["highway": "residential"]
    maker.line("way/through", [(-100, 0), (0, 0), (100, 0)], tags)
    maker.line("way/side", [(0, 0), (0, 100)], tags)
    maker.restriction(
      "relation/1", from: "way/through", at: (0, 0), to: "way/through", turningRound: true)
    #expect(Self.rows(maker) == (["through>through", "through>through"], []))
    let turns = GuideBuilder(maker.map).guide.graph.forbiddenTurns
    #expect(turns.allSatisfy { $0.arcs[0] == $0.arcs[1] ^ 1 })
  }

  @Test("Rejects turns of a way that visits their point many times")
  func star() {
    var maker = Self.cross()
    let spokes = (1...60).flatMap { [(0.0, 0.0), (Double($0), 50.0)] }
    maker.line("way/star", spokes + [(0, 0)], ["highway": "residential"])
    for (number, isOnly) in [false, true].enumerated() {
      maker.restriction(
        "relation/\(number)", only: isOnly, from: "way/star", at: (0, 0), to: "way/star")
    }
    #expect(Self.rows(maker) == ([], ["relation/0", "relation/1"]))
  }

  @Test("Reports restrictions whose ways do not meet")
  func apart() {
    var maker = Self.cross()
    maker.restriction("relation/1", from: "way/west", at: (0, 0), to: "way/far")
    maker.restriction("relation/2", from: "way/west", over: ["way/far"], to: "way/north")
    maker.restriction("relation/3", from: "way/west", at: (500, 500), to: "way/north")
    #expect(Self.rows(maker) == ([], ["relation/1", "relation/2", "relation/3"]))
  }

  @Test("Limits the number of reported restrictions")
  func many() {
    var maker = Self.cross()
    for number in 0..<GuideMap.mostFaults + 10 {
      maker.restriction("relation/\(number)", from: "way/west", at: (0, 0), to: "way/far")
    }
    #expect(Self.rows(maker).faults.count == GuideMap.mostFaults)
  }

  @Test("Ignores restrictions with ways beyond the map")
  func leftOut() {
    var maker = Self.cross()
    maker.restriction("relation/1", from: "way/west", at: (0, 0), to: "way/elsewhere")
    maker.restriction("relation/2", from: "way/west", over: ["way/gone"], to: "way/north")
    #expect(Self.rows(maker) == ([], []))
  }

  @Test("Rejects turns via hundreds of edges")
  func longRows() {
    var maker = MapMaker()
    let tags = ["highway": "residential"]
    maker.line("way/a", [(-10, 0), (0, 0)], tags)
    maker.line("way/b", (0...1_900).map { (Double($0), 0) }, tags)
    maker.line("way/c", [(1_900, 0), (1_900, 10)], tags)
    maker.restriction("relation/1", from: "way/a", over: ["way/b"], to: "way/c")
    let (rows, faults) = Self.rows(maker)
    #expect(rows == [] && faults == ["relation/1"])
  }

  /// Returns the number of forbidden turns, and the faults, for a given work budget.
  private static func forbidden(
    _ maker: MapMaker, steps: Int = 20_000_000, states: Int = 4_000_000
  ) -> (rows: Int, faults: [MapFault]) {
    var draft = PathDraft()
    StreetPaths.add(maker.map, to: &draft)
    var budget = WorkBudget.turns
    (budget.tests, budget.results) = (steps, states)
    var faults: [MapFault] = []
    let turns = TurnRules(draft, maker.map).forbidden(faults: &faults, budget: budget)
    return (turns.count, faults)
  }

  @Test("Searches ways with ten thousand shared points in linear time")
  func shared() {
    var maker = MapMaker()
    let tags = ["highway": "residential"]
    let line = (0..<10_000).map { (Double($0), 0.0) }
    maker.line("way/a", line, tags)
    maker.line("way/b", line, tags)
    maker.line("way/c", [(-1, 0), (0, 0)], tags)
    maker.restriction("relation/1", from: "way/a", over: ["way/b"], to: "way/c")
    // The turn goes from the second point back to the first, in either direction. Arcs in between are searched once,
    // and those near the first point twice.
    let (rows, faults) = Self.forbidden(maker, steps: 22_000)
    #expect(rows == 2 && faults == [])
    #expect(Self.forbidden(maker, steps: 10_000).faults.map(\.title) == ["relation/1"])
  }

  @Test("The search for a distant way ends with the budget")
  func far() {
    var maker = MapMaker()
    let tags = ["highway": "residential"]
    let line = (0..<1_000).map { (Double($0), 0.0) }
    maker.line("way/a", line.dropLast(200), tags)
    maker.line("way/b", line, tags)
    maker.line("way/c", [(999, 0), (999, 9)], tags)
    maker.restriction("relation/1", from: "way/a", over: ["way/b"], to: "way/c")
    let whole = Self.forbidden(maker).faults
    #expect(whole.count == 1 && whole.first?.problem.contains("too long; correct") ?? false)
    let part = Self.forbidden(maker, steps: 50_000).faults
    #expect(part.count == 1 && part.first?.problem.contains("skipped") ?? false)
  }

  @Test("Restrictions beyond the budget are omitted and reported once")
  func budget() {
    var maker = Self.cross()
    for number in 1...5 {
      maker.restriction("relation/\(number)", from: "way/west", at: (0, 0), to: "way/north")
    }
    // A turn with two arcs requires four states.
    let (rows, faults) = Self.forbidden(maker, states: 11)
    #expect(rows == 2 && faults.map(\.title) == ["relation/3"])
    #expect(faults.first?.problem.contains("2 more") ?? false)
    // An only-permitted turn forbids three others and requires 16 states.
    var only = Self.cross()
    for number in 1...2 {
      only.restriction(
        "relation/\(number)", only: true, from: "way/west", at: (0, 0), to: "way/north")
    }
    #expect(Self.forbidden(only, states: 31).rows == 3)
    #expect(Self.forbidden(only, states: 32).rows == 6)
  }
}
