package import Cupola

// Compares two models on the same photos.
// 1. Read the report of another model. 2. Pair the photos by digest and label.
// 3. Count each model's right answers, and compute McNemar's test.
// 4. Compare a model with a copy that has rounded weights (WeightsComparison).

package struct ModelComparison: Sendable {
  package let other: String?
  let figures: Figures
  /// The number of photos of known buildings in both reports; identical files with the same label count once.
  package let photos: Int
  package let right: Int
  package let otherRight: Int
  package let mcnemar: McNemar
  package let mcnemarFused: McNemar
  package let won: [String]
  package let lost: [String]
  static let mostNames = 100

  var name: String { other ?? "the other model" }

  static let columns: [Column<ModelComparison>] = [
    .text("other", "other model") { $0.name }, .count("photos") { $0.photos },
    .count("right", "right, this model") { $0.right },
    .count("other_right", "right, other model") { $0.otherRight },
    .count("only_first", "right, this model only") { $0.mcnemar.onlyFirst },
    .count("only_second", "right, other model only") { $0.mcnemar.onlySecond },
    Column("p_value", "p") { .other($0.mcnemar.pValue, $0.mcnemar.text) },
    Column("p_value_fused", "p with position") {
      .other($0.mcnemarFused.pValue, $0.mcnemarFused.text)
    },
  ]

  var json: JSONObject {
    [
      "other": other, "other_figures": figures.json, "photos": photos, "right": right,
      "other_right": otherRight, "mcnemar": mcnemar.json, "mcnemar_fused": mcnemarFused.json,
      "won": won, "lost": lost,
    ]
  }

  /// Compares an evaluation with the report of another model.
  ///
  /// - Throws: ``TrainingError/differentPhotos(path:both:asked:others:)`` if the reports cover different photos of
  ///   known buildings.
  package init(_ evaluation: Evaluation, with report: OtherReport) throws(TrainingError) {
    let others = Dictionary(
      report.predictions.filter { $0.kind == "building" }.map { ($0.digest + "\n" + $0.label, $0) }
    ) { first, _ in first }
    var seen: Set<String> = []
    let own = evaluation.known.map { (key: $0.facts.digest + "\n" + $0.photo.label, answer: $0) }
      .filter { seen.insert($0.key).inserted }
    let pairs = own.compactMap { own in others[own.key].map { (answer: own.answer, other: $0) } }
    guard pairs.count == own.count, pairs.count == others.count else {
      throw TrainingError.differentPhotos(
        path: report.path, both: pairs.count, asked: own.count, others: others.count)
    }
    other = report.model
    figures = report.figures
    photos = pairs.count
    right = pairs.count { $0.answer.isRight }
    otherRight = pairs.count { $0.other.isRight }
    let won = pairs.filter { $0.answer.isRight && !$0.other.isRight }
    let lost = pairs.filter { !$0.answer.isRight && $0.other.isRight }
    let sessions = pairs.map(\.answer).sessions
    mcnemar = McNemar(
      pairs.map { ($0.answer.isRight, $0.other.isRight) }, sessions: sessions)
    mcnemarFused = McNemar(
      pairs.map { ($0.answer.isRightWithPlace, $0.other.isRightWithPlace) }, sessions: sessions)
    self.won = won.prefix(Self.mostNames).map(\.answer.photo.name)
    self.lost = lost.prefix(Self.mostNames).map(\.answer.photo.name)
  }
}

package struct OtherReport: Decodable, Sendable {
  struct Prediction: Decodable, Sendable {
    let digest: String
    let label: String
    let kind: String
    let answer: String?
    let fusedAnswer: String?

    enum CodingKeys: String, CodingKey {
      case digest, label, kind, answer
      case fusedAnswer = "fused_answer"
    }

    var isRight: Bool { answer == label }
    var isRightWithPlace: Bool { fusedAnswer == label }
  }

  private struct Card: Decodable { let model: String }

  let figures: Figures
  let predictions: [Prediction]
  let model: String?
  private(set) var path = ""

  package init(from decoder: any Decoder) throws {
    let report = try decoder.container(keyedBy: JSONObject.Name.self)
    predictions = try report.decode([Prediction].self, forKey: .init("predictions"))
    model = try report.decodeIfPresent(Card.self, forKey: .init("model_card"))?.model
    figures = try Figures(from: decoder)
  }

  static let fileLimit = 512 << 20

  package init(contentsOf path: String) throws(TrainingError) {
    let bytes = try TrainingError.files { () throws(FileError) in
      try FileAccess.read(path, limit: Self.fileLimit)
    }
    guard var report = try? JSONObject.decoded(OtherReport.self, from: bytes) else {
      throw TrainingError.badReport(path: path)
    }
    report.path = path
    self = report
  }
}

package struct WeightsComparison: Sendable {
  package let asked: Int
  package let changed: Int
  package let ofBuildings: Int
  package let right: (before: Int, after: Int)
  package let skipped: [SkippedFile]

  package init(
    _ model: Model, _ rounded: Model, on photos: [LabeledPhoto], decoder: PhotoDecoder,
    threads: Int
  ) async {
    let (answers, skipped) = await photos.reading(threads: threads) {
      photo throws(CupolaError) in
      try Self.ask(model, rounded, about: photo, decoder: decoder)
    }
    (asked, self.skipped) = (answers.count, skipped)
    changed = answers.count { $0.isChanged }
    let known = answers.filter { $0.isBuilding }
    ofBuildings = known.count
    right = (known.count { $0.isRight[0] }, known.count { $0.isRight[1] })
  }

  private static func ask(
    _ model: Model, _ rounded: Model, about photo: LabeledPhoto, decoder: PhotoDecoder
  ) throws(CupolaError) -> (isChanged: Bool, isBuilding: Bool, isRight: [Bool]) {
    let decoded = try model.recipe.decode(photo.opened(by: decoder))
    let square = model.recipe.prepare(decoded, geometry: model.recipe.geometry)
    let features = try model.extractor.features(of: square)
    let logits = [model, rounded].map { $0.logits(features) }
    let isRight = logits.map { logits in
      let best = model.labels.buildings.max { logits[$0] < logits[$1] }
      return best.map { model.labels.names[$0] } == photo.label
    }
    return (
      model.building(logits: logits[0]) != rounded.building(logits: logits[1]),
      model.labels.names.contains(photo.label) && !Labels.isBackground(photo.label), isRight
    )
  }
}
