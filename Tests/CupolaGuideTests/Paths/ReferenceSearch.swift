import Cupola

@testable import CupolaGuide

/// A reference for walking costs: the Bellman-Ford algorithm on a graph whose edges are split at the start and
/// destination. A vertex with a barrier becomes two unconnected nodes.
struct ReferenceWalk {
  private struct Arc {
    let from: Int
    let to: Int
    let cost: Double
  }

  private let search: SearchGraph
  private var arcs: [Arc] = []
  private var count: Int

  static func cost(_ search: SearchGraph, from start: PathEnd, to goal: PathEnd) -> Double {
    var twin = ReferenceWalk(search)
    return twin.cost(from: start, to: goal)
  }

  private init(_ search: SearchGraph) {
    self.search = search
    count = 2 * search.graph.vertices.count + 2
  }

  private func arriving(_ vertex: Int) -> Int { 2 + 2 * vertex }
  private func leaving(_ vertex: Int) -> Int { 3 + 2 * vertex }

  private mutating func cost(from start: PathEnd, to goal: PathEnd) -> Double {
    let graph = search.graph
    for vertex in graph.vertices.indices where !graph.isBlocked(vertex, search.cost.mode) {
      arcs.append(Arc(from: arriving(vertex), to: leaving(vertex), cost: 0))
    }
    for edge in graph.edges.indices { add(edge: edge, start, goal) }
    for choice in start.choices {
      if case .vertex(let vertex) = choice.anchor {
        arcs.append(Arc(from: 0, to: leaving(vertex), cost: offset(choice)))
      }
    }
    for choice in goal.choices {
      if case .vertex(let vertex) = choice.anchor {
        arcs.append(Arc(from: arriving(vertex), to: 1, cost: offset(choice)))
        // If the start is at the destination, the route is complete.
        arcs.append(Arc(from: leaving(vertex), to: 1, cost: offset(choice)))
      }
    }
    return shortest()
  }

  private func offset(_ choice: PathEnd.Choice) -> Double {
    let pace = search.cost.mode == .stepFree ? 4 / 3.6 : 5 / 3.6
    return search.cost.isShortest ? choice.offset : choice.offset / pace
  }

  private mutating func add(edge: Int, _ start: PathEnd, _ goal: PathEnd) {
    let graph = search.graph
    var stops: [(fraction: Double, node: Int)] = []
    for (end, isStart) in [(start, true), (goal, false)] {
      for choice in end.choices {
        guard case .edge(edge, let fraction) = choice.anchor else { continue }
        stops.append((fraction, count))
        arcs.append(
          isStart
            ? Arc(from: 0, to: count, cost: offset(choice))
            : Arc(from: count, to: 1, cost: offset(choice)))
        count += 1
      }
    }
    stops.sort { $0.fraction < $1.fraction }
    for isForward in [true, false]
    where graph.edges[edge].access.includes(search.cost.mode, forward: isForward) {
      let (from, to) = (graph.edges[edge].from, graph.edges[edge].to)
      var row = isForward ? stops : stops.reversed().map { (1 - $0.fraction, $0.node) }
      row.insert((0, leaving(isForward ? from : to)), at: 0)
      row.append((1, arriving(isForward ? to : from)))
      for (one, other) in zip(row, row.dropFirst()) {
        let cost = (other.fraction - one.fraction) * search.edgeCosts[edge]
        arcs.append(Arc(from: one.node, to: other.node, cost: cost))
      }
      // Positions at the same fraction of an edge are the same in both directions.
      for (one, other) in zip(stops, stops.dropFirst()) where one.fraction == other.fraction {
        arcs.append(Arc(from: one.node, to: other.node, cost: 0))
        arcs.append(Arc(from: other.node, to: one.node, cost: 0))
      }
    }
  }

  private func shortest() -> Double {
    var costs = [Double](repeating: .infinity, count: count)
    costs[0] = 0
    var changed = true
    while changed {
      changed = false
      for arc in arcs where costs[arc.from] + arc.cost < costs[arc.to] {
        costs[arc.to] = costs[arc.from] + arc.cost
        changed = true
      }
    }
    return costs[1]
  }
}

/// A reference for driving costs: tries all sequences of arcs, starting with the cheapest. It stores as many previous
/// arcs as the longest forbidden turn has.
struct ReferenceDrive {
  private struct Drive {
    let arcs: [Int]
    let cost: Double
    /// Whether the route has entered an access-only way; only access-only ways may follow.
    var isLast = false
  }

