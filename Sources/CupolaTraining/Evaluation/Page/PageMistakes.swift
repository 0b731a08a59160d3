internal import Cupola

/// The mistakes that the model was surest of, as pictures and on the map.
struct PageMistakes {
  private let evaluation: Evaluation
  private let names: BuildingNames
  private let recognizer: Recognizer
  private let pictures: ReportPictures

  private static let most = 12

  init(_ report: EvaluationReport, _ recognizer: Recognizer, _ pictures: ReportPictures) {
    evaluation = report.evaluation
    names = report.names
    self.recognizer = recognizer
    self.pictures = pictures
  }

  /// Wrong names first, then first guesses that were wrong but kept back.
  var ranked: [Evaluation.Answer] {
    let named = evaluation.all.filter { answer in
      answer.verdict == .building && !(isKnown(answer) && answer.isRightWithPlace)
    }.sorted { $0.probabilityWithPlace > $1.probabilityWithPlace }
    let keptBack = evaluation.known.filter { $0.verdict != .building && !$0.isRight }
      .sorted { $0.probability > $1.probability }
    return named + keptBack
  }

  private func isKnown(_ answer: Evaluation.Answer) -> Bool {
    answer.photo.split != .testUnknown && evaluation.confusion.labels.contains(answer.photo.label)
  }

  /// The section.
  var section: ReportPage.View {
    get async {
      let all = ranked
      func section(_ intro: String, _ more: ReportPage.View = [:]) -> ReportPage.View {
        ReportPage.section(
          "mistakes", name: "Mistakes", heading: "Most confident mistakes", intro: intro, more)
      }
      guard !all.isEmpty else { return section("None: no name and no first guess was wrong.") }
      let shown = Array(all.prefix(Self.most))
      let embedded = await pictures.embedded(shown.map(\.photo), size: .large)
      let drawings = await pictures.drawings(shown)
      let sketch = recognizer.model.campus.flatMap(CampusSketch.init)
      let maps = shown.map { map(of: $0, sketch) }
      let hasMap = maps.contains { $0 != nil }
      let definition = sketch.flatMap { sketch in
        hasMap
          ? SVG.element(
            "svg", [("class", "definitions"), ("aria-hidden", "true")], sketch.definition) : nil
      }
      return section(
        note(shown: shown.count, of: all.count),
        [
          "hasMistakes": true, "hasMap": hasMap, "mapDefinition": definition ?? "",
          "mistakes": shown.indices.map {
            view(of: shown[$0], embedded[$0], drawings[$0], map: maps[$0])
          },
        ])
    }
  }

  private func note(shown: Int, of all: Int) -> String {
    let kinds =
      "Wrong names first, the surest before the others; then first guesses that were wrong but not "
      + "given as an answer. Look whether the photo or the model is to blame."
    return shown < all ? "The first \(shown) of \(all). \(kinds)" : kinds
  }

  private func view(
    of answer: Evaluation.Answer, _ picture: ReportPictures.Embedded?,
    _ drawing: (picture: ReportPictures.Embedded, caption: String)?, map: String?
  ) -> ReportPage.View {
    let taken = answer.verdict == .building ? answer.answered : answer.candidates.first?.label
    var view: ReportPage.View = [
      "heading": "\(truth(of: answer)), taken for \(taken.map { names[$0] } ?? "nothing")",
      "facts": facts(of: answer).map { ["name": $0.name, "value": $0.value] },
    ]
    if let map { view["map"] = map }
    if let drawing {
      view["overlay"] = drawing.picture.source
      view["overlayWidth"] = "\(drawing.picture.width)"
      view["overlayHeight"] = "\(drawing.picture.height)"
      view["overlayNote"] = drawing.caption
    }
    return view.merging(picture?.view(alt: "Photo of \(truth(of: answer))") ?? [:]) { $1 }
  }

  /// What it shows, also when the model has no label for it.
  private func truth(of answer: Evaluation.Answer) -> String {
    let label = answer.photo.label
    if Labels.isBackground(label) { return "No building" }
    return isKnown(answer) ? names[label] : "\(names[label]) (unknown to the model)"
  }

  private func facts(of answer: Evaluation.Answer) -> [(name: String, value: String)] {
    func guesses(_ probability: KeyPath<Recognition.Candidate, Double>) -> String {
      answer.candidates.sorted { $0[keyPath: probability] > $1[keyPath: probability] }.prefix(2)
        .map { "\(names[$0.label]) \(FigureText.percent($0[keyPath: probability]))" }
        .joined(separator: ", ")
    }
    var facts = [
      ("answer", said(of: answer)), ("by the picture", guesses(\.imageProbability)),
    ]
    if answer.facts.isPlaced { facts.append(("with place", guesses(\.probability))) }
    if let odds = answer.odds {
      facts.append(("odds of a building", FigureText.odds(odds)))
    }
    if let distance = answer.facts.distance {
      facts.append(("distance", "\(FigureText.decimal(distance, digits: 0)) m"))
    }
    if let session = answer.session { facts.append(("session", session)) }
    return facts.map { (name: $0.0, value: $0.1) } + [(name: "file", value: answer.photo.name)]
  }

  private func said(of answer: Evaluation.Answer) -> String {
    switch answer.verdict {
    case .building: "named \(answered(answer))"
    case .mappedBuilding: "probably \(answered(answer)), by its place only"
    default: answer.verdict.text
    }
  }

  private func answered(_ answer: Evaluation.Answer) -> String {
    answer.answered.map { names[$0] } ?? "nothing"
  }

  private func map(of answer: Evaluation.Answer, _ sketch: CampusSketch?) -> String? {
    let heading = answer.facts.position.flatMap { position in
      answer.facts.heading?.trueNorth(at: position, year: MagneticField.usualYear).degrees
    }
    return sketch?.svg(
      at: answer.facts.position, heading: heading, truth: answer.photo.label,
      answer: answer.answered)
  }
}

extension Recognition.Verdict {
  /// As people say it.
  var text: String {
    switch self {
    case .building: "named"
    case .notOnCampus: "Not on Campus"
    case .notACampusBuilding: "Not a Campus Building"
    case .unsure: "Unsure"
    case .mappedBuilding: "by its place only"
    }
  }
}
