/// Where the patches of a square picture stand: `cells` x `cells` cells every `step` pixels.
package struct PatchGrid: Equatable, Sendable {
  /// Pixels along the picture's side.
  package let side: Int
  /// Pixels between neighboring patches, even.
  package let step: Int

  package init(side: Int, step: Int) {
    self.side = side
    self.step = step
  }

  /// Cells along a patch's side.
  package static let cells = 4
  /// Pixels between neighboring cell centers.
  package static let cellSize = 4
  /// The same among cells, of which there is one at every second pixel of every second row.
  static let cellStep = cellSize / 2
  /// Where the first cell's center stands.
  package static let margin = 2

  /// Patches along a side.
  package var count: Int {
    let last = side - Self.cellSize * (Self.cells - 1) - Self.margin
    return max(0, (last - Self.margin + step - 1) / step)
  }

  /// All patches.
  var patches: Int { count * count }

  /// Where a patch's first cell stands among the cells.
  ///
  /// - Parameters:
  ///   - patch: its number, row by row of the grid.
  ///   - perRow: how many cells stand in a row of the picture.
  func firstCell(of patch: Int, perRow: Int) -> Int {
    let top = (Self.margin + patch / count * step) / 2
    let left = (Self.margin + patch % count * step) / 2
    return top * perRow + left
  }

  /// Center of patch column or row `index`, as a share of the side, -0.5...0.5.
  func center(_ index: Int) -> Float {
    let extent = Float(Self.cellSize * (Self.cells - 1))
    return (Float(Self.margin + index * step) + extent / 2) / Float(side) - 0.5
  }
}
