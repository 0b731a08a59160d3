internal import Cupola

// 1. Collect the parts of a report. 2. Encode them as JSON.
// 3. Build the tables shared by JSON, CSV, page and text.

/// An evaluation in the JSON format of `cupola evaluate --json`, schema `cupola.evaluation/1`.
public struct EvaluationReport: Encodable, Sendable {
  let evaluation: Evaluation
  let figures: Figures
  /// The effect of training photos among the test photos; `nil` if there are none or the check was skipped.
  package let leaks: LeakReport?
  /// The answers that visitors get if some of them photograph unknown buildings.
  let visits: VisitFigures?
  package var knowsVisits: Bool { visits != nil }

  package var baseline: Baseline?
  /// The reason for a missing baseline, such as "no hog baseline: ..."; `nil` if no baseline was requested.
  var baselineLack: String?
  package var learningCurve: [LearningCurve.Point]?
  package var splits: SplitComparison?
  package var check: CheckReport?
  package var comparisons: [ModelComparison] = []
  /// The origin of the model and of the metrics.
  public var card: EvaluationCard?
  /// Files in the photo folder that could not be evaluated, such as unreadable folders.
  package var leftOut: [SkippedFile] = []

  /// Computes the metrics of an evaluation.
  ///
  /// - Parameters:
  ///   - evaluation: The evaluated photos.
  ///   - unknownVisits: The fraction of visits to unknown buildings, 0...1; `nil` uses one third.
  public init(
    _ evaluation: Evaluation, unknownVisits: Double? = nil
  ) {
    self.evaluation = evaluation
    visits = VisitFigures(evaluation, unknownShare: unknownVisits ?? Thresholds.unknownVisits)
    figures = Figures(evaluation)
    leaks = LeakReport(evaluation)
  }

  var baselineHOGTop1: Double? {
    baseline?.figures["top1"] ?? (evaluation.usesHOGFeatures ? evaluation.top1 : nil)
  }

  var usesPosition: Bool {
    evaluation.usesPlace
      && (evaluation.known.contains(where: \.facts.isPlaced)
        || evaluation.top1WithPlace != evaluation.top1)
  }

  var shown: [Figure] {
    Figure.all.filter { !$0.isOptional || figures[$0.name] != nil }.filter { figure in
      switch figure.photos {
      case .known: figure.name != "fused" || usesPosition
      case .background: !evaluation.background.isEmpty
      case .unknown: !evaluation.unknown.isEmpty
      case .leaks: leaks != nil
      }
    }
  }

  var json: JSONObject {
    var object: JSONObject = [
      "schema": "cupola.evaluation/1", "labels": evaluation.confusion.labels,
      "confusion": evaluation.confusion.isFull ? evaluation.confusion.counts : [],
      "confusion_pairs": evaluation.confusion.isFull ? nil : confusion.json,
      "per_label": perLabel.json,
      "rejection": [
        "roc": Table(thinned(evaluation.backgroundRejection.points), ROCCurve.Point.columns).json,
        "unknown_buildings_roc": Table(
          thinned(evaluation.unknownRejection.points), ROCCurve.Point.columns
        ).json,
      ] as JSONObject,
      "calibration": ["reliability": reliability.json] as JSONObject,
      "risk_coverage": ["points": riskCoverage.json] as JSONObject,
      "parts": partTable.json,
      "visits": visits.map { Table([$0], VisitFigures.columns).json[0] },
      "verdicts": verdicts.jsonByFirst, "slices": slices.json, "latency_ms": latency.jsonByFirst,
      "place": [
        "top1_image_only": evaluation.top1,
        "photos": evaluation.known.count(where: \.facts.isPlaced),
      ] as JSONObject,
      "errors": errors.json, "leaks": leaks?.json, "baseline_hog_top1": baselineHOGTop1,
      "baseline_hog": baseline?.json, "learning_curve": learningCurve.map { _ in learning.json },
      "splits": splits?.json, "check": check?.json,
      // Reports with one comparison have contained this member since the first version of the schema.
      "comparison": comparisons.count == 1 ? comparisons[0].json : nil,
      "comparisons": comparisons.isEmpty ? nil : comparisons.map(\.json),
      "model_card": card?.json,
    ]
    figures.add(to: &object)
    return object
  }

  /// Encodes everything except the raw answers.
  public func encode(to encoder: any Encoder) throws { try json.encode(to: encoder) }

  // MARK: - Tables

  static let predictionTable = "predictions"

  /// A function for each table, by file name without `.csv`; the names are required before a report exists.
  static let tables: [(name: String, table: @Sendable (EvaluationReport) -> Table)] = [
    ("figures", { $0.figureTable }), ("confusion", { $0.confusion }),
    ("per_label", { $0.perLabel }),
    (predictionTable, { Table($0.predictions, Prediction.columns) }),
    ("reliability", { $0.reliability }), ("risk_coverage", { $0.riskCoverage }),
    ("roc", { $0.roc }), ("slices", { $0.slices }), ("verdicts", { $0.verdicts }),
    ("parts", { $0.partTable }),
    ("visits", { Table($0.visits.map { [$0] } ?? [], VisitFigures.columns) }),
    ("visit_risk_coverage", { $0.visitRiskCoverage }), ("learning_curve", { $0.learning }),
    ("latency", { $0.latency }), ("errors", { $0.errors }),
    ("findings", { CheckReport.findings($0.check) }),
    ("coverage", { CheckReport.coverage($0.check) }), ("shots", { CheckReport.shots($0.check) }),
  ]

