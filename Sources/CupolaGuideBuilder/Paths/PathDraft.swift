internal import CupolaGuide

// 1. Collect vertices, edges and ways while the map is read.
// 2. Make the graph of them, with barriers and turns.

struct PathDraft: Sendable {
  /// A point on a floor; `nil` is outdoors, where no map says a floor.
  struct Vertex: Hashable, Sendable {
    var point: Int
    var level: Double?
    /// The room or corridor, by its number, of a corner that only it has; `nil` where one comes from it into others.
    var space: Int?
  }

  typealias Way = PathGraph.Way
  typealias Edge = PathGraph.Edge

  private(set) var vertices: [Vertex] = []
  private(set) var edges: [Edge] = []
  private(set) var ways: [Way] = []
  private var numbers: [Vertex: Int] = [:]
  var areaBudget = WorkBudget.areas

  mutating func vertex(_ point: Int, level: Double?, space: Int? = nil) -> Int {
    let vertex = Vertex(point: point, level: level, space: space)
    if let number = numbers[vertex] { return number }
    vertices.append(vertex)
    numbers[vertex] = vertices.count - 1
    return vertices.count - 1
  }

  func existing(_ point: Int, level: Double?) -> Int? {
    numbers[Vertex(point: point, level: level)]
  }

  mutating func add(_ way: Way) -> Int {
    ways.append(way)
    return ways.count - 1
  }

  mutating func addEdge(_ from: Int, _ to: Int, way: Int, access: WayAccess) {
    guard from != to, !access.isEmpty else { return }
    edges.append(Edge(from: from, to: to, way: way, access: access))
  }

  /// Makes several edges of one: the first keeps its number, the others come behind all.
  ///
  /// - Parameter stops: vertices on the edge, in order from its `from`.
  mutating func split(edge number: Int, at stops: [Int]) {
    guard let first = stops.first else { return }
    let edge = edges[number]
    edges[number].to = first
    for (one, other) in zip(stops, stops.dropFirst() + [edge.to]) {
      addEdge(one, other, way: edge.way, access: edge.access)
    }
  }
}

extension PathGraph {
  /// The graph of a draft: vertices without edges are left out, barriers and turns are those of the map.
  ///
  /// - Parameter faults: gets a line for each restriction that cannot be followed.
  init(_ draft: PathDraft, _ map: GuideMap, faults: inout [MapFault]) {
    var numbers = [Int](repeating: -1, count: draft.vertices.count)
    var vertices: [Vertex] = []
    var edges = draft.edges
    let barriers = Self.barriers(of: map)
    func number(_ vertex: Int) -> Int {
      if numbers[vertex] < 0 {
        numbers[vertex] = vertices.count
        let (point, level) = (draft.vertices[vertex].point, draft.vertices[vertex].level)
        vertices.append(
          Vertex(point: map.points[point], level: level, barrier: barriers[point] ?? []))
      }
      return numbers[vertex]
    }
    for index in edges.indices {
      edges[index].from = number(edges[index].from)
      edges[index].to = number(edges[index].to)
    }
    let turns = TurnRules(draft, map).forbidden(faults: &faults)
    self.init(vertices: vertices, edges: edges, ways: draft.ways, forbiddenTurns: turns)
  }

  private static func barriers(of map: GuideMap) -> [Int: WayAccess] {
    var barriers: [Int: WayAccess] = [:]
    for feature in map.features {
      guard case .point(let point) = feature.geometry else { continue }
      let barred = BarrierRules.barred(by: feature.tags)
      if !barred.isEmpty { barriers[point, default: []].formUnion(barred) }
    }
    return barriers
  }
}
