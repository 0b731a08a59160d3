internal import CupolaCampus

/// The ways of a campus as a graph: vertices on floors, straight edges, turns that cars must not make.
///
/// What is derived, such as lengths, is computed when it is read, so that a guide keeps little.
package struct PathGraph: Sendable {
  /// A point on a floor.
  package struct Vertex: Equatable, Sendable {
    package var point: MapPoint
    /// `nil` outdoors, where no map says a floor.
    package var level: Double?
    /// Who must not pass through it; routes may begin and end there.
    package var barrier: WayAccess

    package init(point: MapPoint, level: Double?, barrier: WayAccess) {
      (self.point, self.level, self.barrier) = (point, level, barrier)
    }
  }

  /// What an edge has in common with the others of its feature.
  package struct Way: Equatable, Sendable {
    /// The feature that it was made of.
    package var id: String
    package var name: String?
    package var kind: WayKind
    /// Kilometers an hour of cars; 0 where none drive.
    package var speed: UInt8 = 0
    /// Meters up for each meter forward, where the map says; ±0.02 where it says only which way.
    package var incline: Float = 0
    /// Steps as counted by the map; 0 when it does not say.
    package var stepCount: Int32 = 0
    /// Whether it is inside of a building.
    package var isIndoor = false
    /// Whether cars are there only to get to it or from it, as between parked ones.
    package var isLocal = false

    package init(id: String, name: String? = nil, kind: WayKind) {
      (self.id, self.name, self.kind) = (id, name, kind)
    }
  }

  /// A straight edge; `access` says who may go from `from` to `to` (forward) and back.
  package struct Edge: Equatable, Sendable {
    package var from: Int
    package var to: Int
    package var way: Int
    package var access: WayAccess

    package init(from: Int, to: Int, way: Int, access: WayAccess) {
      (self.from, self.to, self.way, self.access) = (from, to, way, access)
    }
  }

  package let vertices: [Vertex]
  package let edges: [Edge]
  package let ways: [Way]
  /// Arcs behind each other that cars must not take, ascending.
  package let forbiddenTurns: [Turn]

  /// Meters of each edge.
  package let lengths: [Double]
  /// Meters of each way that is steps, all its edges together.
  package let metersOfSteps: [Int: Double]
  /// Meters from the Earth's center of each vertex; straight lines between them are the lengths.
  package let places: [SIMD3<Double>]

  /// Two or more arcs, one behind the other.
  package struct Turn: Hashable, Comparable, Sendable {
    package let arcs: [Int]

    /// How many arcs one may have.
    package static let mostArcs = 100

    package init(_ arcs: [Int]) { self.arcs = arcs }

    package static func < (a: Turn, b: Turn) -> Bool {
      a.arcs.lexicographicallyPrecedes(b.arcs)
    }
  }

  /// Edges name vertices and ways that are there; turns name arcs that are there.
  package init(vertices: [Vertex], edges: [Edge], ways: [Way], forbiddenTurns: [Turn] = []) {
    for edge in edges {
      precondition(
        vertices.indices.contains(edge.from) && vertices.indices.contains(edge.to)
          && ways.indices.contains(edge.way))
    }
    (self.vertices, self.edges, self.ways) = (vertices, edges, ways)
    self.forbiddenTurns = Set(forbiddenTurns).sorted()
    let places = vertices.map { $0.point.place }
    self.places = places
    lengths = edges.map { places[$0.from].distance(to: places[$0.to]) }
    metersOfSteps = Dictionary(
      zip(edges, lengths).filter { ways[$0.0.way].kind == .steps }.map { ($0.0.way, $0.1) },
      uniquingKeysWith: +)
  }

  /// Meters of all ways that the maps have as lines: not of straight lines over areas and rooms, and to doors.
  package var metersOfLines: Double {
    zip(edges, lengths).reduce(0) { sum, pair in
      switch ways[pair.0.way].kind {
      case .area, .room, .link: sum
      case .street, .path, .crossing, .steps, .escalator, .elevator, .corridor: sum + pair.1
      }
    }
  }

  // MARK: - Arcs: an edge forward (even) or backward (odd)

  /// The vertex where an arc begins.
  package func tail(_ arc: Int) -> Int { arc & 1 == 0 ? edges[arc >> 1].from : edges[arc >> 1].to }

  /// The vertex where an arc ends.
  package func head(_ arc: Int) -> Int { arc & 1 == 0 ? edges[arc >> 1].to : edges[arc >> 1].from }

  package func allows(_ arc: Int, _ mode: TravelMode) -> Bool {
    edges[arc >> 1].access.allows(mode, forward: arc & 1 == 0)
  }

  /// Whether nobody of a mode may pass through a vertex.
  package func isBarred(_ vertex: Int, _ mode: TravelMode) -> Bool {
    vertices[vertex].barrier.allows(mode, forward: true)
  }
}

extension MapPoint {
  /// Meters from the Earth's center on the WGS 84 ellipsoid; within some kilometers straight lines between such points
  /// are as long as geodesics to a ten-millionth.
  package var place: SIMD3<Double> { SurfacePoint(latitude: latitude, longitude: longitude).point }
}

extension SIMD3<Double> {
  /// Meters in a straight line.
  package func distance(to other: SIMD3<Double>) -> Double {
    let way = other - self
    return (way * way).sum().squareRoot()
  }
}
