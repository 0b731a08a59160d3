// 1. An edge costs seconds of a mode, or meters.
// 2. On foot the states are vertices; in a car they are arcs, since turns can be forbidden.
// 3. Steps lead from state to state, each along one arc.

/// The graph that is searched for one mode: states, and steps between them with their costs.
///
/// On foot a state is a vertex. For cars it is an arc that was driven to its end, because what may follow depends on
/// where one came from (see ``TurnGraph``): a step is a turn, and what it costs is the arc turned into.
package struct SearchGraph: Sendable {
  package let graph: PathGraph
  package let cost: EdgeCost
  /// Steps of state `s` are from `starts[s]` up to `starts[s + 1]`.
  let starts: [Int32]
  let targets: [Int32]
  let arcs: [Int32]
  package let leaving: Leaving
  /// The arcs that people see leave each vertex: on wheels those on foot, such as steps.
  let seen: Leaving
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

  package var hasTurns: Bool { cost.mode == .drive }

  var stateCount: Int { starts.count - 1 }

  func place(_ state: Int) -> SIMD3<Double> {
    graph.places[vertex(of: state)]
  }

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

/// What it costs to go along an edge: seconds, or meters for the shortest way.
package struct EdgeCost: Sendable {
  package let mode: TravelMode
  let isShortest: Bool

  init(_ mode: TravelMode, shortest: Bool = false) {
    (self.mode, isShortest) = (mode, shortest)
  }

  /// Meters a second on foot: 5 km/h.
  static let walking = 5 / 3.6
  /// The same on wheels or with a stroller.
  static let rolling = 4 / 3.6
  /// On steps, along them (Fujiyama & Tyler 2010 measured 0.5 to 0.8 m/s).
  static let climbing = 0.6
  /// Standing on a moving way.
  static let moving = 0.5
  /// Waiting for an elevator, and each floor in it.
  static let elevatorWait = 30.0
  static let elevatorFloor = 4.0
  /// Walking up or down a floor whose steps the map does not draw.
  static let stepsFloor = 15.0
  /// Cars slower than a sign's limit: turns and traffic.
  static let driving = 0.8

  /// Meters a second on level ground, also beyond the mapped ways, where nobody drives.
  package static func pace(_ mode: TravelMode) -> Double { mode == .stepFree ? rolling : walking }

  /// The fastest that anybody of the mode goes, or 1 for meters.
  func fastest(of graph: PathGraph) -> Double {
    if isShortest { return 1 }
    switch mode {
    case .walk, .stepFree: return Self.pace(mode)
    case .drive:
      let top = graph.ways.map(\.speed).max() ?? 0
      return Double(max(top, 1)) / 3.6 * Self.driving
    }
  }

  func of(_ edge: Int, in graph: PathGraph) -> Double {
    let length = graph.lengths[edge]
    if isShortest { return length }
    let way = graph.ways[graph.edges[edge].way]
    if mode == .drive { return length / (Double(max(way.speed, 1)) / 3.6 * Self.driving) }
    let floors = graph.floors(of: edge)
    let level = length / Self.pace(mode)
    switch way.kind {
    case .elevator:
      // A ride of many floors waits once: each floor carries its share, as most rides go over two or three.
      // One that moves sideways, too, is no faster than the bound of the search.
      return max(level, floors * (Self.elevatorFloor + Self.elevatorWait / 2))
    case .steps: return max(length / Self.climbing, floors * Self.stepsFloor)
    case .escalator: return max(length / Self.moving, floors * Self.stepsFloor)
    case .street, .path, .crossing, .area, .corridor, .room, .link:
      return level
    }
  }
}

extension PathGraph {
  /// How many floors lie between the ends of an edge; 0 outdoors.
  func floors(of edge: Int) -> Double {
    guard let from = vertices[edges[edge].from].level, let to = vertices[edges[edge].to].level
    else { return 0 }
    return (to - from).magnitude
  }
}

/// Turns of cars as steps from arc to arc: forbidden ones are left out, and cars turn round only where nothing else
/// leads on.
///
/// Where a restriction is about more than two arcs, what may follow depends on more than the last arc: an arc that is
/// driven as a part of such a row has a state of its own, which knows the row so far (the automaton of Aho & Corasick
/// 1975 over arcs).
///
/// Ways that are no ways through are passed at the beginning and at the end only: such an arc has a second state, in
/// which it was turned into from another way, and from which nothing but such ways leads on.
struct TurnGraph {
  private(set) var starts: [Int32] = [0]
  private(set) var targets: [Int32] = []
  /// The arc of each state; states up to the number of arcs are the arcs themselves.
  private(set) var stateArcs: [Int32]

  private let graph: PathGraph
  private let leaving: SearchGraph.Leaving
  private let forbidden: Set<[Int]>
  /// The beginnings of forbidden rows, from two arcs on, with the states that stand for them.
  private var rows: [[Int]: Int] = [:]
  /// The second states of local arcs.
  private var last: [Int: Int] = [:]
  /// Arcs that forbidden rows begin with.
  private let firsts: Set<Int>

  /// - Parameter allowsThrough: whether all ways are ways through.
  init(_ graph: PathGraph, _ leaving: SearchGraph.Leaving, allowsThrough: Bool) {
    (self.graph, self.leaving) = (graph, leaving)
    forbidden = Set(graph.forbiddenTurns.map(\.arcs))
    firsts = Set(forbidden.map { $0[0] })
    stateArcs = Array(0..<Int32(2 * graph.edges.count))
    let local = stateArcs.indices.filter {
      !allowsThrough && graph.ways[graph.edges[$0 >> 1].way].isLocal
    }
    for arc in local {
      last[arc] = stateArcs.count
      stateArcs.append(Int32(arc))
    }
    var histories: [[Int]] = []
    for turn in graph.forbiddenTurns {
      // Of rows over local ways only turns at a point are kept: they would need more states than they are worth.
      guard turn.arcs.count == 2 || turn.arcs.allSatisfy({ last[$0] == nil }) else { continue }
      for count in 2..<max(2, turn.arcs.count) {
        let row = Array(turn.arcs.prefix(count))
        guard rows[row] == nil else { continue }
        rows[row] = stateArcs.count
        stateArcs.append(Int32(row[count - 1]))
        histories.append(row)
      }
    }
    for arc in 0..<2 * graph.edges.count { addSteps(after: [arc]) }
    for arc in local { addSteps(after: [arc], isLast: true) }
    for row in histories { addSteps(after: row) }
  }

  /// - Parameters:
  ///   - row: arcs that were driven, as far as they matter.
  ///   - isLast: whether the last one is a local way that was turned into from another.
  private mutating func addSteps(after row: [Int], isLast: Bool = false) {
    defer { starts.append(Int32(targets.count)) }
    let arc = row[row.count - 1]
    guard graph.allows(arc, .drive), !graph.isBarred(graph.head(arc), .drive) else { return }
    let back = Int32(arc ^ 1)
    let isFree = row.count == 1 && !firsts.contains(arc)
    let onward = leaving[graph.head(arc)].filter { next in
      next != back && (isFree || !isForbidden(row + [Int(next)]))
    }
    // A sign that forbids to turn round holds at the end of a street, too.
    let turnsRound =
      onward.isEmpty && leaving[graph.head(arc)].contains(back)
      && (isFree || !isForbidden(row + [Int(back)]))
    for next in turnsRound ? [back] : onward {
      if let second = last[Int(next)] {
        targets.append(last[arc] != nil && !isLast ? next : Int32(second))
      } else if !isLast {
        targets.append(isFree ? next : Int32(state(after: row + [Int(next)])))
      }
    }
  }

  private func isForbidden(_ row: [Int]) -> Bool {
    row.indices.contains { forbidden.contains(Array(row[$0...])) }
  }

  /// The state of the longest end of a row that a forbidden one begins with.
  private func state(after row: [Int]) -> Int {
    for start in row.indices.dropLast() {
      if let state = rows[Array(row[start...])] { return state }
    }
    return row[row.count - 1]
  }
}
