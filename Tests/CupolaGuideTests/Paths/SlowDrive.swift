@testable import CupolaGuide

/// What a drive costs by trying all rows of arcs, cheapest first, each remembered with the last arcs in full, as many as
/// forbidden rows have.
struct SlowDrive {
  private struct Drive {
    let arcs: [Int]
    let cost: Double
    /// Whether a way that is no way through was turned into from another: only such ways may follow.
    var isLast = false
  }

  private struct Memory: Hashable {
    let arcs: [Int]
    let isLast: Bool
  }

  private let search: SearchGraph
  private let memory: Int
  private let forbidden: Set<[Int]>
  /// Arcs by the vertex where they begin.
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

  /// Arcs that may follow a row, by the rules in words: none behind a barrier or against a oneway, no forbidden row, back
  /// only where nothing else is left.
  func next(after row: [Int]) -> [Int] {
    let graph = search.graph
    guard let last = row.last, !graph.isBarred(graph.head(last), .drive) else { return [] }
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

  /// The least cost to a goal on an arc or at its end.
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
