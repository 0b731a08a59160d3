/// Finds the edges near a box without looking at all of them: boxes around runs of edges, around pairs
/// of those, and so on up.
///
/// Edges that follow each other on an outline are near each other, so their order needs no sorting.
package struct BoxTree: Sendable {
  /// A rectangle of the plane of longitude and latitude.
  package struct Box: Equatable, Sendable {
    package var west, south, east, north: Double

    package init(west: Double, south: Double, east: Double, north: Double) {
      (self.west, self.south, self.east, self.north) = (west, south, east, north)
    }

    static let empty = Box(west: .infinity, south: .infinity, east: -.infinity, north: -.infinity)

    /// Whether two boxes share a point.
    package func meets(_ other: Box) -> Bool {
      west <= other.east && other.west <= east && south <= other.north && other.south <= north
    }

    func union(_ other: Box) -> Box {
      Box(
        west: min(west, other.west), south: min(south, other.south), east: max(east, other.east),
        north: max(north, other.north))
    }

    /// The box moved by some degrees of longitude, and a little larger for the rounding of that.
    func moved(east degrees: Double) -> Box {
      let slack = degrees == 0 ? 0 : 1e-12
      return Box(
        west: west + degrees - slack, south: south, east: east + degrees + slack, north: north)
    }
  }

  private let boxes: [Box]
  /// How many leaves the tree has room for, a power of two; leaf `i` is node `leaves + i`.
  private let leaves: Int

  /// A tree over boxes in their order.
  package init(_ boxes: [Box]) {
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
  package func indices(meeting box: Box, body: (Int) -> Void) -> Int {
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
