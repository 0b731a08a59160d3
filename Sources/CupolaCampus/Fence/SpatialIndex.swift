internal import CupolaSupport

// 1. `MortonOrder` sorts places so that neighbors mostly follow each other.
// 2. `BoxTree` builds boxes around pairs of boxes; `BoxIndex` sorts boxes first and then uses it.
// 3. `SpaceTree` does the same in space, for the least distance and for all boxes within reach.

/// Finds the boxes that meet another one without looking at all of them, whatever their order.
package struct BoxIndex: Sendable {
  private let tree: BoxTree
  /// The numbers of the boxes in the order of the tree.
  private let order: [Int]

  package init(_ boxes: [BoxTree.Box]) {
    order = MortonOrder.indices(of: boxes.map { ($0.low + $0.high) / 2 })
    tree = BoxTree(order.map { boxes[$0] })
  }

  /// The numbers of the boxes that share a point with another, ascending.
  package func indices(meeting box: BoxTree.Box) -> [Int] {
    var work = 0
    return indices(meeting: box, &work)
  }

  /// The same; to `work` is added how many boxes were compared.
  func indices(meeting box: BoxTree.Box, _ work: inout Int) -> [Int] {
    var found: [Int] = []
    work += tree.indices(meeting: box) { found.append(order[$0]) }
    return found.sorted()
  }
}

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

/// Finds what is near a place in space without looking at all of it: boxes around runs of things, around pairs of those,
/// and so on up.
///
/// Things that follow each other, as edges do on an outline, are near each other, so their order needs no sorting.
struct SpaceTree: Sendable {
  /// An upright box in space, meters.
  struct Box: Sendable {
    private let low, high: SIMD3<Double>

    /// The box around two points and what is within a reach of the line between them.
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

    /// Meters from a place, 0 inside.
    func distance(from place: SIMD3<Double>) -> Double {
      let rest = pointwiseMax(pointwiseMax(low - place, place - high), SIMD3(repeating: 0))
      return (rest * rest).sum().squareRoot()
    }
  }

  /// How many things have a box together: comparing one costs about as much as comparing a box.
  private static let runLength = 8
  /// Meters that rounding takes from no distance on Earth, by far.
  private static let margin = 1e-6

  private let nodes: [Box]
  /// How many runs the tree has room for, a power of two; run `i` is node `runs + i`.
  private let runs: Int
  private let count: Int

  /// A tree over boxes in their order.
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

  /// The least of all values, or a limit where no value is below it.
  ///
  /// - Parameter value: of a thing, by its number; not below the meters from the place to its box.
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
    // The nearer one first: after it the other is mostly out of the question.
    var near = (node: 2 * node, meters: nodes[2 * node].distance(from: place))
    var far = (node: 2 * node + 1, meters: nodes[2 * node + 1].distance(from: place))
    if far.meters < near.meters { swap(&near, &far) }
    if near.meters - Self.margin < least { descend(near.node, from: place, &least, value) }
    if far.meters - Self.margin < least { descend(far.node, from: place, &least, value) }
  }

  /// Calls `body` with the numbers of the things whose boxes are less than some meters away, and of some that follow
  /// or precede them, in their order.
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

/// An order in which places near each other mostly follow each other, along the curve of Morton (1966): boxes around runs
/// of such places are small.
enum MortonOrder {
  /// The numbers of places in that order; those at one place in their own.
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

  /// The bits of a number with a zero before each.
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
