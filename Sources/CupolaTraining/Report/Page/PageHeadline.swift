internal import Cupola

// Sections of the page:
// 1. `headline`: the verdict, next steps and the main figures.
// 2. `comparison`: this model against others on the same photos.
// 3. `answers`: the answers to each kind of photo.
// 4. `latency` and `errors`: the time by stage, and unreadable photos.
// 5. `card`: the model card.

extension ReportPage {
  var headline: View {
    let steps = NextSteps(report, of: recognizer.model).steps
    let cards = cards
    let verdict = ReportVerdict(report)
    return Self.section(
      "headline", name: "Verdict", heading: "Verdict", intro: verdict.sentence,
      [
        "grade": "\(verdict.grade)", "hasSteps": !steps.isEmpty,
        "steps": steps.map { ["text": $0.text, "section": $0.section] },
        "hasCards": !cards.isEmpty, "cards": cards,
      ])
  }

  /// One accuracy, all others being explained in ``measured``, and how many of each kind got a name.
  private var cards: [View] {
    let (known, background) = (report.evaluation.known, report.evaluation.background)
    let (accuracy, unknown) = (report.evaluation.named, report.evaluation.unknownNamed)
    let counts = report.evaluation.verdicts(known)
    let (named, placed) = (counts.right + counts.wrong, counts.mappedRight + counts.mappedWrong)
    let more =
      placed > 0 ? "; \(placed) more by place only, \(counts.mappedWrong) of these wrong" : ""
    let get = known.count == 1 ? "gets" : "get"
    let cards: [(photos: Int, title: String, value: String, note: String)] = [
      (
        known.count, "Accuracy", FigureText.percent(accuracy.accuracy),
        "top-1 by the picture alone, of \(FigureText.count(known.count, "test photo")); 95 % interval "
          + FigureText.interval(accuracy.interval.ends)
      ),
      (
        known.count, "Wrong names", "\(counts.wrong) of \(named)",
        "\(named) of \(FigureText.count(known.count, "photo")) of known buildings \(get) a name"
          + more
      ),
      (
        background.count, "No buildings named",
        "\(background.count { $0.verdict == .building }) of \(background.count)",
        "photos of no buildings that get a building's name"
      ),
      (
        unknown.photos, "Unknown buildings named", "\(unknown.right) of \(unknown.photos)",
        "photos of buildings that did not train and get another's name"
      ),
    ]
    return cards.filter { $0.photos > 0 }.map {
      ["title": $0.title, "value": $0.value, "note": $0.note, "isMain": $0.title == "Accuracy"]
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
        "On the same \(FigureText.count(first.photos, "photo")) of buildings that all know. By McNemar's test a "
        + "difference like that, or larger, has the chance p between equals. All figures of each stand "
        + "under \"All figures\".",
      tables: [
        Table(comparisons, ModelComparison.columns).view("This model against each of the others")
      ],
      numbers: comparisons.compactMap(Self.differences))
  }

  /// The photos that only one of two models names right.
  private static func differences(_ comparison: ModelComparison) -> View? {
    typealias Row = (photo: String, model: String)
    let rows: [Row] =
      comparison.won.map { ($0, "this one") } + comparison.lost.map { ($0, comparison.name) }
    guard !rows.isEmpty else { return nil }
    let columns: [Column<Row>] = [
      .text("photo") { $0.photo }, .text("model", "right by") { $0.model },
    ]
    return closed(
      "Photos that only this model or only \(comparison.name) names right",
      Table(rows, columns).view("At most \(ModelComparison.mostNames) of each"))
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
      "Left out of all figures: \(FigureText.count(count, "file"))" + more, isProse: true)
    return Self.section(
      "errors", name: "Unreadable", heading: "Photos that could not be asked about", tables: [table]
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
      tables: [
        Table(facts, [.text("fact") { $0.name }, Column("value") { $0.value }])
          .view("Where model and figures come from", isProse: true)
      ],
      numbers: [
        Self.closed(
          "Training photos by building",
          training.view("Photos that trained the model", names: report.names))
      ],
      [
        "hasLimits": true, "limits": card.limits,
        "recipe": (try? JSONObject.text(card.recognizer.model.recipe, pretty: true)) ?? "",
      ])
  }
}
