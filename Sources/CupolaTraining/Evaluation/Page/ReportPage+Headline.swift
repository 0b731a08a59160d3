internal import Cupola

extension ReportPage {
  /// A share of photos that is compared with others.
  private struct Contender {
    let name: String
    let top1: Double?
    let interval: [Double]
    let top3: Double?
    let macroF1: Double?
    let auroc: Double?
    let style: Int
  }

  private var contenders: [Contender] {
    var rows = [
      Contender(
        name: "picture alone", top1: report.top1, interval: report.top1Interval,
        top3: report.top3, macroF1: report.macroF1, auroc: report.rejection.auroc, style: 0)
    ]
    if report.place.photos > 0 || report.place.top1Fused != report.place.top1ImageOnly {
      rows.append(
        Contender(
          name: "with place and heading", top1: report.place.top1Fused,
          interval: report.place.top1FusedInterval, top3: nil, macroF1: nil, auroc: nil, style: 2))
    }
    if let baseline = report.baseline {
      rows.append(
        Contender(
          name: "hog baseline", top1: baseline.top1, interval: baseline.top1Interval,
          top3: baseline.top3, macroF1: baseline.macroF1, auroc: baseline.auroc, style: 1))
    }
    return rows
  }

  var headline: View {
    var view: View = ["cards": cards]
    guard let top1 = report.top1 else { return view }
    let rows = contenders.compactMap { row in
      row.top1.map {
        IntervalPlot.Row(
          name: row.name, share: $0, lower: row.interval[0], upper: row.interval[1],
          note: FigureText.percent($0), style: row.style)
      }
    }
    view["headlinePlot"] =
      IntervalPlot(
        rows: rows, label: "Top-1 of \(contenders.map(\.name).joined(separator: ", "))"
      ).svg
    view["headlineNote"] = headlineNote(top1)
    view["headlineTable"] = Self.table(
      "Figures of the model beside its baselines",
      ["answers by", "top-1", "95 % interval", "top-3", "macro F1", "AUROC, no buildings"],
      contenders.map { row in
        [
          row.name, FigureText.percent(row.top1), Self.interval(row.interval),
          FigureText.percent(row.top3), FigureText.percent(row.macroF1),
          FigureText.decimal(row.auroc, digits: 3),
        ]
      })
    return view
  }

  private func headlineNote(_ top1: Double) -> String {
    guard let baseline = report.baseline else {
      return report.baselineHOGTop1 == nil
        ? "Without training photos there is no hog baseline." : "This model is the hog baseline."
    }
    let test = baseline.mcnemar
    return
      "The hog baseline was trained on \(baseline.trainingPhotos) of the same photos; \(test.onlyFirst) photos only the "
      + "model names right and \(test.onlySecond) only the baseline "
      + "(McNemar's test: p = \(Self.pValue(test.pValue)))."
  }

  private var cards: [View] {
    func card(_ name: String, _ value: String, _ note: String, isMain: Bool = false) -> View {
      ["name": name, "value": value, "note": note, "isMain": isMain]
    }
    guard report.top1 != nil else { return rejectionCards }
    var cards = [
      card(
        "Top-1, picture alone", FigureText.percent(report.top1),
        "95 % interval \(Self.interval(report.top1Interval))", isMain: true)
    ]
    if contenders.contains(where: { $0.style == 2 }) {
      cards.append(
        card(
          "Top-1 with place", FigureText.percent(report.place.top1Fused),
          "\(Self.interval(report.place.top1FusedInterval)); "
            + "\(report.place.photos) photos have a place"))
    }
    cards += [
      card("Macro F1", FigureText.percent(report.macroF1), "the mean over buildings"),
      card("Top-3", FigureText.percent(report.top3), "the truth is among the first three"),
    ]
    if let baseline = report.baseline {
      cards.append(
        card(
          "hog baseline", FigureText.percent(baseline.top1), Self.interval(baseline.top1Interval)))
    }
    cards.append(
      card(
        "Calibration error", FigureText.percent(report.calibration.ece), "ECE of 15 bins"))
    return cards + rejectionCards
  }

  private var rejectionCards: [View] {
    let rejection = report.rejection
    return [
      (
        rejection.auroc, "AUROC, no buildings",
        "buildings told from \(rejection.photos) photos of anything else"
      ),
      (
        rejection.unknownBuildingsAUROC, "AUROC, unknown buildings",
        "known ones told from \(FigureText.count(rejection.unknownBuildings, "photo")) of others"
      ),
    ].compactMap { area, name, note in
      area.map {
        ["name": name, "value": FigureText.decimal($0, digits: 3), "note": note]
      }
    }
  }

