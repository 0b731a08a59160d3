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

  typealias Votes = HOGCells.Votes

  /// Writes the descriptors of some patches, a row each.
  ///
  /// - Parameters:
  ///   - patches: their numbers, row by row of the grid, where `zero` is that of its first patch.
  ///   - window: memory for the cells of a patch.
  ///   - first: the row of the first.
  static func gather(
    _ patches: ArraySlice<Int>, from cells: HOGCells, grid: PatchGrid, zero: Int,
    window: inout [Votes], into target: inout Matrix, from first: Int
  ) {
    var all = target.values.mutableSpan
    let source = cells.values.span
    var window = window.mutableSpan
    var at = first * count
    for patch in patches {
      var values = all._mutatingExtracting(at..<at + count)
      let scale = copy(patch - zero, of: grid, from: source, into: &window)
      normalize(&window, scale: scale, into: &values)
      at += count
    }
  }

  /// Copies a patch's cells, and tells what makes its length 1.
  private static func copy(
    _ patch: Int, of grid: PatchGrid, from cells: Span<Votes>, into window: inout MutableSpan<Votes>
  ) -> Float {
    let perRow = (grid.side + 1) / 2
    let first = grid.firstCell(of: patch, perRow: perRow)
    var squares = Votes.zero
    for row in 0..<PatchGrid.cells {
      let start = first + PatchGrid.cellStep * row * perRow
      for column in 0..<PatchGrid.cells {
        let votes = cells[start + PatchGrid.cellStep * column]
        squares += votes * votes
        window[row * PatchGrid.cells + column] = votes
      }
    }
    return 1 / (squares.sum().squareRoot() + epsilon)
  }

  private static func normalize(
    _ window: inout MutableSpan<Votes>, scale: Float, into patch: inout MutableSpan<Float>
  ) {
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
}
