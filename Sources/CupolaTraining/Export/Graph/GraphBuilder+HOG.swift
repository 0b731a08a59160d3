import Cupola

/// The descriptor of ``HOG``.
extension GraphBuilder {
  /// The feature vector of a picture, 1 x features; `hog` votes linearly.
  mutating func hogFeatures(_ picture: Value, side: Int, _ hog: HOG) -> Value {
    scope = "hog"
    let luma = mix(picture, [Self.luma])
    let half = convolveEach(
      luma, kernel: [0.25, 0.25, 0.25, 0.25], side: 2, stride: 2, padding: [0, 0, 0, 0])
    let cells = pooled(votes(gradients(half), hog), hog)
    let blocks = cells.shape[layout.rowAxis] - hog.blockSize + 1
    let descriptors = rows([
      gathered(cells, count: blocks, step: 1, side: hog.blockSize, spacing: 1)
    ])
    let first = norm(descriptors, axis: 1, plus: hog.firstEpsilon * hog.firstEpsilon)
    let clipped = apply(.minimum, apply(.divide, descriptors, first), hog.clip)
    let second = norm(clipped, axis: 1, plus: hog.secondEpsilon * hog.secondEpsilon)
    let normalised = apply(.divide, clipped, second)
    return unit(reshape(normalised, [1, hog.count(width: side / 2, height: side / 2)]))
  }

  /// What ``HOG/Voting/linear`` gives every orientation at every pixel.
  private mutating func votes(_ gradients: Value, _ hog: HOG) -> Value {
    let voters = (0..<hog.orientations).map { Voter(bin: $0, of: hog.orientations) }
    let next = mix(gradients, voters.map { [$0.upperX, $0.upperY] })
    let last = mix(gradients, voters.map { [$0.lowerX, $0.lowerY] })
    let along = apply(.relu, apply(.minimum, next, last))
    let against = apply(.minimum, apply(.maximum, next, last), 0)
    return apply(.subtract, along, against)
  }

  /// Means over cells; pixels right of and below the last whole cell are left out.
  private mutating func pooled(_ votes: Value, _ hog: HOG) -> Value {
    let cells = votes.shape[layout.rowAxis] / hog.cellSize
    let inside = slice(
      votes, axes: [layout.rowAxis, layout.columnAxis],
      [0..<cells * hog.cellSize, 0..<cells * hog.cellSize])
    let area = Float(hog.cellSize * hog.cellSize)
    if hog.pooling == .box {
      return convolveEach(
        inside, kernel: [Float](repeating: 1 / area, count: hog.cellSize * hog.cellSize),
        side: hog.cellSize, stride: hog.cellSize, padding: [0, 0, 0, 0])
    }
    let rising = (0..<hog.cellSize).map { (Float($0) + 0.5) / Float(hog.cellSize) }
    let window = rising + rising.reversed()
    return convolveEach(
      inside, kernel: window.flatMap { row in window.map { row * $0 / area } },
      side: window.count, stride: hog.cellSize,
      padding: [Int](repeating: hog.cellSize / 2, count: 4))
  }
}
