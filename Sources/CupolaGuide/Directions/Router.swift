internal import CupolaCampus
internal import CupolaSupport

// 1. The nearest edges of a door are found, on its floor, and of the largest part of the graph.
// 2. Each becomes a choice where a route can begin or end.
// 3. A search between the choices of two ends finds the best way.
// 4. Parts say where a mode can go at all, and what is an island.

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

/// Where a route can begin or end: places of the graph, each with what it takes to get from the asked place to it.
package struct PathEnd: Equatable, Sendable {
  package enum Anchor: Equatable, Sendable {
    case vertex(Int)
    /// A part of an edge behind its `from`, 0...1.
    case edge(Int, fraction: Double)
  }

  package struct Choice: Equatable, Sendable {
    package var anchor: Anchor
    /// Meters in a straight line between the asked place and the anchor.
    package var offset: Double
    /// Meters that count against it besides, so that it is taken only where other choices lead much farther or nowhere.
    var penalty = 0.0
    /// Whether people on foot get nearer by ways that the mode has not, such as steps up to a door, or through a door that
    /// is for them alone.
    var stopsShort = false

    package init(_ anchor: Anchor, offset: Double = 0) {
      (self.anchor, self.offset) = (anchor, offset)
    }

    /// Meters that are told of what is not gone: a step at the door counts as one.
    var metersShort: Double { stopsShort ? max(offset, 1) : offset }
  }

  package var choices: [Choice]

  package init(_ choices: [Choice]) { self.choices = choices }
}

package struct EdgeIndex: Sendable {
  /// A place on an edge, seen from another place.
  package struct Near: Equatable, Sendable {
    package var edge: Int
    /// The part of the edge before it, 0...1.
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

  /// The nearest edge of those that are asked for; of equally near ones the lower number; `nil` for what is no place.
  package func nearest(
    to place: RoutePoint, within reach: Double, where isWanted: (Int) -> Bool
  ) -> Near? {
    guard MapPoint(latitude: place.latitude, longitude: place.longitude) != nil else { return nil }
    let point = plane.point(place)
    var best: Near?
    var meters = min(50, reach)
    while true {
      // Places on edges are rounded: a little more is looked at.
      let corner = SIMD2(repeating: meters + 1)
      for edge in boxes.indices(meeting: BoxTree.Box(point - corner, point + corner))
      where isWanted(edge) {
        let near = near(edge, to: point)
        if near.distance <= reach, near.distance < best?.distance ?? .infinity { best = near }
      }
      // What is not in the box is farther away than this.
      if meters >= reach || best?.distance ?? .infinity <= meters { return best }
      meters = min(4 * meters, reach)
    }
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

/// The parts of a graph: where a mode can go at all, and what is an island.
package struct PathParts: Sendable {
  /// Of each vertex, the lowest vertex that edges join it with, whichever way round they may be passed.
  private let roots: [Int32]
  /// Of each vertex, the number of those that can be reached from each other.
  private let strong: [Int32]
  private let edges: [PathGraph.Edge]
  private let main: Int32
  /// Meters of the edges of each part that is joined, the largest first.
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
    // Who may not pass a barrier may still stand there, so it belongs to both sides.
    for edge in edges { parts.join(graph.edges[edge].from, graph.edges[edge].to) }
    return graph.vertices.indices.map { Int32(parts.root(of: $0)) }
  }

  /// Whether an edge is in the largest part of which all can be reached from all.
  func isMain(_ edge: Int) -> Bool {
    strong[edges[edge].from] == main && strong[edges[edge].to] == main
  }

  package func part(of vertex: Int) -> Int { Int(roots[vertex]) }
}

/// The strongly connected components of a graph: vertices that can be reached from each other (Tarjan 1972), without
/// recursion.
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
