internal import CupolaSupport

// 1. The edges of all rings go into an `EdgeTree` of boxes turned along their longest edge.
// 2. For each edge the tree returns the later edges that may meet it.
// 3. `isFault` excludes neighbors and rings that only touch.
// 4. The remaining meetings are counted for each pair of rings, within the budget.

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

/// Finds the edges that may meet another without looking at all of them: boxes around runs of edges, around pairs of
/// those, and so on up, each turned to the longest edge in it.
///
/// Edges that are near each other and do not cross run nearly alike, so that turned boxes stay thin, where upright ones
/// of a slanted zigzag would all overlap; an order by place instead of along the rings does the same for spirals.
struct EdgeTree {
  private struct Node {
    /// The direction of the box, of length 1.
    let way: SIMD2<Double>
    /// Of the box, along its direction and to the left of it; there is nothing in it at first.
    var low = SIMD2<Double>(repeating: .infinity)
    var high = SIMD2<Double>(repeating: -.infinity)

    func turned(_ point: SIMD2<Double>) -> SIMD2<Double> {
      [(way * point).sum(), way.x * point.y - way.y * point.x]
    }

    mutating func add(_ line: MapSegment) {
      for point in [turned(line.start), turned(line.end)] {
        (low, high) = (pointwiseMin(low, point), pointwiseMax(high, point))
      }
    }

    /// Whether no point of a line is in the box: then one of the directions of both parts them.
    func misses(_ line: MapSegment) -> Bool {
      let (start, end) = (turned(line.start), turned(line.end))
      let (least, most) = (pointwiseMin(start, end), pointwiseMax(start, end))
      if least.x > high.x || least.y > high.y || most.x < low.x || most.y < low.y { return true }
      let (way, rest) = (end - start, (low + high) / 2 - start)
      let half = (high - low) / 2
      let side = way.x * rest.y - way.y * rest.x
      return side.magnitude > way.x.magnitude * half.y + way.y.magnitude * half.x
    }
  }

  private var nodes: [Node] = []
  /// The numbers of the edges in the order of the leaves.
  private let order: [Int]
  /// How many leaves the tree has room for, a power of two; leaf `i` is node `leaves + i`.
  private let leaves: Int

  /// - Parameter lines: each has a length.
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
      Node(way: number.map { lines[$0].way / lengths[$0] } ?? [1, 0])
    }
    for (leaf, number) in order.enumerated() {
      var node = leaves + leaf
      while node > 0 {
        nodes[node].add(lines[number])
        node /= 2
      }
    }
    // Lines meet that are as near as the tolerance, sideways and ahead.
    for node in nodes.indices {
      nodes[node].low -= SIMD2(repeating: 2 * MapSegment.tolerance)
      nodes[node].high += SIMD2(repeating: 2 * MapSegment.tolerance)
    }
  }

  /// Calls `body` with the numbers of the edges that may meet a line, in no order.
  ///
  /// - Returns: how many boxes were compared.
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
