internal import CupolaSupport

// 1. `MortonOrder` sorts places so that nearby places are mostly adjacent.
// 2. `BoxTree` is a binary tree of bounding boxes; `BoxIndex` sorts the boxes first.
// 3. `SpaceTree` is a 3D tree for minimum distances and range searches.

/// An index that finds intersecting boxes. The boxes can be in any order.
package struct BoxIndex: Sendable {
  private let tree: BoxTree
  private let order: [Int]

  package init(_ boxes: [BoxTree.Box]) {
    order = MortonOrder.indices(of: boxes.map { ($0.low + $0.high) / 2 })
    tree = BoxTree(order.map { boxes[$0] })
  }

  /// Returns the indices of the boxes that intersect `box`, ascending.
  package func indices(meeting box: BoxTree.Box) -> [Int] {
    var work = 0
    return indices(meeting: box, &work)
  }

  func indices(meeting box: BoxTree.Box, _ work: inout Int) -> [Int] {
    var found: [Int] = []
    work += tree.indices(meeting: box) { found.append(order[$0]) }
    return found.sorted()
  }
}

/// A binary tree of bounding boxes. Most efficient if consecutive boxes are close together, like the edges of an
/// outline.
package struct BoxTree: Sendable {
  package struct Box: Equatable, Sendable {
    let low, high: SIMD2<Double>

    package init(_ a: SIMD2<Double>, _ b: SIMD2<Double>) {
      (low, high) = (pointwiseMin(a, b), pointwiseMax(a, b))
    }

    /// Creates the bounding box of points; the whole plane if there are none.
    package init(around points: [SIMD2<Double>]) {
      let box = points.reduce(Box.empty) { box, point in
        Box(low: pointwiseMin(box.low, point), high: pointwiseMax(box.high, point))
      }
      self.init(box.low, box.high)
    }

    private init(low: SIMD2<Double>, high: SIMD2<Double>) { (self.low, self.high) = (low, high) }

    fileprivate static let empty = Box(
      low: SIMD2(repeating: .infinity), high: SIMD2(repeating: -.infinity))

    func meets(_ other: Box) -> Bool {
      low.x <= other.high.x && other.low.x <= high.x && low.y <= other.high.y
        && other.low.y <= high.y
    }

    fileprivate func union(_ other: Box) -> Box {
      Box(low: pointwiseMin(low, other.low), high: pointwiseMax(high, other.high))
    }
  }

  private let boxes: [Box]
  /// The number of leaves, a power of two; leaf `i` is node `leaves + i`.
  private let leaves: Int

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

  /// Calls `body` with the indices of the boxes that intersect `box`, in order. Returns the number of boxes tested.
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

/// A 3D tree of bounding boxes around runs of items. Most efficient if consecutive items are close together.
struct SpaceTree: Sendable {
  struct Box: Sendable {
    private let low, high: SIMD3<Double>

    /// The box around all points within `reach` of the line between two points.
    init(_ a: SIMD3<Double>, _ b: SIMD3<Double>, reach: Double) {
      low = pointwiseMin(a, b) - SIMD3(repeating: reach)
      high = pointwiseMax(a, b) + SIMD3(repeating: reach)
    }

    private init(low: SIMD3<Double>, high: SIMD3<Double>) { (self.low, self.high) = (low, high) }

    fileprivate static let empty = Box(
      low: SIMD3(repeating: .infinity), high: SIMD3(repeating: -.infinity))

    fileprivate func union(_ other: Box) -> Box {
      Box(low: pointwiseMin(low, other.low), high: pointwiseMax(high, other.high))
    }

    func distance(from place: SIMD3<Double>) -> Double {
      let rest = pointwiseMax(pointwiseMax(low - place, place - high), SIMD3(repeating: 0))
      return (rest * rest).sum().squareRoot()
    }
  }

  /// The number of items per leaf. Testing an item costs about as much as testing a box.
  private static let runLength = 8
  /// A margin in meters, well above rounding errors.
  private static let margin = 1e-6

  private let nodes: [Box]
  /// The number of leaves, a power of two; leaf `i` is node `runs + i`.
  private let runs: Int
  private let count: Int

  init(_ boxes: [Box]) {
    var runs = 1
    while runs * Self.runLength < boxes.count { runs *= 2 }
    var nodes = [Box](repeating: .empty, count: 2 * runs)
    for (number, box) in boxes.enumerated() {
      let node = runs + number / Self.runLength
      nodes[node] = nodes[node].union(box)
    }
    for node in stride(from: runs - 1, to: 0, by: -1) {
      nodes[node] = nodes[2 * node].union(nodes[2 * node + 1])
    }
    (self.nodes, self.runs, count) = (nodes, runs, boxes.count)
  }

  /// Returns the minimum of all values, or `limit`. An item's value must be at least the distance to its box.
  func least(from place: SIMD3<Double>, below limit: Double, value: (Int) -> Double) -> Double {
    var least = limit
    descend(1, from: place, &least, value)
    return least
  }

  private func descend(
    _ node: Int, from place: SIMD3<Double>, _ least: inout Double, _ value: (Int) -> Double
  ) {
    if node >= runs {
      for number in numbers(of: node) { least = min(least, value(number)) }
      return
    }
    // Visit the nearer child first, because this usually excludes the other one.
    var near = (node: 2 * node, meters: nodes[2 * node].distance(from: place))
    var far = (node: 2 * node + 1, meters: nodes[2 * node + 1].distance(from: place))
    if far.meters < near.meters { swap(&near, &far) }
    if near.meters - Self.margin < least { descend(near.node, from: place, &least, value) }
    if far.meters - Self.margin < least { descend(far.node, from: place, &least, value) }
  }

  /// Calls `body` with the indices of all items within `meters` and some items nearby, in order.
  func visit(from place: SIMD3<Double>, within meters: Double, body: (Int) -> Void) {
    visit(1, from: place, meters + Self.margin, body)
  }

  private func visit(
    _ node: Int, from place: SIMD3<Double>, _ reach: Double, _ body: (Int) -> Void
  ) {
    guard nodes[node].distance(from: place) < reach else { return }
    if node >= runs {
      for number in numbers(of: node) { body(number) }
      return
    }
    visit(2 * node, from: place, reach, body)
    visit(2 * node + 1, from: place, reach, body)
  }

  private func numbers(of run: Int) -> Range<Int> {
    let first = min((run - runs) * Self.runLength, count)
    return first..<min(first + Self.runLength, count)
  }
}

/// Sorts places along a Morton curve (1966), so that nearby places are mostly adjacent and boxes around runs are small.
enum MortonOrder {
  static func indices(of places: [SIMD2<Double>]) -> [Int] {
    let low = places.reduce(SIMD2(repeating: .infinity)) { pointwiseMin($0, $1) }
    let high = places.reduce(SIMD2(repeating: -.infinity)) { pointwiseMax($0, $1) }
    let step = max(high.x - low.x, high.y - low.y) / Double(UInt32.max)
    let keys = places.map { place in
      let steps = (place - low) / step
      return spread(steps.x) << 1 | spread(steps.y)
    }
    return places.indices.sorted { (keys[$0], $0) < (keys[$1], $1) }
  }

  /// Inserts a zero before each bit of a number.
  private static func spread(_ value: Double) -> UInt64 {
    var bits = UInt64(min(max(0, Int(saturating: value)), Int(UInt32.max)))
    for (shift, mask) in [
      (16, 0x0000_FFFF_0000_FFFF), (8, 0x00FF_00FF_00FF_00FF), (4, 0x0F0F_0F0F_0F0F_0F0F),
      (2, 0x3333_3333_3333_3333), (1, 0x5555_5555_5555_5555),
    ] as [(UInt64, UInt64)] {
      bits = (bits | bits << shift) & mask
    }
    return bits
  }
}
