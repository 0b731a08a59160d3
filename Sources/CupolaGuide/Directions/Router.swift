internal import CupolaCampus
internal import CupolaSupport

// 1. Find the edges nearest to a door, overall and in the largest part of the graph.
// 2. Search for the best route between the candidate points of the start and the destination.

package struct Router: Sendable {
  package let search: SearchGraph
  private let index: EdgeIndex
  package let parts: PathParts
  private let partsOnFoot: PathParts?

  /// The maximum distance in meters from a requested place to the nearest path.
  package static let reach = 1_000.0
  /// The cost factor for unmapped meters to the second-nearest path, if a nearer path exists.
  private static let reluctance = 10.0
  /// The cost factor for meters inside a building to a place that no mapped path reaches.
  private static let unguided = 3.0
  /// The penalty in meters for a start or destination point that can be reached only on foot; any other door on a
  /// campus is better.
  private static let hindrance = 2_000.0
  /// A walking route counts as closer only if it gets closer by more than this number of meters.
  private static let unnoticed = 2.0
  /// Users of a sidewalk can have a position on the roadway, up to this number of meters away.
  private static let curb = 15.0
  /// A point on an edge counts as a vertex if it is within this number of meters of it.
  private static let snapping = 0.1

  init(_ graph: PathGraph, _ index: EdgeIndex, _ cost: EdgeCost) {
    search = SearchGraph(graph, cost, index)
    self.index = index
    parts = PathParts(graph, cost.mode, search.leaving)
    partsOnFoot = cost.mode == .stepFree ? PathParts(graph, .walk, search.seen) : nil
  }

  /// Returns the points where a route can start or end: the nearest path and, if that may be disconnected, the nearest
  /// path in the largest part of the graph.
  ///
  /// - Parameters:
  ///   - isExact: Whether a path must reach the exact point, for example for rooms behind walls.
  ///   - isEntered: Whether people go in or out at the point, and therefore need a door without a step, and no ramp if
  ///     there is another way.
  ///   - inside: The place behind the doors. A door near it is better than one at the other end of the building.
  package func end(
    at points: [Place.Door], exactly isExact: Bool = false, entering isEntered: Bool = false,
    inside: RoutePoint? = nil
  ) -> PathEnd {
    var choices: [PathEnd.Choice] = []
    for door in points {
      let isStop = { edge in
        !isEntered || !search.graph.ways[search.graph.edges[edge].way].isRamp
      }
      let best = nearest(door.point, where: isStop) ?? nearest(door.point, where: { _ in true })
      guard let nearest = best.map({ sidewalk(at: $0, near: door.point) ?? $0 }) else { continue }
      let isWalkersOnly = isEntered && isForWalkersOnly(door.point)
      let metersInside = inside.map { Self.unguided * Bearing.meters($0, door.point) } ?? 0
      var first = choice(nearest, of: door, isWalkersOnly: isWalkersOnly)
      first.penalty += metersInside
      choices.append(first)
      if !parts.isMain(nearest.edge),
        let other = self.nearest(door.point, where: { parts.isMain($0) && isStop($0) })
      {
        var second = choice(other, of: door, isWalkersOnly: isWalkersOnly)
        second.penalty += metersInside + Self.reluctance * (other.distance - nearest.distance)
        choices.append(second)
      }
    }
    return PathEnd(isExact ? choices.filter { $0.offset < 1 } : choices)
  }

  package func find(
    from start: PathEnd, to goal: PathEnd, avoidingRooms avoidsRooms: Bool = true
  ) -> PathSearch.Found? {
    var strict = PathSearch(search, from: start, to: goal, avoidsRooms: avoidsRooms)
    if let found = strict.run() { return found }
    guard search.hasTurns else { return nil }
    // Some destinations can be reached only over driveways.
    let open = SearchGraph(search.graph, search.cost, allowsThrough: true)
    var loose = PathSearch(open, from: start, to: goal)
    return loose.run()
  }

  /// Returns the best route on foot to each destination, computed by a single search.
  ///
  /// - Parameter owners: For each choice in `goal`, the number of its destination.
  package func findEach(
    from start: PathEnd, to goal: PathEnd, owners: [Int]
  ) -> [PathSearch.Found?] {
    var search = PathSearch(self.search, from: start, to: goal, owners: owners)
    return search.runToEach()
  }

  /// Returns the sidewalk next to the roadway that is nearest to a point; `nil` if there is none, for other edges, and for
  /// points on a crossing.
  private func sidewalk(at near: EdgeIndex.Near, near point: RoutePoint) -> EdgeIndex.Near? {
    func way(_ edge: Int) -> PathGraph.Way { search.graph.ways[search.graph.edges[edge].way] }
    guard search.besideSidewalk.contains(near.edge),
      nearest(point, within: Self.snapping, where: { way($0).kind == .crossing }) == nil
    else { return nil }
    return nearest(point, within: near.distance + Self.curb) {
      way($0).kind == .path && way($0).name == way(near.edge).name
    }
  }

  private func nearest(
    _ point: RoutePoint, by other: TravelMode? = nil, within meters: Double = reach,
    where isWanted: (Int) -> Bool
  ) -> EdgeIndex.Near? {
    let graph = search.graph
    let mode = other ?? search.cost.mode
    return index.nearest(to: point, within: meters) { edge in
      guard
        graph.edges[edge].access.includes(mode, forward: true)
          || graph.edges[edge].access.includes(mode, forward: false)
      else { return false }
      return isOnFloor(edge, of: point) && isWanted(edge)
    }
  }

  /// Whether an edge, at its point nearest to a given point, is on that point's floor. Each half of steps is on the
  /// floor of its end.
  private func isOnFloor(_ edge: Int, of point: RoutePoint) -> Bool {
    let graph = search.graph
    let from = graph.vertices[graph.edges[edge].from].level
    let to = graph.vertices[graph.edges[edge].to].level
    guard from == point.level || to == point.level else { return false }
    if from == to || graph.lengths[edge] < Self.snapping { return true }
    return (index.near(edge, to: point).fraction < 0.5 ? from : to) == point.level
  }

  private func stopsShort(_ near: EdgeIndex.Near, of point: RoutePoint) -> Bool {
    guard let partsOnFoot, near.distance > Self.unnoticed else { return false }
    let edges = search.graph.edges
    let part = partsOnFoot.part(of: edges[near.edge].from)
    let nearer = nearest(point, by: .walk, within: near.distance - Self.unnoticed) {
      partsOnFoot.part(of: edges[$0].from) == part
    }
    return nearer != nil
  }

  /// Whether a point can be passed only on foot, such as a door with a step.
  private func isForWalkersOnly(_ point: RoutePoint) -> Bool {
    guard partsOnFoot != nil,
      let near = nearest(point, by: .walk, within: Self.snapping, where: { _ in true }),
      case .vertex(let vertex) = anchor(near, on: point.level)
    else { return false }
    return search.graph.isBlocked(vertex, .stepFree) && !search.graph.isBlocked(vertex, .walk)
  }

  private func choice(
    _ near: EdgeIndex.Near, of door: Place.Door, isWalkersOnly: Bool
  ) -> PathEnd.Choice {
    var choice = PathEnd.Choice(anchor(near, on: door.point.level), offset: near.distance)
    choice.stopsShort = isWalkersOnly || stopsShort(near, of: door.point)
    if choice.stopsShort { choice.penalty = Self.hindrance }
    return choice
  }

  private func anchor(_ near: EdgeIndex.Near, on level: Double?) -> PathEnd.Anchor {
    let edge = search.graph.edges[near.edge]
    let meters = search.graph.lengths[near.edge]
    // Ignore a turn onto another path that is only millimeters before the end.
    let isAtFrom = near.fraction * meters < Self.snapping
    let isAtTo = (1 - near.fraction) * meters < Self.snapping
    // The ends of an elevator have the same position and differ only in floor.
    if isAtTo, !isAtFrom || search.graph.vertices[edge.from].level != level {
      return .vertex(edge.to)
    }
    return isAtFrom ? .vertex(edge.from) : .edge(near.edge, fraction: near.fraction)
  }
}

