// Describe patches:
// 1. Pool votes for eight directions at every pixel into cells.
// 2. Compute means and deviations of three opponent colors for the cells of the same grid.
// 3. Combine 4x4 cells of each kind per patch, and normalize the HOG part.

/// Dense local histograms of oriented gradients: 4x4 cells of 8 signed orientations per patch.
/// Votes are computed like those of ``Voter``, with 8 bins over 360 degrees; bin 0 points along the row. Cells are
/// pooled with a triangular window of 7x7 pixels at every second pixel of every second row. A patch's 128 values,
/// ordered by cell row, cell column, and orientation, are scaled to L2 norm 1, clipped at 0.2, scaled to sum 1, and
/// replaced by their square roots (L2-Hys, Dalal & Triggs 2005; Hellinger kernel, Arandjelović & Zisserman, CVPR 2012).
package enum LocalHOG {
  package static let orientations = 8
  package static let count = PatchGrid.cells * PatchGrid.cells * orientations
  package static let clip: Float = 0.2
  /// Added to the norms of a patch, in gray levels.
  package static let epsilon: Float = 0.01

  /// Writes patch descriptors, one per row, starting at row `first`. Patch numbers are counted from `zero`.
  static func gather(
    _ patches: ArraySlice<Int>, from cells: HOGCells, grid: PatchGrid, zero: Int,
    starts: inout [Int], into target: inout Matrix, from first: Int
  ) {
    let perRow = (grid.side + 1) / 2
    starts.removeAll(keepingCapacity: true)
    for patch in patches { starts.append(grid.firstCell(of: patch - zero, perRow: perRow)) }
    WideRows.writePatches(
      of: cells.values, starts: starts, across: PatchGrid.cellStep,
      down: PatchGrid.cellStep * perRow, into: &target, from: first)
  }
}

/// The pooled votes of ``LocalHOG`` at every second pixel of every second row, with zeros outside the image.
struct HOGCells: Sendable {
  typealias Votes = SIMD8<Float>

  let side: Int
  /// The pooled votes; the side length in rows and columns is half the image's, rounded up.
  private(set) var values: [Votes]

  private var gradients: GradientRow
  /// Votes of one row, padded with three zeros on both sides.
  private var votes: [Votes]
  /// The last eight rows of horizontally pooled votes, followed by a row of zeros.
  private var ring: [Votes]
  private var starts = [Int](repeating: 0, count: 7)

  private var perRow: Int { (side + 1) / 2 }

  init(side: Int) {
    precondition(side >= 8, "side \(side) is below 8")
    let half = (side + 1) / 2
    self.side = side
    values = [Votes](repeating: .zero, count: half * half)
    gradients = GradientRow(width: side)
    votes = [Votes](repeating: .zero, count: side + 6)
    ring = [Votes](repeating: .zero, count: 9 * half)
  }

  mutating func read(_ image: GrayImage) {
    precondition(image.width == side && image.height == side, "image size mismatch")
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
      // Rows above the image use the row of zeros.
      starts[offset + 3] = (center + offset < 0 ? 8 : (center + offset) & 7) * perRow
    }
    let start = center / 2 * perRow
    WideRows.pool(ring, starts: starts, step: 1, into: &values, at: start..<start + perRow)
  }

  /// c(k) = g x u(k) / sin 45; the opposite direction has the opposite sign. Bin k receives max(0, min(c(k + 1), -c(k -
  /// 1))). Each entry holds the horizontal and vertical factors of c(k + 1) and of -c(k - 1).
  private static let forms: [Votes] = {
    let root = Float(2).squareRoot()
    let halves: [SIMD4<Float>] = [
      [1, root, 1, 0], [-1, 0, 1, root], [1, 0, -1, -root], [1, root, 1, 0],
    ]
    return halves.map { Votes(lowHalf: $0, highHalf: -$0) }
  }()

  private static let neighbors = Array(0..<7)
}

