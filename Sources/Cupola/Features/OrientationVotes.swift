/// Adds one row's votes for one orientation bin to two rows of sums, each with its own weight.
enum OrientationVotes {
  /// How much a row's votes count in each of the two rows of sums.
  struct Weights {
    let upper: Float
    let lower: Float
  }

  /// Voting by ``HOG/Voting/linear``.
  static func addLinear(
    x gx: Span<Float>, y gy: Span<Float>, voter: Voter, weights: Weights,
    upper: inout MutableSpan<Float>, lower: inout MutableSpan<Float>
  ) {
    let count = gx.count
    precondition(gy.count == count && upper.count == count && lower.count == count)
    for x in 0..<count {
      let toNext = gx[x] * voter.upperX + gy[x] * voter.upperY
      let fromLast = gx[x] * voter.lowerX + gy[x] * voter.lowerY
      // Either the gradient or its opposite lies between the neighboring bins, or neither.
      let least = toNext < fromLast ? toNext : fromLast
      let most = toNext < fromLast ? fromLast : toNext
      let along = least > 0 ? least : 0
      let against = most < 0 ? most : 0
      let vote = along - against
      upper[x] += weights.upper * vote
      lower[x] += weights.lower * vote
    }
  }

  /// Voting by ``HOG/Voting/nearest``: half-open bins, 180 degrees counting as 0.
  static func addNearest(
    x gx: Span<Float>, y gy: Span<Float>, voter: Voter, weights: Weights,
    upper: inout MutableSpan<Float>, lower: inout MutableSpan<Float>
  ) {
    let count = gx.count
    precondition(gy.count == count && upper.count == count && lower.count == count)
    let (start, end) = voter.edges
    for x in 0..<count {
      // The gradient or its opposite, whichever points down or, lying flat, to the right.
      let flip: Float = gy[x] < 0 || (gy[x] == 0 && gx[x] < 0) ? -1 : 1
      let (right, down) = (gx[x] * flip, gy[x] * flip)
      let behindStart = start.x * down - start.y * right >= 0
      let beforeEnd = voter.isLast || end.x * down - end.y * right < 0
      let magnitude = (right * right + down * down).squareRoot()
      let vote = behindStart && beforeEnd ? magnitude : 0
      upper[x] += weights.upper * vote
      lower[x] += weights.lower * vote
    }
  }
}
