/// How often photos of each label were taken for each label.
public struct ConfusionMatrix: Equatable, Sendable {
  /// Names of rows (the truth) and columns (the answer).
  public let labels: [String]
  /// `counts[truth][answer]`.
  public private(set) var counts: [[Int]]

  /// An empty matrix.
  public init(labels: [String]) {
    self.labels = labels
    counts = [[Int]](
      repeating: [Int](repeating: 0, count: labels.count), count: labels.count)
  }

  /// Counts one photo.
  public mutating func add(truth: Int, answer: Int) { counts[truth][answer] += 1 }

  /// Photos counted.
  public var total: Int { counts.reduce(0) { $0 + $1.reduce(0, +) } }

  /// Photos answered right.
  public var correct: Int { labels.indices.reduce(0) { $0 + counts[$1][$1] } }

  /// Figures of one label.
  public struct LabelFigures: Equatable, Sendable {
    /// The label.
    public let label: String
    /// Share of the answers with this label that are right; `nil` when there are none.
    public let precision: Double?
    /// Share of the photos of this label that are answered right; `nil` when there are none.
    public let recall: Double?
    /// The harmonic mean of both; 0 when nothing is right; `nil` without photos and answers.
    public let f1: Double?
    /// Photos of this label.
    public let support: Int
    /// The 95 % interval of ``recall``; `nil` without photos.
    let recallInterval: [Double]?

    static let columns: [Column<LabelFigures>] = [
      .text("label") { $0.label }, .share("precision") { $0.precision },
      .share("recall") { $0.recall }, .interval("recall_interval") { $0.recallInterval },
      .share("f1", "F1") { $0.f1 }, .count("support", "photos", csv: "photos") { $0.support },
    ]
  }

  /// Figures label by label.
  public var perLabel: [LabelFigures] {
    labels.indices.map { index in
      let right = counts[index][index]
      let support = counts[index].reduce(0, +)
      let answers = counts.reduce(0) { $0 + $1[index] }
      func share(_ whole: Int) -> Double? { whole == 0 ? nil : Double(right) / Double(whole) }
      let sum = support + answers
      return LabelFigures(
        label: labels[index], precision: share(answers), recall: share(support),
        f1: sum == 0 ? nil : 2 * Double(right) / Double(sum), support: support,
        recallInterval: support == 0 ? nil : WilsonInterval(successes: right, of: support).ends)
    }
  }

  /// The mean F1 of the labels that have photos or answers; `nil` without any.
  public var macroF1: Double? {
    let values = perLabel.compactMap(\.f1)
    return values.isEmpty ? nil : values.reduce(0, +) / Double(values.count)
  }

  /// Pairs of labels that were taken for each other, most often first.
  public var confusedPairs: [(truth: Int, answer: Int, count: Int)] {
    var pairs: [(truth: Int, answer: Int, count: Int)] = []
    for truth in labels.indices {
      for answer in labels.indices where truth != answer && counts[truth][answer] > 0 {
        pairs.append((truth, answer, counts[truth][answer]))
      }
    }
    return pairs.sorted {
      ($1.count, $0.truth, $0.answer) < ($0.count, $1.truth, $1.answer)
    }
  }
}
