/// Finds the edges near a box without looking at all of them: boxes around runs of edges, around pairs
/// of those, and so on up.
///
/// Edges that follow each other on an outline are near each other, so their order needs no sorting.
package struct BoxTree: Sendable {
  /// A rectangle of a plane, such as that of longitude and latitude.
  package struct Box: Equatable, Sendable {
    let low, high: SIMD2<Double>

    /// The box between two opposite corners.
    package init(_ a: SIMD2<Double>, _ b: SIMD2<Double>) {
      (low, high) = (pointwiseMin(a, b), pointwiseMax(a, b))
    }

    /// The box around points; all the plane without any.
    package init(around points: [SIMD2<Double>]) {
      let box = points.reduce(Box.empty) { box, point in
        Box(low: pointwiseMin(box.low, point), high: pointwiseMax(box.high, point))
      }
      self.init(box.low, box.high)
    }

    private init(low: SIMD2<Double>, high: SIMD2<Double>) { (self.low, self.high) = (low, high) }

    fileprivate static let empty = Box(
      low: SIMD2(repeating: .infinity), high: SIMD2(repeating: -.infinity))

    /// Whether two boxes share a point.
    func meets(_ other: Box) -> Bool {
      low.x <= other.high.x && other.low.x <= high.x && low.y <= other.high.y
        && other.low.y <= high.y
    }

    fileprivate func union(_ other: Box) -> Box {
      Box(low: pointwiseMin(low, other.low), high: pointwiseMax(high, other.high))
    }
  }

  private let boxes: [Box]
  /// How many leaves the tree has room for, a power of two; leaf `i` is node `leaves + i`.
  private let leaves: Int

  /// A tree over boxes in their order.
  init(_ boxes: [Box]) {
    var leaves = 1
    while leaves < boxes.count { leaves *= 2 }
    var nodes = [Box](repeating: .empty, count: 2 * leaves)
    for (index, box) in boxes.enumerated() { nodes[leaves + index] = box }
    for node in stride(from: leaves - 1, to: 0, by: -1) {
      nodes[node] = nodes[2 * node].union(nodes[2 * node + 1])
    }
    self.leaves = leaves
    self.boxes = nodes
  }

  /// Calls `body` with the numbers of the boxes that share a point with another, in their order.
  ///
  /// - Returns: how many boxes were compared.
  @discardableResult
  func indices(meeting box: Box, body: (Int) -> Void) -> Int {
    visit(1, box, body)
  }

  private func visit(_ node: Int, _ box: Box, _ body: (Int) -> Void) -> Int {
    guard boxes[node].meets(box) else { return 1 }
    if node >= leaves {
      body(node - leaves)
      return 1
    }
    return 1 + visit(2 * node, box, body) + visit(2 * node + 1, box, body)
  }
}
