// Sections of the page, each with plots and the numbers behind them:
// 1. `labels`: precision and recall of each building.
// 2. `curves`: the reliability diagram and the risk-coverage curve.
// 3. `rejection`: ROC curves against non-building photos and unknown buildings.
// 4. `slices`: accuracy by light, session, distance and shape.
// 5. `learning`: accuracy by the number of training photos.

extension ReportPage {
  /// Curves have so many rows of numbers on the page; files have them all.
  private static var mostRows: Int { 20 }

  var labels: View? {
    guard report.evaluation.confusion.total > 0 else { return nil }
    // The worst first: who reads this wants to know where photos are missing.
    let worstFirst = report.evaluation.confusion.perLabel.enumerated().sorted { a, b in
      (a.element.f1 ?? 2, a.offset) < (b.element.f1 ?? 2, b.offset)
    }
    // F1 follows from precision and recall.
    let tables = [true, false].map { isPerfect in
      Table(
        worstFirst.map(\.element).filter {
          ($0.precision == 1 && $0.recall == 1) == isPerfect
        }, ConfusionMatrix.LabelFigures.columns)
    }
    let (perfect, others) = (tables[0], tables[1])
    let count = FigureText.count(perfect.rows.count, "building")
    return Self.section(
      "buildings", name: "Buildings", heading: "Buildings",
      intro: others.rows.isEmpty ? "No building was mistaken for another." : nil,
      tables: others.rows.isEmpty
        ? []
        : [
          others.view(
            "By the picture alone, the lowest F1 first, with the 95 % interval of recall",
            names: report.names)
        ],
      numbers: perfect.rows.isEmpty
        ? []
        : [
          Self.closed(
            "\(count) without a mistake",
            perfect.view(
              "All photos named right, and no other photo by their names", names: report.names))
        ])
  }

  var curves: View? {
    let figures = report.figures
    guard figures["ece"] != nil else { return nil }
    func text(_ name: String) -> String {
      Figure.all.first { $0.name == name }.map { figures[$0].text } ?? ""
    }
    let bins = report.evaluation.calibration.bins
    let reliability = ReliabilityPlot(
      bins: bins, label: "Reliability diagram: the share of right answers by their probability")
    let filled = Table(bins.filter { $0.photos > 0 }, CalibrationFigures.Bin.columns)
    return Self.section(
      "calibration", name: "Probabilities", heading: "Are probabilities believable?",
      drawings: [
        Self.plot(
          reliability.svg,
          "Bars on the dotted line mean what they say; above it the model is too modest, below it "
            + "too sure. Pale bars have few photos. ECE \(text("ece")), Brier score "
            + "\(text("brier"))."),
        Self.plot(
          riskPlot,
          "Answering only the surest photos, by picture, place and heading: how many are answered, "
            + "and how many of these wrongly. The point is what this model does: "
            + "\(text("coverage")) named, \(text("risk")) of them wrong. Area under the curve "
            + "\(text("risk_area"))."
            + (report.visitCurve == nil ? "" : " The dashed curve mixes in unknown buildings.")),
      ],
      numbers: [
        Self.closed(
          "Numbers of the reliability diagram", filled.view("Answers by their probability")),
        Self.closed(
          "Numbers of the risk-coverage curve",
          report.riskCoverage.thinned(to: Self.mostRows).view("Risk by coverage")),
      ], ["isPair": true])
  }

  private var riskPlot: String {
    func points(_ curve: RiskCoverage) -> [(x: Double, y: Double)] {
      report.thinned(curve.points).map { ($0.coverage, $0.risk) }
    }
    var series = [
      LinePlot.Series(
        name: "known buildings", points: points(report.evaluation.riskCoverage))
    ]
    if let visits = report.visits, let curve = report.visitCurve {
      let share = FigureText.percent(visits.unknownShare)
      series.append(
        LinePlot.Series(name: "visits, \(share) to unknown ones", points: points(curve)))
    }
    var marks: [LinePlot.Mark] = []
    if let point = report.evaluation.operatingPoint, let risk = point.risk {
      marks.append(LinePlot.Mark(x: point.coverage, y: risk, name: "this model's line"))
    }
    let highest = max(series.flatMap(\.points).map(\.y).max() ?? 0, marks.first?.y ?? 0, 0.05)
    return LinePlot(
      frame: PlotFrame(
        xTitle: "share of photos answered", yTitle: "share of answers that are wrong",
        xTicks: PlotFrame.shares(), yTicks: PlotFrame.shares(upTo: min(highest * 1.15, 1))),
      series: series, marks: marks, isLegendAtTopLeft: true,
      label: "Risk-coverage curve with the model's operating point"
    ).svg
  }

