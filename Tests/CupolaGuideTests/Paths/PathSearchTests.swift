import Cupola
import CupolaTestSupport
import Testing

@testable import CupolaGuide

@Suite("Path search") struct PathSearchTests {
  static func find(_ search: SearchGraph, _ start: PathEnd, _ goal: PathEnd) -> PathSearch.Found? {
    var path = PathSearch(search, from: start, to: goal)
    return path.run()
  }

  static func isClose(_ one: Double, _ other: Double) -> Bool {
    one == other || (one - other).magnitude <= 1e-9 * max(1, one)
  }

  /// Returns the cost of a result's arcs and ends, or `nil` if the travel mode cannot use them.
  static func cost(
    of found: PathSearch.Found, _ search: SearchGraph, _ start: PathEnd, _ goal: PathEnd
  ) -> Double? {
    let graph = search.graph
    let pace = search.cost.mode == .stepFree ? 4 / 3.6 : 5 / 3.6
    let speed = search.cost.isShortest ? 1 : pace
    var cost =
      (start.choices[found.startChoice].offset + goal.choices[found.goalChoice].offset) / speed
    for (number, arc) in found.arcs.enumerated() {
      guard graph.allows(arc, search.cost.mode) else { return nil }
      if number > 0 {
        let vertex = graph.tail(arc)
        guard graph.head(found.arcs[number - 1]) == vertex,
          !graph.isBlocked(vertex, search.cost.mode)
        else { return nil }
      }
      cost += search.edgeCosts[arc >> 1]
    }
    guard let first = found.arcs.first, let last = found.arcs.last else { return cost }
    guard (0...1).contains(found.skippedAtStart), (0...1).contains(found.skippedAtGoal),
      touches(
        start.choices[found.startChoice].anchor, graph.tail(first), first, found.skippedAtStart),
      touches(
        goal.choices[found.goalChoice].anchor, graph.head(last), last, 1 - found.skippedAtGoal)
    else { return nil }
    return cost - found.skippedAtStart * search.edgeCosts[first >> 1]
      - found.skippedAtGoal * search.edgeCosts[last >> 1]
  }

  /// Returns whether an anchor is at a vertex, or on an arc at a fraction of its length.
  private static func touches(
    _ anchor: PathEnd.Anchor, _ vertex: Int, _ arc: Int, _ part: Double
  ) -> Bool {
    switch anchor {
    case .vertex(let other): vertex == other && (part == 0 || part == 1)
    case .edge(let edge, let fraction):
      edge == arc >> 1 && (part - (arc & 1 == 0 ? fraction : 1 - fraction)).magnitude < 1e-12
    }
  }

  @Test("Walking costs match the Bellman-Ford algorithm", arguments: [false, true])
  func walk(isShortest: Bool) {
    var ways = 0
    for seed in 0..<(Verification.isFull ? 250 : 60) as Range<UInt64> {
      var random = RandomGraph(seed: seed)
      let graph = random.graph()
      let mode: TravelMode = seed % 2 == 0 ? .walk : .stepFree
      let search = SearchGraph(graph, EdgeCost(mode, shortest: isShortest))
      for _ in 0..<3 {
        let (start, goal) = (random.end(of: graph), random.end(of: graph))
        let found = Self.find(search, start, goal)
        let slow = ReferenceWalk.cost(search, from: start, to: goal)
        #expect(Self.isClose(found?.cost ?? .infinity, slow), "seed \(seed)")
        #expect(found == Self.find(search, start, goal))
        if let found {
          ways += 1
          let cost = Self.cost(of: found, search, start, goal)
          #expect(Self.isClose(cost ?? .nan, found.cost), "seed \(seed)")
        }
      }
    }
    #expect(ways > (Verification.isFull ? 600 : 120))
  }

