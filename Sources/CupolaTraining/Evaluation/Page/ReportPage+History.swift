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
