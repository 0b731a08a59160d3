internal import CupolaSupport

/// Where the rings of a polygon cross or touch each other or themselves, within 0.1 mm.
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
  /// How many boxes are compared for all rings of a map: some seconds' work, and several times what
  /// rings need that are no scribbles and have as many corners as a map may have.
  static let workLimit = 400_000_000

  private struct Edge {
    let line: MapSegment
    let ring: Int
    /// The number of its ring's edge before it, and after it.
    let neighbors: (Int, Int)
  }

  /// One entry for each two rings that meet, in the order of the rings.
  ///
  /// - Parameter budget: how many boxes around edges may still be compared; those that are, are taken from it.
  /// - Returns: the meetings, and whether all of the polygon was looked at, or enough of it for ``limit`` meetings.
  static func meetings(
    in polygon: Polygon, budget: inout Int
  ) -> (meetings: [Meeting], isWhole: Bool) {
    guard budget > 0 else { return ([], polygon.rings.isEmpty) }
    let edges = edges(of: polygon)
    let tree = EdgeTree(edges.map(\.line))
    var meetings: [[Int]: Meeting] = [:]
    var total = 0
    var isWhole = true
    for first in edges.indices where total < limit {
      guard budget > 0 else {
        isWhole = false
        break
      }
      var others: [Int] = []
      let box = edges[first].line.box
      budget -= tree.indices(near: edges[first].line) { second in
        if second > first, box.meets(edges[second].line.box), isFault(edges, first, second) {
          others.append(second)
        }
      }
      for second in others.sorted().prefix(limit - total) {
        total += 1
        let rings = [edges[first].ring, edges[second].ring]
        let corner = edges[second].line.start
        let place = Polygon.Vertex(longitude: corner.x, latitude: corner.y)
        meetings[rings, default: Meeting(rings: rings, place: place, count: 0)].count += 1
      }
    }
    return (meetings.values.sorted { $0.rings.lexicographicallyPrecedes($1.rings) }, isWhole)
  }

  private static func edges(of polygon: Polygon) -> [Edge] {
    var edges: [Edge] = []
    for (index, ring) in polygon.rings.enumerated() {
      guard let all = try? UnwrappedRing.points(of: ring) else { continue }
      // A corner that is written twice in a row is no fault.
      var points: [SIMD2<Double>] = []
      for point in all where points.last.map({ !MapSegment($0, point).isPoint }) ?? true {
        points.append(point)
      }
      let lines = MapSegment.path(points)
      let (base, count) = (edges.count, lines.count)
      for (number, line) in lines.enumerated() {
        edges.append(
          Edge(
            line: line, ring: index + 1,
            neighbors: (base + (number + count - 1) % count, base + (number + 1) % count)))
      }
    }
    return edges
  }

  /// Whether two edges meet otherwise than neighbors do, or rings that touch in a point.
  private static func isFault(_ edges: [Edge], _ first: Int, _ second: Int) -> Bool {
    let (a, b) = (edges[first], edges[second])
    let isNeighbor = second == a.neighbors.0 || second == a.neighbors.1
    switch a.line.contact(with: b.line) {
    case .none: return false
    case .touch: return a.ring == b.ring && !isNeighbor
    case .crossing: return !isNeighbor
    case .overlap: return true
    }
  }
}
