/// Dense local histograms of oriented gradients: 4x4 cells of 8 signed orientations a patch.
///
/// Votes are those of ``HOG/Voting/linear`` with 8 bins over 360 degrees, bin 0 along the row. Cells are
/// pooled by a triangular window of 7x7 pixels at every second pixel. A patch's 128 values, ordered
/// cell row, cell column, orientation, are scaled to L2 norm 1, clipped at 0.2, scaled to sum 1, and
/// their square roots taken (L2-Hys after Dalal & Triggs 2005, Hellinger kernel after Arandjelović &
/// Zisserman, CVPR 2012).
package enum LocalHOG {
  package static let orientations = 8
  /// Values a patch.
  package static let count = PatchGrid.cells * PatchGrid.cells * orientations
  package static let clip: Float = 0.2
  /// Added to a patch's norms, in gray levels.
  package static let epsilon: Float = 0.01

  typealias Votes = SIMD8<Float>

  /// The descriptors of all patches, row by row of the grid.
  static func descriptors(of image: GrayImage, grid: PatchGrid) -> Matrix {
    var result = Matrix(rows: grid.count * grid.count, columns: count)
    gather(
      Array(0..<result.rows), from: pooledVotes(of: image), grid: grid, into: &result, from: 0)
    return result
  }

  /// Writes the descriptors of some patches, a row each.
  ///
  /// - Parameters:
  ///   - patches: their numbers, row by row of the grid.
  ///   - cells: see ``pooledVotes(of:)``.
  ///   - first: the row of the first.
  static func gather(
    _ patches: [Int], from cells: [Votes], grid: PatchGrid, into target: inout Matrix,
    from first: Int
  ) {
    var all = target.values.mutableSpan
    var window = [Votes](repeating: .zero, count: PatchGrid.cells * PatchGrid.cells)
    var at = first * count
    for patch in patches {
      var values = all._mutatingExtracting(at..<at + count)
      gather(
        cells, perRow: (grid.side + 1) / 2, row: patch / grid.count, column: patch % grid.count,
        of: grid, window: &window, into: &values)
      at += count
    }
  }

  private static func gather(
    _ cells: [Votes], perRow half: Int, row: Int, column: Int, of grid: PatchGrid,
    window cellVotes: inout [Votes], into patch: inout MutableSpan<Float>
  ) {
    let (top, left) = (PatchGrid.margin + row * grid.step, PatchGrid.margin + column * grid.step)
    var squares = Votes.zero
    let source = cells.span
    var window = cellVotes.mutableSpan
    for row in 0..<PatchGrid.cells {
      let start = ((top + row * PatchGrid.cellSize) / 2) * half + left / 2
      for column in 0..<PatchGrid.cells {
        let votes = source[start + column * PatchGrid.cellSize / 2]
        squares += votes * votes
        window[row * PatchGrid.cells + column] = votes
      }
    }
    let scale = 1 / (squares.sum().squareRoot() + epsilon)
    var sums = Votes.zero
    for index in 0..<16 {
      let clipped = FastMath.minimum(window[index] * scale, Votes(repeating: clip))
      sums += clipped
      window[index] = clipped
    }
    let share = 1 / (sums.sum() + 1e-6)
    for index in 0..<16 {
      let roots = (window[index] * share).squareRoot()
      for lane in 0..<8 { patch[index * 8 + lane] = roots[lane] }
    }
  }

  // MARK: - Votes and cells

  /// Pooled votes at every second pixel of every second row; what lies outside counts as 0.
  static func pooledVotes(of image: GrayImage) -> [Votes] {
    precondition(image.width == image.height && image.width >= 8, "a square of 8 pixels or more")
    let side = image.width
    let half = (side + 1) / 2
    var gradients = GradientRow(width: side)
    // A ring of the last seven rows of horizontally pooled votes.
    var ring = [[Votes]](repeating: [Votes](repeating: .zero, count: half), count: 8)
    var votes = [Votes](repeating: .zero, count: side + 6)
    var pooled = [Votes](repeating: .zero, count: half * half)
    for y in 0..<side + 3 {
      if y < side {
        gradients.read(row: y, of: image)
        vote(gradients, into: &votes)
        poolRow(votes, into: &ring[y & 7])
      } else {
        for x in 0..<half { ring[y & 7][x] = .zero }
      }
      let center = y - 3
      if center >= 0, center.isMultiple(of: 2) {
        poolColumns(of: ring, around: center, into: &pooled)
      }
    }
    return pooled
  }

  /// One row's votes, from index 3; three zeros stand before and behind.
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

  private static func poolRow(_ votes: [Votes], into target: inout [Votes]) {
    let source = votes.span
    var output = target.mutableSpan
    for x in 0..<output.count {
      let at = 2 * x
      let near = source[at + 2] + source[at + 4]
      let middle = source[at + 1] + source[at + 5]
      let far = source[at] + source[at + 6]
      output[x] = source[at + 3] + near * 0.75 + middle * 0.5 + far * 0.25
    }
  }

  private static func poolColumns(
    of ring: [[Votes]], around center: Int, into target: inout [Votes]
  ) {
    let count = ring[0].count
    let empty = center < 3 ? [Votes](repeating: .zero, count: count) : []
    func row(_ offset: Int) -> [Votes] {
      center + offset < 0 ? empty : ring[(center + offset) & 7]
    }
    let (above, middle, below) = ((row(-3), row(-2), row(-1)), row(0), (row(1), row(2), row(3)))
    var all = target.mutableSpan
    let start = center / 2 * count
    var output = all._mutatingExtracting(start..<start + count)
    let (a, b, c, d) = (above.0.span, above.1.span, above.2.span, middle.span)
    let (e, f, g) = (below.0.span, below.1.span, below.2.span)
    for x in 0..<output.count {
      let near = c[x] + e[x]
      let middle = b[x] + f[x]
      let far = a[x] + g[x]
      output[x] = d[x] + near * 0.75 + middle * 0.5 + far * 0.25
    }
  }
}
