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

  /// Writes the descriptors of some patches, a row each.
  ///
  /// - Parameters:
  ///   - patches: their numbers, row by row of the grid, where `zero` is that of its first patch.
  ///   - starts: memory for where their first cells are.
  ///   - first: the row of the first.
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
