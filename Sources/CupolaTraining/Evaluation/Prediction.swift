internal import Cupola

/// The raw answer to one photo, from which every figure can be computed again.
struct Prediction: Encodable {
  let photo: String
  let digest: String
  let label: String
  let kind: String
  let split: Split?
  let session: String?
  let attributes: [String: String]
  let time: String?
  let width: Int
  let height: Int
  let distance: Double?
  let heading: Double?
  let verdict: Recognition.Verdict
  let answer: String?
  let fusedAnswer: String?
  let image: [Double]
  let fused: [Double]?
  let odds: Double?
  let logit: Double?
  let hogAnswer: String?
  let leak: TrainingOverlap.Kind?

  enum CodingKeys: String, CodingKey {
    case photo, digest, label, kind, split, session, attributes, time, width, height, verdict
    case answer, image, fused, odds, logit, leak
    case distance = "distance_m"
    case heading = "heading_deg"
    case fusedAnswer = "fused_answer"
    case hogAnswer = "hog_answer"
  }

  /// - Parameters:
  ///   - kind: what the truth is to the model.
  ///   - labels: the order of the probabilities.
  init(
    _ answer: Evaluation.Answer, kind: Kind, labels: [String: Int], baseline: Baseline?
  ) {
    photo = answer.photo.name
    digest = answer.facts.digest
    label = answer.photo.label
    self.kind = kind.rawValue
    split = answer.photo.split
    session = answer.session
    attributes = answer.photo.attributes
    time = answer.facts.captureTime
    width = answer.facts.width
    height = answer.facts.height
    distance = answer.facts.distance
    heading = answer.facts.heading?.degrees
    verdict = answer.verdict
    self.answer = answer.candidates.first?.label
    fusedAnswer = answer.verdict == .notOnCampus ? nil : answer.answered
    var image = [Double](repeating: 0, count: labels.count)
    var fused = image
    for candidate in answer.candidates {
      guard let index = labels[candidate.label] else { continue }
      image[index] = candidate.imageProbability
      fused[index] = candidate.probability
    }
    self.image = image
    self.fused = fused == image ? nil : fused
    odds = answer.odds
    logit = answer.candidates.isEmpty ? nil : answer.largestLogit
    leak = answer.facts.leak
    hogAnswer = baseline?.answers[answer.photo.name]
  }

  /// What the truth is to the model.
  enum Kind: String {
    case building, background
    case unknownBuilding = "unknown_building"
  }

  /// Calls with one prediction after the other, so that not all need be in memory.
  static func forEach(
    in evaluation: Evaluation, baseline: Baseline?, _ body: (Prediction) throws -> Void
  ) rethrows {
    let labels = Dictionary(
      uniqueKeysWithValues: evaluation.confusion.labels.enumerated().map { ($1, $0) })
    let kinds: [(Kind, [Evaluation.Answer])] = [
      (.building, evaluation.known), (.background, evaluation.background),
      (.unknownBuilding, evaluation.unknown),
    ]
    for (kind, answers) in kinds {
      for answer in answers {
        try body(Prediction(answer, kind: kind, labels: labels, baseline: baseline))
      }
    }
  }
}
