/// How often answers are wrong when only the surest are given (El-Yaniv & Wiener, JMLR 2010).
public struct RiskCoverage: Equatable, Sendable {
  /// What comes of answering photos from some confidence on.
  public struct Point: Equatable, Sendable {
    /// The least confidence that is answered, 0...1.
    public let threshold: Double
    /// Photos answered.
    public let answered: Int
    /// Wrong answers among them.
    public let wrong: Int
    /// Share of the photos that are answered, 0...1.
    public let coverage: Double
    /// Share of the answers that are wrong, 0...1.
    public let risk: Double

    static let columns: [Column<Point>] = [
      .share("threshold", "least probability") { $0.threshold },
      .share("coverage", "answered") { $0.coverage },
      .share("risk", "wrong among them") { $0.risk },
    ]
  }

  /// One for each confidence that occurs, highest first, from the first photo on that counts.
  public let points: [Point]
  /// The area under the curve: risks weighed by the coverage that each adds; `nil` without photos.
  public let area: Double?

  /// - Parameter answers: the confidence of each answer, and whether it is right.
  public init(_ answers: [(confidence: Double, isRight: Bool)]) {
    self.init(weighed: answers.map { ($0.confidence, $0.isRight, 1) })
  }

  /// - Parameter answers: the same, and how much each counts.
  init(weighed answers: [(confidence: Double, isRight: Bool, weight: Double)]) {
    let ordered = answers.sorted { $0.confidence > $1.confidence }
    let all = ordered.reduce(0) { $0 + $1.weight }
    var points: [Point] = []
    var (wrong, area, covered) = (0, 0.0, 0.0)
    var (answeredWeight, wrongWeight) = (0.0, 0.0)
    for (index, answer) in ordered.enumerated() {
      answeredWeight += answer.weight
      if !answer.isRight { (wrong, wrongWeight) = (wrong + 1, wrongWeight + answer.weight) }
      // Photos of equal confidence are answered together.
      if index + 1 < ordered.count, ordered[index + 1].confidence == answer.confidence { continue }
      // Of photos that count for nothing there is no risk to tell.
      guard answeredWeight > 0 else { continue }
      let point = Point(
        threshold: answer.confidence, answered: index + 1, wrong: wrong,
        coverage: answeredWeight / all, risk: wrongWeight / answeredWeight)
      area += (point.coverage - covered) * point.risk
      covered = point.coverage
      points.append(point)
    }
    self.points = points
    self.area = points.isEmpty ? nil : area
  }
}
