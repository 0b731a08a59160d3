/// Makes points and segments of the arcs that a search found.
struct RouteAssembly {
  private(set) var points: [RoutePoint] = []
  private(set) var segments: [Route.Segment] = []
  /// The vertex of each point; -1 for a place on an edge.
  private(set) var vertices: [Int] = []
  /// Of each segment.
  private(set) var arcs: [Int] = []

  private let search: SearchGraph

  init(_ found: PathSearch.Found, _ search: SearchGraph, from start: PathEnd) {
    self.search = search
    let graph = search.graph
    guard let first = found.arcs.first, let last = found.arcs.last else {
      addPoint(of: start.choices[found.startChoice].anchor)
      return
    }
    let begin = first & 1 == 0 ? found.skippedAtStart : 1 - found.skippedAtStart
    let end = last & 1 == 0 ? 1 - found.skippedAtGoal : found.skippedAtGoal
    add(graph.place(first >> 1, begin), vertex: vertex(of: first >> 1, at: begin))
    for (number, arc) in found.arcs.enumerated() {
      let isLast = number == found.arcs.count - 1
      let from = number == 0 ? found.skippedAtStart : 0
      let share = max(0, 1 - from - (isLast ? found.skippedAtGoal : 0))
      let place = isLast ? graph.place(arc >> 1, end) : graph.place(arc >> 1, arc & 1 == 0 ? 1 : 0)
      add(
        segment(arc, share), to: place,
        vertex: isLast ? vertex(of: arc >> 1, at: end) : graph.head(arc), arc: arc)
    }
  }

  private func vertex(of edge: Int, at fraction: Double) -> Int {
    fraction <= 0 ? search.graph.edges[edge].from : fraction >= 1 ? search.graph.edges[edge].to : -1
  }

  private mutating func addPoint(of anchor: PathEnd.Anchor) {
    switch anchor {
    case .vertex(let vertex):
      let place = search.graph.vertices[vertex]
      add(RoutePoint(place.point, level: place.level), vertex: vertex)
    case .edge(let edge, let fraction):
      add(search.graph.place(edge, fraction), vertex: vertex(of: edge, at: fraction))
    }
  }

  private mutating func add(_ point: RoutePoint, vertex: Int) {
    points.append(point)
    vertices.append(vertex)
  }

  private mutating func add(
    _ segment: Route.Segment, to place: RoutePoint, vertex: Int, arc: Int
  ) {
    // Nothing is gone where an end is at a vertex, or a door joins inside and outside.
    if points.last == place { return }
    segments.append(segment)
    arcs.append(arc)
    add(place, vertex: vertex)
  }

  /// The number of a segment's way.
  func way(of segment: Int) -> Int { search.graph.edges[arcs[segment] >> 1].way }

  private func segment(_ arc: Int, _ share: Double) -> Route.Segment {
    let edge = arc >> 1
    let way = search.graph.ways[search.graph.edges[edge].way]
    // Also of the shortest way the time is told.
    let seconds = EdgeCost(search.cost.mode).of(edge, in: search.graph)
    let rise = search.graph.rise(of: edge)
    return Route.Segment(
      kind: way.kind, name: way.name, meters: share * search.graph.lengths[edge],
      seconds: share * seconds, metersUp: share * (arc & 1 == 0 ? rise : 0 - rise),
      isIndoor: way.isIndoor)
  }
}
