internal import CupolaSupport

// 1. The polygons are sorted so that neighbors follow each other, and their edges go into a tree.
// 2. A ray to the east meets few boxes of the tree; its crossings are counted for each polygon.
// 3. An odd count in any polygon means inside.
// 4. `FenceOutline` drops the edges, or parts of them, with campus on both sides.

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

/// The edges of a fence that really part inside from outside.
///
/// Polygons may overlap or share a wall, and RFC 7946 cuts grounds along ±180 degrees and leads them
/// to a pole: such edges, or parts of them, run through the middle of the grounds and are no fence.
/// Whether an edge does so can only change where it meets another polygon, or runs along another edge;
/// between such places it is asked once.
struct FenceOutline {
  private(set) var segments: [MapSegment] = []
  /// How many boxes were compared.
  private(set) var work = 0

  /// - Parameter workLimit: how many boxes are compared, a second's work. The edges of a scribble that needs more are
  ///   taken as they are drawn.
  init(_ index: FenceIndex, workLimit: Int = 50_000_000) {
    var last: (line: MapSegment, isWithin: Bool)?
    for (number, edge) in index.edges.enumerated() where !edge.isCopy {
      let line = edge.line
      // What is drawn along a pole is a single point.
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
          // One edge may have as many parts as there are edges: the limit is for each of them.
          guard !part.isPoint, work >= workLimit || !part.isWithin(index, &work) else { continue }
          segments.append(part)
        }
      }
    }
  }

  /// Where an edge meets other polygons or runs along other edges, as shares of its length.
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

  /// Whether the grounds lie on both sides, half a millimeter away; to `work` is added how many boxes were compared.
  fileprivate func isWithin(_ index: FenceIndex, _ work: inout Int) -> Bool {
    let middle = (start + end) / 2
    let sideways = SIMD2(-way.y, way.x) * (5 * MapSegment.tolerance / length)
    return [middle + sideways, middle - sideways].allSatisfy { point in
      Position(map: point).map { index.location(of: $0, &work) != .outside } ?? true
    }
  }
}
