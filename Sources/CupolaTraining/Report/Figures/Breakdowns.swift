internal import Cupola

// Metrics for groups of photos and for stages of recognition.
// 1. By building: the confusion matrix, precision, recall and F1.
// 2. By lighting, session or day, time of day, distance and image shape (Slice). 3. By stage: milliseconds (Latency).

package struct ConfusionMatrix: Equatable, Sendable {
  package let labels: [String]
  /// The counts of each row by column, without zeros; all counts of 10,000 labels would take 800 MB.
  private var rows: [[Int: Int]]
  /// For each label, whether its photos were named correctly, and their sessions.
  private var isRight: [[Bool]]
  private var sessions: [[Int]]

  /// Reports with more labels contain only the pairs with photos and the best candidates.
  static let mostLabelsInFull = 200
  var isFull: Bool { labels.count <= Self.mostLabelsInFull }

  package init(labels: [String]) {
    self.labels = labels
    rows = [[Int: Int]](repeating: [:], count: labels.count)
    isRight = [[Bool]](repeating: [], count: labels.count)
    sessions = [[Int]](repeating: [], count: labels.count)
  }

  /// - Parameter session: The session of the photo, 0 or greater; `nil` if the photo is its own session.
  package mutating func add(truth: Int, answer: Int, session: Int? = nil) {
    rows[truth][answer, default: 0] += 1
    isRight[truth].append(truth == answer)
    sessions[truth].append(session ?? -isRight[truth].count)
  }

  package var total: Int { labels.indices.reduce(0) { $0 + support(of: $1) } }
  package var correct: Int { labels.indices.reduce(0) { $0 + self[$1, $1] } }

  package subscript(truth: Int, answer: Int) -> Int { rows[truth][answer] ?? 0 }
  func support(of truth: Int) -> Int { rows[truth].values.reduce(0, +) }

  /// All counts, row by row.
  package var counts: [[Int]] {
    labels.indices.map { truth in labels.indices.map { self[truth, $0] } }
  }

  package struct LabelFigures: Equatable, Sendable {
    package let label: String
    package let precision: Double?
    package let recall: Double?
    /// The harmonic mean of precision and recall; 0 if no answer is right; `nil` if there are no photos.
    package let f1: Double?
    package let support: Int
    let recallInterval: [Double]?

    static let columns: [Column<LabelFigures>] = [
      .text("label") { $0.label }, .share("precision") { $0.precision },
      .share("recall") { $0.recall }, .interval("recall_interval") { $0.recallInterval },
      .share("f1", "F1") { $0.f1 }, .count("support", "photos", csv: "photos") { $0.support },
    ]
  }

  package var perLabel: [LabelFigures] {
    var sums = [Int](repeating: 0, count: labels.count)
    for pair in pairs { sums[pair.answer] += pair.count }
    return labels.indices.map { index in
      let right = self[index, index]
      let support = support(of: index)
      let answers = sums[index]
      func share(_ whole: Int) -> Double? { Share(right: right, of: whole).accuracy }
      let sum = support + answers
      return LabelFigures(
        label: labels[index], precision: share(answers), recall: share(support),
        f1: support == 0 ? nil : 2 * Double(right) / Double(sum), support: support,
        recallInterval: support == 0
          ? nil : Share(isRight[index], sessions: sessions[index]).interval.ends)
    }
  }

  package var macroF1: Double? {
    let values = perLabel.compactMap(\.f1)
    return values.isEmpty ? nil : values.reduce(0, +) / Double(values.count)
  }

  package typealias Pair = (truth: Int, answer: Int, count: Int)

  /// All pairs with photos, ordered by truth and answer.
  var pairs: [Pair] {
    rows.enumerated().flatMap { truth, row in
      row.sorted { $0.key < $1.key }.map { (truth, $0.key, $0.value) }
    }
  }

  package var confusedPairs: [Pair] {
    pairs.filter { $0.truth != $0.answer }.sorted {
      ($1.count, $0.truth, $0.answer) < ($0.count, $1.truth, $1.answer)
    }
  }
}

