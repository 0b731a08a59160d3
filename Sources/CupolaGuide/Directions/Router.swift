internal import CupolaCampus

// 1. The nearest edges of a door are found, on its floor, and of the largest part of the graph.
// 2. Each becomes a choice where a route can begin or end.
// 3. A search between the choices of two ends finds the best way.

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

/// Where a route can begin or end: places of the graph, each with what it takes to get from the asked place to it.
package struct PathEnd: Equatable, Sendable {
  /// A place of the graph.
  package enum Anchor: Equatable, Sendable {
    case vertex(Int)
    /// A part of an edge behind its `from`, 0...1.
    case edge(Int, fraction: Double)
  }

  /// One way to begin or end.
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

/// Finds the edges near a place: a grid of squares, each with the edges that pass it.
package struct EdgeIndex: Sendable {
  /// A place on an edge, seen from another place.
  package struct Near: Equatable, Sendable {
    package var edge: Int
    /// The part of the edge before it, 0...1.
    package var fraction: Double
    /// Meters.
    package var distance: Double
  }

  private let graph: PathGraph
  private let plane: MapPlane
  private var cells: [Cell: [Int32]] = [:]
  /// Edges that would be in too many squares: they are looked at each time.
  private var long: [Int32] = []

  private struct Cell: Hashable {
    var column: Int
    var row: Int
  }

  /// Meters along a square's side.
  private static let side = 50.0
  /// Pieces of half a square that one edge may have: 5 km.
  private static let mostSteps = 200.0

  package init(_ graph: PathGraph) {
    self.graph = graph
    plane = MapPlane(around: graph.vertices.first?.point)
    // Most edges are shorter than a square; hostile maps must not fill the memory.
    var room = 100_000 + 4 * graph.edges.count
    for edge in graph.edges.indices {
      let steps = (2 * graph.lengths[edge] / Self.side).rounded(.up) + 1
      if steps > min(Self.mostSteps, Double(room)) {
        long.append(Int32(edge))
      } else {
        room -= add(edge, steps)
      }
    }
  }

  /// Puts an edge into the squares that it passes; returns how many.
  private mutating func add(_ edge: Int, _ steps: Double) -> Int {
    var last: Cell?
    var count = 0
    let (from, to) = ends(of: edge)
    for step in 0...Int(steps) {
      let cell = cell(at: from + (to - from) * (Double(step) / steps))
      guard cell != last else { continue }
      cells[cell, default: []].append(Int32(edge))
      count += 1
      last = cell
    }
    return count
  }

  /// The nearest edge of those that are asked for; of equally near ones the lower number; `nil` for what is no place.
  ///
  /// - Parameters:
  ///   - reach: meters.
  ///   - isWanted: asked of an edge.
  package func nearest(
    to place: RoutePoint, within reach: Double, where isWanted: (Int) -> Bool
  ) -> Near? {
    // Squares are numbered by whole numbers: what is no place on Earth has none.
    guard MapPoint(latitude: place.latitude, longitude: place.longitude) != nil else { return nil }
    let point = plane.point(latitude: place.latitude, longitude: place.longitude)
    let middle = cell(at: point)
    var best: Near?
    func look(at edge: Int) {
      guard isWanted(edge) else { return }
      let near = near(edge, to: point)
      guard near.distance <= reach else { return }
      if (near.distance, edge) < (best?.distance ?? .infinity, best?.edge ?? .max) { best = near }
    }
    for edge in long { look(at: Int(edge)) }
    // An edge is in a square next to the one it passes at worst, and the place may be anywhere in its own.
    let most = Int((reach / Self.side).rounded(.up)) + 2
    for ring in 0...most {
      if let best, best.distance <= Double(ring - 2) * Self.side { break }
      for edge in edges(in: ring, around: middle) { look(at: edge) }
    }
    return best
  }

  /// Where an edge comes nearest to a place.
  package func near(_ edge: Int, to place: RoutePoint) -> Near {
    near(edge, to: plane.point(latitude: place.latitude, longitude: place.longitude))
  }

  private func near(_ edge: Int, to point: SIMD2<Double>) -> Near {
    let (from, to) = ends(of: edge)
    let fraction = SegmentDistance.fraction(of: point, from: from, to: to)
    let gap = point - (from + (to - from) * fraction)
    return Near(edge: edge, fraction: fraction, distance: gap.length)
  }

  private func ends(of edge: Int) -> (SIMD2<Double>, SIMD2<Double>) {
    (
      plane.point(graph.vertices[graph.edges[edge].from].point),
      plane.point(graph.vertices[graph.edges[edge].to].point)
    )
  }

  private func cell(at point: SIMD2<Double>) -> Cell {
    Cell(
      column: Int((point.x / Self.side).rounded(.down)),
      row: Int((point.y / Self.side).rounded(.down)))
  }

  private func edges(in ring: Int, around middle: Cell) -> [Int] {
    var found: [Int] = []
    for row in middle.row - ring...middle.row + ring {
      let isRim = abs(row - middle.row) == ring
      for column in stride(
        from: middle.column - ring, through: middle.column + ring,
        by: isRim || ring == 0 ? 1 : 2 * ring)
      {
        for edge in cells[Cell(column: column, row: row)] ?? [] { found.append(Int(edge)) }
      }
    }
    return found
  }
}
