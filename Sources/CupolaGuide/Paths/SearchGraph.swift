// 1. Compute the cost of each edge in seconds or meters.
// 2. List the steps between states: vertices on foot, arcs for cars.

/// The search graph for one travel mode: states, and the steps between them with their costs.
///
/// On foot, a state is a vertex. For cars, it is an arc driven to its end, because the permitted turns depend on the
/// arc (see ``TurnGraph``). A step is then a turn plus the following arc, and has the cost of that arc.
package struct SearchGraph: Sendable {
  package let graph: PathGraph
  package let cost: EdgeCost
  let starts: [Int32]
  let targets: [Int32]
  let arcs: [Int32]
  package let leaving: Leaving
  /// The arcs visited from each vertex. A step-free search also visits walking-only arcs, such as steps.
  let seen: Leaving
  /// The arcs that users see at each vertex. Drivers also see one-way streets that they cannot enter.
  let visible: Leaving
  /// All arcs that drivers see, also those of footpaths and closed roads.
  let all: Leaving
  /// The arcs of streets, also of those that the mode must not use.
  let streets: Leaving
  package let edgeCosts: [Double]
  /// The edges of streets next to a sidewalk; empty for cars and the shortest routes.
  let besideSidewalk: Set<Int>
  /// The highest speed of any step in m/s; 1 if costs are in meters.
  let fastest: Double
  private let hasRooms: Bool

  /// - Parameters:
  ///   - index: The edges of the graph by position, to find sidewalks; `nil` ignores them.
  ///   - allowsThrough: Whether cars may pass through access-only ways.
  init(
    _ graph: PathGraph, _ cost: EdgeCost, _ index: EdgeIndex? = nil, allowsThrough: Bool = false
  ) {
    self.graph = graph
    self.cost = cost
    var costs = graph.edges.indices.map { cost.of($0, in: graph) }
    fastest = cost.fastest(of: graph)
    hasRooms = graph.ways.contains { $0.kind == .room }
    leaving = Leaving(graph, cost.mode)
    var besideSidewalk: Set<Int> = []
    if cost.mode != .drive, !cost.isShortest {
      let roadways = Roadways(graph, leaving, index)
      for edge in roadways.besideSidewalk { costs[edge] *= EdgeCost.besideSidewalk }
      for edge in roadways.edges { costs[edge] += EdgeCost.roadway }
      besideSidewalk = roadways.besideSidewalk
    }
    (edgeCosts, self.besideSidewalk) = (costs, besideSidewalk)
    seen = cost.mode == .stepFree ? Leaving(graph, .walk) : leaving
    visible = cost.mode == .drive ? Leaving(graph, .drive, inEitherDirection: true) : seen
    all = cost.mode == .drive ? Leaving(graph) { _ in true } : seen
    streets = Leaving(graph) { graph.ways[graph.edges[$0 >> 1].way].kind == .street }
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

  /// The arc of each state for cars. The first states correspond to the arcs themselves.
  let stateArcs: [Int32]

  /// Returns the way of an edge inside a room; `nil` for other edges.
  func room(of edge: Int) -> Int? {
    guard hasRooms else { return nil }
    let way = graph.edges[edge].way
    return graph.ways[way].kind == .room ? way : nil
  }

  package var hasTurns: Bool { cost.mode == .drive }

  var stateCount: Int { starts.count - 1 }

  func place(_ state: Int) -> SIMD3<Double> {
    graph.places[vertex(of: state)]
  }

  func vertex(of state: Int) -> Int {
    hasTurns ? graph.head(Int(stateArcs[state])) : state
  }

  package struct Leaving: Sendable {
    private let starts: [Int32]
    private let arcs: [Int32]

    package init(
      _ graph: PathGraph, _ mode: TravelMode, passesBarriers: Bool = true,
      inEitherDirection: Bool = false
    ) {
      self.init(graph) {
        (graph.allows($0, mode) || inEitherDirection && graph.allows($0 ^ 1, mode))
          && (passesBarriers || !graph.isBlocked(graph.tail($0), mode))
      }
    }

    fileprivate init(_ graph: PathGraph, where isWanted: (Int) -> Bool) {
      let open = (0..<2 * graph.edges.count).filter(isWanted)
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

    /// Returns the arcs that lead on behind an arc.
    func onward(_ arc: Int, in graph: PathGraph) -> [Int] {
      self[graph.head(arc)].map(Int.init).filter { $0 != arc ^ 1 }
    }

    /// Returns an arc and those behind it until they are as long as the given meters.
    ///
    /// - Parameter next: Returns one of the arcs that lead on, or `nil` to stop.
    func follow(
      _ first: Int, in graph: PathGraph, for meters: Double, next: ([Int]) -> Int?
    ) -> [Int] {
      var (line, rest) = ([first], meters - graph.lengths[first >> 1])
      while rest > 0, let arc = next(onward(line[line.count - 1], in: graph)) {
        line.append(arc)
        // Edges without a length may form a loop.
        rest -= max(graph.lengths[arc >> 1], 0.1)
      }
      return line
    }
  }

  private typealias Steps = (starts: [Int32], targets: [Int32], arcs: [Int32])

  private static func vertexSteps(_ graph: PathGraph, _ leaving: Leaving, _ mode: TravelMode)
    -> Steps
  {
    var steps: Steps = ([0], [], [])
    for vertex in graph.vertices.indices {
      if !graph.isBlocked(vertex, mode) {
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

/// The cost of edges: seconds, or meters if the shortest route is requested.
package struct EdgeCost: Sendable {
  package let mode: TravelMode
  let isShortest: Bool

  init(_ mode: TravelMode, shortest: Bool = false) {
    (self.mode, isShortest) = (mode, shortest)
  }

  /// The walking speed in m/s: 5 km/h.
  static let walking = 5 / 3.6
  /// The speed on wheels or with a stroller in m/s: 4 km/h.
  static let rolling = 4 / 3.6
  /// The speed along steps in m/s (Fujiyama & Tyler 2010 measured 0.5 to 0.8 m/s).
  static let climbing = 0.6
  /// The speed of an escalator or moving walkway in m/s.
  static let moving = 0.5
  /// The waiting time for an elevator, and the travel time per floor, in seconds.
  static let elevatorWait = 30.0
  static let elevatorFloor = 4.0
  /// The time per floor of stairs in seconds, if the map contains no line for the steps.
  static let stepsFloor = 15.0
  /// The ratio of the average speed of cars to the speed limit, which accounts for turns and traffic.
  static let driving = 0.8

  /// The additional cost in seconds of walking from a crossing along the roadway, next to a sidewalk.
  static let roadway = 10.0
  /// The cost factor for walking along a roadway next to a sidewalk.
  static let besideSidewalk = 1.5

  /// Returns the speed on level ground in m/s, including off the mapped paths, where drivers walk.
  package static func pace(_ mode: TravelMode) -> Double { mode == .stepFree ? rolling : walking }

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
      // Add half of the waiting time to each floor, because most rides pass two or three floors. An inclined elevator
      // must not exceed the search's highest speed.
      return max(level, floors * (Self.elevatorFloor + Self.elevatorWait / 2))
    case .steps: return max(length / Self.climbing, floors * Self.stepsFloor)
    case .escalator: return max(length / Self.moving, floors * Self.stepsFloor)
    case .street, .path, .crossing, .area, .corridor, .room, .link:
      return level
    }
  }
}

extension PathGraph {
  func floors(of edge: Int) -> Double {
    guard let from = vertices[edges[edge].from].level, let to = vertices[edges[edge].to].level
    else { return 0 }
    return (to - from).magnitude
  }
}

/// The permitted turns of cars, as steps from arc to arc.
///
/// U-turns are allowed only at dead ends. A restriction of more than two arcs depends on more than the last arc, so
/// arcs within a restricted sequence have additional states (the automaton of Aho & Corasick 1975 over arcs).
/// Access-only ways may be used only at the start and the end of a route: each of their arcs has a second state for
/// entering from another way, from which only access-only ways can be reached.
struct TurnGraph {
  private(set) var starts: [Int32] = [0]
  private(set) var targets: [Int32] = []
  private(set) var stateArcs: [Int32]

  private let graph: PathGraph
  private let leaving: SearchGraph.Leaving
  private let forbidden: Set<[Int]>
  /// The states of prefixes of forbidden sequences, with at least two arcs.
  private var rows: [[Int]: Int] = [:]
  private var last: [Int: Int] = [:]
  private let firsts: Set<Int>

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
      // If a sequence contains access-only ways, only turns at a single point are kept; more would require too many
      // states.
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

  /// Adds the steps after `row`.
  ///
  /// - Parameter isLast: Whether the last arc is access-only and was entered from another way.
  private mutating func addSteps(after row: [Int], isLast: Bool = false) {
    defer { starts.append(Int32(targets.count)) }
    let arc = row[row.count - 1]
    guard graph.allows(arc, .drive), !graph.isBlocked(graph.head(arc), .drive) else { return }
    let back = Int32(arc ^ 1)
    let isFree = row.count == 1 && !firsts.contains(arc)
    let onward = leaving[graph.head(arc)].filter { next in
      next != back && (isFree || !isForbidden(row + [Int(next)]))
    }
    // A no-U-turn restriction also applies at a dead end.
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

  /// Returns the state of the longest suffix that is a prefix of a forbidden sequence.
  private func state(after row: [Int]) -> Int {
    for start in row.indices.dropLast() {
      if let state = rows[Array(row[start...])] { return state }
    }
    return row[row.count - 1]
  }
}
