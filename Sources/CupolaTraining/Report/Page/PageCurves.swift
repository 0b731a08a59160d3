internal import Cupola

// Sections with plots and the underlying numbers:
// 1. `labels`: the answers to the photos of each building.
// 2. `curves`: the reliability diagram and the risk-coverage curve.
// 3. `rejection`: ROC curves against non-building photos and unknown buildings.
// 4. `slices`: accuracy by lighting, day, distance and shape.
// 5. `learning`: accuracy by the number of training photos.

extension ReportPage {
  /// The maximum number of rows in the curves' tables; the CSV files contain all rows.
  private static var mostRows: Int { 20 }

  var labels: View? {
    let buildings = report.evaluation.worstFirst
    guard !buildings.isEmpty else { return nil }
    let perfect = buildings.filter(\.isPerfect)
    let others = buildings.filter { !$0.isPerfect }
    let untested = report.evaluation.untested.map { report.names[$0] }
    var intro = "The buildings with photos that did not get the right name, worst first."
    if others.isEmpty { intro = "All test photos got the right name." }
    if !untested.isEmpty {
      intro += " Buildings without test photos: \(untested.joined(separator: ", "))."
    }
    func view(_ buildings: [BuildingAnswers], _ caption: String) -> View {
      Table(buildings, BuildingAnswers.columns).view(caption, names: report.names)
    }
    let tables = others.isEmpty ? [] : [view(others, "Answers by building, as visitors get them")]
    var numbers: [View] = []
    if !perfect.isEmpty {
      let summary = "\(FigureText.count(perfect.count, "building")) with only right names"
      numbers.append(Self.closed(summary, view(perfect, "All photos named correctly")))
    }
    return Self.section(
      "buildings", name: "Buildings", heading: "Buildings", intro: intro, tables: tables,
      numbers: numbers, details: others.isEmpty ? nil : imageAlone)
  }

