import CupolaSupport
import Testing

@testable import Cupola
@testable import CupolaTraining

/// A small handmade evaluation with two known buildings, backgrounds and an unknown building.
enum ReportFixture {
  static func model(_ labels: [String] = ["_street", "chapel", "tower"], campus: Campus? = nil)
    -> Model
  {
    Model(
      recipe: .hog, extractor: FeatureExtractor(hog: .standard), labels: Labels(labels),
      classifier: .softmax(
        LinearClassifier(
          weights: Matrix(rows: labels.count, columns: Recipe.hog.featureCount),
          biases: [Float](repeating: 0, count: labels.count))),
      calibration: .identity, campus: campus,
      provenance: Provenance(
        version: "0", dataDigest: "00ff", photos: ["chapel": 3, "tower": 4],
        photoDigests: ["chapel": PhotoDigests(sha256: ["00000000000000aa"])], seed: 7,
        regularization: 10, kernel: "none",
        recall: ["chapel", "tower"].reduce(into: [:]) {
          $0[$1] = Provenance.Recall(right: 1, asked: 1)
        }))
  }

  static func answer(
    _ name: String, _ label: String, _ probabilities: [(String, Double)], split: Split? = .test,
    verdict: Recognition.Verdict = .building, odds: Double? = 1, group: String? = nil,
    attributes: [String: String] = [:], path: String = "/nowhere"
  ) -> Evaluation.Answer {
    let candidates = probabilities.map {
      Recognition.Candidate(label: $0, probability: $1, imageProbability: $1, logit: 4 * $1)
    }
    var facts = PhotoFacts()
    facts.digest = "digest of " + name
    (facts.width, facts.height) = (400, 300)
    facts.milliseconds = [.decode: 2, .features: 8]
    return Evaluation.Answer(
      photo: LabeledPhoto(
        path: path, name: name, label: label, split: split, group: group, attributes: attributes),
      verdict: verdict, candidates: candidates.sorted { $0.probability > $1.probability },
      odds: odds, facts: facts)
  }

  static func chapel(
    _ name: String, _ label: String, _ chapel: Double, split: Split? = .test,
    verdict: Recognition.Verdict = .building, odds: Double? = 1, group: String? = nil,
    attributes: [String: String] = [:]
  ) -> Evaluation.Answer {
    answer(
      name, label, [("chapel", chapel), ("tower", 1 - chapel)], split: split, verdict: verdict,
      odds: odds, group: group, attributes: attributes)
  }

  static func placed(_ name: String) -> Evaluation.Answer {
    var answer = chapel(name, "chapel", 0.9, verdict: .mappedBuilding)
    answer.bestWithPlace = "way/1"
    return answer
  }

  static let answers = [
    chapel("1.jpg", "chapel", 0.9, odds: 5, group: "a", attributes: ["light": "sun"]),
    chapel("2.jpg", "chapel", 0.4, odds: 2, group: "b", attributes: ["light": "rain"]),
    chapel("3.jpg", "tower", 0.2, odds: 3, group: "a", attributes: ["light": "sun"]),
    chapel(
      "4.jpg", "tower", 0.7, verdict: .unsure, odds: 1, group: "b", attributes: ["light": "rain"]),
    chapel("5.jpg", "_street", 0.5, verdict: .notACampusBuilding, odds: -2),
    chapel("6.jpg", "_street", 0.9, odds: 2.5), chapel("7.jpg", "barn", 0.8, split: .testUnknown),
  ]

  static func evaluation(_ answers: [Evaluation.Answer] = answers, _ model: Model = model())
    -> Evaluation
  {
    Evaluation(model: model, answers: answers, errors: [])
  }

  static func csv(_ name: String, of report: EvaluationReport) throws -> CSV {
    let entry = try #require(EvaluationReport.tables.first { $0.name == name })
    return try CSV(Array(entry.table(report).csv.utf8))
  }

  static func report(_ evaluation: Evaluation, _ model: Model = model()) -> EvaluationReport {
    var report = EvaluationReport(evaluation)
    report.card = EvaluationCard(
      Recognizer(model: model), named: "m.safetensors", evaluation: evaluation)
    return report
  }
}
