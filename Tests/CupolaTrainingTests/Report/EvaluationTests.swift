import CupolaTestSupport
import Foundation
import Testing

@testable import Cupola
@testable import CupolaTraining

@Suite("Evaluation")
struct EvaluationTests {
  private static let model: Model = {
    let names = ["_street", "chapel", "tower"]
    return Model(
      recipe: .hog, extractor: FeatureExtractor(hog: .standard), labels: Labels(names),
      classifier: .softmax(
        LinearClassifier(
          weights: Matrix(rows: 3, columns: Recipe.hog.featureCount), biases: [0, 0, 0])),
      calibration: .identity, campus: nil,
      provenance: Provenance(
        version: "0", dataDigest: "", photos: [:], seed: 0, regularization: 1, kernel: ""))
  }()

  /// An answer with the given probabilities for chapel and street; the tower gets the rest.
  private static func answer(
    _ name: String, _ label: String, chapel: Double, street: Double = 0, split: Split? = .test,
    verdict: Recognition.Verdict = .building, odds: Double? = nil, logit: Double = 0
  ) -> Evaluation.Answer {
    let both = [("chapel", chapel), ("tower", 1 - chapel - street)].map {
      Recognition.Candidate(
        label: $0, probability: $1, imageProbability: $1, logit: $0 == "tower" ? logit : -1)
    }
    return Evaluation.Answer(
      photo: LabeledPhoto(path: name, name: name, label: label, split: split, group: nil),
      verdict: verdict, candidates: both.sorted { $0.probability > $1.probability },
      odds: odds)
  }

  private static func evaluation(_ answers: [Evaluation.Answer]) -> Evaluation {
    Evaluation(model: model, answers: answers, errors: [])
  }