  private struct Memory: Hashable {
    let arcs: [Int]
    let isLast: Bool
  }

  private let search: SearchGraph
  private let memory: Int
  private let forbidden: Set<[Int]>
  private let leaving: [[Int]]

  init(_ search: SearchGraph) {
    self.search = search
    let graph = search.graph
    forbidden = Set(
      graph.forbiddenTurns.map(\.arcs).filter { row in
        row.count == 2 || !row.contains { graph.ways[graph.edges[$0 >> 1].way].isLocal }
      })
    memory = forbidden.map(\.count).max() ?? 2
    leaving = graph.vertices.indices.map { vertex in
      (0..<2 * graph.edges.count).filter { graph.allows($0, .drive) && graph.tail($0) == vertex }
    }
  }

  /// Returns the arcs that may follow a sequence: arcs that are not behind a barrier and do not complete a forbidden
  /// turn; U-turns only if there is no alternative.
  func next(after row: [Int]) -> [Int] {
    let graph = search.graph
    guard let last = row.last, !graph.isBlocked(graph.head(last), .drive) else { return [] }
    let open = leaving[graph.head(last)].filter { arc in
      !row.indices.contains { forbidden.contains(row[$0...] + [arc]) }
    }
    let onward = open.filter { $0 != last ^ 1 }
    return onward.isEmpty ? open : onward
  }

  private func isLocal(_ arc: Int) -> Bool {
    search.graph.ways[search.graph.edges[arc >> 1].way].isLocal
  }

  private func offset(_ choice: PathEnd.Choice) -> Double {
    search.cost.isShortest ? choice.offset : choice.offset * 3.6 / 5
  }

  func cost(from start: PathEnd, to goal: PathEnd) -> Double {
    var best = Double.infinity
    var open: [Drive] = []
    for choice in start.choices { begin(choice, goal, &open, &best) }
    var done: Set<Memory> = []
    while let place = open.indices.min(by: { open[$0].cost < open[$1].cost }) {
      let drive = open.remove(at: place)
      if drive.cost >= best { break }
      guard done.insert(Memory(arcs: drive.arcs, isLast: drive.isLast)).inserted else { continue }
      for arc in next(after: drive.arcs) where isLocal(arc) || !drive.isLast {
        let isLast = drive.isLast || isLocal(arc) && !isLocal(drive.arcs[drive.arcs.count - 1])
        best = min(best, end(drive.cost, along: arc, goal))
        let row = Array((drive.arcs + [arc]).suffix(memory - 1))
        open.append(
          Drive(arcs: row, cost: drive.cost + search.edgeCosts[arc >> 1], isLast: isLast))
      }
    }
    return best
  }

  private func begin(
    _ choice: PathEnd.Choice, _ goal: PathEnd, _ open: inout [Drive], _ best: inout Double
  ) {
    let graph = search.graph
    switch choice.anchor {
    case .vertex(let vertex):
      for other in goal.choices where other.anchor == choice.anchor {
        best = min(best, offset(choice) + offset(other))
      }
      for arc in leaving[vertex] {
        best = min(best, end(offset(choice), along: arc, goal))
        open.append(Drive(arcs: [arc], cost: offset(choice) + search.edgeCosts[arc >> 1]))
      }
    case .edge(let edge, let fraction):
      for arc in [2 * edge, 2 * edge + 1] where graph.allows(arc, .drive) {
        let before = arc & 1 == 0 ? fraction : 1 - fraction
        best = min(best, end(offset(choice), along: arc, behind: before, goal))
        open.append(
          Drive(arcs: [arc], cost: offset(choice) + (1 - before) * search.edgeCosts[edge]))
      }
    }
  }

  private func end(
    _ cost: Double, along arc: Int, behind before: Double = 0, _ goal: PathEnd
  ) -> Double {
    var best = Double.infinity
    for choice in goal.choices {
      var part: Double
      switch choice.anchor {
      case .vertex(let vertex):
        guard search.graph.head(arc) == vertex else { continue }
        part = 1
      case .edge(let edge, let fraction):
        guard edge == arc >> 1 else { continue }
        part = arc & 1 == 0 ? fraction : 1 - fraction
      }
      guard part >= before else { continue }
      best = min(best, cost + (part - before) * search.edgeCosts[arc >> 1] + offset(choice))
    }
    return best
  }
}

