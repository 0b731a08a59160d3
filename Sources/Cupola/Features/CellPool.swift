/// Gathers votes row by row into the histograms of cells.
///
/// Rows add to two rows of sums, one for the cells whose centers lie above and one for those below;
/// when a center is passed the upper sums are complete and are gathered along the row.
struct CellPool: Sendable {
  private let columns: Int
  private let rows: Int
  private let orientations: Int
  private let cellSize: Int
  private let pooling: HOG.Pooling
  /// Weights along the row of the pixels from `reach` before a cell to `reach` behind it.
  private let window: [Float]
  private let reach: Int
  /// The histograms, after ``finish()``.
  private(set) var grid: CellGrid
  /// For each orientation, one sum for each pixel column.
  private var upper: [Float]
  private var lower: [Float]
  private var upperRow: Int
  private var weights = OrientationVotes.Weights(upper: 0, lower: 0)

  init(columns: Int, rows: Int, orientations: Int, cellSize: Int, pooling: HOG.Pooling) {
    self.columns = columns
    self.rows = rows
    self.orientations = orientations
    self.cellSize = cellSize
    self.pooling = pooling
    reach = pooling == .box ? 0 : cellSize / 2
    window = Self.window(pooling, cellSize)
    grid = CellGrid(
      columns: columns, rows: rows, orientations: orientations,
      values: [Float](repeating: 0, count: columns * rows * orientations))
    upper = [Float](repeating: 0, count: columns * cellSize * orientations)
    lower = upper
    upperRow = pooling == .box ? 0 : -1
  }

  /// Forgets all votes.
  mutating func reset() {
    Self.zero(&upper)
    Self.zero(&lower)
    upperRow = pooling == .box ? 0 : -1
  }

  private static func zero(_ sums: inout [Float]) {
    var sums = sums.mutableSpan
    for index in sums.indices { sums[index] = 0 }
  }

  /// Tells which picture row the next votes come from; rows come in order.
  mutating func begin(row: Int) {
    switch pooling {
    case .box:
      if row / cellSize != upperRow { advance() }
      weights = .init(upper: 1, lower: 0)
    case .triangular:
      let half = cellSize / 2
      if (row + half) / cellSize - 1 != upperRow { advance() }
      let below = (Float((row + half) % cellSize) + 0.5) / Float(cellSize)
      weights = .init(upper: 1 - below, lower: below)
    }
  }

  /// Adds the row's votes.
  mutating func add(_ gradients: GradientRow, voters: Voters, voting: HOG.Voting) {
    OrientationVotes.add(
      x: gradients.x, y: gradients.y, voters: voters, voting: voting, weights: weights,
      upper: &upper, lower: &lower)
  }

  /// Completes the histograms, after the last row.
  mutating func finish() {
    while upperRow < rows { advance() }
  }

  private mutating func advance() {
    if upperRow >= 0 { gatherUpper() }
    upperRow += 1
    swap(&upper, &lower)
    Self.zero(&lower)
  }

  private mutating func gatherUpper() {
    let width = columns * cellSize
    let sums = upper
    for bin in 0..<orientations {
      let binSums = sums.span.extracting(bin * width..<(bin + 1) * width)
      for column in 0..<columns {
        let at = (upperRow * columns + column) * orientations + bin
        grid.values[at] = pooled(binSums, column) / Float(cellSize * cellSize)
      }
    }
  }

  private func pooled(_ sums: Span<Float>, _ column: Int) -> Float {
    let start = column * cellSize - reach
    let from = max(0, start)
    let to = min(sums.count, start + window.count)
    let part = sums.extracting(from..<to)
    let weights = window.span.extracting(from - start..<to - start)
    var total: Float = 0
    for index in 0..<part.count { total += part[index] * weights[index] }
    return total
  }

  /// One a pixel of the box, or a triangle two cells wide; either sums to the cell's side.
  private static func window(_ pooling: HOG.Pooling, _ cellSize: Int) -> [Float] {
    if pooling == .box { return [Float](repeating: 1, count: cellSize) }
    let rising = (0..<cellSize).map { (Float($0) + 0.5) / Float(cellSize) }
    return rising + rising.reversed()
  }
}