  @Test("Photos are sorted into known, background and unknown")
  func kinds() {
    let evaluation = Self.evaluation([
      Self.answer("known", "chapel", chapel: 0.9),
      Self.answer("undivided", "tower", chapel: 0.9, split: nil),
      Self.answer("background", "_street", chapel: 0.5, street: 0.2),
      Self.answer("other background", "_cats", chapel: 0.5),
      Self.answer("unknown background", "_cats", chapel: 0.5, split: .testUnknown),
      Self.answer("never seen", "barn", chapel: 0.5),
      Self.answer("said to be unknown", "chapel", chapel: 0.5, split: .testUnknown),
    ])
    #expect(evaluation.known.map(\.photo.name) == ["known", "undivided"])
    #expect(
      evaluation.background.map(\.photo.name)
        == ["background", "other background", "unknown background"])
    #expect(evaluation.unknown.map(\.photo.name) == ["never seen", "said to be unknown"])
    #expect(evaluation.confusion.labels == ["chapel", "tower"])
    #expect(evaluation.confusion.counts == [[1, 0], [1, 0]])
    #expect(evaluation.usesHOGFeatures)
  }

  @Test("Accuracies and confusions count known buildings")
  func figures() {
    let evaluation = Self.evaluation([
      Self.answer("1", "chapel", chapel: 0.9), Self.answer("2", "chapel", chapel: 0.4),
      Self.answer("3", "tower", chapel: 0.2), Self.answer("4", "tower", chapel: 0.7),
      Self.answer("5", "_street", chapel: 1), Self.answer("6", "barn", chapel: 1),
    ])
    #expect(evaluation.top1 == 0.5)
    #expect(evaluation.top3 == 1)
    #expect(evaluation.named.interval == WilsonInterval(successes: 2, of: 4))
    #expect(evaluation.confusion.counts == [[1, 1], [1, 1]])
    #expect(evaluation.photos(of: "chapel", takenFor: "tower") == ["2"])
    #expect(evaluation.photos(of: "tower", takenFor: "chapel") == ["4"])
  }

  @Test("Background rejection ranks by odds or building probability")
  func backgroundRejection() {
    let withOdds = Self.evaluation([
      Self.answer("1", "chapel", chapel: 0.5, odds: 4),
      Self.answer("2", "tower", chapel: 0.5, odds: 1),
      Self.answer("3", "tower", chapel: 0.5, odds: -1),
      Self.answer("4", "_street", chapel: 0.9, odds: 2),
      Self.answer("5", "_street", chapel: 0.9, odds: -2),
    ])
    // Two of six pairs are in the wrong order.
    #expect(abs((withOdds.backgroundRejection.area ?? 0) - 4.0 / 6) < 1e-12)
    let without = Self.evaluation([
      Self.answer("1", "chapel", chapel: 0.9), Self.answer("2", "tower", chapel: 0.35),
      Self.answer("3", "_street", chapel: 0.7),
    ])
    // The scores 0.9 and 0.65, compared with 0.7.
    #expect(without.backgroundRejection.area == 0.5)
    #expect(Self.evaluation([]).backgroundRejection.area == nil)
  }

  @Test(
    "Unknown rejection ranks by the largest building logit")
  func unknownRejection() {
    let evaluation = Self.evaluation([
      Self.answer("1", "chapel", chapel: 0.9, logit: 3),
      Self.answer("2", "tower", chapel: 0.1, logit: 1),
      Self.answer("3", "barn", chapel: 1, logit: 2), Self.answer("4", "barn", chapel: 1, logit: -5),
      Self.answer("5", "_street", chapel: 1, logit: 9),
    ])
    // The scores 3 and 1, compared with 2 and -1.
    #expect(evaluation.unknownRejection.area == 0.75)
    #expect(EvaluationReport(evaluation).figures["unknown_buildings_auroc"] == 0.75)
    #expect(Self.evaluation([]).unknownRejection.area == nil)
  }

  @Test("The Brier score counts all backgrounds as one label")
  func brier() throws {
    let evaluation = Self.evaluation([
      Self.answer("1", "chapel", chapel: 0.5, street: 0.2),
      Self.answer("2", "tower", chapel: 0.9, street: 0),
    ])
    // (0.5^2 + 0.3^2 + 0.2^2 + 0.9^2 + 0.9^2) / 2
    #expect(abs(try #require(evaluation.calibration.brier) - 1.0) < 1e-12)
    // Bins of 0.5 (right) and 0.9 (wrong), with one photo each.
    #expect(abs(try #require(evaluation.calibration.ece) - (0.5 + 0.9) / 2) < 1e-12)
  }

  @Test("Verdict counts treat any name of a background as wrong")
  func verdicts() {
    let answers = [
      Self.answer("1", "chapel", chapel: 0.9), Self.answer("2", "chapel", chapel: 0.1),
      Self.answer("3", "tower", chapel: 0.1, verdict: .notACampusBuilding),
      Self.answer("4", "tower", chapel: 0.1, verdict: .notOnCampus),
      Self.answer("5", "_street", chapel: 0.9),
      Self.answer("6", "tower", chapel: 0.4, verdict: .unsure),
      Self.answer("7", "_street", chapel: 0.4, verdict: .unsure),
      Self.answer("8", "chapel", chapel: 0.9, verdict: .mappedBuilding),
      Self.answer("9", "tower", chapel: 0.9, verdict: .mappedBuilding),
    ]
    let counts = Self.evaluation(answers).verdicts(answers)
    #expect(counts.right == 1)
    #expect(counts.wrong == 2)
    #expect(counts.unsure == 2)
    #expect(counts.mappedRight == 1)
    #expect(counts.mappedWrong == 1)
    #expect(counts.notACampusBuilding == 1)
    #expect(counts.notOnCampus == 1)
  }

  @Test("Position evidence does not change the image figures")
  func place() {
    var saved = Self.answer("1", "chapel", chapel: 0.4)
    saved.bestWithPlace = "chapel"
    var spoilt = Self.answer("2", "chapel", chapel: 0.9)
    spoilt.bestWithPlace = "tower"
    let kept = Self.answer("3", "tower", chapel: 0.1)
    let refused = Self.answer("4", "tower", chapel: 0.1, verdict: .notOnCampus)
    let evaluation = Self.evaluation([saved, spoilt, kept, refused])
    #expect(evaluation.top1 == 0.75 && evaluation.top1WithPlace == 0.5)
    #expect(evaluation.confusion.counts == [[1, 1], [0, 2]])
    let counts = evaluation.verdicts(evaluation.known)
    #expect(counts.right == 2 && counts.wrong == 1 && counts.notOnCampus == 1)
  }

  @Test("Figures with position are shown only for models that use positions")
  func withoutPlace() throws {
    var model = ReportFixture.model()
    var answer = ReportFixture.chapel("1", "chapel", 0.9)
    answer.facts.isPlaced = true
    let position = try #require(Position(latitude: 48, longitude: 11))
    for viewpoints in [[:], ["chapel": [Viewpoint(position)]]] {
      model.place = PlaceModel(viewpoints: viewpoints)
      let report = ReportFixture.report(ReportFixture.evaluation([answer], model), model)
      let isUsed = !viewpoints.isEmpty
      #expect(model.usesPlace == isUsed && report.usesPosition == isUsed)
      #expect(
        EvaluationText(report, width: 100).text.contains("top-1 with position") == isUsed)
      #expect((report.card?.json[["position_weight"]] != nil) == isUsed)
      #expect(report.card?.json[["heading_weight"]] == nil)
    }
  }

  @Test("Without known photos there are no figures")
  func nothingKnown() throws {
    let evaluation = Self.evaluation([Self.answer("1", "_street", chapel: 0.9)])
    #expect(evaluation.top1 == nil)
    #expect(evaluation.top3 == nil)
    #expect(evaluation.calibration.ece == nil)
    #expect(evaluation.confusion.macroF1 == nil)
    let report = EvaluationReport(evaluation)
    #expect(report.figures["photos"] == 0)
    #expect(report.figures.interval("top1") == nil)
    let json = try JSONEncoder().encode(report)
    #expect(String(decoding: json, as: UTF8.self).contains("\"schema\":\"cupola.evaluation"))
  }

  @Test("The report contains the evaluation's figures")
  func report() {
    let evaluation = Evaluation(
      model: Self.model,
      answers: [
        Self.answer("1", "chapel", chapel: 0.9), Self.answer("2", "tower", chapel: 0.6),
        Self.answer("3", "_street", chapel: 0.5),
        Self.answer("4", "barn", chapel: 0.5, verdict: .unsure),
      ], errors: [SkippedFile(name: "5.jpg", reason: .unusable(.unsupportedFormat(.png)))])
    let report = EvaluationReport(evaluation)
    func member(_ path: String...) -> JSONObject.Member? { report.json[path] }
    #expect(member("photos") as? Int == 2)
    #expect(member("top1") as? Double == 0.5)
    #expect(member("labels") as? [String] == ["chapel", "tower"])
    #expect(member("confusion") as? [[Int]] == [[1, 0], [1, 0]])
    let labels = member("per_label") as? [JSONObject]
    #expect(labels?.map { $0[["support"]] as? Int } == [1, 1])
    #expect(member("rejection", "photos") as? Int == 1)
    #expect(member("rejection", "auroc") as? Double == 1)
    #expect(member("rejection", "unknown_buildings") as? Int == 1)
    #expect(member("verdicts", "buildings", "right") as? Int == 1)
    #expect(member("verdicts", "buildings", "wrong") as? Int == 1)
    #expect(member("verdicts", "not_buildings", "wrong") as? Int == 1)
    #expect(member("verdicts", "unknown_buildings", "wrong") as? Int == 0)
    #expect(member("verdicts", "unknown_buildings", "unsure") as? Int == 1)
    #expect((member("errors") as? [JSONObject])?.map { $0[["photo"]] as? String } == ["5.jpg"])
    #expect(member("baseline_hog_top1") as? Double == 0.5)
  }
}

