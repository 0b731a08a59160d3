internal import Cupola

extension ReportPage {
  /// Every figure: those with an interval, or with a note, have a card too.
  var headline: View? {
    let (figures, shown) = (report.figures, report.shown)
    var cards: [View] = shown.compactMap { figure in
      guard figure.photos != .leaks, figures[figure.name] != nil else { return nil }
      let interval = figures.interval(figure.name)
      guard let note = interval.map({ "95 % interval \(FigureText.interval($0))" }) ?? figure.note
      else { return nil }
      return [
        "title": figure.title, "value": figures[figure].text, "note": note,
        "isMain": figure.name == "top1",
      ]
    }
    var rows = shown.filter { $0.name != "top1_difference" }.compactMap { figure in
      plotRow(figure.title, figures, figure.name, style: figure.photos == .leaks ? 1 : 0)
    }
    if let baseline = report.baseline?.figures,
      let row = plotRow("hog baseline", baseline, "top1", style: 1)
    {
      rows.append(row)
      cards.append(["title": row.name, "value": row.note, "note": "top-1 of a simpler model"])
    }
    let plot = IntervalPlot(
      rows: rows, label: "Shares: \(rows.map(\.name).joined(separator: ", "))")
    let leaks = report.leaks.map { " \($0.sentence(asked: report.evaluation.asked))." } ?? ""
    let note = "Dots are shares, whiskers their 95 % Wilson intervals. " + headlineNote + leaks
    return Self.section(
      "headline", name: "Headline", heading: "Headline",
      drawings: rows.isEmpty
        ? []
        : [Self.plot(plot.svg, note, isWide: true)],
      tables: [
        report.figureTable.without("name").view("All figures, each of its model's own photos")
      ], ["hasCards": !cards.isEmpty, "cards": cards])
  }

  private func plotRow(
    _ title: String, _ figures: Figures, _ name: String, style: Int
  ) -> IntervalPlot.Row? {
    guard let share = figures[name], let ends = figures.interval(name) else { return nil }
    return IntervalPlot.Row(
      name: title, share: share, lower: ends[0], upper: ends[1], note: FigureText.percent(share),
      style: style)
  }

  private var headlineNote: String {
    guard let baseline = report.baseline else {
      return report.baselineHOGTop1 == nil
        ? "Without training photos there is no hog baseline." : "This model is the hog baseline."
    }
    let test = baseline.mcnemar
    return
      "The hog baseline was trained on \(baseline.trainingPhotos) of the same photos; "
      + "\(test.onlyFirst) photos only the model names right and \(test.onlySecond) only the baseline "
      + "(McNemar's test: p \(test.text))."
  }

  var comparison: View? {
    guard let comparison = report.comparison else { return nil }
    let test = comparison.mcnemar
    let text =
      "On the \(FigureText.count(comparison.photos, "photo")) that both were asked about, this model "
      + "names \(comparison.right) right and \(comparison.other ?? "the other model") "
      + "\(comparison.otherRight); \(test.onlyFirst) only this one, \(test.onlySecond) only the other. "
      + "By McNemar's test a difference like that, or larger, has a chance p \(test.text) between "
      + "equals; with place and heading p \(comparison.mcnemarFused.text). All figures of both stand "
      + "above."
    typealias Row = (photo: String, model: String)
    let rows: [Row] =
      comparison.won.map { ($0, "this one") } + comparison.lost.map { ($0, "the other") }
    let columns: [Column<Row>] = [
      .text("photo") { $0.photo }, .text("model", "right by") { $0.model },
    ]
    let table = Table(rows, columns).view("At most \(ModelComparison.mostNames) of each")
    return Self.section(
      "compare", name: "Comparison", heading: "Compared with another model", intro: text,
      numbers: rows.isEmpty ? [] : [Self.closed("Photos that only one of both names right", table)])
  }

  var answers: View? {
    let evaluation = report.evaluation
    let rows = [
      ("buildings", evaluation.known, true), ("no buildings", evaluation.background, false),
      ("unknown buildings", evaluation.unknown, false),
    ].filter { !$0.1.isEmpty }.map { name, answers, areBuildings in
      VerdictBars.Row(
        name: name, counts: evaluation.verdicts(answers), areBuildings: areBuildings)
    }
    var plot = Self.plot(
      VerdictBars(rows: rows, label: "Answers to each kind of photo").svg, isWide: true)
    plot["isVerdicts"] = true
    return Self.section(
      "answers", name: "Answers", heading: "Answers",
      intro: "What the model says to each kind of photo, with its own line between a name and no "
        + "name. "
        + Promise(recognizer.model, point: recognizer.point).sentences.joined(separator: " ")
        + (report.visits.map { " " + $0.sentence } ?? ""),
      drawings: [plot],
      tables: [report.verdicts.view("Answers by kind of photo")]
        + (evaluation.parts.count > 1
          ? [report.partTable.view("What each part adds to those before it")] : []))
  }

  var latency: View? {
    guard !report.latency.rows.isEmpty else { return nil }
    let table = report.latency.view(
      "Milliseconds by stage, of all photos, on the machine that made this report")
    return Self.section("latency", name: "Time", heading: "Time to answer", tables: [table])
  }

  private static var mostErrors: Int { 200 }

  var errors: View? {
    let count = report.errors.rows.count
    guard count > 0 else { return nil }
    let more = count > Self.mostErrors ? ", the first \(Self.mostErrors)" : ""
    let table = report.errors.prefix(Self.mostErrors).view(
      "Left out of all figures: \(FigureText.count(count, "photo"))" + more, isProse: true)
    return Self.section(
      "errors", name: "Unreadable", heading: "Photos that could not be read", tables: [table])
  }

  var card: View? {
    guard let card = report.card else {
      return Self.section("card", name: "Model card", heading: "Model card")
    }
    let facts = EvaluationCard.facts.map { (name: $0.title, value: $0.value(card)) }
    let photos = card.recognizer.model.provenance.photos.sorted { $0.key < $1.key }
    let training = Table(photos, [.text("label") { $0.key }, .count("photos") { $0.value }])
    return Self.section(
      "card", name: "Model card", heading: "Model card",
      tables: [
        Table(facts, [.text("fact") { $0.name }, Column("value") { $0.value }])
          .view("Where model and figures come from", isProse: true)
      ],
      numbers: [
        Self.closed("Training photos by label", training.view("Photos that trained the model"))
      ],
      [
        "hasLimits": true, "limits": card.limits,
        "recipe": (try? JSONObject.text(card.recognizer.model.recipe, pretty: true)) ?? "",
      ])
  }
}