/// Dense local color: means and deviations of three opponent colors in 4x4 cells per patch.
/// The opponent colors are `(R + G + B) / 3`, `(R - G) / sqrt 2`, and `(R + G - 2B) / sqrt 6`, computed from samples
/// scaled to 0 to 1 (van de Sande et al., PAMI 2010). A cell covers the 4x4 pixels around its center. A patch's 96
/// values are ordered by cell row and cell column; each cell has three means followed by three deviations.
package enum LocalColor {
  package static let channels = 6
  package static let count = PatchGrid.cells * PatchGrid.cells * channels

  static func gather(
    _ patches: ArraySlice<Int>, from cells: ColorCells, grid: PatchGrid, zero: Int,
    into target: inout Matrix, from first: Int
  ) {
    var all = target.values.mutableSpan
    let source = cells.values.span
    let perRow = grid.side / 2
    var at = first * count
    for patch in patches {
      var values = all._mutatingExtracting(at..<at + count)
      let start = grid.firstCell(of: patch - zero, perRow: perRow)
      for row in 0..<PatchGrid.cells {
        for column in 0..<PatchGrid.cells {
          let cell = source[start + PatchGrid.cellStep * (row * perRow + column)]
          let place = channels * (row * PatchGrid.cells + column)
          for channel in 0..<channels { values[place + channel] = cell[channel] }
        }
      }
      at += count
    }
  }

  static func appendContrasts(
    of cells: ColorCells, grid: PatchGrid, to output: inout [PatchContrast.Sums]
  ) {
    let source = cells.values.span
    let perRow = grid.side / 2
    for patch in 0..<grid.patches {
      let start = grid.firstCell(of: patch, perRow: perRow)
      var sums = PatchContrast.Sums()
      for row in 0..<PatchGrid.cells {
        for column in 0..<PatchGrid.cells {
          let cell = source[start + PatchGrid.cellStep * (row * perRow + column)]
          sums.add(mean: cell[0], deviation: cell[channels / 2])
        }
      }
      output.append(sums)
    }
  }
}

/// Color statistics for the 4x4 pixels around every second pixel of every second row.
/// Lanes 0 to 2 hold the means of the opponent colors, and lanes 3 to 5 their deviations. Cells at the top and left
/// edges use only the 2 rows or columns inside the image.
struct ColorCells: Sendable {
  /// The statistics; the side length in rows and columns is half the image's.
  private(set) var values: [SIMD8<Float>]

  private let half: Int
  /// Sums over 2x2 pixels: the opponent colors in lanes 0 to 2, and their squares in lanes 4 to 6.
  private var sums: [SIMD8<Float>]

  init(side: Int) {
    half = side / 2
    values = [SIMD8<Float>](repeating: .zero, count: half * half)
    sums = values
  }

  mutating func read(_ image: ColorImage) {
    precondition(image.width / 2 == half && image.height / 2 == half, "image size mismatch")
    for row in 0..<half {
      let own = row * half..<(row + 1) * half
      WideRows.writeOpponentSums(of: image, rows: 2 * row, into: &sums, at: own)
      WideRows.writeColorCells(of: sums, above: max(0, row - 1) * half, into: &values, at: own)
    }
  }
}

/// The gradients in one image row: central differences without the factor 1/2.
struct GradientRow: Sendable {
  /// Differences along the row, to the right.
  private(set) var x: [Float]
  /// Differences across rows, downward.
  private(set) var y: [Float]

  init(width: Int) {
    x = [Float](repeating: 0, count: width)
    y = [Float](repeating: 0, count: width)
  }

  /// Computes the differences of a row; differences across the border are 0.
  mutating func read(row: Int, of image: GrayImage) {
    let all = image.samples.span
    let width = image.width
    let above = row == 0 || row == image.height - 1 ? row : row - 1
    let below = row == 0 || row == image.height - 1 ? row : row + 1
    readHorizontal(all.extracting(row * width..<(row + 1) * width))
    readVertical(
      all.extracting(above * width..<(above + 1) * width),
      all.extracting(below * width..<(below + 1) * width))
  }

  private mutating func readHorizontal(_ samples: Span<Float>) {
    var target = x.mutableSpan
    let last = min(target.count, samples.count - 1)
    let left = samples.extracting(0..<max(0, last - 1))
    let right = samples.extracting(min(2, samples.count)..<max(2, last + 1))
    var inner = target._mutatingExtracting(1..<max(1, last))
    for index in 0..<inner.count { inner[index] = right[index] - left[index] }
  }

  private mutating func readVertical(_ above: Span<Float>, _ below: Span<Float>) {
    var target = y.mutableSpan
    let count = target.count
    let above = above.extracting(0..<count)
    let below = below.extracting(0..<count)
    for index in 0..<count { target[index] = below[index] - above[index] }
  }
}
