/// Where the patches of a square picture stand: `cells` x `cells` cells every `step` pixels.
package struct PatchGrid: Equatable {
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
  /// Where the first cell's center stands.
  package static let margin = 2

  /// Patches along a side.
  package var count: Int {
    let last = side - Self.cellSize * (Self.cells - 1) - Self.margin
    return max(0, (last - Self.margin + step - 1) / step)
  }

  /// Center of patch column or row `index`, as a share of the side, -0.5...0.5.
  package func center(_ index: Int) -> Float {
    let extent = Float(Self.cellSize * (Self.cells - 1))
    return (Float(Self.margin + index * step) + extent / 2) / Float(side) - 0.5
  }
}
