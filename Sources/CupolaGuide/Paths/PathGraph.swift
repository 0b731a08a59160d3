internal import CupolaCampus

// 1. Store points on floors as vertices, and straight sections of ways as edges with two arcs each.
// 2. Compute lengths from the points, and climbs from floors, steps and inclines.

/// The paths of a campus as a graph: vertices on floors, straight edges, and forbidden turns for cars.
///
/// Derived values, such as lengths, are computed when the graph is read, which keeps guides small.
package struct PathGraph: Sendable {
  package struct Vertex: Equatable, Sendable {
    package var point: MapPoint
    /// The floor; `nil` outdoors and if no floor is mapped.
    package var level: Double?
    /// The modes that must not pass through the vertex. Routes may start and end here.
    package var blocked: WayAccess

    package init(point: MapPoint, level: Double?, blocked: WayAccess) {
      (self.point, self.level, self.blocked) = (point, level, blocked)
    }
  }

  package struct Way: Equatable, Sendable {
    package var id: String
    package var name: String?
    package var kind: WayKind
    /// The speed of cars in km/h; 0 if they are not allowed.
    package var speed: UInt8 = 0
    /// The incline in meters per meter; ±0.02 if the map contains only the direction.
    package var incline: Float = 0
    /// The mapped number of steps; 0 if unknown.
    package var stepCount: Int32 = 0
    package var isIndoor = false
    /// Whether the way leads across an open indoor area instead of a corridor.
    package var isHall = false
    /// Whether the way is a road for farms or forests, which is wider than a path.
    package var isTrack = false
    /// Whether cars may use the way only to reach a destination on it, such as a parking aisle.
    package var isLocal = false
    package var isParkingAisle = false
    package var isRoundabout = false
    /// Whether the way is a motorway, a ramp, or a turning lane: cars do not stop there, and walkers avoid it.
    package var isRamp = false
    /// Whether the way is a trunk, primary or secondary road, which walkers notice when they cross it.
    package var isMain = false
    package var form = Form.open

    /// How a way looks to users: open to the sky, narrow or covered.
    package enum Form: UInt8, Sendable {
      case open = 0
      case tunnel = 64
      case alley = 128
      /// Through a building or under an arcade.
      case passage = 192
    }

    package init(id: String, name: String? = nil, kind: WayKind) {
      (self.id, self.name, self.kind) = (id, name, kind)
    }
  }

  /// A straight edge. `access` contains the permitted modes from `from` to `to` (forward) and in the opposite
  /// direction; it is empty for closed roads, which users only see.
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
  /// Sequences of arcs that cars must not use, in ascending order.
  package let forbiddenTurns: [Turn]

  package let lengths: [Double]
  let metersOfSteps: [Int: Double]
  /// The position of each vertex relative to the Earth's center in meters.
  package let places: [SIMD3<Double>]

  package struct Turn: Hashable, Comparable, Sendable {
    package let arcs: [Int]

    package static let mostArcs = 100

    package init(_ arcs: [Int]) { self.arcs = arcs }

    package static func < (a: Turn, b: Turn) -> Bool {
      a.arcs.lexicographicallyPrecedes(b.arcs)
    }
  }

  /// Edges must refer to existing vertices and ways, and turns to existing arcs.
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

  /// The length of all mapped lines in meters, excluding lines across areas and rooms, links to doors, and closed roads.
  package var metersOfLines: Double {
    zip(edges, lengths).filter { !$0.0.access.isEmpty }.reduce(0) { sum, pair in
      switch ways[pair.0.way].kind {
      case .area, .room, .link: sum
      case .street, .path, .crossing, .steps, .escalator, .elevator, .corridor: sum + pair.1
      }
    }
  }

  /// Returns the names of all ways of a kind.
  package func names(of kind: WayKind) -> Set<String> {
    Set(ways.lazy.filter { $0.kind == kind }.compactMap(\.name))
  }

  // MARK: - Arcs: an edge forward (even) or backward (odd)

  package func tail(_ arc: Int) -> Int { arc & 1 == 0 ? edges[arc >> 1].from : edges[arc >> 1].to }

  package func head(_ arc: Int) -> Int { arc & 1 == 0 ? edges[arc >> 1].to : edges[arc >> 1].from }

  package func allows(_ arc: Int, _ mode: TravelMode) -> Bool {
    edges[arc >> 1].access.includes(mode, forward: arc & 1 == 0)
  }

  /// Whether a mode must not pass through a vertex.
  package func isBlocked(_ vertex: Int, _ mode: TravelMode) -> Bool {
    vertices[vertex].blocked.includes(mode, forward: true)
  }
}