  /// Precision, recall and F1 of the first guesses, the weakest building first.
  private var imageAlone: View {
    let tested = report.evaluation.confusion.perLabel.filter { $0.support > 0 }
    let worstFirst = tested.weakestFirst { label in
      let right = (label.recall ?? 0) * Double(label.support)
      return Share(right: Int(right.rounded()), of: label.support)
    }
    return Self.details(
      [
        "Recall is the fraction of a building's photos whose first guess is right. Precision is the fraction of "
          + "first guesses with its name that are right. F1 is the harmonic mean of both."
      ],
      tables: [
        Table(worstFirst, ConfusionMatrix.LabelFigures.columns).filled.view(
          "First guesses from the image alone, with 95% intervals of recall, sorted by their upper ends",
          names: report.names)
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
      bins: bins, label: "Reliability diagram: fraction of right answers by predicted probability")
    let filled = Table(bins.filter { $0.photos > 0 }, CalibrationFigures.Bin.columns)
    return Self.section(
      "calibration", name: "Probabilities", heading: "Can the probabilities be trusted?",
      intro: (recognizer.model.isCalibrated
        ? ""
        : "No: the model is not calibrated, because too few buildings had training photos from two sessions. ")
        + "The details compare the model's probabilities with the fraction of right answers; the reliability diagram from "
        + "the image alone.",
      details: Self.details(
        drawings: [
          Self.plot(
            reliability.svg,
            "On the dotted line, the predicted probability equals the fraction of right answers. Above the line, the "
              + "model is underconfident; below it, overconfident. Pale bars have few photos. Expected calibration error "
              + "(ECE) \(text("ece")), Brier score \(text("brier"))."),
          Self.plot(
            riskPlot,
            "Error rate when only the most confident predictions are kept"
              + (report.usesPosition ? ", using \(report.evaluation.placeTitle). " : ". ")
              + (recognizer.model.isCalibrated
                ? "The dot shows the names that visitors get: "
                : "The model is not calibrated, so there is no dot. In this test, ")
              + "\(text("coverage")) of photos are named, and \(text("risk")) of those names are wrong. "
              + (recognizer.model.isCalibrated
                ? "The dot can be off the curve, because names also depend on the other thresholds, and the curve only "
                  + "on the probability. " : "") + "Area under the curve: \(text("risk_area"))."
              + visitCaption),
        ],
        numbers: [
          Self.closed(
            "Numbers of the reliability diagram", filled.view("Answers by predicted probability")),
          Self.closed(
            "Numbers of the risk-coverage curve",
            report.riskCoverage.thinned(to: Self.mostRows).view(
              "Risk by coverage for photos of the model's buildings")),
        ], isPair: true))
  }

  /// The purpose of each curve, if there are two.
  private var visitCaption: String {
    guard let visits = report.visits, report.visitCurve != nil else { return "" }
    return
      " The solid curve shows how reliable names of the model's own buildings are. The dashed curve shows what visitors "
      + "get if \(FigureText.percent(visits.unknownShare)) of their photos show unknown buildings, for which every name "
      + "is wrong."
  }

  private var riskPlot: String {
    func points(_ curve: RiskCoverage) -> [(x: Double, y: Double)] {
      report.thinned(curve.points).map { ($0.coverage, $0.risk) }
    }
    var series = [
      LinePlot.Series(
        name: "photos of the model's buildings", points: points(report.evaluation.riskCoverage))
    ]
    if let visits = report.visits, let curve = report.visitCurve {
      let share = FigureText.percent(visits.unknownShare)
      series.append(
        LinePlot.Series(
          name: "visitors' photos, \(share) of unknown buildings", points: points(curve)))
    }
    var marks: [LinePlot.Mark] = []
    if recognizer.model.isCalibrated, let point = report.evaluation.operatingPoint,
      let risk = point.risk
    {
      marks.append(LinePlot.Mark(x: point.coverage, y: risk, name: "this model's threshold"))
    }
    let highest = max(series.flatMap(\.points).map(\.y).max() ?? 0, marks.first?.y ?? 0, 0.05)
    return LinePlot(
      frame: PlotFrame(
        xTitle: "fraction of photos answered", yTitle: "fraction of wrong answers",
        xTicks: PlotFrame.shares(), yTicks: PlotFrame.shares(upTo: min(highest * 1.15, 1))),
      series: series, marks: marks, isLegendAtTopLeft: true,
      label: "Risk-coverage curve with the model's operating point"
    ).svg
  }

  var rejection: View? {
    let evaluation = report.evaluation
    let score =
      evaluation.background.contains { $0.odds != nil }
      ? "odds against the background classes"
      : "probability of the best building, as the model has no background classes"
    func note(_ kind: String, _ score: String, _ others: [Evaluation.Answer]) -> String {
      let final = FigureText.decimal(evaluation.finalRejection(of: others).area, digits: 3)
      return " The score for \(kind) is the \(score); the AUROC of the final answers is \(final)."
    }
    let all = [
      ("non-building photos", evaluation.backgroundRejection, evaluation.background, score),
      ("unknown buildings", evaluation.unknownRejection, evaluation.unknown, "largest logit"),
    ].filter { $0.1.area != nil }
    guard !all.isEmpty else { return nil }
    let names = all.map { "\($0.0): AUROC \(FigureText.decimal($0.1.area, digits: 3))" }
    let plot = LinePlot(
      frame: PlotFrame(
        xTitle: "fraction of other photos not rejected",
        yTitle: "fraction of buildings not rejected",
        xTicks: PlotFrame.shares(), yTicks: PlotFrame.shares()),
      series: zip(names, all).map { name, curve in
        LinePlot.Series(
          name: name,
          points: [(0, 0)]
            + report.thinned(curve.1.points).map { ($0.falsePositiveRate, $0.truePositiveRate) })
      }, hasDiagonal: true, label: "ROC curves of rejection")
    let notes = zip(names, all).map { name, curve in
      "\(name), \(FigureText.count(curve.2.count, "photo"))"
    }
    let text =
      "Each curve compares photos of known buildings with other photos at every possible threshold ("
      + notes.joined(separator: "; ") + ")." + all.map { note($0.0, $0.3, $0.2) }.joined()
    return Self.section(
      "rejection", name: "Rejection", heading: "Rejecting other photos",
      intro: "The details show how well known buildings are separated from other photos.",
      details: Self.details(
        drawings: [Self.plot(plot.svg, text)],
        numbers: [
          Self.closed(
            "Numbers of the curves",
            report.roc.thinned(to: 2 * Self.mostRows).view("Points of the curves"))
        ]))
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
        }, label: "Recognized photos by \(name)")
      return [
        "title": "By \(name)", "isLong": rows.count > Self.mostOpenSlices,
        "values": "\(rows.count) values", "plots": [Self.plot(plot.svg, isWide: true)],
        "closed": [
          Self.closed(
            "Numbers by \(name)",
            table(of: rows).view("Recognized photos by \(name)"))
        ],
      ]
    }
    guard !views.isEmpty else { return nil }
    return Self.section(
      "slices", name: "Conditions", heading: "Accuracy by condition",
      intro: "Right first guesses from the image alone. The lines are 95% confidence intervals.",
      ["slices": views])
  }

  private func table(of slices: [Slice]) -> Table {
    let table = Table(slices, Slice.columns).without("by").filled
    return report.usesPosition
      ? table : table.without("right_fused").without("accuracy_fused")
  }

  var learning: View? {
    guard let points = report.learningCurve else { return nil }
    guard let answer = Self.answer(points) else {
      return Self.section(
        "learning", name: "Learning curve", heading: "Would more photos help?",
        intro: "Not measured: too few training photos can be held out.")
    }
    let ticks = points.map {
      PlotFrame.Tick(value: Double($0.photosPerBuilding), text: "\($0.photosPerBuilding)")
    }
    let plot = LinePlot(
      frame: PlotFrame(
        xTitle: "photos per building, at most", yTitle: "right first guesses", xTicks: ticks,
        yTicks: PlotFrame.shares(), isLogarithmic: true),
      series: [
        LinePlot.Series(
          name: "accuracy",
          points: points.map { (Double($0.photosPerBuilding), $0.named.accuracy ?? 0) },
          intervals: points.map { ($0.named.interval.lower, $0.named.interval.upper) },
          isMarked: true)
      ], label: "Learning curve: accuracy by photos per building")
    let photos = recognizer.model.provenance.photos
    let all = recognizer.model.labels.buildings.reduce(0) {
      $0 + (photos[recognizer.model.labels.names[$1]] ?? 0)
    }
    let sample =
      all > LearningCurve.mostPhotos
      ? "A sample of \(points.last?.named.photos ?? 0) of \(all) training photos, so the curve does not show whether "
        + "buildings with many photos need more. " : ""
    let note =
      "\(sample)Each photo is tested by a model that was trained without its session and other held-out photos, so no "
      + "building has more than \(points.last?.photosPerBuilding ?? 0) photos here. A building with fewer photos than the "
      + "number on the axis uses all of them. Compare the points only with each other. The lines are 95% confidence "
      + "intervals."
    return Self.section(
      "learning", name: "Learning curve", heading: "Would more photos help?", intro: answer,
      drawings: [Self.plot(plot.svg, note)],
      numbers: [
        Self.closed("Numbers of the learning curve", report.learning.view("Learning curve"))
      ])
  }

  /// Whether twice as many photos raised the accuracy; `nil` if it is unknown.
  static func answer(_ points: [LearningCurve.Point]) -> String? {
    guard let last = points.last,
      let half = points.last(where: { 2 * $0.photosPerBuilding <= last.photosPerBuilding })
    else { return nil }
    if last.named.right == last.named.photos {
      return "Probably not: all first guesses are right."
    }
    func text(_ point: LearningCurve.Point) -> String {
      "\(FigureText.percent(point.named.accuracy ?? 0)) with at most \(point.photosPerBuilding)"
    }
    if let enough = points.first(where: { $0.named.right >= last.named.right }),
      half.photosPerBuilding < enough.photosPerBuilding,
      enough.photosPerBuilding < last.photosPerBuilding
    {
      return
        "Probably not more of the same kind: \(text(enough)) photos per building, and no more with "
        + "\(last.photosPerBuilding). Photos from other days and sides may help."
    }
    let gain = (last.named.accuracy ?? 0) - (half.named.accuracy ?? 0)
    // The last number is that of the building with the most photos.
    let found = "\(text(half)) photos per building, \(text(last))."
    guard gain > last.named.standardError else {
      return
        "Unclear: \(found) The difference may be due to chance. Photos from other sides and in other light may "
        + "help."
    }
    return (last.named.interval.lower > half.named.interval.upper ? "Probably: " : "Perhaps: ")
      + found
  }
}
