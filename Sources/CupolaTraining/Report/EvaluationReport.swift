internal import Cupola

// An evaluation with everything that stands beside it: comparisons, checks, the model card.
// 1. The parts of a report; 2. its JSON; 3. its tables, which JSON, CSV, page and text share.

/// An evaluation as the JSON that `cupola evaluate --json` prints: schema `cupola.evaluation/1`.
public struct EvaluationReport: Encodable, Sendable {
  let evaluation: Evaluation
  let figures: Figures
  /// What photos that trained the model do to the figures; `nil` when there are none or nobody looked.
  package let leaks: LeakReport?
  /// What visitors get of whom some point at buildings that did not train.
  let visits: VisitFigures?
  package var knowsVisits: Bool { visits != nil }

  package var baseline: Baseline?
  /// Why there is none, where one was tried: `no hog baseline: ...`.
  var baselineLack: String?
  package var learningCurve: [LearningCurve.Point]?
  package var splits: SplitComparison?
  package var check: CheckReport?
  package var comparisons: [ModelComparison] = []
  /// Where the model and these figures come from.
  public var card: EvaluationCard?
  /// What is there beside the photos asked about and could not be asked about, such as folders that cannot be read.
  package var leftOut: [SkippedFile] = []

  /// The figures of an evaluation.
  ///
  /// - Parameters:
  ///   - evaluation: what was answered.
  ///   - unknownVisits: the share of visits to buildings that did not train, 0...1; `nil` is the usual third.
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

  var placeCounts: Bool {
    evaluation.known.contains(where: \.facts.isPlaced)
      || evaluation.top1WithPlace != evaluation.top1
  }

  var shown: [Figure] {
    Figure.all.filter { !$0.isOptional || figures[$0.name] != nil }.filter { figure in
      switch figure.photos {
      case .known: figure.name != "fused" || placeCounts
      case .background: !evaluation.background.isEmpty
      case .unknown: !evaluation.unknown.isEmpty
      case .leaks: leaks != nil
      }
    }
  }

  var json: JSONObject {
    var object: JSONObject = [
      "schema": "cupola.evaluation/1", "labels": evaluation.confusion.labels,
      "confusion": evaluation.confusion.counts, "per_label": perLabel.json,
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
      // Of one model an object, as it has always been.
      "comparison": comparisons.count == 1 ? comparisons[0].json : nil,
      "comparisons": comparisons.isEmpty ? nil : comparisons.map(\.json),
      "model_card": card?.json,
    ]
    figures.add(to: &object)
    return object
  }

  /// Writes all but the raw answers.
  public func encode(to encoder: any Encoder) throws { try json.encode(to: encoder) }

  // MARK: - Tables

  static let predictionTable = "predictions"

  /// How each table is made, by the name of its file without `.csv`; the names are known before there is a report.
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

  var roc: Table {
    typealias Row = (against: Value, point: ROCCurve.Point)
    func rows(_ key: String, _ title: String, _ curve: ROCCurve) -> [Row] {
      thinned(curve.points).map { (.other(key, title), $0) }
    }
    return Table(
      rows("background", "no buildings", evaluation.backgroundRejection)
        + rows("unknown_building", "unknown buildings", evaluation.unknownRejection),
      [Column<Row>("against") { $0.against }] + ROCCurve.Point.columns.map { $0.of { $0.point } })
  }

  var verdicts: Table {
    typealias Row = (kind: Value, counts: Evaluation.Verdicts)
    let rows: [Row] = [
      (.other("buildings", "buildings"), evaluation.verdicts(evaluation.known)),
      (.other("not_buildings", "no buildings"), evaluation.verdicts(evaluation.background)),
      (.other("unknown_buildings", "unknown buildings"), evaluation.verdicts(evaluation.unknown)),
    ]
    return Table(
      rows,
      [Column<Row>("kind", "photos of") { $0.kind }]
        + Evaluation.Verdicts.columns.map { $0.of { $0.counts } })
  }

  var slices: Table { Table(Slice.all(of: evaluation), Slice.columns) }
  var learning: Table { Table(learningCurve ?? [], LearningCurve.Point.columns) }

  var latency: Table {
    Table(
      Latency.byStage(evaluation.all),
      [
        .text("stage") { $0.stage }, .decimal("median") { $0.latency.median },
        .decimal("p95", "95 % within") { $0.latency.percentile95 },
      ])
  }

  var errors: Table { SkippedFile.table(of: leftOut + evaluation.errors) }
}

extension SkippedFile {
  package static func table(of files: [SkippedFile]) -> Table {
    Table(files, [.text("photo") { $0.name }, .text("message", "why") { $0.message }])
  }
}
