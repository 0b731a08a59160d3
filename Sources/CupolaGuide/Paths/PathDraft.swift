/// A graph in the making: vertices are points of a map on a floor, edges are straight.
package struct PathDraft: Sendable {
  /// A point on a floor; `nil` is outdoors, where no map says a floor.
  struct Vertex: Hashable, Sendable {
    var point: Int
    var level: Double?
    /// The room or corridor, by its number, of a corner that only it has; `nil` where one comes from it into others.
    var space: Int?
  }

  /// What an edge has in common with the others of its feature.
  package struct Way: Equatable, Sendable {
    /// The feature that it was made of.
    var id: String
    var name: String?
    var kind: WayKind
    /// Kilometers an hour of cars; 0 where none drive.
    var speed: UInt8 = 0
    /// Meters up for each meter forward, where the map says; ±0.02 where it says only which way.
    var incline: Float = 0
    /// Steps as counted by the map; 0 when it does not say.
    var stepCount: Int32 = 0
    /// Whether it is inside of a building.
    var isIndoor = false
    /// Whether cars are there only to get to it or from it, as between parked ones.
    var isLocal = false

    init(id: String, name: String? = nil, kind: WayKind) {
      (self.id, self.name, self.kind) = (id, name, kind)
    }
  }

  struct Edge: Equatable, Sendable {
    var from: Int
    var to: Int
    var way: Int
    var access: WayAccess

    init(from: Int, to: Int, way: Int, access: WayAccess) {
      (self.from, self.to, self.way, self.access) = (from, to, way, access)
    }
  }

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
