internal import Cupola

// Sections of the page:
// 1. `headline`: the result in sentences, next steps and the main counts.
// 2. `comparison`: this model compared with others on the same photos.
// 3. `answers`: the answers to each kind of photo.
// 4. `latency` and `errors`: the time by stage, and unreadable photos.
// 5. `card`: the model card.

extension ReportPage {
  var headline: View {
    let steps = NextSteps(report, of: recognizer.model).steps
    let cards = cards
    let summary = EvaluationSummary(report)
    return Self.section(
      "headline", name: "Result", heading: "Result", intro: summary.sentence,
      details: report.evaluation.known.isEmpty ? nil : headlineDetails,
      [
        "grade": "\(summary.grade)", "hasSteps": !steps.isEmpty,
        "steps": steps.map { ["text": $0.text, "section": $0.section] },
        "hasCards": !cards.isEmpty, "cards": cards,
      ])
  }

  private var headlineDetails: View {
    let names: Set = ["top1", "fused", "coverage", "risk"]
    let columns: [Column<Figure>] = [
      .text("figure") { $0.title }, Column("value") { [figures = report.figures] in figures[$0] },
      .interval { [figures = report.figures] in figures.interval($0.name) },
    ]
    return Self.details(
      [
        "Top-1 is the fraction of photos of known buildings whose most probable building is right, here from "
          + "\(report.evaluation.named.basis). Intervals are 95% confidence intervals (Wilson). They take into account "
          + "that photos of the same session share their errors (effective sample size of Rao & Scott)."
      ],
      tables: [
        Table(report.shown.filter { names.contains($0.name) }, columns).view("Main metrics")
      ])
  }

  private var cards: [View] {
    let (known, background) = (report.evaluation.known, report.evaluation.background)
    let unknown = report.evaluation.unknownNamed
    let counts = report.evaluation.verdicts(known)
    let placed = counts.mappedRight + counts.mappedWrong
    let unnamed = counts.unsure + counts.rejected
    let cards: [(photos: Int, title: String, value: String, note: String)] = [
      (
        known.count, "Named correctly", "\(counts.right) of \(known.count)",
        "test photos of your buildings"
      ),
      (
        known.count, "Named wrongly", "\(counts.wrong) of \(known.count)",
        "photos that got the name of another building"
      ),
      (
        known.count, "Not named", "\(unnamed) of \(known.count)",
        "\(counts.rejected) rejected as no campus building, \(counts.unsure) unsure"
      ),
      (
        placed, "Named by position only", "\(placed) of \(known.count)",
        "photos named from the map, \(counts.mappedWrong) of them wrongly"
      ),
      (
        background.count, "Non-building photos named",
        "\(background.count { $0.verdict == .building }) of \(background.count)",
        "photos that should not get a name"
      ),
      (
        unknown.photos, "Unknown buildings named", "\(unknown.right) of \(unknown.photos)",
        "photos of buildings without training photos; each name is wrong"
      ),
    ]
    return cards.filter { $0.photos > 0 }.map {
      [
        "title": $0.title, "value": $0.value, "note": $0.note,
        "isMain": $0.title == "Named correctly",
      ]
    }
  }

  var comparison: View? {
    let comparisons = report.comparisons
    guard let first = comparisons.first else { return nil }
    return Self.section(
      "compare", name: "Comparison",
      heading: comparisons.count == 1
        ? "Compared with another model" : "Compared with other models",
      intro:
        "The models were tested on the same \(FigureText.count(first.photos, "photo")), of buildings that all of "
        + "them were trained on. "
        + comparisons.map { comparison in
          "This model recognized \(comparison.right), \(comparison.name) \(comparison.otherRight)."
        }.joined(separator: " "),
      numbers: comparisons.compactMap(Self.differences),
      details: Self.details(
        [
          "McNemar's test gives p, the probability of a difference at least this large between equally good "
            + "models, if the models are exchanged in whole sessions. \"All metrics\" lists the metrics of each model."
        ],
        tables: [
          Table(comparisons, ModelComparison.columns).view("This model against each of the others")
        ]))
  }

