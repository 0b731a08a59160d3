internal import CupolaCampus

// 1. At each crossing in the middle of a street, follow the crossing to its ends.
// 2. Find the sections of the street that are parallel to a path or another crossing there, and turning lanes.
// 3. Find all sections of streets next to a path with the name of the street.

/// The sections of streets that walkers avoid, because they use the sidewalk.
struct Roadways {
  /// The sections that begin in the middle of a crossing, although a sidewalk or another crossing begins at one of its
  /// ends, and turning lanes.
  private(set) var edges: Set<Int> = []
  /// The sections next to a sidewalk.
  private(set) var besideSidewalk: Set<Int> = []

  private let graph: PathGraph
  private let leaving: SearchGraph.Leaving

  /// Sidewalks differ by at most this number of degrees from their streets.
  private static let parallel = 30.0
  /// The maximum length of half a crossing, and the length over which directions are measured, in meters.
  private static let (longest, reach) = (25.0, 8.0)
  /// The maximum distance of a sidewalk from the middle of its street in meters.
  private static let beside = 25.0

  init(_ graph: PathGraph, _ leaving: SearchGraph.Leaving, _ index: EdgeIndex?) {
    (self.graph, self.leaving) = (graph, leaving)
    for vertex in graph.vertices.indices {
      let arcs = leaving[vertex].map(Int.init)
      let streets = arcs.filter { kind($0) == .street }
      guard !streets.isEmpty else { continue }
      let crossings = arcs.filter { kind($0) == .crossing }
      let beside = crossings.flatMap(sidewalks(behind:))
      for street in streets {
        // Turning lanes lead only to other roadways.
        if !crossings.isEmpty, graph.ways[way(of: street)].isRamp { edges.insert(street >> 1) }
        guard let along = bearing(street) else { continue }
        let isBeside = beside.contains {
          Degrees.turn(from: $0, to: along).magnitude <= Self.parallel
        }
        if isBeside { edges.insert(street >> 1) }
      }
    }
    if let index { addStreetsWithSidewalks(index) }
  }

  /// Sidewalks have the names of their streets.
  private mutating func addStreetsWithSidewalks(_ index: EdgeIndex) {
    let names = graph.names(of: .path)
    for edge in graph.edges.indices {
      let street = graph.ways[graph.edges[edge].way]
      guard street.kind == .street, let name = street.name, names.contains(name) else { continue }
      let sidewalk = index.nearest(beside: edge, within: Self.beside, parallel: Self.parallel) {
        let path = graph.ways[graph.edges[$0].way]
        return path.kind == .path && path.name == name && isOpen($0)
      }
      if sidewalk != nil { besideSidewalk.insert(edge) }
    }
  }

  private func isOpen(_ edge: Int) -> Bool {
    [2 * edge, 2 * edge + 1].contains { leaving[graph.tail($0)].contains(Int32($0)) }
  }

  private func way(of arc: Int) -> Int { graph.edges[arc >> 1].way }

  private func kind(_ arc: Int) -> WayKind { graph.ways[way(of: arc)].kind }

  /// Returns the directions of the paths at the end of half a crossing, and of other crossings there.
  private func sidewalks(behind first: Int) -> [Double] {
    let crossing = last(of: first, for: Self.longest) { kind($0) == .crossing }
    let half = last(of: first, for: Self.longest) { way(of: $0) == way(of: first) }
    let paths = leaving[graph.head(crossing)].map(Int.init).filter { kind($0) == .path }
    let others = leaving.onward(half, in: graph).filter {
      kind($0) == .crossing && way(of: $0) != way(of: first)
    }
    return (paths + others).compactMap { bearing($0) }
  }

  /// Returns the direction of the first meters of the way that begins with an arc.
  private func bearing(_ first: Int) -> Double? {
    let last = last(of: first, for: Self.reach) { way(of: $0) == way(of: first) }
    func point(_ vertex: Int) -> RoutePoint { RoutePoint(graph.vertices[vertex].point) }
    return Bearing.of(point(graph.tail(first)), point(graph.head(last)))
  }

  /// Returns the last arc of a line that begins with an arc.
  private func last(
    of first: Int, for meters: Double, while isWanted: (Int) -> Bool
  ) -> Int {
    leaving.follow(first, in: graph, for: meters) { $0.first(where: isWanted) }.last ?? first
  }
}
