internal import CupolaCampus

/// Finds ways over the graph of a guide, for one mode.
package struct Router: Sendable {
  package let search: SearchGraph
  private let index: EdgeIndex
  /// The part of the graph that each edge is in, and the largest part.
  package let parts: PathParts
  /// The parts on foot of a mode that has fewer ways; `nil` for others.
  private let partsOnFoot: PathParts?

  /// Meters to the nearest way from a place that is asked for.
  package static let reach = 1_000.0
  /// How much a meter counts more that nobody knows a way along: to the second nearest way where there is a nearer one.
  private static let reluctance = 10.0
  /// How many meters count against an end that only people on foot get to: any other door of a campus is better.
  private static let hindrance = 2_000.0
  /// Meters that people on foot may get nearer without that it means anything.
  private static let unnoticed = 2.0
  /// Meters from a vertex within which a place on an edge is that vertex.
  private static let snapping = 0.1

  init(_ graph: PathGraph, _ index: EdgeIndex, _ cost: EdgeCost) {
    search = SearchGraph(graph, cost)
    self.index = index
    parts = PathParts(graph, cost.mode, search.leaving)
    partsOnFoot = cost.mode == .stepFree ? PathParts(graph, .walk, search.seen) : nil
  }

  /// Where a route can begin or end for a point: the nearest way, and the nearest one of the largest part of the graph
  /// where that is another, because the nearest may be an island.
  ///
  /// - Parameters:
  ///   - isExact: whether only ways that lead to the very points count, as to rooms behind walls.
  ///   - isEntered: whether people go in there, or come out, and so need a door without a step.
  package func end(
    at points: [Place.Door], exactly isExact: Bool = false, entering isEntered: Bool = false
  ) -> PathEnd {
    var choices: [PathEnd.Choice] = []
    for door in points {
      guard let nearest = nearest(door.point, where: { _ in true }) else { continue }
      let isBarred = isEntered && isForWalkersOnly(door.point)
      choices.append(choice(nearest, of: door, isBarred: isBarred))
      if !parts.isMain(nearest.edge), let other = self.nearest(door.point, where: parts.isMain) {
        var second = choice(other, of: door, isBarred: isBarred)
        second.penalty += Self.reluctance * (other.distance - nearest.distance)
        choices.append(second)
      }
    }
    return PathEnd(isExact ? choices.filter { $0.offset < 1 } : choices)
  }

  /// The best way; `nil` when there is none.
  package func find(from start: PathEnd, to goal: PathEnd) -> PathSearch.Found? {
    var strict = PathSearch(search, from: start, to: goal)
    if let found = strict.run() { return found }
    guard search.hasTurns else { return nil }
    // Some grounds are reached over driveways only.
    let open = SearchGraph(search.graph, search.cost, allowsThrough: true)
    var loose = PathSearch(open, from: start, to: goal)
    return loose.run()
  }

  private func nearest(
    _ point: RoutePoint, by other: TravelMode? = nil, within meters: Double = reach,
    where isWanted: (Int) -> Bool
  ) -> EdgeIndex.Near? {
    let graph = search.graph
    let mode = other ?? search.cost.mode
    return index.nearest(to: point, within: meters) { edge in
      guard
        graph.edges[edge].access.allows(mode, forward: true)
          || graph.edges[edge].access.allows(mode, forward: false)
      else { return false }
      return isOnFloor(edge, of: point) && isWanted(edge)
    }
  }

  /// Whether an edge is on the floor of a point where it comes nearest to it: each half of steps is on the floor of its
  /// end, and an elevator on both.
  private func isOnFloor(_ edge: Int, of point: RoutePoint) -> Bool {
    let graph = search.graph
    let from = graph.vertices[graph.edges[edge].from].level
    let to = graph.vertices[graph.edges[edge].to].level
    guard from == point.level || to == point.level else { return false }
    if from == to || graph.lengths[edge] < Self.snapping { return true }
    return (index.near(edge, to: point).fraction < 0.5 ? from : to) == point.level
  }

  /// Whether people on foot get nearer to a place than an edge, by ways that are joined with it.
  private func stopsShort(_ near: EdgeIndex.Near, of point: RoutePoint) -> Bool {
    guard let partsOnFoot, near.distance > Self.unnoticed else { return false }
    let edges = search.graph.edges
    let part = partsOnFoot.part(of: edges[near.edge].from)
    let nearer = nearest(point, by: .walk, within: near.distance - Self.unnoticed) {
      partsOnFoot.part(of: edges[$0].from) == part
    }
    return nearer != nil
  }

  /// Whether only people on foot pass a point of the ways, such as a door with a step.
  private func isForWalkersOnly(_ point: RoutePoint) -> Bool {
    guard partsOnFoot != nil,
      let near = nearest(point, by: .walk, within: Self.snapping, where: { _ in true }),
      case .vertex(let vertex) = anchor(near, on: point.level)
    else { return false }
    return search.graph.isBarred(vertex, .stepFree) && !search.graph.isBarred(vertex, .walk)
  }

  private func choice(
    _ near: EdgeIndex.Near, of door: Place.Door, isBarred: Bool
  ) -> PathEnd.Choice {
    var choice = PathEnd.Choice(anchor(near, on: door.point.level), offset: near.distance)
    choice.stopsShort = isBarred || stopsShort(near, of: door.point)
    if choice.stopsShort { choice.penalty = Self.hindrance }
    return choice
  }

  private func anchor(_ near: EdgeIndex.Near, on level: Double?) -> PathEnd.Anchor {
    let edge = search.graph.edges[near.edge]
    let meters = search.graph.lengths[near.edge]
    // A turn into another way millimeters before the end is none.
    let isAtFrom = near.fraction * meters < Self.snapping
    let isAtTo = (1 - near.fraction) * meters < Self.snapping
    // Both ends of an elevator are at one place: the floor tells them apart.
    if isAtTo, !isAtFrom || search.graph.vertices[edge.from].level != level {
      return .vertex(edge.to)
    }
    return isAtFrom ? .vertex(edge.from) : .edge(near.edge, fraction: near.fraction)
  }
}
