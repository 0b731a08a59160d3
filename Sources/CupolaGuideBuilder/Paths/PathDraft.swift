internal import CupolaGuide

/// A graph in the making: vertices are points of a map on a floor, edges are straight.
package struct PathDraft: Sendable {
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
  /// What looking across areas may still cost.
  var areaBudget = AreaBudget()

  /// The number of a vertex, which is made when it is new.
  mutating func vertex(_ point: Int, level: Double?, space: Int? = nil) -> Int {
    let vertex = Vertex(point: point, level: level, space: space)
    if let number = numbers[vertex] { return number }
    vertices.append(vertex)
    numbers[vertex] = vertices.count - 1
    return vertices.count - 1
  }

  /// The number of a vertex that was made.
  func existing(_ point: Int, level: Double?) -> Int? {
    numbers[Vertex(point: point, level: level)]
  }

  mutating func add(_ way: Way) -> Int {
    ways.append(way)
    return ways.count - 1
  }

  /// Adds an edge unless it leads nowhere.
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
