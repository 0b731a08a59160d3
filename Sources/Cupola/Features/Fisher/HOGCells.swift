/// The votes of ``LocalHOG``, pooled at every second pixel of every second row; what lies outside counts as 0.
struct HOGCells: Sendable {
  typealias Votes = SIMD8<Float>

  /// Pixels along the picture's side.
  let side: Int
  /// Half the side, rounded up, in rows and columns.
  private(set) var values: [Votes]

  private var gradients: GradientRow
  /// One row's votes, from index 3; three zeros stand before and behind.
  private var votes: [Votes]
  /// The last eight rows of horizontally pooled votes, and behind them a row of zeros.
  private var ring: [Votes]

  private var perRow: Int { (side + 1) / 2 }

  init(side: Int) {
    precondition(side >= 8, "a square of 8 pixels or more")
    let half = (side + 1) / 2
    self.side = side
    values = [Votes](repeating: .zero, count: half * half)
    gradients = GradientRow(width: side)
    votes = [Votes](repeating: .zero, count: side + 6)
    ring = [Votes](repeating: .zero, count: 9 * half)
  }

  /// Pools the votes of a picture.
  mutating func read(_ image: GrayImage) {
    precondition(image.width == side && image.height == side, "a square of \(side) pixels")
    for y in 0..<side + 3 {
      if y < side {
        gradients.read(row: y, of: image)
        Self.vote(gradients, into: &votes)
        Self.poolRow(votes, into: &ring, at: (y & 7) * perRow, count: perRow)
      } else {
        for x in 0..<perRow { ring[(y & 7) * perRow + x] = .zero }
      }
      let center = y - 3
      if center >= 0, center.isMultiple(of: 2) {
        Self.poolColumns(of: ring, around: center, into: &values, count: perRow)
      }
    }
  }

  private static func vote(_ gradients: GradientRow, into votes: inout [Votes]) {
    let (gx, gy) = (gradients.x.span, gradients.y.span)
    var target = votes.mutableSpan
    // c(k) = g x u(k) / sin 45; the opposite direction's has the opposite sign. Bin k's share is
    // max(0, min(c(k + 1), -c(k - 1))).
    let root = Float(2).squareRoot()
    // c(1), c(2), c(3), c(4), and -c(-1), -c(0), -c(1), -c(2); of the other four bins with the opposite sign.
    let next = (along: SIMD4<Float>(1, root, 1, 0), across: SIMD4<Float>(-1, 0, 1, root))
    let last = (along: SIMD4<Float>(1, 0, -1, -root), across: SIMD4<Float>(1, root, 1, 0))
    for x in 0..<gx.count {
      let (right, down) = (gx[x], gy[x])
      let upper = next.along * right + next.across * down
      let lower = last.along * right + last.across * down
      let isLess = upper .< lower
      let least = lower.replacing(with: upper, where: isLess)
      let most = upper.replacing(with: lower, where: isLess)
      target[x + 3] = Votes(
        lowHalf: SIMD4.zero.replacing(with: least, where: least .> 0),
        highHalf: SIMD4.zero.replacing(with: -most, where: most .< 0))
    }
  }

  private static func poolRow(
    _ votes: [Votes], into ring: inout [Votes], at start: Int, count: Int
  ) {
    let source = votes.span
    var all = ring.mutableSpan
    var output = all._mutatingExtracting(start..<start + count)
    for x in 0..<output.count {
      let at = 2 * x
      let near = source[at + 2] + source[at + 4]
      let middle = source[at + 1] + source[at + 5]
      let far = source[at] + source[at + 6]
      output[x] = source[at + 3] + near * 0.75 + middle * 0.5 + far * 0.25
    }
  }

  private static func poolColumns(
    of ring: [Votes], around center: Int, into values: inout [Votes], count: Int
  ) {
    let all = ring.span
    func row(_ offset: Int) -> Range<Int> {
      // Rows above the picture are the row of zeros.
      let at = (center + offset < 0 ? 8 : (center + offset) & 7) * count
      return at..<at + count
    }
    var target = values.mutableSpan
    let start = center / 2 * count
    var output = target._mutatingExtracting(start..<start + count)
    let (a, b, c) = (
      all.extracting(row(-3)), all.extracting(row(-2)), all.extracting(row(-1))
    )
    let d = all.extracting(row(0))
    let (e, f, g) = (all.extracting(row(1)), all.extracting(row(2)), all.extracting(row(3)))
    for x in 0..<output.count {
      let near = c[x] + e[x]
      let middle = b[x] + f[x]
      let far = a[x] + g[x]
      output[x] = d[x] + near * 0.75 + middle * 0.5 + far * 0.25
    }
  }
}