@Suite("Confusion matrix")
struct ConfusionMatrixTests {
  private static func matrix(_ labels: [String], _ counts: [[Int]]) -> ConfusionMatrix {
    var matrix = ConfusionMatrix(labels: labels)
    for (truth, row) in counts.enumerated() {
      for (answer, count) in row.enumerated() {
        for _ in 0..<count { matrix.add(truth: truth, answer: answer) }
      }
    }
    return matrix
  }

  private static func expect(_ found: [Double?], _ wanted: [Double]) {
    #expect(found.count == wanted.count)
    for (found, wanted) in zip(found, wanted) { #expect(abs((found ?? .nan) - wanted) < 1e-12) }
  }

  @Test("Rows are true labels and columns are answers")
  func counts() {
    let matrix = Self.matrix(["a", "b", "c"], [[5, 1, 0], [2, 3, 0], [0, 0, 4]])
    #expect(matrix.counts == [[5, 1, 0], [2, 3, 0], [0, 0, 4]])
    #expect(matrix.total == 15)
    #expect(matrix.correct == 12)
  }

  @Test("Precision, recall and F1 match their definitions")
  func figures() throws {
    let matrix = Self.matrix(["a", "b", "c"], [[5, 1, 0], [2, 3, 0], [0, 0, 4]])
    #expect(matrix.perLabel.map(\.label) == ["a", "b", "c"])
    #expect(matrix.perLabel.map(\.support) == [6, 5, 4])
    Self.expect(matrix.perLabel.map(\.precision), [5.0 / 7, 3.0 / 4, 1])
    Self.expect(matrix.perLabel.map(\.recall), [5.0 / 6, 3.0 / 5, 1])
    Self.expect(matrix.perLabel.map(\.f1), [10.0 / 13, 6.0 / 9, 1])
    let mean: Double = (10.0 / 13 + 6.0 / 9 + 1) / 3
    Self.expect([matrix.macroF1], [mean])
  }

  @Test("A figure with a zero denominator is absent")
  func absent() {
    // b is never the answer, c has no photos, and both are true of d.
    let matrix = Self.matrix(
      ["a", "b", "c", "d"], [[1, 0, 0, 0], [1, 0, 1, 0], [0, 0, 0, 0], [0, 0, 0, 0]])
    let figures = matrix.perLabel
    #expect(figures[1].precision == nil)
    #expect(figures[1].recall == 0)
    #expect(figures[1].f1 == 0)
    #expect(figures[2].precision == 0)
    #expect(figures[2].recall == nil)
    #expect(figures[2].f1 == nil)
    #expect(figures[3].f1 == nil)
    // The F1 of a is 2 * 1 / (1 + 2), that of b is 0, and c and d have no photos.
    Self.expect([matrix.macroF1], [1.0 / 3])
    #expect(ConfusionMatrix(labels: ["a"]).macroF1 == nil)
  }

  @Test("Confused pairs are sorted by count, then by label")
  func pairs() {
    let matrix = Self.matrix(["a", "b", "c"], [[9, 1, 2], [3, 9, 1], [0, 1, 9]])
    let pairs = matrix.confusedPairs
    #expect(pairs.map(\.truth) == [1, 0, 0, 1, 2])
    #expect(pairs.map(\.answer) == [0, 2, 1, 2, 1])
    #expect(pairs.map(\.count) == [3, 2, 1, 1, 1])
  }

  @Test("With more than 200 labels, reports list pairs instead of a matrix", arguments: [200, 201])
  func many(count: Int) throws {
    let labels = (0..<count).map { "building \($0 + 1000)" }
    func answer(_ name: String, _ label: Int, _ best: Int) -> Evaluation.Answer {
      ReportFixture.answer(name, labels[label], [(labels[best], 0.9), (labels[3], 0.1)])
    }
    let evaluation = Evaluation(
      model: ReportFixture.model(labels),
      answers: [answer("1", 0, 0), answer("2", 1, 199), answer("3", 1, 199)], errors: [])
    #expect(evaluation.confusion.total == 3 && evaluation.confusion.correct == 1)
    let json = EvaluationReport(evaluation).json
    let pairs = json[["confusion_pairs"]] as? [JSONObject]
    guard count > 200 else {
      #expect((json[["confusion"]] as? [[Int]])?[1][199] == 2 && pairs == nil)
      return
    }
    #expect((json[["confusion"]] as? [[Int]])?.isEmpty == true)
    #expect(pairs?.map { $0[["label"]] as? String } == [labels[0], labels[1]])
    #expect(pairs?.map { $0[["answer"]] as? String } == [labels[0], labels[199]])
    #expect(pairs?.map { $0[["photos"]] as? Int } == [1, 2])
  }

  @Test("Answers with only the best candidates have the same figures")
  func best() {
    let whole = Evaluation.Answer(
      photo: LabeledPhoto(path: "1", name: "1", label: "b4", split: .test, group: nil),
      verdict: .building,
      candidates: (0..<9).map {
        Recognition.Candidate(
          label: "b\($0)", probability: $0 == 8 ? 0.5 : 0.05,
          imageProbability: 0.2 - Double($0) / 50,
          logit: Double($0))
      })
    var best = whole
    best.keepBest()
    #expect(best.candidates.map(\.label) == ["b0", "b1", "b2", "b3", "b4", "b8"])
    #expect(best.figures == whole.figures && best.largestLogit == 8)
    #expect(best.probabilityWithPlace == 0.5 && best.probability == whole.probability)
  }
}