  @Test("One search for several destinations finds the same routes as a search for each")
  func toEach() {
    var ways = 0
    for seed in 0..<60 as Range<UInt64> {
      var random = RandomGraph(seed: 30_000 + seed)
      let graph = random.graph()
      let search = SearchGraph(graph, EdgeCost(seed % 2 == 0 ? .walk : .stepFree))
      let start = random.end(of: graph)
      let goals = (0..<4).map { _ in random.end(of: graph) }
      let all = PathEnd(goals.flatMap(\.choices))
      let owners = goals.enumerated().flatMap { number, end in end.choices.map { _ in number } }
      var each = PathSearch(search, from: start, to: all, owners: owners)
      for (found, goal) in zip(each.runToEach(), goals) {
        let single = Self.find(search, start, goal)
        #expect(Self.isClose(found?.cost ?? .infinity, single?.cost ?? .infinity), "seed \(seed)")
        guard let found else { continue }
        ways += 1
        let cost = Self.cost(of: found, search, start, all)
        #expect(Self.isClose(cost ?? .nan, found.cost), "seed \(seed)")
      }
    }
    #expect(ways > 120)
  }

  @Test(
    "Driving costs match an exhaustive search with forbidden turns",
    arguments: [false, true], [false, true])
  func drive(isShortest: Bool, hasLocalWays: Bool) {
    var (ways, rows) = (0, 0)
    for seed in 0..<(Verification.isFull ? 100 : 40) as Range<UInt64> {
      var random = RandomGraph(seed: 10_000 + seed)
      random.vertexCount = 9
      random.edgeCount = 15
      random.hasLocalWays = hasLocalWays
      let graph = random.graph(turns: Int(seed % 20))
      rows += graph.forbiddenTurns.count
      let search = SearchGraph(graph, EdgeCost(.drive, shortest: isShortest))
      let slow = ReferenceDrive(search)
      for _ in 0..<3 {
        let (start, goal) = (random.end(of: graph), random.end(of: graph))
        let found = Self.find(search, start, goal)
        let cost = slow.cost(from: start, to: goal)
        #expect(Self.isClose(found?.cost ?? .infinity, cost), "seed \(seed)")
        #expect(found == Self.find(search, start, goal))
        guard let found else { continue }
        ways += 1
        #expect(Self.isClose(Self.cost(of: found, search, start, goal) ?? .nan, found.cost))
        for turn in graph.forbiddenTurns
        where turn.arcs.count <= (hasLocalWays ? 2 : found.arcs.count) && found.arcs.count > 1 {
          let hit = found.arcs.indices.contains { found.arcs[$0...].starts(with: turn.arcs) }
          #expect(!hit, "seed \(seed)")
        }
      }
    }
    #expect(ways > 50 && rows > 200)
  }

  @Test("The way back costs the same on two-way edges")
  func symmetry() {
    for seed in 0..<40 as Range<UInt64> {
      var random = RandomGraph(seed: 20_000 + seed)
      random.isSymmetric = true
      let graph = random.graph()
      for mode in TravelMode.allCases {
        let search = SearchGraph(graph, EdgeCost(mode, shortest: true))
        let (start, goal) = (random.end(of: graph), random.end(of: graph))
        let there = Self.find(search, start, goal)?.cost ?? .infinity
        let back = Self.find(search, goal, start)?.cost ?? .infinity
        // U-turns of cars, which are allowed only at dead ends, are symmetric as well.
        #expect(Self.isClose(there, back), "seed \(seed)")
      }
    }
  }

  @Test("Costs with elevators and steps match the reference")
  func floors() {
    var random = SplitMix64(seed: 5)
    for _ in 0..<30 {
      let graph = Self.tower(&random)
      let search = SearchGraph(graph, EdgeCost(.walk))
      for goal in graph.vertices.indices {
        let ends = (PathEnd([.init(.vertex(0))]), PathEnd([.init(.vertex(goal))]))
        let cost = Self.find(search, ends.0, ends.1)?.cost ?? .infinity
        #expect(Self.isClose(cost, ReferenceWalk.cost(search, from: ends.0, to: ends.1)))
      }
    }
  }

