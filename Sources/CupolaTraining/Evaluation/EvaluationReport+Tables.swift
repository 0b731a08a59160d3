extension EvaluationReport {
  static let predictionTable = "predictions"

  /// How each table is made, by the name of its file without `.csv`; the names are known before there is a report.
  static let tables: [(name: String, table: @Sendable (EvaluationReport) -> Table)] = [
    ("figures", { $0.figureTable }), ("confusion", { $0.confusion }),
    ("per_label", { $0.perLabel }),
    (predictionTable, { Table($0.predictions, Prediction.columns) }),
    ("reliability", { $0.reliability }), ("risk_coverage", { $0.riskCoverage }),
    ("roc", { $0.roc }), ("slices", { $0.slices }), ("verdicts", { $0.verdicts }),
    ("parts", { $0.partTable }), ("visits", { $0.visitTable }),
    ("visit_risk_coverage", { $0.visitRiskCoverage }), ("learning_curve", { $0.learning }),
    ("latency", { $0.latency }), ("errors", { $0.errors }),
    ("findings", { CheckReport.findings($0.check) }),
    ("coverage", { CheckReport.coverage($0.check) }), ("shots", { CheckReport.shots($0.check) }),
  ]

  /// Curves have at most so many points.
  private static let mostPoints = 200

  func thinned<Point>(_ points: [Point]) -> [Point] { points.thinned(to: Self.mostPoints) }

  /// The figures of the model, and of those that it is compared with.
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
    let columns: [Column<(label: String, counts: [Int])>] = [.text("label") { $0.label }]
    return Table(
      zip(matrix.labels, matrix.counts).map { ($0, $1) },
      columns
        + matrix.labels.enumerated().map { index, label in
          .count(label) { $0.counts[index] }
        })
  }

  var perLabel: Table { Table(evaluation.confusion.perLabel, ConfusionMatrix.LabelFigures.columns) }

  var reliability: Table { Table(evaluation.calibration.bins, CalibrationFigures.Bin.columns) }

  var riskCoverage: Table {
    Table(thinned(evaluation.riskCoverage.points), RiskCoverage.Point.columns)
  }

  /// The same with visits to unknown buildings among them; empty without photos of such.
  var visitRiskCoverage: Table {
    Table(thinned(visitCurve?.points ?? []), RiskCoverage.Point.columns)
  }

  var visitCurve: RiskCoverage? {
    guard let visits, visits.source == .photos else { return nil }
    return evaluation.riskCoverage(unknownShare: visits.unknownShare)
  }

  /// What each part of the model adds to those before it.
  var partTable: Table { Table(evaluation.parts, PartFigures.columns) }

  private var visitTable: Table {
    Table(visits.map { [$0] } ?? [], VisitFigures.columns)
  }

  /// Both curves of rejection below each other.
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

  /// What was answered to photos of each kind.
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

  /// Milliseconds by stage.
  var latency: Table {
    Table(
      Latency.byStage(evaluation.all),
      [
        .text("stage") { $0.stage }, .decimal("median") { $0.latency.median },
        .decimal("p95", "95 % within") { $0.latency.percentile95 },
      ])
  }

  /// Photos that could not be read, and what else could not be asked about.
  var errors: Table { SkippedFile.table(of: leftOut + evaluation.errors) }
}

extension SkippedFile {
  /// Photos that were left out, and why.
  package static func table(of files: [SkippedFile]) -> Table {
    Table(files, [.text("photo") { $0.name }, .text("message", "why") { $0.message }])
  }
}
