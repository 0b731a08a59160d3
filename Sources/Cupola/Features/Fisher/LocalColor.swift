/// Dense local color: mean and deviation of three opponent colors in 4x4 cells a patch.
///
/// The opponent colors are `(R + G + B) / 3`, `(R - G) / sqrt 2` and `(R + G - 2B) / sqrt 6` of samples
/// 0...1 (van de Sande et al., PAMI 2010). A cell is the 4x4 pixels around its center. A patch's 96 values
/// are ordered cell row, cell column, three means, three deviations.
package enum LocalColor {
  /// Values a cell.
  package static let channels = 6
  /// Values a patch.
  package static let count = PatchGrid.cells * PatchGrid.cells * channels

  /// Writes the descriptors of some patches of a grid, a row each; see ``LocalHOG``.
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

  /// Appends what ``PatchContrast`` needs of every patch of a grid, in order.
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
