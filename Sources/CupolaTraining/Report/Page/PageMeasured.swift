internal import Cupola

// Sections of the page:
// 1. `measured`: all accuracies in the report, and how each was measured.
// 2. `course`: the metrics of the last runs in the history.

extension ReportPage {
  struct Accuracy {
    let title: String
    let note: String
    let share: Share
    let style: Int

    static let columns: [Column<Accuracy>] =
      [.text("accuracy") { $0.title }] + Share.columns.map { $0.of { $0.share } }
      + [.text("note", "measured on") { $0.note }]
  }

  var measured: View {
    let rows = accuracies
    let plot = IntervalPlot(
      rows: rows.map { row in
        IntervalPlot.Row(
          name: row.title, share: row.share, note: FigureText.percent(row.share.accuracy),
          style: row.style)
      }, label: "Accuracies: \(rows.map(\.title).joined(separator: ", "))")
    let note = "Dots are accuracies, lines their 95% Wilson confidence intervals. " + baselineNote
    return Self.section(
      "measured", name: "How measured", heading: "How this was measured",
      intro:
        "The accuracies in the details count right first guesses, with or without a name. The result at the top counts the "
        + "names that visitors get."
        + (report.leaks.map {
          " Some test photos are also training photos, which inflates the result: "
            + "\($0.sentence(asked: report.evaluation.photoCount))."
        } ?? ""),
      details: Self.details(
        drawings: rows.isEmpty ? [] : [Self.plot(plot.svg, note, isWide: true)],
        tables: rows.isEmpty
          ? [] : [Table(rows, Accuracy.columns).view("Accuracies by measurement", proseAfter: 4)],
        numbers: [
          Self.closed(
            "All metrics",
            report.figureTable.without("name").view("All metrics, each on the photos of its model"))
        ]))
  }

  private var accuracies: [Accuracy] {
    let evaluation = report.evaluation
    let placed = evaluation.known.count(where: \.facts.isPlaced)
    let all: [(title: String, note: String, share: Share?)] = [
      ("first guesses", "test photos, image alone", evaluation.named),
      (
        "with position",
        "the same photos, with \(evaluation.placeTitle); \(placed) of them \(placed == 1 ? "has" : "have") a position",
        report.usesPosition ? evaluation.namedWithPlace : nil
      ),
      (
        "without leaks", "only test photos without training photos, their copies and crops",
        report.leaks?.free
      ),
      ("leaks only", "only training photos, their copies and crops", report.leaks?.leaking),
      (
        "hog baseline", "the test photos, with a simpler model trained on the same photos",
        report.baseline?.named
      ),
    ]
    return all.enumerated().compactMap { index, row in
      guard let share = row.share, share.photos > 0 else { return nil }
      return Accuracy(title: row.title, note: row.note, share: share, style: index == 0 ? 0 : 1)
    }
  }

  private var baselineNote: String {
    guard let baseline = report.baseline else {
      if report.baselineHOGTop1 != nil { return "This model is the hog baseline." }
      return "There is "
        + (report.baselineLack ?? "no hog baseline: add training photos and omit --no-refits")
        + "."
    }
    let test = baseline.mcnemar
    return
      "The hog baseline was trained on \(baseline.trainingPhotos) of the same photos. Only this model is right on "
      + "\(FigureText.count(test.onlyFirst, "photo")), only the baseline on \(test.onlySecond)."
  }

  private static var mostRuns: Int { 30 }

  var course: View? {
    guard let runs = history?.runs.suffix(Self.mostRuns), runs.count > 1 else { return nil }
    let first = (history?.runs.count ?? 0) - runs.count + 1
    let ticks = Array(runs.indices).thinned(to: 10).map { index in
      let number = first + index - runs.startIndex
      return PlotFrame.Tick(value: Double(number), text: "\(number)")
    }
    let names = [("accuracy", "top1"), ("photos named", "coverage"), ("wrong names", "risk")]
    let plot = LinePlot(
      frame: PlotFrame(
        xTitle: "run", yTitle: "fraction of photos", xTicks: ticks, yTicks: PlotFrame.shares()),
      series: names.map { title, name in
        LinePlot.Series(
          name: title,
          points: runs.enumerated().compactMap { index, run in
            run.figures[name].map { (Double(first + index), $0) }
          }, isMarked: true)
      }, isLegendBeside: true, label: "The metrics of each run")
    let changed = Set(runs.map(\.dataDigest)).count > 1
    return Self.section(
      "history", name: "History", heading: "Previous runs",
      intro: "The last runs in the history, including this one."
        + (changed ? " Some runs used other photos; see the digest of the photos." : ""),
      drawings: [Self.plot(plot.svg)],
      numbers: [Self.closed("Numbers of the runs", Self.table(Array(runs), from: first))])
  }

  private static func table(_ runs: [EvaluationHistory.Run], from first: Int) -> View {
    typealias Row = (number: Int, run: EvaluationHistory.Run)
    let rows: [Row] = runs.enumerated().map { (first + $0, $1) }
    let columns: [Column<Row>] = [
      .count("run") { $0.number }, .text("date") { $0.run.date },
      .text("model") { String($0.run.modelDigest.prefix(8)) },
      .text("digest of the photos") { String($0.run.dataDigest.prefix(8)) },
    ]
    let figures = Figure.all.filter { EvaluationHistory.figures.contains($0.name) }.map { figure in
      Column<Row>(figure.name, figure.title) { figure.format($0.run.figures[figure.name]) }
    }
    return Table(rows, columns + figures).view("Metrics of each run, oldest first")
  }
}