  private static let mostPoints = 200

  func thinned<Point>(_ points: [Point]) -> [Point] { points.thinned(to: Self.mostPoints) }

  var figureTable: Table {
    var columns: [Column<Figure>] = [
      .text("name") { $0.name }, .text("figure") { $0.title },
      Column("value", card?.model ?? "this model") { [figures] in figures[$0] },
      .interval { [figures] in figures.interval($0.name) },
    ]
    if let figures = baseline?.figures {
      columns.append(Column("hog_baseline", "hog baseline") { figures[$0] })
    }
    for (index, comparison) in comparisons.enumerated() {
      let key = index == 0 ? "other" : "other_\(index + 1)"
      columns.append(Column(key, comparison.name) { comparison.figures[$0] })
    }
    return Table(shown, columns)
  }

  private var confusion: Table {
    let matrix = evaluation.confusion
    guard matrix.isFull else {
      let columns: [Column<ConfusionMatrix.Pair>] = [
        .text("label") { matrix.labels[$0.truth] }, .text("answer") { matrix.labels[$0.answer] },
        .count("photos") { $0.count },
      ]
      return Table(matrix.pairs, columns)
    }
    let columns: [Column<(label: String, counts: [Int])>] =
      [.text("label") { $0.label }]
      + matrix.labels.enumerated().map { index, label in .count(label) { $0.counts[index] } }
    return Table(zip(matrix.labels, matrix.counts).map { ($0, $1) }, columns)
  }

  var perLabel: Table { Table(evaluation.confusion.perLabel, ConfusionMatrix.LabelFigures.columns) }
  var reliability: Table { Table(evaluation.calibration.bins, CalibrationFigures.Bin.columns) }

  var riskCoverage: Table {
    Table(thinned(evaluation.riskCoverage.points), RiskCoverage.Point.columns)
  }

  var visitRiskCoverage: Table {
    Table(thinned(visitCurve?.points ?? []), RiskCoverage.Point.columns)
  }

  var visitCurve: RiskCoverage? {
    guard let visits, visits.source == .photos else { return nil }
    return evaluation.riskCoverage(unknownShare: visits.unknownShare)
  }

  var partTable: Table { Table(evaluation.parts, PartFigures.columns) }

  /// The limit of ``partTable`` without test photos of unknown buildings, for its caption.
  var partNote: String {
    evaluation.unknown.isEmpty && evaluation.parts.contains { $0.part == .unfamiliar }
      ? "; the benefit of the unknown-building class is not tested, only its cost" : ""
  }

  var roc: Table {
    typealias Row = (against: Value, point: ROCCurve.Point)
    func rows(_ key: String, _ title: String, _ curve: ROCCurve) -> [Row] {
      thinned(curve.points).map { (.other(key, title), $0) }
    }
    return Table(
      rows("background", "non-building photos", evaluation.backgroundRejection)
        + rows("unknown_building", "unknown buildings", evaluation.unknownRejection),
      [Column<Row>("against") { $0.against }] + ROCCurve.Point.columns.map { $0.of { $0.point } })
  }

  var verdicts: Table {
    typealias Row = (kind: Value, counts: Evaluation.VerdictCounts)
    let rows: [Row] = [
      (.other("buildings", "buildings"), evaluation.verdicts(evaluation.known)),
      (.other("not_buildings", "non-building photos"), evaluation.verdicts(evaluation.background)),
      (.other("unknown_buildings", "unknown buildings"), evaluation.verdicts(evaluation.unknown)),
    ]
    return Table(
      rows,
      [Column<Row>("kind", "photos of") { $0.kind }]
        + Evaluation.VerdictCounts.columns.map { $0.of { $0.counts } })
  }

  /// The answers by kind of photo for readers: the counts of a row add up to its photos.
  var answersByKind: Table { Table(evaluation.byKind, KindAnswers.columns).filled }

  var slices: Table { Table(Slice.all(of: evaluation), Slice.columns) }
  var learning: Table { Table(learningCurve ?? [], LearningCurve.Point.columns) }

  var latency: Table {
    Table(
      Latency.byStage(evaluation.all),
      [
        .text("stage") { $0.stage }, .decimal("median") { $0.latency.median },
        .decimal("p95", "95th percentile") { $0.latency.percentile95 },
      ])
  }

  var errors: Table { SkippedFile.table(of: leftOut + evaluation.errors) }
}

extension SkippedFile {
  package static func table(of files: [SkippedFile]) -> Table {
    Table(files, [.text("photo") { $0.name }, .text("message", "reason") { $0.message }])
  }
}