/// Generates small graphs with parallel edges, zero-length edges, one-way edges, barriers, steps and elevators.
struct RandomGraph {
  var random: SplitMix64
  /// Whether all edges are two-way and there are no barriers.
  var isSymmetric = false
  /// Whether some ways are access-only.
  var hasLocalWays = false
  var vertexCount = 12
  var edgeCount = 22

  init(seed: UInt64) { random = SplitMix64(seed: seed) }

  mutating func chance(_ share: Double) -> Bool { Double.random(in: 0..<1, using: &random) < share }

  mutating func graph(turns: Int = 0) -> PathGraph {
    var vertices: [PathGraph.Vertex] = []
    for _ in 0..<vertexCount { vertices.append(vertex(after: vertices.last)) }
    let ways = [WayKind.street, .path, .crossing, .steps, .escalator, .area].enumerated().map {
      number, kind in
      var way = PathGraph.Way(id: "way/\(number)", kind: kind)
      way.speed = UInt8([30, 50, 0, 10, 15, 100][number])
      way.isLocal = hasLocalWays && [1, 4].contains(number)
      return way
    }
    var edges: [PathGraph.Edge] = []
    while edges.count < edgeCount {
      let from = Int.random(in: 0..<vertexCount, using: &random)
      let to = Int.random(in: 0..<vertexCount, using: &random)
      guard from != to else { continue }
      var access: WayAccess = [.onFoot, .drive]
      if !isSymmetric, chance(0.4) {
        access = WayAccess(rawValue: UInt8.random(in: 1..<64, using: &random))
      }
      let way = Int.random(in: 0..<ways.count, using: &random)
      edges.append(PathGraph.Edge(from: from, to: to, way: way, access: access))
      if chance(0.1) { edges.append(edges[edges.count - 1]) }
    }
    let plain = PathGraph(vertices: vertices, edges: edges, ways: ways)
    let rows = (0..<turns).compactMap { _ in row(of: plain) }
    return PathGraph(vertices: vertices, edges: edges, ways: ways, forbiddenTurns: rows)
  }

  private mutating func vertex(after last: PathGraph.Vertex?) -> PathGraph.Vertex {
    let barrier: WayAccess =
      !isSymmetric && chance(0.12)
      ? WayAccess(rawValue: UInt8.random(in: 1..<64, using: &random)) : []
    if let last, chance(0.15) {
      return PathGraph.Vertex(point: last.point, level: nil, blocked: barrier)
    }
    let (latitude, longitude) = MapMaker.place(
      Double.random(in: -200...200, using: &random), Double.random(in: -200...200, using: &random))
    let point = MapPoint(latitude: latitude, longitude: longitude)
    guard let point else { preconditionFailure("invalid coordinates of a test graph") }
    return PathGraph.Vertex(point: point, level: nil, blocked: barrier)
  }

  private mutating func row(of graph: PathGraph) -> PathGraph.Turn? {
    let open = (0..<2 * graph.edges.count).filter { graph.allows($0, .drive) }
    guard let first = open.randomElement(using: &random) else { return nil }
    var arcs = [first]
    let length = Int.random(in: 2...4, using: &random)
    while arcs.count < length {
      let head = graph.head(arcs[arcs.count - 1])
      let next = open.filter { graph.tail($0) == head }.randomElement(using: &random)
      guard let next else { break }
      arcs.append(next)
    }
    return arcs.count > 1 ? PathGraph.Turn(arcs) : nil
  }

  mutating func end(of graph: PathGraph) -> PathEnd {
    PathEnd(
      (0..<Int.random(in: 1...3, using: &random)).map { _ in
        let offset = chance(0.5) ? 0 : Double.random(in: 0..<80, using: &random)
        if chance(0.5) {
          return PathEnd.Choice(
            .vertex(Int.random(in: 0..<graph.vertices.count, using: &random)), offset: offset)
        }
        let edge = Int.random(in: 0..<graph.edges.count, using: &random)
        let fraction = [0, 1, 0.5, Double.random(in: 0...1, using: &random)]
          .randomElement(using: &random)
        return PathEnd.Choice(.edge(edge, fraction: fraction ?? 0), offset: offset)
      })
  }
}
