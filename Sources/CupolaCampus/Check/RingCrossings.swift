/// Where the rings of a polygon cross or touch each other or themselves, found exactly.
struct RingCrossings {
  /// Two rings that meet as they should not; the same number twice for a ring that meets itself.
  struct Meeting: Equatable {
    /// From 1, the lower first.
    let rings: [Int]
    /// A place where they do.
    let place: Polygon.Vertex
    /// How many pairs of edges do; counted up to ``RingCrossings/limit``.
    var count: Int
  }

  /// How many meetings of a polygon are counted.
  static let limit = 1000

  private struct Edge {
    let start: MapPoint
    let end: MapPoint
    let ring: Int
    /// The number of its ring's edge before it, and after it.
    let neighbours: (Int, Int)
  }

  /// One entry for each two rings that meet, in the order of the rings.
  static func meetings(in polygon: Polygon) -> [Meeting] {
    let edges = edges(of: polygon)
    let tree = BoxTree(edges.map(box))
    var meetings: [[Int]: Meeting] = [:]
    var total = 0
    for first in edges.indices where total < limit {
      tree.indices(meeting: box(edges[first])) { second in
        guard second > first, total < limit, isFault(edges, first, second) else { return }
        total += 1
        let rings = [edges[first].ring, edges[second].ring]
        let corner = edges[second].start
        meetings[
          rings,
          default: Meeting(
            rings: rings, place: Polygon.Vertex(longitude: corner.x, latitude: corner.y), count: 0)
        ].count += 1
      }
    }
    return meetings.values.sorted { $0.rings.lexicographicallyPrecedes($1.rings) }
  }

  private static func edges(of polygon: Polygon) -> [Edge] {
    var edges: [Edge] = []
    for (index, ring) in polygon.rings.enumerated() {
      guard let all = try? UnwrappedRing.points(of: ring) else { continue }
      // A corner that is written twice in a row is no fault.
      var points: [MapPoint] = []
      for point in all where point != points.last { points.append(point) }
      let count = points.count - 1
      guard count > 0 else { continue }
      let base = edges.count
      for number in 0..<count {
        edges.append(
          Edge(
            start: points[number], end: points[number + 1], ring: index + 1,
            neighbours: (base + (number + count - 1) % count, base + (number + 1) % count)))
      }
    }
    return edges
  }

  private static func box(_ edge: Edge) -> BoxTree.Box {
    BoxTree.Box(
      west: min(edge.start.x, edge.end.x), south: min(edge.start.y, edge.end.y),
      east: max(edge.start.x, edge.end.x), north: max(edge.start.y, edge.end.y))
  }

  /// Whether two edges meet otherwise than neighbours do, or rings that touch in a point.
  private static func isFault(_ edges: [Edge], _ first: Int, _ second: Int) -> Bool {
    let (a, b) = (edges[first], edges[second])
    let contact = SegmentContact(a.start, a.end, b.start, b.end)
    if a.ring != b.ring { return contact == .crossing || contact == .overlap }
    let (before, after) = a.neighbours
    if second == before || second == after { return contact == .overlap }
    return contact != .none
  }
}

/// How two straight lines between points meet.
enum SegmentContact {
  case none
  /// In one point that is an end of one of them.
  case touch
  /// In one point within both.
  case crossing
  /// Along a line.
  case overlap

  init(_ a: MapPoint, _ b: MapPoint, _ c: MapPoint, _ d: MapPoint) {
    let ends = (ExactOrientation.sign(a, b, c), ExactOrientation.sign(a, b, d))
    let starts = (ExactOrientation.sign(c, d, a), ExactOrientation.sign(c, d, b))
    if ends == (0, 0) {
      self = SegmentContact.inLine(a, b, c, d)
    } else if ends.0 * ends.1 < 0, starts.0 * starts.1 < 0 {
      self = .crossing
    } else if ends.0 == 0 && c.isBetween(a, b) || ends.1 == 0 && d.isBetween(a, b)
      || starts.0 == 0 && a.isBetween(c, d) || starts.1 == 0 && b.isBetween(c, d)
    {
      self = .touch
    } else {
      self = .none
    }
  }

  /// For four points on one line.
  private static func inLine(
    _ a: MapPoint, _ b: MapPoint, _ c: MapPoint, _ d: MapPoint
  ) -> SegmentContact {
    var shared: [MapPoint] = []
    for point in [a, b] where point.isBetween(c, d) { shared.append(point) }
    for point in [c, d] where point.isBetween(a, b) { shared.append(point) }
    guard let first = shared.first else { return .none }
    return shared.allSatisfy { $0 == first } ? .touch : .overlap
  }
}

extension MapPoint {
  /// Whether a point on the line through two others lies between them, or is one of them.
  fileprivate func isBetween(_ a: MapPoint, _ b: MapPoint) -> Bool {
    let (west, east) = a.isWest(of: b) ? (a, b) : (b, a)
    return !isWest(of: west) && !east.isWest(of: self) && y >= min(a.y, b.y) && y <= max(a.y, b.y)
  }
}