extension MapPoint {
  /// The position on the WGS 84 ellipsoid relative to the Earth's center in meters. Within a few kilometers, straight
  /// lines deviate from geodesics by at most 1e-7.
  package var place: SIMD3<Double> { SurfacePoint(latitude: latitude, longitude: longitude).point }
}

extension SIMD3<Double> {
  package func distance(to other: SIMD3<Double>) -> Double {
    let way = other - self
    return (way * way).sum().squareRoot()
  }
}

/// A travel mode.
public enum TravelMode: String, CaseIterable, Codable, Sendable {
  /// On foot, including steps.
  case walk
  /// On foot or on wheels, avoiding steps, raised curbs, and places that are mapped as not wheelchair accessible.
  case stepFree = "step-free"
  /// By car.
  case drive
}

package enum WayKind: UInt8, CaseIterable, Sendable {
  /// A street, which may be open to cars.
  case street
  /// A path, a footway or a pedestrian street.
  case path
  /// A marked crossing of a street.
  case crossing
  case steps
  /// An escalator or a moving walkway.
  case escalator
  case elevator
  /// A straight line across an open area.
  case area
  /// Inside a building.
  case corridor
  case room
  /// From a path to an entrance, over unmapped ground.
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

  func includes(_ mode: TravelMode, forward: Bool) -> Bool {
    switch mode {
    case .walk: contains(forward ? .walkForward : .walkBackward)
    case .stepFree: contains(forward ? .stepFreeForward : .stepFreeBackward)
    case .drive: contains(forward ? .driveForward : .driveBackward)
    }
  }
}

extension PathGraph {
  /// Turns that lead back from one one-way street to another, such as the other roadway of a divided street, although
  /// cars can also drive on. They are usually not marked as forbidden on maps.
  package var reversals: [Turn] {
    let leaving = SearchGraph.Leaving(self, .drive)
    func isOneWay(_ arc: Int) -> Bool { allows(arc, .drive) && !allows(arc ^ 1, .drive) }
    func bearing(_ arc: Int) -> Double? {
      Bearing.of(RoutePoint(vertices[tail(arc)].point), RoutePoint(vertices[head(arc)].point))
    }
    return (0..<2 * edges.count).filter(isOneWay).flatMap { arc in
      let onward = leaving[head(arc)].map(Int.init)
      guard onward.count > 1, let before = bearing(arc) else { return [Turn]() }
      return onward.filter(isOneWay).filter {
        bearing($0).map { Degrees.turn(from: before, to: $0).magnitude > 165 } ?? false
      }.map { Turn([arc, $0]) }
    }
  }

  /// The height of a step in meters: typically 17 cm (DIN 18065).
  private static let riser = 0.17
  /// The slope of steps without a mapped count: 17 cm rise for 29 cm of tread.
  private static let slopeOfSteps = 0.17 / 0.29

  /// Returns the climb of an edge in meters, negative going down; 0 if the map does not contain it.
  func rise(of edge: Int) -> Double {
    let way = ways[edges[edge].way]
    if let from = vertices[edges[edge].from].level, let to = vertices[edges[edge].to].level,
      from != to
    {
      return (to - from) * RouteTrack.floorHeight
    }
    // Indoor stairs climb at the point where the floor changes.
    let incline = Double(way.incline)
    guard !way.isIndoor, incline.magnitude <= 1 else { return 0 }
    guard way.kind == .steps else { return incline * lengths[edge] }
    guard incline != 0 else { return 0 }
    // The incline tag of steps usually states only the direction, not the slope.
    let slope = incline.magnitude > 0.1 ? incline.magnitude : Self.slopeOfSteps
    let meters =
      way.stepCount > 0
      ? Double(way.stepCount) * Self.riser * lengths[edge]
        / max(lengths[edge], metersOfSteps[edges[edge].way] ?? 0, 1e-9)
      : lengths[edge] * slope
    return incline > 0 ? meters : -meters
  }
}
