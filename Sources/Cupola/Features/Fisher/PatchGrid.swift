/// Where the patches of a square picture stand: `cells` x `cells` cells every `step` pixels.
struct PatchGrid: Equatable {
  /// Pixels along the picture's side.
  let side: Int
  /// Pixels between neighbouring patches, even.
  let step: Int

  /// Cells along a patch's side.
  static let cells = 4
  /// Pixels between neighbouring cell centres.
  static let cellSize = 4
  /// Where the first cell's centre stands.
  static let margin = 2

  /// Patches along a side.
  var count: Int {
    let last = side - Self.cellSize * (Self.cells - 1) - Self.margin
    return max(0, (last - Self.margin + step - 1) / step)
  }

  /// Centre of patch column or row `index`, as a share of the side, -0.5...0.5.
  func centre(_ index: Int) -> Float {
    let extent = Float(Self.cellSize * (Self.cells - 1))
    return (Float(Self.margin + index * step) + extent / 2) / Float(side) - 0.5
  }
}
