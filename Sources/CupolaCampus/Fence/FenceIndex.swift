internal import CupolaSupport

/// The edges of a fence, so that a place is compared with few of them.
struct FenceIndex: Sendable {
  /// An edge of one of the fence's polygons.
  struct Edge: Sendable {
    let line: MapSegment
    /// Which polygon; edges are listed polygon after polygon.
    let polygon: Int
    /// Whether it was moved by a whole turn.
    let isCopy: Bool
  }

  let edges: [Edge]
  let tree: BoxTree

  init(_ polygons: [Polygon]) {
    edges = FenceIndex.edges(of: FenceIndex.neighborly(polygons))
    tree = BoxTree(edges.map(\.line.box))
  }

  /// The same polygons and the same rings of each, but in an order in which those near each other follow each other: a
  /// map may have them in any, and boxes around runs of edges would be as large as the grounds.
  private static func neighborly(_ polygons: [Polygon]) -> [Polygon] {
    sorted(polygons.map { Polygon(rings: sorted($0.rings) { $0.first }) }) {
      $0.rings.lazy.compactMap(\.first).first
    }
  }

  private static func sorted<Shape>(
    _ shapes: [Shape], by corner: (Shape) -> Polygon.Vertex?
  ) -> [Shape] {
    guard shapes.count > 1 else { return shapes }
    let corners = shapes.map { shape -> SIMD2<Double> in
      corner(shape).map { [$0.longitude, $0.latitude] } ?? .zero
    }
    return MortonOrder.indices(of: corners).map { shapes[$0] }
  }

  /// The edges; where an outline reaches ±180 degrees also moved by a turn to both sides, so that places
  /// beyond find it.
  static func edges(of polygons: [Polygon]) -> [Edge] {
    let lines = polygons.map(\.lines)
    let isAcross = lines.joined().contains { max($0.start.x.magnitude, $0.end.x.magnitude) >= 180 }
    return lines.enumerated().flatMap { polygon, lines in
      (isAcross ? [0.0, -360, 360] : [0]).flatMap { turn in
        lines.map { line in
          let moved = MapSegment(line.start + [turn, 0], line.end + [turn, 0])
          return Edge(line: moved, polygon: polygon, isCopy: turn != 0)
        }
      }
    }
  }

  /// Where a place lies.
  func location(of position: Position) -> FenceLocation {
    var work = 0
    return location(of: position, &work)
  }

  /// The same; to `work` is added how many boxes were compared.
  func location(of position: Position, _ work: inout Int) -> FenceLocation {
    let place = SIMD2(position.longitude, position.latitude)
    if place.y.magnitude == 90 {
      work += edges.count
      return .init(ofPole: place.y, edges)
    }
    var crossings = Crossings()
    let ray = BoxTree.Box(place, [.infinity, place.y])
    work += tree.indices(meeting: ray) { crossings.add(edges[$0], place) }
    return crossings.location
  }
}

/// Where a place lies as seen from a fence.
enum FenceLocation {
  case inside, outside
  /// On the boundary of a polygon, also of a hole: beside a slanted edge within ``MapSegment/tolerance``, in the
  /// rectangle around it; edges along meridians and parallels, which are that rectangle, are exact.
  case boundary

  /// A pole is one place, though the map draws it as a line.
  fileprivate init(ofPole latitude: Double, _ edges: [FenceIndex.Edge]) {
    self = edges.contains { $0.line.start.y == latitude } ? .boundary : .outside
  }
}

/// Counts how often a ray crosses each polygon, by the even-odd rule.
private struct Crossings {
  private var polygon = -1
  private var isWithin = false
  private var isInside = false
  private var isOnBoundary = false

  var location: FenceLocation {
    isOnBoundary ? .boundary : isInside || isWithin ? .inside : .outside
  }

  /// - Parameter edge: of the same polygon as the last one, or of a later one.
  mutating func add(_ edge: FenceIndex.Edge, _ place: SIMD2<Double>) {
    if edge.polygon != polygon {
      isInside = isInside || isWithin
      (polygon, isWithin) = (edge.polygon, false)
    }
    switch edge.line.crossing(rayFrom: place) {
    case .missed: break
    case .crossed: isWithin.toggle()
    case .boundary: isOnBoundary = true
    }
  }
}

extension Polygon {
  /// Whether a place lies inside; a place on the boundary, also of a hole, does.
  ///
  /// For many questions ask a ``Geofence``, which is prepared for them.
  public func contains(_ position: Position) -> Bool {
    let place = SIMD2(position.longitude, position.latitude)
    let edges = FenceIndex.edges(of: [self])
    if place.y.magnitude == 90 { return FenceLocation(ofPole: place.y, edges) != .outside }
    return edges.reduce(into: Crossings()) { $0.add($1, place) }.location != .outside
  }
}
