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
    let hasPhotos = steps.contains { !$0.photos.isEmpty }
    let panels = hasPhotos ? PageConfusion(report, pictures).panelOfPhoto : [:]
    let cards = cards
    let summary = EvaluationSummary(report)
    return Self.section(
      "headline", name: "Result", heading: "Result", intro: summary.sentence,
      details: report.evaluation.known.isEmpty ? nil : headlineDetails,
      [
        "grade": "\(summary.grade)", "hasSteps": !steps.isEmpty,
        "steps": steps.map { view(of: $0, panels) },
        "hasCards": !cards.isEmpty, "cards": cards,
      ])
  }

  /// - Parameter panels: The panel of each photo in the page.
  private func view(of step: NextSteps.Step, _ panels: [String: String]) -> View {
    let shown = step.photos.prefix(NextSteps.mostPhotos)
    let left = step.photos.count - shown.count
    let photos: [View] = shown.map { ["file": $0, "panel": panels[$0] ?? step.section] }
    return [
      "text": step.text, "section": step.section, "hasPhotos": !photos.isEmpty, "photos": photos,
      "more": left > 0 ? "and \(left) more" : "",
    ]
  }

  private var headlineDetails: View {
    let names: Set = ["top1", "fused", "coverage", "risk"]
    let columns: [Column<Figure>] = [
      .text("figure") { $0.title }, Column("value") { [figures = report.figures] in figures[$0] },
      .interval { [figures = report.figures] in figures.interval($0.name) },
    ]
    let named = report.evaluation.named
    let areUnknown = report.evaluation.known.areVisitsUnknown
    return Self.details(
      [
        "Top-1 is the fraction of photos of known buildings whose most probable building is right, here from "
          + "\(areUnknown ? FigureText.count(named.photos, "photo") : named.basis). Intervals are 95% confidence "
          + "intervals (Wilson)."
          + (areUnknown
            ? " If all photos are right, they count sessions instead of photos: photos that resemble each other are one "
              + "session, all others are sessions of their own."
            : " They take into account that photos of the same session share their errors (effective sample size of "
              + "Rao & Scott). If all photos are right, the data do not show how much they share, so only the sessions "
              + "count, and the interval can be wider than with one mistake.")
          + " Top-1 is the same for every --max-error; the counts above and the last two rows change with it. "
          + (recognizer.point.isRequested
            ? "Here, it is " : "Here, it was not given, so the target for wrong names is ")
          + "\(FigureText.smallPercent(recognizer.point.maximumError)), with the \(recognizer.point.title)."
      ],
      tables: [
        Table(report.shown.filter { names.contains($0.name) }, columns).view("Main metrics")
      ])
  }

  private struct Card {
    let title: String
    let value: String
    let note: String

    init(_ title: String, _ count: Int, of photos: Int, _ note: String) {
      (self.title, self.note) = (title, note)
      value = "\(count) of \(photos)"
    }
  }

  private var cards: [View] {
    report.evaluation.byKind.flatMap(cards).map {
      [
        "title": $0.title, "value": $0.value, "note": $0.note,
        "isMain": $0.title == "Named correctly",
      ]
    }
  }

  private func cards(of answers: KindAnswers) -> [Card] {
    let (counts, photos) = (answers.counts, answers.counts.photos)
    guard answers.kind != .buildings else { return cards(of: counts) }
    let placed = answers.byPosition.map { ", \($0) named from the position only" } ?? ""
    let others = "\(answers.right) right, \(counts.unsure) unsure" + placed
    return answers.kind == .nonBuildings
      ? [
        Card(
          "Non-building photos named", answers.wrongName, of: photos,
          "photos for which no name is right: " + others)
      ]
      : [
        Card(
          "Unknown buildings named", answers.wrongName, of: photos,
          "photos of buildings without training photos, for which no name is right: " + others
            + report.evaluation.unknownNote)
      ]
  }

  /// The first three cards contain each photo once, so they add up to the photos.
  private func cards(of counts: Evaluation.VerdictCounts) -> [Card] {
    let (image, both) = (report.evaluation.named, report.evaluation.namedWithPlace)
    let placed = counts.mappedRight + counts.mappedWrong
    return [
      Card(
        "Named correctly", counts.namedRight, of: counts.photos, "test photos of your buildings"),
      Card(
        "Named wrongly", counts.namedWrong, of: counts.photos,
        "photos that got the name of another building"
          + (placed > 0 ? ", \(counts.mappedWrong) of them from the position only" : "")),
      Card(
        "Not named", counts.unsure + counts.rejected, of: counts.photos,
        "\(counts.rejected) rejected as no campus building, \(counts.unsure) unsure"),
      Card(
        "First guess right", image.right, of: image.photos,
        "most probable building from the image alone, with or without a name"
          + (both.right == image.right ? "" : "; with the position, \(both.right)")),
    ]
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
          "p is the probability of a difference at least this large between equally good "
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
    var plot = Self.plot(
      VerdictBarChart(rows: evaluation.byKind, label: "Answers to each kind of photo").svg,
      isWide: true)
    plot["isVerdicts"] = true
    return Self.section(
      "answers", name: "Answers", heading: "Answers",
      intro:
        "The right answer to a photo without a building of the model is a rejection.",
      drawings: [plot],
      tables: [report.answersByKind.view("Answers by kind of photo; each photo counts once")],
      details: Self.details(
        ErrorGuarantee(recognizer.model, point: recognizer.point)
          .sentences(isOfOtherDays: evaluation.isOfOtherDays)
          + (report.visits.map { [$0.sentence] } ?? []),
        tables: evaluation.parts.count > 1
          ? [
            report.partTable.filled.view(
              "Effect of each part of the model, added in this order, with the AUROC of the answers"
                + report.partNote
            )
          ]
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
      photos, [.text("label") { $0.key }, .count("photos") { $0.value }])
    return Self.section(
      "card", name: "Model card", heading: "Model card",
      details: Self.details(
        tables: [
          Table(facts, [.text("fact") { $0.name }, Column("value") { $0.value }])
            .view("Origin of the model and the metrics", isProse: true)
        ],
        numbers: [
          Self.closed(
            "Training photos by label",
            training.view("Photos the model was trained on", names: report.names))
        ]),
      [
        "hasLimits": true, "limits": card.limits,
        "recipe": (try? JSONObject.text(card.recognizer.model.recipe, pretty: true)) ?? "",
      ])
  }
}
