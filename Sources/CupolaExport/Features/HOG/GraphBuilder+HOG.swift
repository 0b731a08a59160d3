import Cupola

extension GraphBuilder {
  /// Returns an image's feature vector (1 x features).
  mutating func hogFeatures(_ picture: Value, side: Int, _ hog: HOG) -> Value {
    stage = "luma"
    let half = averaged(mix(picture, [[Self.luma]])[0], side: 2, stride: 2)
    let cells = pooled(votes(half, hog), hog)
    let blocks = cells.shape[layout.rowAxis] - hog.blockSize + 1
    let descriptors = rows([
      gathered(cells, count: blocks, step: 1, side: hog.blockSize, spacing: 1)
    ])
    let first = norm(descriptors, plus: hog.firstEpsilon * hog.firstEpsilon)
    let clipped = apply(.minimum, apply(.divide, descriptors, first), hog.clip)
    let second = norm(clipped, plus: hog.secondEpsilon * hog.secondEpsilon)
    let normalized = apply(.divide, clipped, second)
    return unit(reshape(normalized, [1, hog.count(width: side / 2, height: side / 2)]))
  }

  /// Returns the same votes as ``Voter`` for every orientation and pixel.
  private mutating func votes(_ luma: Value, _ hog: HOG) -> Value {
    let voters = (0..<hog.orientations).map { Voter(bin: $0, of: hog.orientations) }
    let forms = gradients(
      luma, [voters.map { [$0.upperX, $0.upperY] }, voters.map { [$0.lowerX, $0.lowerY] }])
    let along = apply(.relu, apply(.minimum, forms[0], forms[1]))
    let against = apply(.minimum, apply(.maximum, forms[0], forms[1]), 0)
    return apply(.subtract, along, against)
  }

  /// Averages votes over cells. Pixels after the last whole cell are ignored.
  private mutating func pooled(_ votes: Value, _ hog: HOG) -> Value {
    stage = "cells"
    let size = hog.cellSize
    let cells = votes.shape[layout.rowAxis] / size
    let inside = slice(
      votes, axes: [layout.rowAxis, layout.columnAxis], [0..<cells * size, 0..<cells * size])
    // The triangular window changes by 1 / size per pixel and sums to size. Both are powers of 2 in practice.
    let scale = 1 / Float(size * size)
    let distances = distances(
      (0..<cells).map { (Float($0 * size) + Float(size - 1) / 2) * scale },
      (0..<cells * size).map { Float($0) * scale })
    let height = constant([1 / Float(size)], shape: [])
    return weighted(inside, apply(.relu, apply(.subtract, height, distances)))
  }
}