package struct Slice: Equatable, Sendable {
  /// The property that groups the photos, such as `light` or `distance`.
  package let by: String
  package let value: String
  package let named: Share
  package let namedWithPlace: Share

  static let columns: [Column<Slice>] =
    [.text("by") { $0.by }, .text("value") { $0.value }] + Share.columns.map { $0.of { $0.named } }
    + [
      .count("sessions") { $0.named.sessions },
      .count("right_fused", "right with position") { $0.namedWithPlace.right },
      .share("accuracy_fused", "with position") { $0.namedWithPlace.accuracy },
    ]

  /// The columns of `split.csv` that contain measurements instead of groups.
  private static let measured = Set(["time"] + LabeledPhoto.positionColumns)
  /// Properties with more values than this are omitted, because their groups would be too small.
  static let mostValues = 48

  package static func all(of evaluation: Evaluation) -> [Slice] {
    let answers = evaluation.known
    let columns = Set(answers.flatMap { $0.photo.attributes.keys }).subtracting(measured).sorted()
    let isNamed = answers.contains { $0.photo.namedSession != nil }
    let own: [(name: String, value: (Evaluation.Answer) -> (order: String, name: String)?)] = [
      (
        isNamed ? "session" : "day",
        { (isNamed ? $0.photo.namedSession : $0.day).map { ($0, $0) } }
      ),
      ("time of day", { $0.facts.captureTime.flatMap(timeOfDay) }),
      ("distance", { $0.facts.distance.flatMap(range) }), ("shape", { $0.facts.shape }),
    ]
    return columns.flatMap { column in
      slices(answers, by: column) { $0.photo.attributes[column].map { ($0, $0) } }
      // A column of split.csv replaces the built-in property of the same name.
    } + own.filter { !columns.contains($0.name) }.flatMap { slices(answers, by: $0.name, $0.value) }
  }

  private static func slices(
    _ answers: [Evaluation.Answer], by name: String,
    _ value: (Evaluation.Answer) -> (order: String, name: String)?
  ) -> [Slice] {
    var members: [String: [Evaluation.Answer]] = [:]
    var names: [String: String] = [:]
    var others: [Evaluation.Answer] = []
    for answer in answers {
      guard let (order, name) = value(answer) else {
        others.append(answer)
        continue
      }
      members[order, default: []].append(answer)
      names[order] = name
    }
    guard (2...mostValues).contains(members.count) else { return [] }
    func slice(_ value: String, _ answers: [Evaluation.Answer]) -> Slice {
      Slice(
        by: name, value: value, named: Share(of: answers, where: \.isRight),
        namedWithPlace: Share(of: answers, where: \.isRightWithPlace))
    }
    // The photos of all rows add up to those of the evaluation.
    return members.sorted { $0.key < $1.key }.map { slice(names[$0] ?? $0, $1) }
      + (others.isEmpty ? [] : [slice(name == "session" ? "unknown" : "\(name) unknown", others)])
  }

  static func timeOfDay(_ time: String) -> (order: String, name: String)? {
    guard let hour = CaptureTime(time)?.hour else { return nil }
    let period = DayPeriod(hour: hour)
    return ("\(period.rawValue)", period.name)
  }

  static func range(_ meters: Double) -> (order: String, name: String)? {
    bin(
      meters,
      [
        (10, "under 10 m"), (25, "10 to 25 m"), (50, "25 to 50 m"), (100, "50 to 100 m"),
        (.infinity, "100 m or more"),
      ])
  }

  static func bin(
    _ value: Double, _ bins: [(end: Double, name: String)]
  ) -> (order: String, name: String)? {
    bins.firstIndex { value < $0.end }.map { ("\($0 + 1)", bins[$0].name) }
  }
}

extension PhotoFacts {
  var shape: (order: String, name: String)? {
    guard width > 0, height > 0 else { return nil }
    return Slice.bin(
      Double(width) / Double(height),
      [
        (0.65, "tall (narrower than 2:3)"), (0.95, "upright (to 1:1)"),
        (1.05.nextUp, "square"), (1.55.nextUp, "level (to 3:2)"),
        (.infinity, "wide (wider than 3:2)"),
      ])
  }
}

extension Evaluation.Answer {
  /// The day of capture, such as 2026-01-02.
  var day: String? { facts.captureTime.flatMap(CaptureTime.init)?.dayName }
}

package struct Latency: Equatable, Sendable {
  package let median: Double
  /// The time in milliseconds within which 95% of the photos were processed (nearest rank).
  package let percentile95: Double

  package init?(_ times: [Double]) {
    guard !times.isEmpty else { return nil }
    let sorted = times.sorted()
    func rank(_ share: Double) -> Double {
      sorted[min(max(Int((share * Double(sorted.count)).rounded(.up)) - 1, 0), sorted.count - 1)]
    }
    median = rank(0.5)
    percentile95 = rank(0.95)
  }

  /// The latency of each stage that ran, in pipeline order, followed by the sum as `total`.
  package static func byStage(_ answers: [Evaluation.Answer]) -> [(stage: String, latency: Latency)]
  {
    let times = answers.map(\.facts.milliseconds).filter { !$0.isEmpty }
    var stages = StageTiming.Stage.allCases.compactMap { stage in
      Latency(times.compactMap { $0[stage] }).map { (stage: stage.rawValue, latency: $0) }
    }
    if let total = Latency(times.map { $0.values.reduce(0, +) }) { stages.append(("total", total)) }
    return stages
  }
}
