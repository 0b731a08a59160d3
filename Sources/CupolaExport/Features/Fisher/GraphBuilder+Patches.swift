import Cupola

// 1. Resize the input image for each grid, average its cells and gather them into patches.
// 2. Normalize votes to get HOG descriptors.
// 3. Compute color descriptors from means and deviations of opponent colors.
// 4. Add the patches' constant positions, and weights computed from their contrast.

extension GraphBuilder {
  /// The descriptors of all patches at all sizes, one per row.
  struct Patches {
    /// Patches x ``LocalHOG/count``.
    let hog: Value
    /// Patches x ``LocalColor/count``.
    let color: Value
    let places: Value
    let weights: Value
  }

  mutating func patches(_ picture: Value, side whole: Int, _ settings: FisherSettings) -> Patches {
    var cells: [Value] = []
    for grid in settings.fittingGrids {
      let (scaled, scale) = resized(picture, from: whole, to: grid.side)
      cells.append(cellsOfPatches(scaled, scale: scale, grid))
    }
    let joined = rows(cells)
    let count = PatchGrid.cells * PatchGrid.cells
    let values = reshape(joined, [joined.shape[0], count, Self.cellValues])
    let votes = slice(values, axes: [2], [0..<LocalHOG.orientations])
    let colors = colors(values)
    return Patches(
      hog: normalized(reshape(votes, [joined.shape[0], LocalHOG.count])), color: colors,
      places: places(settings),
      weights: weights(of: colors, flat: settings.flatContrast, full: settings.fullContrast))
  }

  /// The values in a cell: votes, means and means of squares.
  private static let cellValues = LocalHOG.orientations + LocalColor.channels
  /// The ratio of the triangular weights in ``LocalHOG`` to those that result from averaging twice.
  private static let triangle: Float = 16

  /// Returns the cells of all patches; cell 0 is at pixel ``PatchGrid/margin``.
  ///
  /// Votes are averaged twice over 4x4 pixels, which equals the triangular window of 7x7 pixels. Colors are averaged
  /// only once. Cells are computed at intervals of a common divisor of patch step and cell size.
  private mutating func cellsOfPatches(_ picture: Value, scale: Float, _ grid: PatchGrid) -> Value {
    let lists: [[[Float]]] = [[Self.luma], [[1, 1, 1], [1, -1, 0], [1, 1, -2]]]
    let mixed = mix(picture, lists.map { forms in forms.map { $0.map { $0 * scale } } })
    let opponents = mixed[1]
    let forms = gradients(mixed[0], Self.directions)
    let votes = apply(.relu, apply(.minimum, forms[0], forms[1]))
    // The triangular window of the first cell starts one pixel before the image.
    let spread = averaged(
      padded(votes, before: 1, after: PatchGrid.cellSize - 2, .zero), side: PatchGrid.cellSize,
      stride: 1)
    let values = concatenate(
      [spread, opponents, apply(.multiply, opponents, opponents)], axis: layout.channelAxis)
    let divisor = grid.step.isMultiple(of: PatchGrid.cellSize) ? PatchGrid.cellSize : 2
    let cells = averaged(values, side: PatchGrid.cellSize, stride: divisor)
    return gathered(
      cells, count: grid.count, step: grid.step / divisor, side: PatchGrid.cells,
      spacing: PatchGrid.cellSize / divisor)
  }

  /// Linear forms for signed orientations. A bin's vote is the smaller of its two forms, if positive; see ``LocalHOG``.
  private static var directions: [[[Float]]] {
    let root = Float(2).squareRoot()
    let half: [[Float]] = [[0, -root], [1, -1], [root, 0], [1, 1]]
    let forms = half + half.map { $0.map { 0 - $0 } }
    let bins = 0..<LocalHOG.orientations
    return [bins.map { forms[($0 + 1) % 8] }, bins.map { forms[($0 + 3) % 8] }]
  }

  /// Returns means and deviations of opponent colors per cell, one patch per row, before scaling with `colorScales`.
  private mutating func colors(_ values: Value) -> Value {
    let first = LocalHOG.orientations
    let means = slice(values, axes: [2], [first..<first + 3])
    let squares = slice(values, axes: [2], [first + 3..<first + 6])
    let variances = apply(.subtract, squares, apply(.multiply, means, means))
    let deviations = apply(.squareRoot, apply(.relu, variances))
    return reshape(
      concatenate([means, deviations], axis: 2), [values.shape[0], LocalColor.count])
  }

  /// Factors for the results of `colors` in each cell.
  static var colorScales: [Float] {
    let scales: [Float] = [1 / (3 * 255), 1 / (255 * 1.4142135), 1 / (255 * 2.4494898)]
    return scales + scales
  }

  /// The centers of all patches. In pixels, they are the same integers at all sizes.
  private mutating func places(_ settings: FisherSettings) -> Value {
    let grids = settings.fittingGrids
    let most = grids.map(\.count).max() ?? 0
    let centers = (0..<most).map { index in
      Float(PatchGrid.margin + index * settings.step)
        + Float(PatchGrid.cellSize * (PatchGrid.cells - 1)) / 2
    }
    let pixels = apply(
      .add, constant(centers.flatMap { [$0, 0] }, shape: [1, most, 2]),
      constant(centers.flatMap { [0, $0] }, shape: [most, 1, 2]))
    let shares = grids.map { grid in
      let own = slice(pixels, axes: [0, 1], [0..<grid.count, 0..<grid.count])
      return apply(
        .multiply, reshape(own, [grid.count * grid.count, 2]), 1 / Float(grid.side))
    }
    return apply(.subtract, concatenate(shares, axis: 0), 0.5)
  }

  /// Applies L2-Hys normalization, divides by the sum, and takes square roots.
  private mutating func normalized(_ rows: Value) -> Value {
    let norms = apply(.add, norm(rows), LocalHOG.epsilon / Self.triangle)
    let clipped = apply(.minimum, apply(.divide, rows, norms), LocalHOG.clip)
    let sums = apply(.add, sum(clipped, axis: 1), 1e-6)
    return apply(.squareRoot, apply(.divide, clipped, sums))
  }

  /// Returns contrast weights, 0...1; see ``PatchContrast``. Means and deviations must have the same scale.
  private mutating func weights(of colors: Value, flat: Float, full: Float) -> Value {
    let channels = LocalColor.channels
    let means = slice(colors, axes: [1], [0..<LocalColor.count], step: channels)
    let deviations = slice(
      colors, axes: [1], [channels / 2..<LocalColor.count], step: channels)
    let total = sum(sum(means, axis: 0), axis: 1)
    let cells = Float(LocalColor.count / channels)
    // The difference between the contrasts for full weight and for zero weight.
    let rise = apply(
      .add, apply(.multiply, total, (full - flat) / Float(colors.shape[0])),
      0.02 * cells * (full - flat) / Self.colorScales[0])
    let shares = apply(.divide, sum(deviations, axis: 1), rise)
    return apply(.minimum, apply(.relu, apply(.subtract, shares, flat / (full - flat))), 1)
  }
}

extension FisherSettings {
  var fittingGrids: [PatchGrid] {
    sides.map { PatchGrid(side: $0, step: step) }.filter { $0.count > 0 }
  }
}
