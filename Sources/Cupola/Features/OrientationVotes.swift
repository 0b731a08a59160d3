/// Adds one row's votes for orientation bins to two rows of sums, each with its own weight.
enum OrientationVotes {
  /// How much a row's votes count in each of the two rows of sums.
  struct Weights {
    let upper: Float
    let lower: Float
  }

  /// Adds the votes for all bins; the sums have a row a bin.
  static func add(
    x: [Float], y: [Float], voters: Voters, voting: HOG.Voting, weights: Weights,
    upper: inout [Float], lower: inout [Float]
  ) {
    if voting == .linear {
      WideRows.addVotes(
        x: x, y: y, voters: voters, weights: weights, upper: &upper, lower: &lower)
      return
    }
    let (gx, gy) = (x.span, y.span)
    var upperAll = upper.mutableSpan
    var lowerAll = lower.mutableSpan
    for bin in voters.all.indices {
      let own = bin * gx.count..<(bin + 1) * gx.count
      var upperBin = upperAll._mutatingExtracting(own)
      var lowerBin = lowerAll._mutatingExtracting(own)
      addNearest(
        x: gx, y: gy, voter: voters.all[bin], weights: weights, upper: &upperBin, lower: &lowerBin)
    }
  }

  /// Voting by ``HOG/Voting/nearest``: half-open bins, 180 degrees counting as 0.
  private static func addNearest(
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
