/// Whether probabilities mean what they say.
public struct CalibrationFigures: Equatable, Sendable {
  /// Expected calibration error over 15 equal bins of the answer's probability (Naeini et al., AAAI
  /// 2015); `nil` without photos.
  public let ece: Double?
  /// Mean squared distance between the probabilities and the truth, summed over labels (Brier 1950);
  /// `nil` without photos.
  public let brier: Double?

  private static let bins = 15

  /// - Parameters:
  ///   - answers: the answer's probability and whether it was right, one a photo.
  ///   - squaredDistances: from each photo's probabilities to its truth.
  init(answers: [(probability: Double, isRight: Bool)], squaredDistances: [Double]) {
    let count = Double(answers.count)
    var sums = [(probability: Double, right: Double)](repeating: (0, 0), count: Self.bins)
    for answer in answers {
      let bin = min(Int(answer.probability * Double(Self.bins)), Self.bins - 1)
      sums[bin].probability += answer.probability
      sums[bin].right += answer.isRight ? 1 : 0
    }
    ece = answers.isEmpty ? nil : sums.reduce(0) { $0 + abs($1.probability - $1.right) } / count
    brier = squaredDistances.isEmpty ? nil : squaredDistances.reduce(0, +) / count
  }
}
