internal import CupolaCampus
internal import CupolaGuide

// 1. Find the street next to each edge of a sidewalk without a name.
// 2. Give short edges without a street, such as those around corners, the name of a neighbor or of the nearest street.
// 3. Copy the way of a sidewalk for each further street that it follows.

/// Names sidewalks after their streets, because people say "turn left onto Mill Road" instead of "onto the path".
///
/// <https://wiki.openstreetmap.org/wiki/Sidewalks>
struct Sidewalks {
  private let graph: PathGraph
  private let index: EdgeIndex
  private let ways: Set<Int>
  private let streetNames: Set<String>
  /// The vertices of streets.
  private let onStreets: Set<Int>

  /// The maximum distance from the middle of a street in meters, and the maximum angle to it in degrees.
  private static let (reach, parallel) = (25.0, 25.0)
  /// Longer edges lead away from the street, in meters.
  private static let corner = 12.0

  static func name(in graph: PathGraph, _ index: EdgeIndex, _ map: GuideMap) -> PathGraph {
    let sidewalks = Sidewalks(graph, index, map)
    return sidewalks.ways.isEmpty ? graph : sidewalks.named()
  }

  private init(_ graph: PathGraph, _ index: EdgeIndex, _ map: GuideMap) {
    (self.graph, self.index) = (graph, index)
    streetNames = graph.names(of: .street)
    onStreets = Set(
      graph.edges.filter { graph.ways[$0.way].kind == .street }.flatMap { [$0.from, $0.to] })
    let ids = Set(map.features.filter(Self.isSidewalk).map(\.id))
    ways = Set(
      graph.ways.indices.filter {
        let way = graph.ways[$0]
        return way.kind == .path && way.name == nil && ids.contains(way.id)
      })
  }

  private static func isSidewalk(_ feature: MapFeature) -> Bool {
    feature["footway"] == "sidewalk" || feature["path"] == "sidewalk"
      || feature["is_sidepath"] == "yes"
  }

  private func named() -> PathGraph {
    var (edges, ways) = (graph.edges, graph.ways)
    let all = Dictionary(grouping: edges.indices.filter { self.ways.contains(edges[$0].way) }) {
      edges[$0].way
    }
    for (way, sidewalk) in all.sorted(by: { $0.key < $1.key }) {
      var copies: [String: Int] = [:]
      for (edge, name) in zip(sidewalk, names(of: sidewalk)) {
        guard let name else { continue }
        if copies[name] == nil {
          copies[name] = ways.count
          ways.append(graph.ways[way])
          ways[ways.count - 1].name = name
        }
        edges[edge].way = copies[name] ?? way
      }
    }
    return PathGraph(
      vertices: graph.vertices, edges: edges, ways: ways, forbiddenTurns: graph.forbiddenTurns)
  }

  /// Returns the names of the streets next to the edges of one sidewalk.
  private func names(of edges: [Int]) -> [String?] {
    var names = edges.map { street(along: $0, within: Self.parallel) }
    var place = 0
    while place < edges.count {
      let end =
        edges[place...].indices.first { names[$0] != nil || !isCorner(edges[$0]) }
        ?? edges.count
      defer { place = max(end, place + 1) }
      let sides = [place - 1, end].filter(edges.indices.contains)
      let known = sides.compactMap { names[$0] }
      for corner in place..<end {
        let nearest =
          known.isEmpty && leadsToStreet(edges[corner])
          ? nil : street(along: edges[corner], within: 90)
        // A sidewalk that leads away from the street can begin to do so at a corner.
        let isBeside = known.count == sides.count || nearest.map(known.contains) ?? false
        names[corner] = known.isEmpty ? nearest : isBeside ? known.first : nil
      }
    }
    for place in edges.indices {
      let sides = [place - 1, place + 1].filter(edges.indices.contains)
      let near = Set(sides.compactMap { names[$0] })
      // Users do not notice that another street is nearer for some meters.
      if let own = names[place], near.count == 1, let other = near.first, other != own,
        graph.lengths[edges[place]] <= Self.reach, follows(edges[place], other)
      {
        names[place] = other
      }
    }
    return names
  }

  /// Whether an edge follows a street with the given name, which need not be the nearest one.
  private func follows(_ edge: Int, _ name: String) -> Bool {
    index.nearest(beside: edge, within: Self.reach, parallel: Self.parallel) {
      isStreet(graph.ways[graph.edges[$0].way]) && graph.ways[graph.edges[$0].way].name == name
    } != nil
  }

  private func isCorner(_ edge: Int) -> Bool { graph.lengths[edge] <= Self.corner }

  /// Whether an edge ends on a street, and therefore leads to it and not along it.
  private func leadsToStreet(_ edge: Int) -> Bool {
    onStreets.contains(graph.edges[edge].from) || onStreets.contains(graph.edges[edge].to)
  }

  /// Returns the name of the nearest street, or bicycle path with the name of one, at an angle of at most `most` degrees.
  private func street(along edge: Int, within most: Double) -> String? {
    let street = index.nearest(beside: edge, within: Self.reach, parallel: most) {
      isStreet(graph.ways[graph.edges[$0].way]) && !graph.edges[$0].access.isEmpty
    }
    return street.flatMap { graph.ways[graph.edges[$0.edge].way].name }
  }

  /// Whether a way is a street, or a path that has the name of the street next to it.
  private func isStreet(_ way: PathGraph.Way) -> Bool {
    way.kind == .street || way.kind == .path && way.name.map(streetNames.contains) ?? false
  }
}
