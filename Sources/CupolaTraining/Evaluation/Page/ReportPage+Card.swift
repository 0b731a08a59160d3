internal import Cupola

extension ReportPage {
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
    let facts = EvaluationCard.facts.map { (name: $0.title, value: $0.value(card)) }
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
