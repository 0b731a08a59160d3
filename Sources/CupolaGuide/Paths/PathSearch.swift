internal import CupolaCampus
internal import CupolaSupport

// 1. Attach the start and the destination to the graph, and first try routes with both on the same edge.
// 2. Expand the states with the smallest bound until no better route is possible.
// 3. Trace the arcs back from the best ending of each destination.

/// A* search (Hart, Nilsson & Raphael 1968) between a start and a destination, with straight-line distances as the
/// bound; with several destinations, a search without a bound (Dijkstra 1959). At equal cost, the lower index is
/// preferred, so results are reproducible.
package struct PathSearch {
  package struct Found: Equatable {
    var startChoice: Int
    var goalChoice: Int
    /// Consecutive arcs. The first and the last arc may be used only in part.
    package var arcs: [Int]
    /// The fraction of the first arc before the start, and of the last arc after the goal, 0...1.
    var skippedAtStart = 0.0
    var skippedAtGoal = 0.0
    /// The total cost, including the straight lines that connect the start and the destination to the graph.
    package var cost: Double
  }

  private struct Attachment {
    let choice: Int
    /// The additional cost; negative if the route leaves the last arc before its end.
    let cost: Double
    var arc: Int?
    var skipped = 0.0
  }

  private let search: SearchGraph
  private let start: PathEnd
  private let goal: PathEnd
  private var costs: [Double]
  /// The preceding state of each state; values of -2 and below refer to beginnings.
  private var parents: [Int32]
  private var byArc: [Int32]
  private var beginnings: [Attachment] = []
  private var endings: [Int: [Attachment]] = [:]
  private var cutEndings: [Int: [Attachment]] = [:]
  private var targets: [SIMD3<Double>] = []
  private let avoidsRooms: Bool
  /// The ways of the rooms that contain the start or the destination.
  private var rooms: Set<Int> = []
  private var queue = PathQueue()
  /// The destination of each choice in `goal`.
  private let owners: [Int]
  private var best: [Found?]
  private var bestStates: [(state: Int, ending: Attachment)?]
  /// The highest cost of the best routes; infinite until each destination is reached.
  private var limit = Double.infinity
  private(set) var settled = 0

  /// - Parameters:
  ///   - owners: For each choice in `goal`, the number of its destination, if there are several.
  ///   - avoidsRooms: Whether to pass through a room only if nothing else connects.
  init(
    _ search: SearchGraph, from start: PathEnd, to goal: PathEnd, owners: [Int]? = nil,
    avoidsRooms: Bool = true
  ) {
    (self.search, self.start, self.goal) = (search, start, goal)
    self.avoidsRooms = avoidsRooms
    self.owners = owners ?? goal.choices.map { _ in 0 }
    best = Array(repeating: nil, count: (self.owners.max() ?? 0) + 1)
    bestStates = Array(repeating: nil, count: best.count)
    costs = [Double](repeating: .infinity, count: search.stateCount)
    parents = [Int32](repeating: -1, count: search.stateCount)
    byArc = [Int32](repeating: -1, count: search.stateCount)
    for choice in start.choices + goal.choices { rooms.formUnion(Self.rooms(at: choice, search)) }
  }

  /// The cost factor for passing through other rooms, so that routes do this only if nothing else connects.
  private static let reluctance = 10_000.0

  /// Returns the ways of the rooms that contain a point; a door of a corridor is not in a room.
  private static func rooms(at choice: PathEnd.Choice, _ search: SearchGraph) -> [Int] {
    switch choice.anchor {
    case .edge(let edge, _): return search.room(of: edge).map { [$0] } ?? []
    case .vertex(let vertex):
      let arcs = search.leaving[vertex]
      let rooms = arcs.compactMap { search.room(of: Int($0) >> 1) }
      return rooms.count == arcs.count ? rooms : []
    }
  }

  private func cost(_ edge: Int) -> Double {
    let cost = search.edgeCosts[edge]
    guard avoidsRooms, let room = search.room(of: edge), !rooms.contains(room) else { return cost }
    return cost * Self.reluctance
  }

  mutating func run() -> Found? { runToEach()[0] }

  /// Returns the best route to each destination, or `nil` for those that cannot be reached.
  mutating func runToEach() -> [Found?] {
    for (number, choice) in goal.choices.enumerated() { addEnding(number, choice) }
    for (number, choice) in start.choices.enumerated() { addDirect(number, choice) }
    for (number, choice) in start.choices.enumerated() { addBeginning(number, choice) }
    while let (bound, state) = queue.pop() {
      if bound >= limit { break }
      let cost = costs[state]
      // Skip outdated entries: the state has since been reached at a lower cost.
      guard bound <= cost + remaining(state) else { continue }
      settled += 1
      expand(state, cost, parent: Int32(state))
    }
    return best.indices.map { result(of: $0) }
  }

  // MARK: - Steps

  private mutating func expand(_ state: Int, _ cost: Double, parent: Int32) {
    for step in Int(search.starts[state])..<Int(search.starts[state + 1]) {
      let arc = Int(search.arcs[step])
      reach(
        Int(search.targets[step]), cost + self.cost(arc >> 1), from: parent, by: Int32(arc))
    }
  }

  private mutating func reach(_ state: Int, _ cost: Double, from parent: Int32, by arc: Int32) {
    guard cost < costs[state] else { return }
    costs[state] = cost
    parents[state] = parent
    byArc[state] = arc
    finish(state, cost, endings[search.vertex(of: state)])
    if search.hasTurns { finish(state, cost, cutEndings[Int(search.stateArcs[state])]) }
    queue.push(cost + remaining(state), state)
  }

  private mutating func finish(_ state: Int, _ cost: Double, _ endings: [Attachment]?) {
    for ending in endings ?? [] {
      let found = Found(
        startChoice: 0, goalChoice: ending.choice, arcs: [], skippedAtGoal: ending.skipped,
        cost: cost + ending.cost)
      if keep(found) { bestStates[owners[ending.choice]] = (state, ending) }
    }
  }

  /// Stores a route if it is the best one to its destination.
  private mutating func keep(_ found: Found) -> Bool {
    let owner = owners[found.goalChoice]
    guard found.cost < best[owner]?.cost ?? .infinity else { return false }
    best[owner] = found
    limit = best.reduce(0) { max($0, $1?.cost ?? .infinity) }
    return true
  }

  /// A lower bound of the remaining cost, reduced slightly to allow for rounding errors.
  private func remaining(_ state: Int) -> Double {
    if best.count > 1 { return 0 }
    let place = search.place(state)
    var least = Double.infinity
    for target in targets { least = min(least, place.distance(to: target)) }
    return least / search.fastest * (1 - 1e-12)
  }

  // MARK: - Ends

  private func offsetCost(_ choice: PathEnd.Choice) -> Double {
    let meters = choice.offset + choice.penalty
    return search.cost.isShortest ? meters : meters / EdgeCost.pace(search.cost.mode)
  }

  private mutating func addEnding(_ number: Int, _ choice: PathEnd.Choice) {
    let offset = offsetCost(choice)
    targets.append(search.graph.place(of: choice.anchor))
    switch choice.anchor {
    case .vertex(let vertex):
      endings[vertex, default: []].append(Attachment(choice: number, cost: offset))
    case .edge(let edge, let fraction):
      for (arc, part) in [(2 * edge, fraction), (2 * edge + 1, 1 - fraction)]
      where search.graph.allows(arc, search.cost.mode) {
        let cost = search.edgeCosts[edge]
        if search.hasTurns {
          cutEndings[arc, default: []].append(
            Attachment(choice: number, cost: offset - (1 - part) * cost, skipped: 1 - part))
        } else if !search.graph.isBlocked(search.graph.tail(arc), search.cost.mode) {
          endings[search.graph.tail(arc), default: []].append(
            Attachment(choice: number, cost: offset + part * cost, arc: arc, skipped: 1 - part))
        }
      }
    }
  }

  private mutating func addBeginning(_ number: Int, _ choice: PathEnd.Choice) {
    let offset = offsetCost(choice)
    switch choice.anchor {
    case .vertex(let vertex):
      let parent = begin(Attachment(choice: number, cost: offset))
      // Routes may start at a barrier.
      for arc in search.leaving[vertex] {
        let target = search.hasTurns ? Int(arc) : search.graph.head(Int(arc))
        reach(target, offset + cost(Int(arc) >> 1), from: parent, by: arc)
      }
    case .edge(let edge, let fraction):
      for (arc, skipped) in [(2 * edge, fraction), (2 * edge + 1, 1 - fraction)]
      where search.graph.allows(arc, search.cost.mode) {
        let cost = offset + (1 - skipped) * search.edgeCosts[edge]
        let parent = begin(Attachment(choice: number, cost: cost, arc: arc, skipped: skipped))
        if search.hasTurns {
          // The arc may also be used again from its beginning.
          expand(arc, cost, parent: parent)
        } else {
          reach(search.graph.head(arc), cost, from: parent, by: Int32(arc))
        }
      }
    }
  }

  private mutating func begin(_ touch: Attachment) -> Int32 {
    beginnings.append(touch)
    return Int32(-1 - beginnings.count)
  }

  /// Adds routes that pass no state, because start and destination are on the same edge or at the same vertex.
  private mutating func addDirect(_ number: Int, _ choice: PathEnd.Choice) {
    for (other, ending) in goal.choices.enumerated() {
      let offsets = offsetCost(choice) + offsetCost(ending)
      func offer(_ arcs: [Int], _ cost: Double, atStart: Double = 0, atGoal: Double = 0) {
        let found = Found(
          startChoice: number, goalChoice: other, arcs: arcs, skippedAtStart: atStart,
          skippedAtGoal: atGoal, cost: offsets + cost)
        _ = keep(found)
      }
      switch (choice.anchor, ending.anchor) {
      case (.vertex(let vertex), .vertex(let same)) where vertex == same: offer([], 0)
      case (.edge(let edge, let first), .edge(let same, let last)) where edge == same:
        for (arc, before, behind) in [(2 * edge, first, last), (2 * edge + 1, 1 - first, 1 - last)]
        where (arc & 1 == 0 ? first <= last : last <= first)
          && search.graph.allows(arc, search.cost.mode)
        {
          offer(
            [arc], (last - first).magnitude * search.edgeCosts[edge], atStart: before,
            atGoal: 1 - behind)
        }
      case (.vertex(let vertex), .edge(let edge, let fraction)) where !search.hasTurns:
        for (arc, part) in [(2 * edge, fraction), (2 * edge + 1, 1 - fraction)]
        where search.graph.tail(arc) == vertex && search.graph.allows(arc, search.cost.mode) {
          offer([arc], part * search.edgeCosts[edge], atGoal: 1 - part)
        }
      case (.edge(let edge, let fraction), .vertex(let vertex)) where search.hasTurns:
        for (arc, skipped) in [(2 * edge, fraction), (2 * edge + 1, 1 - fraction)]
        where search.graph.head(arc) == vertex && search.graph.allows(arc, search.cost.mode) {
          offer([arc], (1 - skipped) * search.edgeCosts[edge], atStart: skipped)
        }
      default: break
      }
    }
  }

  private func result(of owner: Int) -> Found? {
    guard var found = best[owner], let (last, ending) = bestStates[owner] else {
      return best[owner]
    }
    var arcs: [Int] = ending.arc.map { [$0] } ?? []
    var state = last
    while true {
      arcs.append(Int(byArc[state]))
      guard parents[state] >= 0 else { break }
      state = Int(parents[state])
    }
    let beginning = beginnings[Int(-2 - parents[state])]
    // On foot, the partial first arc leads to a state; for cars, it precedes the first state.
    if search.hasTurns, let arc = beginning.arc { arcs.append(arc) }
    found.startChoice = beginning.choice
    found.skippedAtStart = beginning.skipped
    found.arcs = arcs.reversed()
    return found
  }
}

