internal import CupolaGuide

// 1. Collect vertices, edges and ways while reading the map.
// 2. Build the graph from them, with barriers and turns.

struct PathDraft: Sendable {
  /// A point on a floor; the level is `nil` outdoors and if no floor is mapped.
  struct Vertex: Hashable, Sendable {
    var point: Int
    var level: Double?
    /// The index of the room or corridor whose corner this is, or a negative number for one side of an obstacle;
    /// `nil` if the vertex connects spaces.
    var space: Int?
  }

  typealias Way = PathGraph.Way
  typealias Edge = PathGraph.Edge

  private(set) var vertices: [Vertex] = []
  private(set) var edges: [Edge] = []
  private(set) var ways: [Way] = []
  private var numbers: [Vertex: Int] = [:]
  var areaBudget = WorkBudget.areas
  /// The open areas that step-free routes cannot cross freely.
  var stepAreas: [StepArea] = []

  struct StepArea: Sendable {
    let title: String
    let point: Int
    let steps: [String]
  }

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

  mutating func setIndoor(_ way: Int) { ways[way].isIndoor = true }

  mutating func addEdge(_ from: Int, _ to: Int, way: Int, access: WayAccess) {
    guard from != to, !access.isEmpty else { return }
    edges.append(Edge(from: from, to: to, way: way, access: access))
  }

  /// Adds an edge that routes must not use, but users see.
  mutating func addClosedEdge(_ from: Int, _ to: Int, way: Int) {
    guard from != to else { return }
    edges.append(Edge(from: from, to: to, way: way, access: []))
  }

  /// Splits an edge at vertices, which are in order, starting from its `from` vertex. The first part keeps the edge's
  /// index; the others are appended.
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
  /// Creates the graph from a draft, with the map's barriers and turns but without isolated vertices.
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
          Vertex(point: map.points[point], level: level, blocked: barriers[point] ?? []))
      }
      return numbers[vertex]
    }
    for index in edges.indices {
      edges[index].from = number(edges[index].from)
      edges[index].to = number(edges[index].to)
    }
    let turns = TurnRules(draft, map).forbidden(faults: &faults)
    let reversals = PathGraph(vertices: vertices, edges: edges, ways: draft.ways).reversals
    self.init(
      vertices: vertices, edges: edges, ways: draft.ways, forbiddenTurns: turns + reversals)
  }

  private static func barriers(of map: GuideMap) -> [Int: WayAccess] {
    var barriers: [Int: WayAccess] = [:]
    for feature in map.features {
      guard case .point(let point) = feature.geometry else { continue }
      let blocked = BarrierRules.blocked(by: feature.tags)
      if !blocked.isEmpty { barriers[point, default: []].formUnion(blocked) }
    }
    return barriers
  }
}
