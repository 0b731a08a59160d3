// Sections of the page:
// 1. `measured`: every accuracy in the report, and how each differs from the main one.
// 2. `course`: the figures of the last runs in the history.

extension ReportPage {
  /// Every accuracy that somebody could read somewhere, and what tells it from the one above.
  struct Accuracy {
    let title: String
    let note: String
    let share: Share
    let style: Int

    static let columns: [Column<Accuracy>] =
      [.text("accuracy") { $0.title }] + Share.columns.map { $0.of { $0.share } }
      + [.text("note", "what differs") { $0.note }]
  }

  var measured: View {
    let rows = accuracies
    let plot = IntervalPlot(
      rows: rows.map { row in
        IntervalPlot.Row(
          name: row.title, share: row.share, note: FigureText.percent(row.share.accuracy),
          style: row.style)
      }, label: "Accuracies: \(rows.map(\.title).joined(separator: ", "))")
    let note = "Dots are shares, whiskers their 95 % Wilson intervals. " + baselineNote
    return Self.section(
      "measured", name: "How measured", heading: "How this was measured",
      intro:
        "The accuracy of this report is top-1 by the picture alone on the test photos. The others "
        + "below ask about other photos, in another way or of another model."
        + (report.leaks.map { " \($0.sentence(asked: report.evaluation.asked))." } ?? ""),
      drawings: rows.isEmpty ? [] : [Self.plot(plot.svg, note, isWide: true)],
      tables: rows.isEmpty
        ? [] : [Table(rows, Accuracy.columns).view("Accuracies, and what differs", proseAfter: 4)],
      numbers: [
        Self.closed(
          "All figures", report.figureTable.without("name").view("Of each model's own photos"))
      ])
  }

  private var accuracies: [Accuracy] {
    let evaluation = report.evaluation
    let counts = evaluation.verdicts(evaluation.known)
    // What the check of the photos makes of them by a classifier of its own.
    let quick = report.check?.check.validation
    func share(_ accuracy: Double?) -> Share? {
      guard let quick, let accuracy else { return nil }
      return Share(right: Int((accuracy * Double(quick.photos)).rounded()), of: quick.photos)
    }
    let all: [(title: String, note: String, share: Share?)] = [
      ("the accuracy", "test photos, by the picture alone", evaluation.named),
      (
        "with place and map", "the same photos; position, heading and map count too",
        report.placeCounts ? evaluation.namedWithPlace : nil
      ),
      (
        "of names given", "only photos that the model is sure enough to name",
        Share(right: counts.right, of: counts.right + counts.wrong)
      ),
      ("without leaks", "only test photos that had no part in training", report.leaks?.free),
      ("of the leaks", "only photos that trained, their copies and crops", report.leaks?.leaking),
      (
        "held out by session", "training photos, by fits that saw none of their session",
        report.splits?.grouped
      ),
      (
        "held out at random",
        "the same, dealt at random: flattered by photos of the same session", report.splits?.random
      ),
      (
        "hog baseline", "the test photos; a simpler model of the same training photos",
        report.baseline?.named
      ),
      (
        "quick check by session",
        "a quick classifier of the photo check, sessions and copies kept together",
        share(quick?.grouped)
      ),
      (
        "quick check at random", "the same, dealt at random: so much would a random split flatter",
        share(quick?.random)
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
        + (report.baselineLack ?? "no hog baseline: it takes training photos, and no --no-refits")
        + "."
    }
    let test = baseline.mcnemar
    return
      "The hog baseline was trained on \(baseline.trainingPhotos) of the same photos; "
      + "\(FigureText.count(test.onlyFirst, "photo")) only the model names right and \(test.onlySecond) only the baseline "
      + "(McNemar's test: p \(test.text))."
  }

  private static var mostRuns: Int { 30 }

  var course: View? {
    guard let runs = history?.runs.suffix(Self.mostRuns), runs.count > 1 else { return nil }
    let first = (history?.runs.count ?? 0) - runs.count + 1
    let ticks = Array(runs.indices).thinned(to: 10).map { index in
      let number = first + index - runs.startIndex
      return PlotFrame.Tick(value: Double(number), text: "\(number)")
    }
    let names = [("accuracy", "top1"), ("photos named", "coverage"), ("names wrong", "risk")]
    let plot = LinePlot(
      frame: PlotFrame(
        xTitle: "run", yTitle: "share of photos", xTicks: ticks, yTicks: PlotFrame.shares()),
      series: names.map { title, name in
        LinePlot.Series(
          name: title,
          points: runs.enumerated().compactMap { index, run in
            run.figures[name].map { (Double(first + index), $0) }
          }, isMarked: true)
      }, isLegendBeside: true, label: "How the figures moved from run to run")
    let changed = Set(runs.map(\.dataDigest)).count > 1
    return Self.section(
      "history", name: "History", heading: "From run to run",
      intro: "The last runs that were written into the history, this one among them."
        + (changed ? " The photos were not always the same: see their digest." : ""),
      drawings: [Self.plot(plot.svg)],
      numbers: [Self.closed("Numbers of the runs", Self.table(Array(runs), from: first))])
  }

  private static func table(_ runs: [EvaluationHistory.Run], from first: Int) -> View {
    typealias Row = (number: Int, run: EvaluationHistory.Run)
    let rows: [Row] = runs.enumerated().map { (first + $0, $1) }
    let columns: [Column<Row>] = [
      .count("run") { $0.number }, .text("date") { $0.run.date },
      // So many digits tell them apart at a glance.
      .text("model") { String($0.run.modelDigest.prefix(8)) },
      .text("digest of the photos") { String($0.run.dataDigest.prefix(8)) },
    ]
    let figures = Figure.all.filter { EvaluationHistory.figures.contains($0.name) }.map { figure in
      Column<Row>(figure.name, figure.title) { figure.format($0.run.figures[figure.name]) }
    }
    return Table(rows, columns + figures).view("Run by run, the last at the end")
  }
}
