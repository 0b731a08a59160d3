// Metrics over all thresholds.
// 1. ROC curve and its area, by the Mann-Whitney statistic over sorted scores.
// 2. Risk-coverage curve: the error rate when only the most confident answers are given.
// 3. Reliability diagram, calibration error and Brier score.

/// The ROC curve of a score that separates photos to accept from photos to reject.
package struct ROCCurve: Equatable, Sendable {
  /// The area under the curve, with ties counted as one half; `nil` if either kind of photo is missing.
  package let area: Double?
  private let positives: [Double]
  private let negatives: [Double]

  package init(positives: [Double], negatives: [Double]) {
    self.positives = positives.sorted()
    self.negatives = negatives.sorted()
    area = Self.area(self.positives, self.negatives)
  }

  package struct Point: Equatable, Sendable {
    package let threshold: Double
    package let truePositiveRate: Double
    package let falsePositiveRate: Double

    static let columns: [Column<Point>] = [
      .decimal("threshold", "threshold") { $0.threshold },
      .share("tpr", "buildings not rejected") { $0.truePositiveRate },
      .share("fpr", "others not rejected") { $0.falsePositiveRate },
    ]
  }

  /// One point for each distinct score, highest first; empty if either kind of photo is missing.
  package var points: [Point] {
    guard !positives.isEmpty, !negatives.isEmpty else { return [] }
    var (above, falselyAbove) = (positives.count, negatives.count)
    var points: [Point] = []
    while above > 0 || falselyAbove > 0 {
      let scores = positives.prefix(above).suffix(1) + negatives.prefix(falselyAbove).suffix(1)
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

  /// The false positive rate at a true positive rate; `nil` if either kind of photo is missing.
  package func falsePositiveRate(atTruePositiveRate rate: Double) -> Double? {
    guard !positives.isEmpty, !negatives.isEmpty else { return nil }
    let needed = Int((rate * Double(positives.count)).rounded(.up))
    let threshold = positives[positives.count - min(max(needed, 1), positives.count)]
    return Double(negatives.count { $0 >= threshold }) / Double(negatives.count)
  }

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

/// The risk (error rate) by coverage when only the most confident answers are given (El-Yaniv & Wiener, JMLR 2010).
package struct RiskCoverage: Equatable, Sendable {
  package struct Point: Equatable, Sendable {
    package let threshold: Double
    package let coverage: Double
    package let risk: Double

    static let columns: [Column<Point>] = [
      .share("threshold", "lowest probability") { $0.threshold },
      .share("coverage", "answered") { $0.coverage },
      .share("risk", "wrong") { $0.risk },
    ]
  }

  /// One point for each distinct confidence, highest first; leading points with zero weight are omitted.
  package let points: [Point]
  /// The area under the curve: the sum of the risks, each weighted by the coverage it adds; `nil` if there are no
  /// photos.
  package let area: Double?

  package init(_ answers: [(confidence: Double, isRight: Bool)]) {
    self.init(weighed: answers.map { ($0.confidence, $0.isRight, 1) })
  }

  init(weighed answers: [(confidence: Double, isRight: Bool, weight: Double)]) {
    let ordered = answers.sorted { $0.confidence > $1.confidence }
    let all = ordered.reduce(0) { $0 + $1.weight }
    var points: [Point] = []
    var (area, covered, answeredWeight, wrongWeight) = (0.0, 0.0, 0.0, 0.0)
    for (index, answer) in ordered.enumerated() {
      answeredWeight += answer.weight
      if !answer.isRight { wrongWeight += answer.weight }
      if index + 1 < ordered.count, ordered[index + 1].confidence == answer.confidence { continue }
      guard answeredWeight > 0 else { continue }
      let point = Point(
        threshold: answer.confidence, coverage: answeredWeight / all,
        risk: wrongWeight / answeredWeight)
      area += (point.coverage - covered) * point.risk
      covered = point.coverage
      points.append(point)
    }
    self.points = points
    self.area = points.isEmpty ? nil : area
  }
}

package struct CalibrationFigures: Equatable, Sendable {
  package struct Bin: Equatable, Sendable {
    package let lower: Double
    package let upper: Double
    package let photos: Int
    package let right: Int
    package let meanProbability: Double?
    package let accuracy: Double?

    static let columns: [Column<Bin>] = [
      .share("lower", "probability from") { $0.lower }, .share("upper", "to") { $0.upper },
      .count("photos") { $0.photos }, .count("right") { $0.right },
      .share("mean_probability", "mean probability") { $0.meanProbability },
      .share("accuracy", "share right") { $0.accuracy },
    ]
  }

  /// The expected calibration error over 15 equal-width bins (Naeini et al., AAAI 2015); `nil` if there are no photos.
  package let ece: Double?
  /// The mean squared error of the probabilities, summed over labels, 0...2 (Brier 1950); `nil` if there are no photos.
  package let brier: Double?
  /// The bins of the reliability diagram, in ascending order (DeGroot & Fienberg 1983).
  package let bins: [Bin]

  private static let binCount = 15

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