  /// Returns floors with corridors that are connected by steps and elevators, some of which also lead sideways.
  private static func tower(_ random: inout SplitMix64) -> PathGraph {
    var vertices: [PathGraph.Vertex] = []
    for number in 0..<12 {
      let (latitude, longitude) = MapMaker.place(
        Double.random(in: 0...90, using: &random), Double.random(in: 0...90, using: &random))
      guard let point = MapPoint(latitude: latitude, longitude: longitude) else { continue }
      vertices.append(
        PathGraph.Vertex(point: point, level: Double(number % 3), blocked: []))
    }
    let kinds = [WayKind.corridor, .elevator, .steps, .escalator]
    let ways = kinds.map { PathGraph.Way(id: "\($0)", kind: $0) }
    let edges = (0..<24).compactMap { _ -> PathGraph.Edge? in
      let from = Int.random(in: 0..<12, using: &random)
      let to = Int.random(in: 0..<12, using: &random)
      guard from != to else { return nil }
      let way = from % 3 == to % 3 ? 0 : Int.random(in: 1..<4, using: &random)
      return PathGraph.Edge(from: from, to: to, way: way, access: .onFoot)
    }
    return PathGraph(vertices: vertices, edges: edges, ways: ways)
  }

  @Test("Breaks ties between equal routes deterministically")
  func ties() {
    // Two ways around a square have the same length; zero-length edges make their costs exactly equal.
    let corner = MapPoint(latitudeE7: 500_000_000, longitudeE7: 80_000_000)
    guard let corner else { return }
    let vertices = [PathGraph.Vertex](
      repeating: PathGraph.Vertex(point: corner, level: nil, blocked: []), count: 4)
    let edges = [(0, 1), (1, 3), (0, 2), (2, 3)].map {
      PathGraph.Edge(from: $0.0, to: $0.1, way: 0, access: .onFoot)
    }
    let graph = PathGraph(
      vertices: vertices, edges: edges, ways: [PathGraph.Way(id: "way/1", kind: .path)])
    let search = SearchGraph(graph, EdgeCost(.walk))
    let found = Self.find(
      search, PathEnd([.init(.vertex(0))]), PathEnd([.init(.vertex(3))]))
    #expect(found?.arcs == [0, 2] && found?.cost == 0)
  }

  @Test("Cars make U-turns at dead ends unless a restriction forbids it")
  func turningRound() throws {
    // The direct turn is forbidden, so the route enters the dead end and makes a U-turn.
    let places = [(0.0, 0.0), (100, 0), (100, 100), (200, 0)]
    let vertices = try places.map { x, y in
      let (latitude, longitude) = MapMaker.place(x, y)
      let point = try #require(MapPoint(latitude: latitude, longitude: longitude))
      return PathGraph.Vertex(point: point, level: nil, blocked: [])
    }
    let accesses: [WayAccess] = [.driveForward, .drive, .driveForward]
    let edges = zip([(0, 1), (1, 2), (1, 3)], accesses).map { ends, access in
      PathGraph.Edge(from: ends.0, to: ends.1, way: 0, access: access)
    }
    func arcs(_ turns: [[Int]]) -> [Int]? {
      let graph = PathGraph(
        vertices: vertices, edges: edges, ways: [PathGraph.Way(id: "way/1", kind: .street)],
        forbiddenTurns: turns.map { PathGraph.Turn($0) })
      let search = SearchGraph(graph, EdgeCost(.drive))
      return Self.find(search, PathEnd([.init(.vertex(0))]), PathEnd([.init(.vertex(3))]))?.arcs
    }
    #expect(arcs([]) == [0, 4])
    #expect(arcs([[0, 4]]) == [0, 2, 3, 4])
    #expect(arcs([[0, 4], [2, 3]]) == nil)
    #expect(arcs([[0, 4], [0, 2, 3]]) == nil)
    #expect(arcs([[0, 4], [2, 3, 4]]) == nil)
  }

  @Test("Returns nil for ends without choices")
  func emptyEnds() {
    var random = RandomGraph(seed: 1)
    let search = SearchGraph(random.graph(), EdgeCost(.walk))
    let end = PathEnd([.init(.vertex(0))])
    #expect(Self.find(search, PathEnd([]), end) == nil)
    #expect(Self.find(search, end, PathEnd([])) == nil)
  }
}
