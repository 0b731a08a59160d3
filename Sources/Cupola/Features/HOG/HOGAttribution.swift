/// The share of each cell of the classic descriptor: the sum over its values in all blocks.
///
/// Every value of the descriptor belongs to one cell of one block, so nothing has to be divided, and
/// normalization is what it was for the whole picture.
enum HOGAttribution {
  /// - Parameters:
  ///   - contributions: what each value of the descriptor adds to the difference of logits.
  ///   - side: pixels along the square picture that was described.
  static func map(_ contributions: [Double], _ hog: HOG, side: Int) -> EvidenceMap {
    let cells = side / hog.cellSize
    let blocks = cells - hog.blockSize + 1
    precondition(contributions.count == hog.count(width: side, height: side))
    var shares = [Double](repeating: 0, count: cells * cells)
    var at = 0
    for blockRow in 0..<blocks {
      for blockColumn in 0..<blocks {
        for row in blockRow..<blockRow + hog.blockSize {
          for column in blockColumn..<blockColumn + hog.blockSize {
            let own = contributions[at..<at + hog.orientations]
            shares[row * cells + column] += own.reduce(0, +)
            at += hog.orientations
          }
        }
      }
    }
    // A last part of a cell was left out; the map still covers the whole square.
    let across = (side + hog.cellSize - 1) / hog.cellSize
    var map = EvidenceMap(columns: across, rows: across)
    let size = Double(hog.cellSize) / Double(side)
    for (index, share) in shares.enumerated() {
      map.add(
        share,
        over: Extent(
          x: Double(index % cells) * size, y: Double(index / cells) * size, width: size,
          height: size))
    }
    return map
  }
}
