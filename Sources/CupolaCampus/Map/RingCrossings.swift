internal import CupolaSupport

// 1. Build an `EdgeTree` of oriented boxes around the edges of all rings.
// 2. For each edge, find the later edges that may meet it.
// 3. Exclude adjacent edges, and rings that touch only at a point (`isFault`).
// 4. Count the remaining intersections for each pair of rings, within the budget.

/// Finds where a polygon's rings cross or touch themselves or each other, to within 0.1 mm.
struct RingCrossings {
  /// Two rings that intersect. The numbers are equal if a ring intersects itself.
  struct Meeting: Equatable {
    let rings: [Int]
    let place: Polygon.Vertex
    /// The number of intersecting edge pairs, up to ``RingCrossings/limit``.
    var count: Int
  }

  static let limit = 1000
  /// The maximum number of boxes to test per map. It takes a few seconds and is several times what large real maps
  /// need.
  static let workLimit = 400_000_000

  private struct Edge {
    let line: MapSegment
    let ring: Int
    let neighbors: (Int, Int)
  }

  /// Returns one entry for each pair of intersecting rings, sorted by ring.
  ///
  /// - Parameter budget: The number of boxes that may still be tested. Reduced by the number of boxes tested.
  /// - Returns: The intersections, and whether the polygon was checked completely (or up to ``limit``).
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

  /// Whether two edges cross, overlap or touch. Ignores adjacent edges, and rings that touch at a single point.
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

/// A binary tree of bounding boxes, each oriented along its longest edge.
///
/// Nearby edges that do not cross are nearly parallel, so oriented boxes stay thin. Around a slanted zigzag,
/// axis-aligned boxes would all overlap. Around a spiral, boxes of consecutive edges would, so edges are sorted by
/// location.
struct EdgeTree {
  private struct Node {
    /// The direction of the box, a unit vector.
    let vector: SIMD2<Double>
    /// The extent along the direction and to its left. Empty at first.
    var low = SIMD2<Double>(repeating: .infinity)
    var high = SIMD2<Double>(repeating: -.infinity)

    func turned(_ point: SIMD2<Double>) -> SIMD2<Double> {
      [(vector * point).sum(), vector.x * point.y - vector.y * point.x]
    }

    mutating func add(_ line: MapSegment) {
      for point in [turned(line.start), turned(line.end)] {
        (low, high) = (pointwiseMin(low, point), pointwiseMax(high, point))
      }
    }

    /// Whether a line is outside the box (separating axis test).
    func misses(_ line: MapSegment) -> Bool {
      let (start, end) = (turned(line.start), turned(line.end))
      let (least, most) = (pointwiseMin(start, end), pointwiseMax(start, end))
      if least.x > high.x || least.y > high.y || most.x < low.x || most.y < low.y { return true }
      let (vector, rest) = (end - start, (low + high) / 2 - start)
      let half = (high - low) / 2
      let side = vector.x * rest.y - vector.y * rest.x
      return side.magnitude > vector.x.magnitude * half.y + vector.y.magnitude * half.x
    }
  }

  private var nodes: [Node] = []
  private let order: [Int]
  /// The number of leaves, a power of two; leaf `i` is node `leaves + i`.
  private let leaves: Int

  init(_ lines: [MapSegment]) {
    order = MortonOrder.indices(of: lines.map { ($0.start + $0.end) / 2 })
    var leaves = 1
    while leaves < lines.count { leaves *= 2 }
    self.leaves = leaves
    let lengths = lines.map(\.length)
    var longest = [Int?](repeating: nil, count: 2 * leaves)
    for (leaf, number) in order.enumerated() { longest[leaves + leaf] = number }
    for node in stride(from: leaves - 1, to: 0, by: -1) {
      let (one, other) = (longest[2 * node], longest[2 * node + 1])
      longest[node] = [one, other].compactMap(\.self).max { lengths[$0] < lengths[$1] }
    }
    nodes = longest.map { number in
      Node(vector: number.map { lines[$0].vector / lengths[$0] } ?? [1, 0])
    }
    for (leaf, number) in order.enumerated() {
      var node = leaves + leaf
      while node > 0 {
        nodes[node].add(lines[number])
        node /= 2
      }
    }
    // Enlarge the boxes, because lines count as intersecting if they are within the tolerance.
    for node in nodes.indices {
      nodes[node].low -= SIMD2(repeating: 2 * MapSegment.tolerance)
      nodes[node].high += SIMD2(repeating: 2 * MapSegment.tolerance)
    }
  }

  /// Calls `body` with the indices of edges that may intersect a line. Returns the number of boxes tested.
  func indices(near line: MapSegment, body: (Int) -> Void) -> Int { visit(1, line, body) }

  private func visit(_ node: Int, _ line: MapSegment, _ body: (Int) -> Void) -> Int {
    guard !nodes[node].misses(line) else { return 1 }
    if node >= leaves {
      body(order[node - leaves])
      return 1
    }
    return 1 + visit(2 * node, line, body) + visit(2 * node + 1, line, body)
  }
}
