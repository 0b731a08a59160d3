/// The graph that is searched for one mode: states, and steps between them with their costs.
///
/// On foot a state is a vertex. For cars it is an arc that was driven to its end, because what may follow depends on
/// where one came from (see ``TurnGraph``): a step is a turn, and what it costs is the arc turned into.
package struct SearchGraph: Sendable {
  package let graph: PathGraph
  package let cost: EdgeCost
  /// Steps of state `s` are from `starts[s]` up to `starts[s + 1]`.
  let starts: [Int32]
  /// The state that a step leads to.
  let targets: [Int32]
  /// The arc that a step goes along.
  let arcs: [Int32]
  /// The arcs that leave each vertex.
  package let leaving: Leaving
  /// The arcs that people see leave each vertex: on wheels those on foot, such as steps.
  let seen: Leaving
  /// Of each edge.
  package let edgeCosts: [Double]
  /// Meters, or meters a second: no step is faster.
  let fastest: Double

  /// - Parameter allowsThrough: whether cars may pass everywhere, also where they only get to something.
  init(_ graph: PathGraph, _ cost: EdgeCost, allowsThrough: Bool = false) {
    self.graph = graph
    self.cost = cost
    edgeCosts = graph.edges.indices.map { cost.of($0, in: graph) }
    fastest = cost.fastest(of: graph)
    leaving = Leaving(graph, cost.mode)
    seen = cost.mode == .stepFree ? Leaving(graph, .walk) : leaving
    if cost.mode == .drive {
      let turns = TurnGraph(graph, leaving, allowsThrough: allowsThrough)
      (starts, targets) = (turns.starts, turns.targets)
      arcs = turns.targets.map { turns.stateArcs[Int($0)] }
      stateArcs = turns.stateArcs
    } else {
      (starts, targets, arcs) = Self.vertexSteps(graph, leaving, cost.mode)
      stateArcs = []
    }
  }

  /// For cars: the arc of each state; the first states are the arcs themselves.
  let stateArcs: [Int32]

  /// Whether states are arcs.
  package var hasTurns: Bool { cost.mode == .drive }

  var stateCount: Int { starts.count - 1 }

  /// Where a state is.
  func place(_ state: Int) -> SIMD3<Double> {
    graph.places[vertex(of: state)]
  }

  /// The vertex where one is in a state.
  func vertex(of state: Int) -> Int {
    hasTurns ? graph.head(Int(stateArcs[state])) : state
  }

  /// The arcs of a mode that leave each vertex, in order.
  package struct Leaving: Sendable {
    private let starts: [Int32]
    private let arcs: [Int32]

    /// - Parameter passesBarriers: whether arcs that begin where nobody may pass are among them.
    package init(_ graph: PathGraph, _ mode: TravelMode, passesBarriers: Bool = true) {
      let open = (0..<2 * graph.edges.count).filter {
        graph.allows($0, mode) && (passesBarriers || !graph.isBarred(graph.tail($0), mode))
      }
      var starts = [Int32](repeating: 0, count: graph.vertices.count + 1)
      for arc in open { starts[graph.tail(arc) + 1] += 1 }
      for vertex in graph.vertices.indices { starts[vertex + 1] += starts[vertex] }
      var next = starts
      var arcs = [Int32](repeating: 0, count: open.count)
      for arc in open {
        let tail = graph.tail(arc)
        arcs[Int(next[tail])] = Int32(arc)
        next[tail] += 1
      }
      (self.starts, self.arcs) = (starts, arcs)
    }

    package subscript(_ vertex: Int) -> ArraySlice<Int32> {
      arcs[Int(starts[vertex])..<Int(starts[vertex + 1])]
    }
  }

  private typealias Steps = (starts: [Int32], targets: [Int32], arcs: [Int32])

  private static func vertexSteps(_ graph: PathGraph, _ leaving: Leaving, _ mode: TravelMode)
    -> Steps
  {
    var steps: Steps = ([0], [], [])
    for vertex in graph.vertices.indices {
      if !graph.isBarred(vertex, mode) {
        for arc in leaving[vertex] {
          steps.targets.append(Int32(graph.head(Int(arc))))
          steps.arcs.append(arc)
        }
      }
      steps.starts.append(Int32(steps.targets.count))
    }
    return steps
  }
}