  var comparison: View {
    guard let comparison = report.comparison else { return [:] }
    let figures = comparison.figures
    let test = comparison.mcnemar
    let other = comparison.other ?? "the other model"
    let text =
      "On the \(FigureText.count(comparison.photos, "photo")) that both were asked about, this model "
      + "names \(comparison.right) right and \(other) \(comparison.otherRight); "
      + "\(test.onlyFirst) only this one, \(test.onlySecond) only the other. By McNemar's test a "
      + "difference like that, or larger, has a chance of \(Self.pValue(test.pValue)) between "
      + "equals; with place and heading \(Self.pValue(comparison.mcnemarFused.pValue))."
    func row(_ name: String, _ own: String, _ other: String) -> [String] { [name, own, other] }
    let own = report
    let wonRows =
      comparison.won.map { [$0, "this one"] } + comparison.lost.map { [$0, "the other"] }
    return [
      "compare": true, "compareText": text,
      "compareTable": Self.table(
        "Each on all of its own photos", ["figure", own.card?.model ?? "this model", other],
        [
          row("photos", "\(own.photos)", "\(figures.photos)"),
          row("top-1", FigureText.percent(own.top1), FigureText.percent(figures.top1)),
          row(
            "95 % interval", Self.interval(own.top1Interval), Self.interval(figures.top1Interval)),
          row("top-3", FigureText.percent(own.top3), FigureText.percent(figures.top3)),
          row("macro F1", FigureText.percent(own.macroF1), FigureText.percent(figures.macroF1)),
          row(
            "top-1 with place", FigureText.percent(own.place.top1Fused),
            FigureText.percent(figures.fused)),
          row("ECE", FigureText.percent(own.calibration.ece), FigureText.percent(figures.ece)),
          row(
            "AUROC, no buildings", FigureText.decimal(own.rejection.auroc, digits: 3),
            FigureText.decimal(figures.auroc, digits: 3)),
          row(
            "AUROC, unknown buildings",
            FigureText.decimal(own.rejection.unknownBuildingsAUROC, digits: 3),
            FigureText.decimal(figures.unknownBuildingsAUROC, digits: 3)),
        ]),
      "hasDifferences": !wonRows.isEmpty,
      "wonTable": Self.table(
        "At most \(ModelComparison.mostNames) of each", ["photo", "right by"], wonRows),
    ]
  }

  var answers: View {
    let rows = [
      VerdictBars.Row(
        name: "buildings", counts: evaluation.verdicts(evaluation.known), areBuildings: true),
      VerdictBars.Row(
        name: "no buildings", counts: evaluation.verdicts(evaluation.background),
        areBuildings: false),
      VerdictBars.Row(
        name: "unknown buildings", counts: evaluation.verdicts(evaluation.unknown),
        areBuildings: false),
    ]
    let numbers = zip(rows, [evaluation.known, evaluation.background, evaluation.unknown])
    let shown = numbers.filter { !$1.isEmpty }.map(\.0)
    let point = recognizer.point
    return [
      "promise": "at most \(FigureText.percent(point.maximumError)) wrong promised",
      "verdictPlot": VerdictBars(rows: shown, label: "Answers to each kind of photo").svg,
      "verdictTable": Self.table(
        "Answers by kind of photo",
        ["photos of", "named right", "named wrong", "unsure", "not a building", "not on campus"],
        shown.map { row in
          [
            row.name, row.areBuildings ? "\(row.counts.right)" : "-",
            "\(row.areBuildings ? row.counts.wrong : row.counts.wrong + row.counts.right)",
            "\(row.counts.unsure)", "\(row.counts.notACampusBuilding)",
            "\(row.counts.notOnCampus)",
          ]
        }),
    ]
  }

  static func interval(_ ends: [Double]) -> String {
    guard ends.count == 2 else { return "-" }
    return "\(FigureText.decimal(100 * ends[0], digits: 1)) to \(FigureText.percent(ends[1]))"
  }

  static func pValue(_ value: Double) -> String {
    value < 0.0001 ? "less than 0.0001" : FigureText.decimal(value, digits: 4)
  }
}
