import Testing

@testable import CupolaGuide
@testable import CupolaGuideBuilder

@Suite("TurnRules") struct TurnRulesTests {
  /// A cross at 0, 0 of four ways, with a street on from its eastern end.
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

  /// Rows as ways, such as `west>north`; two edges of one way after each other are named twice.
  static func rows(_ maker: MapMaker) -> (rows: [String], faults: [String]) {
    let builder = GuideBuilder(maker.map)
    let graph = builder.guide.graph
    let rows = graph.forbiddenTurns.map { turn in
      turn.arcs.map { String(graph.ways[graph.edges[$0 >> 1].way].id.dropFirst(4)) }
        .joined(separator: ">")
    }
    return (rows.sorted(), builder.faults.map(\.title))
  }

  @Test("A turn at a point is forbidden as it is named")
  func point() {
    var maker = Self.cross()
    maker.restriction("relation/1", from: "way/west", at: (0, 0), to: "way/north")
    #expect(Self.rows(maker) == (["west>north"], []))
  }

  @Test("The only turn forbids all others, turning round among them")
  func only() {
    var maker = Self.cross()
    maker.restriction("relation/1", only: true, from: "way/west", at: (0, 0), to: "way/north")
    #expect(Self.rows(maker) == (["west>east", "west>south", "west>west"], []))
  }

  @Test("A turn over a way is a row of its edges")
  func way() {
    var maker = Self.cross()
    maker.restriction("relation/1", from: "way/west", over: ["way/east"], to: "way/far")
    #expect(Self.rows(maker) == (["west>east>far"], []))
  }

  @Test("The only turn over a way forbids to leave it elsewhere")
  func onlyOver() {
    var maker = Self.cross()
    maker.restriction(
      "relation/1", only: true, from: "way/west", over: ["way/east"], to: "way/far")
    #expect(
      Self.rows(maker).rows == [
        "west>east>east", "west>east>farther", "west>north", "west>south", "west>west",
      ])
  }

  @Test("The only turn into a street that is not cut at the crossing leaves both sides of it")
  func onlyUncut() {
    var maker = MapMaker()
    let tags = ["highway": "residential"]
    maker.line("way/west", [(-100, 0), (0, 0)], tags)
    maker.line("way/east", [(0, 0), (100, 0)], tags)
    maker.line("way/through", [(0, -100), (0, 0), (0, 100)], tags)
    maker.restriction("relation/1", only: true, from: "way/west", at: (0, 0), to: "way/through")
    #expect(Self.rows(maker) == (["west>east", "west>west"], []))
  }

  @Test("Who must not turn round on a street that is not cut there still goes straight on")
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

  @Test("Of a way that comes to the point of the turn again and again no rows are made")
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

  @Test("Ways that do not meet are said, and forbid nothing")
  func apart() {
    var maker = Self.cross()
    maker.restriction("relation/1", from: "way/west", at: (0, 0), to: "way/far")
    maker.restriction("relation/2", from: "way/west", over: ["way/far"], to: "way/north")
    maker.restriction("relation/3", from: "way/west", at: (500, 500), to: "way/north")
    #expect(Self.rows(maker) == ([], ["relation/1", "relation/2", "relation/3"]))
  }

  @Test("No more of them are said than of other faults of a map")
  func many() {
    var maker = Self.cross()
    for number in 0..<GuideMap.mostFaults + 10 {
      maker.restriction("relation/\(number)", from: "way/west", at: (0, 0), to: "way/far")
    }
    #expect(Self.rows(maker).faults.count == GuideMap.mostFaults)
  }

  @Test("Ways that the map leaves out make no fault")
  func leftOut() {
    var maker = Self.cross()
    maker.restriction("relation/1", from: "way/west", at: (0, 0), to: "way/elsewhere")
    maker.restriction("relation/2", from: "way/west", over: ["way/gone"], to: "way/north")
    #expect(Self.rows(maker) == ([], []))
  }

  @Test("Rows of hundreds of edges take little memory: they are said, and left out")
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

  /// Rows and faults of what restrictions may cost in all.
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

  @Test("Ways that share ten thousand points take a look at each, not at all for each")
  func shared() {
    var maker = MapMaker()
    let tags = ["highway": "residential"]
    let line = (0..<10_000).map { (Double($0), 0.0) }
    maker.line("way/a", line, tags)
    maker.line("way/b", line, tags)
    maker.line("way/c", [(-1, 0), (0, 0)], tags)
    maker.restriction("relation/1", from: "way/a", over: ["way/b"], to: "way/c")
    // From the second point back to the first, come to from either side. All arcs between are looked at once, and
    // those near the first point again.
    let (rows, faults) = Self.forbidden(maker, steps: 22_000)
    #expect(rows == 2 && faults == [])
    #expect(Self.forbidden(maker, steps: 10_000).faults.map(\.title) == ["relation/1"])
  }

  @Test("A search for a way that is far from every point ends with the budget")
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

  @Test("Restrictions beyond what those of a map may cost are left out, and told once")
  func budget() {
    var maker = Self.cross()
    for number in 1...5 {
      maker.restriction("relation/\(number)", from: "way/west", at: (0, 0), to: "way/north")
    }
    // A row of two arcs takes four.
    let (rows, faults) = Self.forbidden(maker, states: 11)
    #expect(rows == 2 && faults.map(\.title) == ["relation/3"])
    #expect(faults.first?.problem.contains("2 more") ?? false)
    // The only turn forbids three others, and is looked at with them: sixteen.
    var only = Self.cross()
    for number in 1...2 {
      only.restriction(
        "relation/\(number)", only: true, from: "way/west", at: (0, 0), to: "way/north")
    }
    #expect(Self.forbidden(only, states: 31).rows == 3)
    #expect(Self.forbidden(only, states: 32).rows == 6)
  }
}