  var rejection: View? {
    let evaluation = report.evaluation
    let score =
      evaluation.background.contains { $0.odds != nil }
      ? "odds against the backgrounds" : "probability of the best building, for want of backgrounds"
    let all = [
      (
        "no buildings", evaluation.backgroundRejection, evaluation.background.count,
        " No buildings are told by the \(score)."
      ),
      (
        "unknown buildings", evaluation.unknownRejection, evaluation.unknown.count,
        " Unknown buildings are told by the largest logit."
      ),
    ].filter { $0.1.area != nil }
    guard !all.isEmpty else { return nil }
    let names = all.map { "\($0.0): AUROC \(FigureText.decimal($0.1.area, digits: 3))" }
    let plot = LinePlot(
      frame: PlotFrame(
        xTitle: "share of the others accepted", yTitle: "share of buildings accepted",
        xTicks: PlotFrame.shares(), yTicks: PlotFrame.shares()),
      series: zip(names, all).map { name, curve in
        LinePlot.Series(
          name: name,
          points: [(0, 0)]
            + report.thinned(curve.1.points).map { ($0.falsePositiveRate, $0.truePositiveRate) })
      }, hasDiagonal: true, label: "ROC curves of rejection")
    let notes = zip(names, all).map { name, curve in
      "\(name) with \(FigureText.count(curve.2, "photo"))"
    }
    let note =
      "Photos of known buildings against others, by every line that could be drawn: "
      + notes.joined(separator: "; ") + "." + all.map(\.3).joined()
    return Self.section(
      "rejection", name: "Rejection", heading: "Telling buildings from everything else",
      drawings: [Self.plot(plot.svg, note)],
      numbers: [
        Self.closed(
          "Numbers of the curves",
          report.roc.thinned(to: 2 * Self.mostRows).view("Points of the curves"))
      ])
  }

  private static var mostOpenSlices: Int { 12 }

  var slices: View? {
    let slices = Slice.all(of: report.evaluation)
    let names = slices.reduce(into: [String]()) { names, slice in
      if names.last != slice.by { names.append(slice.by) }
    }
    let views: [View] = names.map { name in
      let rows = slices.filter { $0.by == name }
      let plot = IntervalPlot(
        rows: rows.map {
          IntervalPlot.Row(
            name: $0.value, share: $0.named,
            note: "\(FigureText.percent($0.named.accuracy)) of \($0.named.photos)")
        }, label: "Top-1 by \(name)")
      return [
        "title": "By \(name)", "isLong": rows.count > Self.mostOpenSlices,
        "values": "\(rows.count) values", "plots": [Self.plot(plot.svg, isWide: true)],
        "closed": [
          Self.closed(
            "Numbers by \(name)",
            Table(rows, Slice.columns).without("by").view("Top-1 by \(name)"))
        ],
      ]
    }
    guard !views.isEmpty else { return nil }
    return Self.section(
      "slices", name: "Slices", heading: "By light, session, distance and shape",
      intro: "Top-1 by the picture alone, wherever the photos or split.csv say more of them.",
      ["slices": views])
  }

  var learning: View? {
    guard let points = report.learningCurve, points.count > 1 else { return nil }
    let ticks = points.map {
      PlotFrame.Tick(value: Double($0.photosPerBuilding), text: "\($0.photosPerBuilding)")
    }
    let plot = LinePlot(
      frame: PlotFrame(
        xTitle: "photos per building", yTitle: "held-out photos named right", xTicks: ticks,
        yTicks: PlotFrame.shares(), isLogarithmic: true),
      series: [
        LinePlot.Series(
          name: "accuracy",
          points: points.map { (Double($0.photosPerBuilding), $0.named.accuracy ?? 0) },
          intervals: points.map { ($0.named.interval.lower, $0.named.interval.upper) },
          isMarked: true)
      ], label: "Learning curve: accuracy against photos per building")
    let note =
      "Of the training photos, each asked about once by a fit that saw none of its session, with this "
      + "model's features and settings. Where the curve still rises, more photos will help."
      + learningFall(points) + (report.splits.map { " " + $0.sentence } ?? "")
    return Self.section(
      "learning", name: "Learning curve", heading: "Learning curve",
      drawings: [Self.plot(plot.svg, note)],
      numbers: [
        Self.closed("Numbers of the learning curve", report.learning.view("Learning curve"))
      ])
  }

  /// Why more photos can seem to do harm.
  private func learningFall(_ points: [LearningCurve.Point]) -> String {
    let last = points.last?.named.right ?? 0
    guard points.contains(where: { $0.named.right > last }) else { return "" }
    return
      " It can fall at the end, where a building whose session is held out has fewer photos left "
      + "than the others."
  }
}