/// The points in the graph where a route can start or end, each with its distance from the requested place.
package struct PathEnd: Equatable, Sendable {
  package enum Anchor: Equatable, Sendable {
    case vertex(Int)
    /// A point on an edge: the fraction from its `from` vertex, 0...1.
    case edge(Int, fraction: Double)
  }

  package struct Choice: Equatable, Sendable {
    package var anchor: Anchor
    package var offset: Double
    /// A penalty in meters, such as for the way inside a building. With a high one, the choice is used only if all others
    /// are much longer or have no route.
    var penalty = 0.0
    /// Whether a walking route would end closer to the destination than a route in this mode, for example over steps or
    /// through a door with a step.
    var stopsShort = false

    package init(_ anchor: Anchor, offset: Double = 0) {
      (self.anchor, self.offset) = (anchor, offset)
    }
  }

  package var choices: [Choice]

  package init(_ choices: [Choice]) { self.choices = choices }
}

package struct EdgeIndex: Sendable {
  package struct Near: Equatable, Sendable {
    package var edge: Int
    package var fraction: Double
    package var distance: Double
  }

  private let graph: PathGraph
  private let plane: MapPlane
  private let boxes: BoxIndex

  package init(_ graph: PathGraph) {
    self.graph = graph
    let plane = MapPlane(around: graph.vertices.first?.point)
    self.plane = plane
    let points = graph.vertices.map { plane.point($0.point) }
    boxes = BoxIndex(graph.edges.map { BoxTree.Box(points[$0.from], points[$0.to]) })
  }

  /// Returns the nearest accepted edge, or the one with the lower index at equal distances; `nil` for an invalid
  /// position.
  package func nearest(
    to place: RoutePoint, within reach: Double, where isWanted: (Int) -> Bool
  ) -> Near? {
    guard MapPoint(latitude: place.latitude, longitude: place.longitude) != nil else { return nil }
    let point = plane.point(place)
    var best: Near?
    var meters = min(50, reach)
    while true {
      // Search an additional meter, because points on edges are rounded.
      let corner = SIMD2(repeating: meters + 1)
      for edge in boxes.indices(meeting: BoxTree.Box(point - corner, point + corner))
      where isWanted(edge) {
        let near = near(edge, to: point)
        if near.distance <= reach, near.distance < best?.distance ?? .infinity { best = near }
      }
      if meters >= reach || best?.distance ?? .infinity <= meters { return best }
      meters = min(4 * meters, reach)
    }
  }

  /// Returns the nearest accepted edge next to the middle of another edge, at an angle to it of at most `angle` degrees.
  package func nearest(
    beside edge: Int, within reach: Double, parallel angle: Double, where isWanted: (Int) -> Bool
  ) -> Near? {
    let (from, to) = ends(of: edge)
    guard let own = Bearing.of(from, to) else { return nil }
    return nearest(to: from.toward(to, 0.5), within: reach) { other in
      let (from, to) = ends(of: other)
      guard isWanted(other), let bearing = Bearing.of(from, to) else { return false }
      let turn = Degrees.turn(from: own, to: bearing).magnitude
      return min(turn, 180 - turn) <= angle
    }
  }

  private func ends(of edge: Int) -> (from: RoutePoint, to: RoutePoint) {
    let edge = graph.edges[edge]
    return (RoutePoint(graph.vertices[edge.from].point), RoutePoint(graph.vertices[edge.to].point))
  }

  package func near(_ edge: Int, to place: RoutePoint) -> Near {
    near(edge, to: plane.point(place))
  }

  private func near(_ edge: Int, to point: SIMD2<Double>) -> Near {
    let from = plane.point(graph.vertices[graph.edges[edge].from].point)
    let to = plane.point(graph.vertices[graph.edges[edge].to].point)
    let fraction = SegmentDistance.fraction(of: point, from: from, to: to)
    let gap = point - (from + (to - from) * fraction)
    return Near(edge: edge, fraction: fraction, distance: gap.length)
  }
}