  private static func differences(_ comparison: ModelComparison) -> View? {
    typealias Row = (photo: String, model: String)
    let rows: [Row] =
      comparison.won.map { ($0, "this model") } + comparison.lost.map { ($0, comparison.name) }
    guard !rows.isEmpty else { return nil }
    let columns: [Column<Row>] = [
      .text("photo") { $0.photo }, .text("model", "right by") { $0.model },
    ]
    return closed(
      "Photos that only this model or only \(comparison.name) recognizes",
      Table(rows, columns).view("At most \(ModelComparison.mostNames) of each"))
  }

  var answers: View? {
    let evaluation = report.evaluation
    let rows = [
      ("buildings", evaluation.known, true), ("non-building", evaluation.background, false),
      ("unknown buildings", evaluation.unknown, false),
    ].filter { !$0.1.isEmpty }.map { name, answers, areBuildings in
      VerdictBarChart.Row(
        name: name, counts: evaluation.verdicts(answers), areBuildings: areBuildings)
    }
    var plot = Self.plot(
      VerdictBarChart(rows: rows, label: "Answers to each kind of photo").svg, isWide: true)
    plot["isVerdicts"] = true
    return Self.section(
      "answers", name: "Answers", heading: "Answers",
      intro:
        "The model's answers to each kind of photo. It names a building only if its confidence is above the threshold.",
      drawings: [plot],
      tables: [report.verdicts.view("Answers by kind of photo")],
      details: Self.details(
        ErrorGuarantee(recognizer.model, point: recognizer.point).sentences
          + (report.visits.map { [$0.sentence] } ?? []),
        tables: evaluation.parts.count > 1
          ? [report.partTable.filled.view("Effect of each part of the model, added in this order")]
          : []))
  }

  var latency: View? {
    guard let total = Latency.byStage(report.evaluation.all).last?.latency else { return nil }
    let times = [total.median, total.percentile95].map { FigureText.decimal($0, digits: 1) }
    let table = report.latency.view(
      "Milliseconds by stage for all photos, on the computer that created this report")
    return Self.section(
      "latency", name: "Time", heading: "Time per photo",
      intro:
        "Half of the photos took at most \(times[0]) ms, and 95% took at most \(times[1]) ms.",
      details: Self.details(tables: [table]))
  }

  private static var mostErrors: Int { 200 }

  var errors: View? {
    let count = report.errors.rows.count
    guard count > 0 else { return nil }
    let more = count > Self.mostErrors ? ", the first \(Self.mostErrors)" : ""
    let table = report.errors.prefix(Self.mostErrors).view(
      "Excluded from all metrics: \(FigureText.count(count, "file"))" + more, isProse: true)
    return Self.section(
      "errors", name: "Unreadable", heading: "Photos that could not be evaluated", tables: [table]
    )
  }

  var card: View? {
    guard let card = report.card else {
      return Self.section("card", name: "Model card", heading: "Model card")
    }
    let facts = EvaluationCard.facts.map { (name: $0.heading.title, value: $0.value(card)) }
    let photos = card.recognizer.model.provenance.photos.sorted { $0.key < $1.key }
    let training = Table(
      photos, [.text("label", "building") { $0.key }, .count("photos") { $0.value }])
    return Self.section(
      "card", name: "Model card", heading: "Model card",
      details: Self.details(
        tables: [
          Table(facts, [.text("fact") { $0.name }, Column("value") { $0.value }])
            .view("Origin of the model and the metrics", isProse: true)
        ],
        numbers: [
          Self.closed(
            "Training photos by building",
            training.view("Photos the model was trained on", names: report.names))
        ]),
      [
        "hasLimits": true, "limits": card.limits,
        "recipe": (try? JSONObject.text(card.recognizer.model.recipe, pretty: true)) ?? "",
      ])
  }
}
