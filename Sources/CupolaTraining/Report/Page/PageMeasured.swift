extension ReportPage {
  /// Every accuracy that somebody could read somewhere, and what tells it from the one above.
  struct Accuracy {
    let title: String
    /// What was asked about, and how.
    let note: String
    let share: Share
    var style = 1

    static let columns: [Column<Accuracy>] =
      [.text("accuracy") { $0.title }] + Share.columns.map { $0.of { $0.share } }
      + [.text("note", "what differs") { $0.note }]
  }

  /// How the accuracy and all other figures were measured.
  var measured: View? {
    let rows = accuracies.filter { $0.share.photos > 0 }
    guard !rows.isEmpty || !report.figureTable.rows.isEmpty else { return nil }
    let plot = IntervalPlot(
      rows: rows.map { row in
        IntervalPlot.Row(
          name: row.title, share: row.share.accuracy ?? 0, lower: row.share.interval.lower,
          upper: row.share.interval.upper, note: FigureText.percent(row.share.accuracy),
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
    var rows = [
      Accuracy(
        title: "the accuracy", note: "test photos, by the picture alone", share: evaluation.named,
        style: 0)
    ]
    if report.placeCounts {
      rows.append(
        Accuracy(
          title: "with place and map", note: "the same photos; position, heading and map count too",
          share: evaluation.namedWithPlace))
    }
    rows.append(
      Accuracy(
        title: "of names given", note: "only photos that the model is sure enough to name",
        share: Share(right: counts.right, of: counts.right + counts.wrong)))
    if let leaks = report.leaks {
      rows += [
        Accuracy(
          title: "without leaks", note: "only test photos that had no part in training",
          share: leaks.free),
        Accuracy(
          title: "of the leaks", note: "only photos that trained, their copies and crops",
          share: leaks.leaking),
      ]
    }
    if let splits = report.splits {
      rows += [
        Accuracy(
          title: "held out by session",
          note: "training photos, by fits that saw none of their session", share: splits.grouped),
        Accuracy(
          title: "held out at random",
          note: "the same, dealt at random: flattered by photos of the same session",
          share: splits.random),
      ]
    }
    return rows + (baselineAccuracy.map { [$0] } ?? []) + quickAccuracies
  }

  /// What the check of the photos makes of them by a classifier of its own.
  private var quickAccuracies: [Accuracy] {
    guard let validation = report.check?.check.validation else { return [] }
    func share(_ accuracy: Double, of photos: Int) -> Share {
      Share(right: Int((accuracy * Double(photos)).rounded()), of: photos)
    }
    return [
      Accuracy(
        title: "quick check by session",
        note: "a quick classifier of the photo check, sessions and copies kept together",
        share: share(validation.grouped, of: validation.photos)),
      Accuracy(
        title: "quick check at random",
        note: "the same, dealt at random: so much would a random split flatter",
        share: share(validation.random, of: validation.photos)),
    ]
  }

  private var baselineAccuracy: Accuracy? {
    guard let share = report.baseline?.named else { return nil }
    return Accuracy(
      title: "hog baseline", note: "the test photos; a simpler model of the same training photos",
      share: share)
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
}

extension ReportPage {
  /// Runs that a page shows, the last ones.
  private static var mostRuns: Int { 30 }
  /// Numbers of digests that tell them apart at a glance.
  private static var digestDigits: Int { 8 }

  /// How the figures moved from run to run; `nil` before the second.
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
      .text("model") { String($0.run.modelDigest.prefix(digestDigits)) },
      .text("digest of the photos") { String($0.run.dataDigest.prefix(digestDigits)) },
    ]
    let figures: [Column<Row>] = Figure.all.filter { EvaluationHistory.figures.contains($0.name) }
      .map { figure in
        Column(figure.name, figure.title) { figure.format($0.run.figures[figure.name]) }
      }
    return Table(rows, columns + figures).view("Run by run, the last at the end")
  }
}
