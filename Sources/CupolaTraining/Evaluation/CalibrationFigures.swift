/// Whether probabilities mean what they say.
public struct CalibrationFigures: Equatable, Sendable {
  /// Photos whose answers are about as probable, and how many of them are right.
  public struct Bin: Equatable, Sendable {
    /// The probability at which the bin begins; the highest bin has 1 in it.
    public let lower: Double
    /// Where the next one begins.
    public let upper: Double
    /// Photos in it.
    public let photos: Int
    /// Answers among them that are right.
    public let right: Int
    /// The mean of the answers' probabilities; `nil` without photos.
    public let meanProbability: Double?
    /// The share of right answers; `nil` without photos.
    public let accuracy: Double?

    static let columns: [Column<Bin>] = [
      .share("lower", "probability from") { $0.lower }, .share("upper", "to") { $0.upper },
      .count("photos") { $0.photos }, .count("right") { $0.right },
      .share("mean_probability", "mean probability") { $0.meanProbability },
      .share("accuracy", "share right") { $0.accuracy },
    ]
  }

  /// Expected calibration error over 15 equal bins of the answer's probability (Naeini et al., AAAI
  /// 2015); `nil` without photos.
  public let ece: Double?
  /// Mean squared distance between the probabilities and the truth, summed over labels, 0...2 (Brier 1950);
  /// `nil` without photos.
  public let brier: Double?
  /// The bins of the reliability diagram, from 0 to 1 (DeGroot & Fienberg 1983).
  public let bins: [Bin]

  private static let binCount = 15

  /// - Parameters:
  ///   - answers: the answer's probability and whether it was right, one a photo.
  ///   - squaredDistances: from each photo's probabilities to its truth.
  init(answers: [(probability: Double, isRight: Bool)], squaredDistances: [Double]) {
    let count = Double(answers.count)
    var sums = [(probability: Double, right: Int, photos: Int)](
      repeating: (0, 0, 0), count: Self.binCount)
    for answer in answers {
      let bin = min(Int(answer.probability * Double(Self.binCount)), Self.binCount - 1)
      sums[bin].probability += answer.probability
      sums[bin].right += answer.isRight ? 1 : 0
      sums[bin].photos += 1
    }
    ece =
      answers.isEmpty ? nil : sums.reduce(0) { $0 + abs($1.probability - Double($1.right)) } / count
    brier = squaredDistances.isEmpty ? nil : squaredDistances.reduce(0, +) / count
    bins = sums.enumerated().map { index, sum in
      let photos = Double(sum.photos)
      return Bin(
        lower: Double(index) / Double(Self.binCount),
        upper: Double(index + 1) / Double(Self.binCount), photos: sum.photos, right: sum.right,
        meanProbability: sum.photos == 0 ? nil : sum.probability / photos,
        accuracy: sum.photos == 0 ? nil : Double(sum.right) / photos)
    }
  }
}
