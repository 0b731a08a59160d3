import Cupola

/// The patches of ``FisherSettings``: local HOG, local colour, places and weights.
extension GraphBuilder {
  /// Descriptors of all patches of all sides, one a row.
  struct Patches {
    /// Patches x ``LocalHOG/count``.
    let hog: Value
    /// Patches x ``LocalColour/count``.
    let colour: Value
    /// Patches x 2.
    let places: Value
    /// How much each counts, patches x 1.
    let weights: Value
  }

  /// The patches of a picture of `side` x `side` pixels.
  mutating func patches(_ picture: Value, side whole: Int, _ settings: FisherSettings) -> Patches {
    var (cells, places): ([Value], [Value]) = ([], [])
    for (index, side) in settings.sides.enumerated() {
      scope = "scale" + String(index + 1)
      let grid = PatchGrid(side: side, step: settings.step)
      let scaled = side == whole ? picture : resized(picture, from: whole, to: side)
      // The resized picture is not divided by the sum of its weights; the mixture does it.
      let share = side == whole ? 1 : 1 / (Float(whole) * Float(whole))
      let forms: [[Float]] = [Self.luma, [1, 1, 1], [1, -1, 0], [1, 1, -2]]
      let mixed = mix(scaled, forms.map { $0.map { $0 * share } })
      let votes = votes(of: channels(mixed, 0..<1), grid)
      let statistics = statistics(of: channels(mixed, 1..<4))
      cells.append(patches(votes, statistics, grid))
      places.append(self.places(grid))
    }
    scope = "patches"
    let joined = rows(cells)
    let perCell = joined.shape[1] / (PatchGrid.cells * PatchGrid.cells)
    let colours = part(joined, perCell: perCell, LocalHOG.orientations..<perCell)
    return Patches(
      hog: normalised(part(joined, perCell: perCell, 0..<LocalHOG.orientations)),
      colour: colours, places: concatenate(places, axis: 0),
      weights: weights(of: colours, flat: settings.flatContrast, full: settings.fullContrast))
  }

  /// The cells of all patches, votes and statistics side by side; cell 0 stands at pixel
  /// ``PatchGrid/margin``, the next 2 pixels on.
  private mutating func patches(_ votes: Value, _ statistics: Value, _ grid: PatchGrid) -> Value {
    let axes = [layout.rowAxis, layout.columnAxis]
    let both = axes.map { 0..<min(votes.shape[$0], statistics.shape[$0]) }
    let cells = concatenate(
      [slice(votes, axes: axes, both), slice(statistics, axes: axes, both)],
      axis: layout.channelAxis)
    return gathered(
      cells, count: grid.count, step: grid.step / 2, side: PatchGrid.cells,
      spacing: PatchGrid.cellSize / 2)
  }

  /// Some of the values of each cell of patches, one patch a row.
  private mutating func part(_ rows: Value, perCell: Int, _ range: Range<Int>) -> Value {
    let cells = rows.shape[1] / perCell
    let values = slice(
      reshape(rows, [rows.shape[0], cells, perCell]), axes: [2], [range])
    return reshape(values, [rows.shape[0], cells * range.count])
  }

  /// Votes for signed orientations, pooled by a triangle at every second pixel; see ``LocalHOG``.
  private mutating func votes(of luma: Value, _ grid: PatchGrid) -> Value {
    let root = Float(2).squareRoot()
    // The gradient's forms for four directions; those of the opposite directions have other signs.
    let half: [[Float]] = [[0, -root], [1, -1], [root, 0], [1, 1]]
    let forms = half + half.map { $0.map { 0 - $0 } }
    let bins = 0..<LocalHOG.orientations
    let gradients = gradients(luma)
    let next = mix(gradients, bins.map { forms[($0 + 1) % 8] })
    let last = mix(gradients, bins.map { forms[($0 + 3) % 8] })
    let votes = apply(.relu, apply(.minimum, next, last))
    let window: [Float] = [0.25, 0.5, 0.75, 1, 0.75, 0.5, 0.25]
    // The first cell's triangle begins one pixel before the picture.
    let cells = (grid.count - 1) * grid.step / 2 + 1 + (PatchGrid.cells - 1) * 2
    let behind = max(0, 2 * cells + 3 - (grid.side - 1))
    return convolveEach(
      votes, kernel: window.flatMap { row in window.map { row * $0 } }, side: window.count,
      stride: 2, padding: [1, 1, behind, behind])
  }

  /// Means and deviations of three opponent colours in 4x4 pixels; see ``LocalColour``.
  private mutating func statistics(of opponents: Value) -> Value {
    let moments = concatenate(
      [opponents, apply(.multiply, opponents, opponents)], axis: layout.channelAxis)
    // Sums of whole numbers and sixteenths are exact where the picture is not resized.
    let pooled = convolveEach(
      moments, kernel: [Float](repeating: 1 / 16, count: 16), side: 4, stride: 2,
      padding: [0, 0, 0, 0])
    let means = channels(pooled, 0..<3)
    let variances = apply(
      .subtract, channels(pooled, 3..<6), apply(.multiply, means, means))
    let deviations = apply(.squareRoot, apply(.relu, variances))
    let scales: [Float] = [1 / (3 * 255), 1 / (255 * 1.4142135), 1 / (255 * 2.4494898)]
    let shape = layout.shape(channels: 6, height: 1, width: 1)
    return apply(
      .multiply, concatenate([means, deviations], axis: layout.channelAxis),
      constant(scales + scales, shape: shape))
  }

  /// The centres of all patches.
  private mutating func places(_ grid: PatchGrid) -> Value {
    let centres = (0..<grid.count).map(grid.centre)
    let across = constant(centres.flatMap { [$0, 0] }, shape: [1, grid.count, 2])
    let down = constant(centres.flatMap { [0, $0] }, shape: [grid.count, 1, 2])
    return reshape(apply(.add, across, down), [grid.count * grid.count, 2])
  }

  /// L2-Hys, then the square roots of shares.
  private mutating func normalised(_ rows: Value) -> Value {
    let norms = apply(.add, norm(rows, axis: 1), LocalHOG.epsilon)
    let clipped = apply(.minimum, apply(.divide, rows, norms), LocalHOG.clip)
    let sums = apply(.add, sum(clipped, axis: 1), 1e-6)
    return apply(.squareRoot, apply(.divide, clipped, sums))
  }

  /// Weights 0...1 by contrast; see ``PatchContrast``.
  private mutating func weights(of colours: Value, flat: Float, full: Float) -> Value {
    let channels = LocalColour.channels
    let isMean = (0..<LocalColour.count).map { $0 % channels == 0 ? Float(1) : 0 }
    let isDeviation = (0..<LocalColour.count).map { $0 % channels == 3 ? Float(1) : 0 }
    let sums = product(
      colours, constant(isMean + isDeviation, shape: [2, LocalColour.count]), transposeB: true)
    let means = slice(sums, axes: [1], [0..<1])
    let deviations = slice(sums, axes: [1], [1..<2])
    let cells = Float(LocalColour.count / channels)
    let mean = apply(.multiply, sum(means, axis: 0), 1 / Float(colours.shape[0]))
    let level = apply(.add, mean, 0.02 * cells)
    let above = apply(.subtract, deviations, apply(.multiply, level, flat))
    let shares = apply(.divide, above, apply(.multiply, level, full - flat))
    return apply(.minimum, apply(.relu, shares), 1)
  }
}
