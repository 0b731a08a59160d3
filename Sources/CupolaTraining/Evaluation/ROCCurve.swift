/// How well a score parts what should be accepted from what should be refused.
public struct ROCCurve: Equatable, Sendable {
  /// The chance, 0...1, that an accepted photo scores higher than a refused one, ties counting half; `nil`
  /// when either kind is missing.
  public let area: Double?
  private let positives: [Double]
  private let negatives: [Double]

  /// Scores of photos that should be accepted and of photos that should be refused.
  public init(positives: [Double], negatives: [Double]) {
    self.positives = positives.sorted()
    self.negatives = negatives.sorted()
    area = Self.area(self.positives, self.negatives)
  }

  /// What a threshold accepts.
  public struct Point: Equatable, Sendable {
    /// The least score that is accepted.
    public let threshold: Double
    /// Share of the photos that should be accepted and are, 0...1.
    public let truePositiveRate: Double
    /// Share of the photos that should be refused and are accepted, 0...1.
    public let falsePositiveRate: Double

    static let columns: [Column<Point>] = [
      .decimal("threshold", "least score") { $0.threshold },
      .share("tpr", "buildings accepted") { $0.truePositiveRate },
      .share("fpr", "others accepted") { $0.falsePositiveRate },
    ]
  }

  /// One for each score that occurs, highest first; none when either kind is missing.
  public var points: [Point] {
    guard !positives.isEmpty, !negatives.isEmpty else { return [] }
    var (above, falselyAbove) = (positives.count, negatives.count)
    var points: [Point] = []
    while above > 0 || falselyAbove > 0 {
      let scores = [
        above > 0 ? positives[above - 1] : nil,
        falselyAbove > 0 ? negatives[falselyAbove - 1] : nil,
      ].compactMap(\.self)
      guard let score = scores.max() else { break }
      while above > 0, positives[above - 1] == score { above -= 1 }
      while falselyAbove > 0, negatives[falselyAbove - 1] == score { falselyAbove -= 1 }
      points.append(
        Point(
          threshold: score,
          truePositiveRate: Double(positives.count - above) / Double(positives.count),
          falsePositiveRate: Double(negatives.count - falselyAbove) / Double(negatives.count)))
    }
    return points
  }

  /// The share of refusable photos accepted at the threshold that accepts at least this share of the
  /// others; `nil` when either kind is missing.
  public func falsePositiveRate(atTruePositiveRate rate: Double) -> Double? {
    guard !positives.isEmpty, !negatives.isEmpty else { return nil }
    let needed = Int((rate * Double(positives.count)).rounded(.up))
    let threshold = positives[positives.count - min(max(needed, 1), positives.count)]
    return Double(negatives.count { $0 >= threshold }) / Double(negatives.count)
  }

  /// By the Mann-Whitney statistic over both sorted lists.
  private static func area(_ positives: [Double], _ negatives: [Double]) -> Double? {
    guard !positives.isEmpty, !negatives.isEmpty else { return nil }
    var (below, equalEnd) = (0, 0)
    var wins = 0.0
    for score in positives {
      while below < negatives.count, negatives[below] < score { below += 1 }
      equalEnd = max(equalEnd, below)
      while equalEnd < negatives.count, negatives[equalEnd] == score { equalEnd += 1 }
      wins += Double(below) + 0.5 * Double(equalEnd - below)
    }
    return wins / (Double(positives.count) * Double(negatives.count))
  }
}
