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
