extension ReportPage {
  var labels: View {
    guard evaluation.confusion.total > 0 else { return [:] }
    // The worst first: who reads this wants to know where photos are missing.
    let worstFirst = zip(report.perLabel, evaluation.confusion.counts.indices).sorted { a, b in
      (a.0.f1 ?? 2, a.1) < (b.0.f1 ?? 2, b.1)
    }
    let rows = worstFirst.map { figures, index in
      let right = evaluation.confusion.counts[index][index]
      let interval = WilsonInterval(successes: right, of: figures.support).ends
      return [
        figures.label, FigureText.percent(figures.precision), FigureText.percent(figures.recall),
        figures.support == 0 ? "-" : Self.interval(interval), FigureText.percent(figures.f1),
        "\(figures.support)",
      ]
    }
    return [
      "labelTable": Self.table(
        "By the picture alone, the lowest F1 first, with the 95 % interval of recall",
        ["building", "precision", "recall", "95 % interval", "F1", "photos"], rows)
    ]
  }

  var curves: View {
    let calibration = evaluation.calibration
    guard let ece = calibration.ece, let brier = calibration.brier else {
      return ["hasCurves": false]
    }
    let point = report.riskCoverage.operatingPoint
    return [
      "hasCurves": true,
      "reliabilityPlot": ReliabilityPlot(
        bins: calibration.bins,
        label: "Reliability diagram: the share of right answers by their probability"
      ).svg,
      "reliabilityNote": "Bars on the dotted line mean what they say; above it the model is too "
        + "modest, below it too sure. Pale bars have few photos. ECE \(FigureText.percent(ece)), "
        + "Brier score \(FigureText.decimal(brier, digits: 3)).",
      "reliabilityTable": Self.table(
        "Answers by their probability",
        ["probability", "photos", "right", "mean probability", "share right"],
        calibration.bins.filter { $0.photos > 0 }.map {
          [
            "\(FigureText.percent($0.lower)) to \(FigureText.percent($0.upper))", "\($0.photos)",
            "\($0.right)", FigureText.percent($0.meanProbability), FigureText.percent($0.accuracy),
          ]
        }),
      "riskPlot": riskPlot,
      "riskNote": "Answering only the surest photos, by picture, place and heading: how many are "
        + "answered, and how many of these wrongly. The point is what this model does: "
        + "\(FigureText.percent(point?.coverage)) named, \(FigureText.percent(point?.risk)) of them "
        + "wrong. Area under the curve \(FigureText.decimal(report.riskCoverage.area, digits: 4)).",
      "riskTable": Self.table(
        "Risk by coverage", ["answered", "wrong among them", "least probability"],
        report.riskCoverage.points.thinned(to: 20).map {
          [
            FigureText.percent($0.coverage), FigureText.percent($0.risk),
            FigureText.percent($0.threshold),
          ]
        }),
    ]
  }

  private var riskPlot: String {
    let points = report.riskCoverage.points.compactMap { point in
      point.risk.map { (x: point.coverage, y: $0) }
    }
    var marks: [LinePlot.Mark] = []
    if let point = report.riskCoverage.operatingPoint, let risk = point.risk {
      marks.append(LinePlot.Mark(x: point.coverage, y: risk, name: "this model's line"))
    }
    let highest = max(points.map(\.y).max() ?? 0, marks.first?.y ?? 0, 0.05)
    return LinePlot(
      frame: PlotFrame(
        xTitle: "share of photos answered", yTitle: "share of answers that are wrong",
        xTicks: PlotFrame.shares(), yTicks: PlotFrame.shares(upTo: min(highest * 1.15, 1))),
      series: [LinePlot.Series(name: "risk", points: points)], marks: marks,
      label: "Risk-coverage curve with the model's operating point"
    ).svg
  }

