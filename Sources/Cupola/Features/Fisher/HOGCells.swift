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
  /// Where the seven rows that are pooled stand in it.
  private var starts = [Int](repeating: 0, count: 7)

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
        WideRows.writeVotes(
          x: gradients.x, y: gradients.y, forms: Self.forms, from: 3, into: &votes)
        let start = (y & 7) * perRow
        WideRows.pool(
          votes, starts: Self.neighbors, step: 2, into: &ring, at: start..<start + perRow)
      } else {
        for x in 0..<perRow { ring[(y & 7) * perRow + x] = .zero }
      }
      let center = y - 3
      if center >= 0, center.isMultiple(of: 2) {
        poolColumns(around: center)
      }
    }
  }

  private mutating func poolColumns(around center: Int) {
    for offset in -3...3 {
      // Rows above the picture are the row of zeros.
      starts[offset + 3] = (center + offset < 0 ? 8 : (center + offset) & 7) * perRow
    }
    let start = center / 2 * perRow
    WideRows.pool(ring, starts: starts, step: 1, into: &values, at: start..<start + perRow)
  }

  /// c(k) = g x u(k) / sin 45; the opposite direction's has the opposite sign. Bin k's share is
  /// max(0, min(c(k + 1), -c(k - 1))): the factors along and across of c(k + 1), and of -c(k - 1).
  private static let forms: [Votes] = {
    let root = Float(2).squareRoot()
    let halves: [SIMD4<Float>] = [
      [1, root, 1, 0], [-1, 0, 1, root], [1, 0, -1, -root], [1, root, 1, 0],
    ]
    return halves.map { Votes(lowHalf: $0, highHalf: -$0) }
  }()

  /// A pixel and the three on both sides.
  private static let neighbors = Array(0..<7)
}
