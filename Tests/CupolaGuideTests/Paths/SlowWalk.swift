@testable import CupolaGuide

/// What a way on foot costs by Bellman and Ford over a graph in which ends on edges are vertices of their own, and a
/// vertex that bars has two halves that are not joined.
struct SlowWalk {
  private struct Arc {
    let from: Int
    let to: Int
    let cost: Double
  }

  private let search: SearchGraph
  private var arcs: [Arc] = []
  private var count: Int

  /// The least cost; infinite without a way.
  static func cost(_ search: SearchGraph, from start: PathEnd, to goal: PathEnd) -> Double {
    var twin = SlowWalk(search)
    return twin.cost(from: start, to: goal)
  }

  private init(_ search: SearchGraph) {
    self.search = search
    count = 2 * search.graph.vertices.count + 2
  }

  /// Where one arrives, and where one leaves.
  private func arriving(_ vertex: Int) -> Int { 2 + 2 * vertex }
  private func leaving(_ vertex: Int) -> Int { 3 + 2 * vertex }

  private mutating func cost(from start: PathEnd, to goal: PathEnd) -> Double {
    let graph = search.graph
    for vertex in graph.vertices.indices where !graph.isBarred(vertex, search.cost.mode) {
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
        // Who starts there is there.
        arcs.append(Arc(from: leaving(vertex), to: 1, cost: offset(choice)))
      }
    }
    return shortest()
  }

  private func offset(_ choice: PathEnd.Choice) -> Double {
    let pace = search.cost.mode == .stepFree ? 4 / 3.6 : 5 / 3.6
    return search.cost.isShortest ? choice.offset : choice.offset / pace
  }

  /// An edge is cut where ends are.
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
    where graph.edges[edge].access.allows(search.cost.mode, forward: isForward) {
      let (from, to) = (graph.edges[edge].from, graph.edges[edge].to)
      var row = isForward ? stops : stops.reversed().map { (1 - $0.fraction, $0.node) }
      row.insert((0, leaving(isForward ? from : to)), at: 0)
      row.append((1, arriving(isForward ? to : from)))
      for (one, other) in zip(row, row.dropFirst()) {
        let cost = (other.fraction - one.fraction) * search.edgeCosts[edge]
        arcs.append(Arc(from: one.node, to: other.node, cost: cost))
      }
      // Places of equal fraction are one place, whichever way round.
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
