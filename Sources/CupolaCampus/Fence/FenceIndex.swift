internal import CupolaSupport

// 1. Sort the polygons by location, and build a tree of their edges.
// 2. Cast a ray eastward, and count its crossings with each polygon.
// 3. An odd count for any polygon means that the position is inside.
// 4. `FenceOutline` removes edges, or parts of edges, that have campus on both sides.

/// A fence's edges in a spatial index.
struct FenceIndex: Sendable {
  struct Edge: Sendable {
    let line: MapSegment
    /// The index of the polygon; edges are sorted by polygon.
    let polygon: Int
    /// Whether the edge is a copy shifted by 360 degrees.
    let isCopy: Bool
  }

  let edges: [Edge]
  let tree: BoxTree

  init(_ polygons: [Polygon]) {
    edges = FenceIndex.edges(of: FenceIndex.sortedByLocation(polygons))
    tree = BoxTree(edges.map(\.line.box))
  }

  /// Sorts polygons and rings so that nearby ones are adjacent. In map order, tree boxes could be as large as the
  /// campus.
  private static func sortedByLocation(_ polygons: [Polygon]) -> [Polygon] {
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

  /// Returns the edges. If an outline reaches ±180 degrees, adds copies shifted by 360 degrees east and west.
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

  func location(of position: Position) -> FenceLocation {
    var work = 0
    return location(of: position, &work)
  }

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

enum FenceLocation {
  case inside, outside
  /// On the boundary of a polygon or hole, within ``MapSegment/tolerance`` for slanted edges.
  case boundary

  /// Treats a pole as a single point, although it is a line on the map.
  fileprivate init(ofPole latitude: Double, _ edges: [FenceIndex.Edge]) {
    self = edges.contains { $0.line.start.y == latitude } ? .boundary : .outside
  }
}

/// Counts the crossings of a ray with each polygon (even-odd rule).
private struct Crossings {
  private var polygon = -1
  private var isWithin = false
  private var isInside = false
  private var isOnBoundary = false

  var location: FenceLocation {
    isOnBoundary ? .boundary : isInside || isWithin ? .inside : .outside
  }

  /// Adds an edge. Edges must be sorted by polygon.
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
  /// Whether a position is inside or on the boundary. To test many positions, use ``Geofence``, which has an index.
  public func contains(_ position: Position) -> Bool {
    let place = SIMD2(position.longitude, position.latitude)
    let edges = FenceIndex.edges(of: [self])
    if place.y.magnitude == 90 { return FenceLocation(ofPole: place.y, edges) != .outside }
    return edges.reduce(into: Crossings()) { $0.add($1, place) }.location != .outside
  }
}

/// The edges of a fence that separate inside from outside.
///
/// Polygons may overlap or share edges, and RFC 7946 splits areas at ±180 degrees. Edges that have campus on both sides
/// are removed, as are parts of edges. Along an edge, this can change only where the edge meets another polygon or
/// overlaps another edge, so each part between these points is tested once.
struct FenceOutline {
  private(set) var segments: [MapSegment] = []
  private(set) var work = 0

  /// - Parameter workLimit: The maximum number of boxes to test, which takes about 1 s. After that, edges are kept
  ///   unchanged.
  init(_ index: FenceIndex, workLimit: Int = 50_000_000) {
    var last: (line: MapSegment, isWithin: Bool)?
    for (number, edge) in index.edges.enumerated() where !edge.isCopy {
      let line = edge.line
      // An edge along a pole is a single point.
      guard line.start != line.end, !line.isPole else {
        last = nil
        continue
      }
      guard work < workLimit else {
        segments.append(line)
        continue
      }
      let contacts = FenceOutline.contacts(number, index, &work)
      if contacts.isEmpty {
        let known = last?.line.end == line.start ? last?.isWithin : nil
        let isWithin = known ?? line.isWithin(index, &work)
        last = (line, isWithin)
        if !isWithin { segments.append(line) }
      } else {
        last = nil
        let shares = [0] + contacts.sorted() + [1]
        for (from, to) in zip(shares, shares.dropFirst()) {
          let part = MapSegment(line.point(from), line.point(to))
          // A single edge can have many parts, so check the limit for each part.
          guard !part.isPoint, work >= workLimit || !part.isWithin(index, &work) else { continue }
          segments.append(part)
        }
      }
    }
  }

  /// Returns where an edge meets other polygons or overlaps other edges, as fractions of its length.
  private static func contacts(_ number: Int, _ index: FenceIndex, _ work: inout Int) -> [Double] {
    let edge = index.edges[number]
    var contacts: [Double] = []
    work += index.tree.indices(meeting: edge.line.box) { other in
      guard other != number else { return }
      let isSamePolygon = index.edges[other].polygon == edge.polygon
      switch edge.line.contact(with: index.edges[other].line) {
      case .overlap(let range): contacts += [range.lowerBound, range.upperBound]
      case .touch(let share) where !isSamePolygon: contacts.append(share)
      case .crossing(let share) where !isSamePolygon: contacts.append(share)
      default: break
      }
    }
    return contacts
  }
}

extension MapSegment {
  fileprivate var isPole: Bool { start.y == end.y && start.y.magnitude == 90 }

  /// Whether the campus is on both sides, at a distance of 0.5 mm. Adds the number of boxes tested to `work`.
  fileprivate func isWithin(_ index: FenceIndex, _ work: inout Int) -> Bool {
    let middle = (start + end) / 2
    let sideways = SIMD2(-vector.y, vector.x) * (5 * MapSegment.tolerance / length)
    return [middle + sideways, middle - sideways].allSatisfy { point in
      Position(map: point).map { index.location(of: $0, &work) != .outside } ?? true
    }
  }
}