package struct PathParts: Sendable {
  /// For each vertex, the lowest vertex of its connected part, ignoring edge directions.
  private let roots: [Int32]
  /// For each vertex, the index of its strongly connected component.
  private let strong: [Int32]
  private let edges: [PathGraph.Edge]
  private let main: Int32
  /// The connected parts with the total length of their edges in meters, longest first.
  package let sizes: [(root: Int, meters: Double)]

  init(_ graph: PathGraph, _ mode: TravelMode, _ leaving: SearchGraph.Leaving) {
    let open = graph.edges.indices.filter {
      graph.allows(2 * $0, mode) || graph.allows(2 * $0 + 1, mode)
    }
    roots = Self.roots(graph, open)
    strong =
      StrongParts(vertexCount: graph.vertices.count, leaving: leaving, head: graph.head)
      .numbers
    edges = graph.edges
    var meters: [Int32: Double] = [:]
    var strongMeters: [Int32: Double] = [:]
    for edge in open {
      let (from, to) = (graph.edges[edge].from, graph.edges[edge].to)
      meters[roots[from], default: 0] += graph.lengths[edge]
      if strong[from] == strong[to] {
        strongMeters[strong[from], default: 0] += graph.lengths[edge]
      }
    }
    sizes = meters.map { (Int($0.key), $0.value) }.sorted { ($0.1, $1.0) > ($1.1, $0.0) }
    main = strongMeters.max { ($0.value, $1.key) < ($1.value, $0.key) }?.key ?? -1
  }

  private static func roots(_ graph: PathGraph, _ edges: [Int]) -> [Int32] {
    var parts = DisjointSets(count: graph.vertices.count)
    // A barrier can be reached from both sides, so it connects them.
    for edge in edges { parts.join(graph.edges[edge].from, graph.edges[edge].to) }
    return graph.vertices.indices.map { Int32(parts.root(of: $0)) }
  }

  func isMain(_ edge: Int) -> Bool {
    strong[edges[edge].from] == main && strong[edges[edge].to] == main
  }

  package func part(of vertex: Int) -> Int { Int(roots[vertex]) }
}

