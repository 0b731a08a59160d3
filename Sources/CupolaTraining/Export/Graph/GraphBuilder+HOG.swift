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
    let isBox = hog.pooling == .box
    let rising = (0..<hog.cellSize).map { (Float($0) + 0.5) / Float(hog.cellSize) }
    let window = (isBox ? rising.map { _ in 1 } : rising + rising.reversed()).map {
      $0 / Float(hog.cellSize)
    }
    let reach = isBox ? 0 : hog.cellSize / 2
    guard layout == .channelsFirst else {
      return convolveEach(
        inside, kernel: window.flatMap { row in window.map { row * $0 } }, side: window.count,
        stride: hog.cellSize, padding: [Int](repeating: reach, count: 4))
    }
    // Two products are several times as fast as a convolution by a large kernel in ONNX Runtime.
    let side = cells * hog.cellSize
    var weights = Matrix(rows: cells, columns: side)
    for cell in 0..<cells {
      for (index, weight) in window.enumerated() {
        let pixel = cell * hog.cellSize - reach + index
        if (0..<side).contains(pixel) { weights[cell, pixel] = weight }
      }
    }
    let pool = constant(weights)
    return product(product(pool, inside), pool, transposeB: true)
  }
}