extension PathGraph {
  func place(of anchor: PathEnd.Anchor) -> SIMD3<Double> {
    switch anchor {
    case .vertex(let vertex): return places[vertex]
    case .edge(let edge, let fraction):
      let (from, to) = (places[edges[edge].from], places[edges[edge].to])
      return from + (to - from) * fraction
    }
  }

  package func place(_ edge: Int, _ fraction: Double) -> RoutePoint {
    let (from, to) = (vertices[edges[edge].from], vertices[edges[edge].to])
    if fraction <= 0 { return RoutePoint(from.point, level: from.level) }
    if fraction >= 1 { return RoutePoint(to.point, level: to.level) }
    return RoutePoint(from.point, level: from.level == to.level ? from.level : nil)
      .toward(RoutePoint(to.point), fraction)
  }
}

/// A binary heap of states ordered by bound, then by state.
struct PathQueue {
  private var items: [(bound: Double, state: Int32)] = []

  mutating func push(_ bound: Double, _ state: Int) {
    items.append((bound, Int32(state)))
    var place = items.count - 1
    while place > 0 {
      let parent = (place - 1) / 2
      guard Self.precedes(items[place], items[parent]) else { return }
      items.swapAt(place, parent)
      place = parent
    }
  }

  mutating func pop() -> (bound: Double, state: Int)? {
    guard let first = items.first, let last = items.popLast() else { return nil }
    if !items.isEmpty { sink(last) }
    return (first.bound, Int(first.state))
  }

  private mutating func sink(_ item: (bound: Double, state: Int32)) {
    var place = 0
    while true {
      var child = 2 * place + 1
      guard child < items.count else { break }
      if child + 1 < items.count, Self.precedes(items[child + 1], items[child]) { child += 1 }
      guard Self.precedes(items[child], item) else { break }
      items[place] = items[child]
      place = child
    }
    items[place] = item
  }

  private static func precedes(
    _ a: (bound: Double, state: Int32), _ b: (bound: Double, state: Int32)
  ) -> Bool {
    a.bound < b.bound || a.bound == b.bound && a.state < b.state
  }
}