/// The strongly connected components of a graph (Tarjan 1972), computed without recursion.
package struct StrongParts {
  package private(set) var numbers: [Int32]
  private(set) var count: Int32 = 0

  package init(vertexCount: Int, leaving: SearchGraph.Leaving, head: (Int) -> Int) {
    numbers = [Int32](repeating: -1, count: vertexCount)
    var order = [Int32](repeating: -1, count: vertexCount)
    var low = order
    var open: [Int32] = []
    var next: Int32 = 0
    var path: [(vertex: Int, place: Int)] = []
    func enter(_ vertex: Int) {
      (order[vertex], low[vertex]) = (next, next)
      next += 1
      open.append(Int32(vertex))
      path.append((vertex, leaving[vertex].startIndex))
    }
    for root in 0..<vertexCount where order[root] < 0 {
      enter(root)
      while let (vertex, place) = path.last {
        let arcs = leaving[vertex]
        if place < arcs.endIndex {
          path[path.count - 1].place += 1
          let other = head(Int(arcs[place]))
          if order[other] < 0 {
            enter(other)
          } else if numbers[other] < 0 {
            low[vertex] = min(low[vertex], order[other])
          }
          continue
        }
        path.removeLast()
        if let parent = path.last?.vertex { low[parent] = min(low[parent], low[vertex]) }
        guard low[vertex] == order[vertex] else { continue }
        while let member = open.popLast() {
          numbers[Int(member)] = count
          if Int(member) == vertex { break }
        }
        count += 1
      }
    }
  }
}