  var rejection: View {
    let figures = report.rejection
    let all = [
      ("no buildings", figures.auroc, figures.roc, figures.photos),
      (
        "unknown buildings", figures.unknownBuildingsAUROC, figures.unknownBuildingsROC,
        figures.unknownBuildings
      ),
    ].filter { !$0.2.isEmpty }
    guard !all.isEmpty else { return [:] }
    let plot = LinePlot(
      frame: PlotFrame(
        xTitle: "share of the others accepted", yTitle: "share of buildings accepted",
        xTicks: PlotFrame.shares(), yTicks: PlotFrame.shares()),
      series: all.map { name, area, points, _ in
        LinePlot.Series(
          name: "\(name): AUROC \(FigureText.decimal(area, digits: 3))",
          points: [(0, 0)] + points.map { (x: $0.fpr, y: $0.tpr) })
      }, hasDiagonal: true, label: "ROC curves of rejection")
    let notes = all.map { name, area, _, photos in
      "\(name): AUROC \(FigureText.decimal(area, digits: 3)) with \(photos) photos"
    }
    return [
      "rocPlot": plot.svg,
      "rocNote": "Photos of known buildings against others, by every line that could be drawn: "
        + notes.joined(separator: "; ") + "."
        + (figures.roc.isEmpty ? "" : " No buildings are told by the odds against the backgrounds.")
        + (figures.unknownBuildingsROC.isEmpty
          ? "" : " Unknown buildings are told by the largest logit."),
      "rocTable": Self.table(
        "Points of the curves", ["against", "buildings accepted", "others accepted"],
        all.flatMap { name, _, points, _ in
          points.thinned(to: 20).map {
            [name, FigureText.percent($0.tpr), FigureText.percent($0.fpr)]
          }
        }),
    ]
  }

  /// So many rows stand open on the page.
  private static var mostOpenSlices: Int { 12 }

  var slices: View {
    let slices = Slice.all(of: evaluation)
    let names = slices.reduce(into: [String]()) { names, slice in
      if names.last != slice.by { names.append(slice.by) }
    }
    let views: [View] = names.map { name in
      let rows = slices.filter { $0.by == name }
      let plot = IntervalPlot(
        rows: rows.map {
          IntervalPlot.Row(
            name: $0.value, share: $0.accuracy, lower: $0.interval.lower,
            upper: $0.interval.upper, note: "\(FigureText.percent($0.accuracy)) of \($0.photos)")
        }, label: "Top-1 by \(name)")
      return [
        "name": "By \(name)", "by": name, "plot": plot.svg,
        "isLong": rows.count > Self.mostOpenSlices,
        "summary": "\(rows.count) values",
        "sliceTable": Self.table(
          "Top-1 by \(name)", [name, "photos", "right", "top-1", "95 % interval", "with place"],
          rows.map {
            [
              $0.value, "\($0.photos)", "\($0.right)", FigureText.percent($0.accuracy),
              Self.interval($0.interval.ends),
              FigureText.percent(Double($0.rightWithPlace) / Double($0.photos)),
            ]
          }),
      ]
    }
    return ["hasSlices": !views.isEmpty, "slices": views]
  }

  var learning: View {
    guard let points = report.learningCurve, points.count > 1 else { return [:] }
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
          points: points.map { (x: Double($0.photosPerBuilding), y: $0.accuracy) },
          intervals: points.map { (lower: $0.interval[0], upper: $0.interval[1]) }, isMarked: true)
      ], label: "Learning curve: accuracy against photos per building")
    return [
      "learningPlot": plot.svg,
      "learningNote": "Of the training photos, each asked about once by a fit that saw none of its "
        + "session, with this model's features and settings. Where the curve still rises, more "
        + "photos will help." + learningFall(points),
      "learningTable": Self.table(
        "Learning curve", ["photos per building", "asked", "right", "accuracy", "95 % interval"],
        points.map {
          [
            "\($0.photosPerBuilding)", "\($0.photos)", "\($0.right)",
            FigureText.percent($0.accuracy), Self.interval($0.interval),
          ]
        }),
    ]
  }

  /// Why more photos can seem to do harm.
  private func learningFall(_ points: [LearningCurve.Point]) -> String {
    guard let last = points.last, points.contains(where: { $0.accuracy > last.accuracy }) else {
      return ""
    }
    return
      " It can fall at the end, where a building whose session is held out has fewer photos left "
      + "than the others."
  }
}
