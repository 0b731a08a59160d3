internal import CupolaCampus

// 1. Vertices are points on floors; edges are straight and belong to ways.
// 2. An edge has two arcs, forward and backward, each open to some modes.
// 3. Lengths are computed from the points; heights from floors, steps and inclines.

/// The ways of a campus as a graph: vertices on floors, straight edges, turns that cars must not make.
///
/// What is derived, such as lengths, is computed when it is read, so that a guide keeps little.
package struct PathGraph: Sendable {
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

  package struct Way: Equatable, Sendable {
    package var id: String
    package var name: String?
    package var kind: WayKind
    /// Kilometers an hour of cars; 0 where none drive.
    package var speed: UInt8 = 0
    /// Meters up for each meter forward, where the map says; ±0.02 where it says only which way.
    package var incline: Float = 0
    /// Steps as counted by the map; 0 when it does not say.
    package var stepCount: Int32 = 0
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

  package let lengths: [Double]
  /// Meters of each way that is steps, all its edges together.
  let metersOfSteps: [Int: Double]
  /// Meters from the Earth's center of each vertex; straight lines between them are the lengths.
  package let places: [SIMD3<Double>]

  package struct Turn: Hashable, Comparable, Sendable {
    package let arcs: [Int]

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

  package func tail(_ arc: Int) -> Int { arc & 1 == 0 ? edges[arc >> 1].from : edges[arc >> 1].to }

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
  package func distance(to other: SIMD3<Double>) -> Double {
    let way = other - self
    return (way * way).sum().squareRoot()
  }
}

/// How somebody goes.
public enum TravelMode: String, CaseIterable, Codable, Sendable {
  /// On foot, steps too.
  case walk
  /// On foot or wheels without steps, raised kerbs and what the map says is not for wheelchairs.
  case stepFree = "step-free"
  /// By car.
  case drive
}

/// What an edge of the graph is to those who go along it.
package enum WayKind: UInt8, CaseIterable, Sendable {
  /// A street that cars use, too.
  case street
  /// A path, a footway or a pedestrian street.
  case path
  /// A marked way across a street.
  case crossing
  case steps
  /// Moving steps, or a moving walkway.
  case escalator
  case elevator
  /// An open area, which is crossed on straight lines.
  case area
  /// Inside of a building.
  case corridor
  /// Inside of a room.
  case room
  /// From a path to an entrance, over ground that no way is on.
  case link
}

package struct WayAccess: OptionSet, Hashable, Sendable {
  package let rawValue: UInt8
  package init(rawValue: UInt8) { self.rawValue = rawValue }

  package static let walkForward = WayAccess(rawValue: 1)
  package static let walkBackward = WayAccess(rawValue: 2)
  package static let stepFreeForward = WayAccess(rawValue: 4)
  package static let stepFreeBackward = WayAccess(rawValue: 8)
  package static let driveForward = WayAccess(rawValue: 16)
  package static let driveBackward = WayAccess(rawValue: 32)

  package static let walk: WayAccess = [.walkForward, .walkBackward]
  package static let stepFree: WayAccess = [.stepFreeForward, .stepFreeBackward]
  package static let drive: WayAccess = [.driveForward, .driveBackward]
  package static let onFoot: WayAccess = [.walk, .stepFree]

  func allows(_ mode: TravelMode, forward: Bool) -> Bool {
    switch mode {
    case .walk: contains(forward ? .walkForward : .walkBackward)
    case .stepFree: contains(forward ? .stepFreeForward : .stepFreeBackward)
    case .drive: contains(forward ? .driveForward : .driveBackward)
    }
  }
}

/// How high edges lead, by what maps say of steps, inclines and floors.
extension PathGraph {
  /// Meters that one step is high: 17 cm is usual (DIN 18065).
  private static let riser = 0.17
  /// Meters up for each meter along steps that nobody counted: 17 cm for 29 cm of tread.
  private static let slopeOfSteps = 0.17 / 0.29

  /// Meters from the `from` of an edge up to its `to`, less than 0 down; 0 where the map does not say.
  func rise(of edge: Int) -> Double {
    let way = ways[edges[edge].way]
    if let from = vertices[edges[edge].from].level, let to = vertices[edges[edge].to].level,
      from != to
    {
      return (to - from) * RouteTrack.floorHeight
    }
    // Stairs between floors are climbed where the floor changes.
    let incline = Double(way.incline)
    guard !way.isIndoor, incline.magnitude <= 1 else { return 0 }
    guard way.kind == .steps else { return incline * lengths[edge] }
    guard incline != 0 else { return 0 }
    // Mappers write the slope of a ramp, but of steps hardly ever more than which way they lead.
    let slope = incline.magnitude > 0.1 ? incline.magnitude : Self.slopeOfSteps
    let meters =
      way.stepCount > 0
      ? Double(way.stepCount) * Self.riser * lengths[edge]
        / max(lengths[edge], metersOfSteps[edges[edge].way] ?? 0, 1e-9)
      : lengths[edge] * slope
    return incline > 0 ? meters : -meters
  }
}
