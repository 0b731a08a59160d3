internal import CupolaSupport

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
