internal import Cupola

// The effect of each part of a model: the improvement over the model with only the preceding parts.
// 1. List the parts in order. 2. Recognize with only the first parts, using the same logits.
// 3. Compute the metrics with each number of parts.

enum ModelPart: String, CaseIterable, Sendable {
  case picture
  case backgrounds
  case unfamiliar
  case place
  case map

  var title: String {
    switch self {
    case .picture: "building classes only"
    case .backgrounds: "with background classes"
    case .unfamiliar: "with unknown-building class"
    case .place: "with fence, position, heading"
    case .map: "with the map's other buildings"
    }
  }

  func isPart(of model: Model) -> Bool {
    let labels = model.labels
    let names = Set(labels.names)
    return switch self {
    case .picture: true
    case .backgrounds: !labels.trainedBackgrounds.isEmpty
    case .unfamiliar: labels.unfamiliar != nil
    case .place: model.usesPlace
    case .map:
      model.place != nil
        && model.campus?.buildings.contains { !names.contains($0.label) } == true
    }
  }
}

/// Recognizes with only the first parts of a model, using the whole model's logits.
struct PartialRecognizer: Sendable {
  let part: ModelPart
  private let recognizer: Recognizer
  private let kept: [Int]

  static func all(of whole: Recognizer) -> [PartialRecognizer] {
    ModelPart.allCases.filter { $0.isPart(of: whole.model) }.map { Self(whole, upTo: $0) }
  }

  private init(_ whole: Recognizer, upTo part: ModelPart) {
    self.part = part
    var model = whole.model
    let names = model.labels
    let order = ModelPart.allCases
    func has(_ other: ModelPart) -> Bool {
      (order.firstIndex(of: other) ?? 0) <= (order.firstIndex(of: part) ?? 0)
    }
    let buildings = Set(names.buildings)
    kept = names.names.indices.filter { label in
      buildings.contains(label)
        || (label == names.unfamiliar ? has(.unfamiliar) : has(.backgrounds))
    }
    model.labels = Labels(kept.map { names.names[$0] })
    model.classifier = model.classifier.selecting(labels: kept)
    recognizer = Recognizer(model: model, point: whole.point, mapsUntrained: has(.map))
  }

  func answer(_ logits: [Float], to shot: CaptureInfo?) -> PartialAnswer {
    let counts = [.place, .map].contains(part)
    return PartialAnswer(
      recognizer.recognize(logits: kept.map { logits[$0] }, of: counts ? shot : nil))
  }
}

struct PartialAnswer: Sendable {
  let verdict: Recognition.Verdict
  let label: String?
  /// The probability of the best trained building; only names of trained buildings can be wrong.
  let confidence: Double
}

extension PartialAnswer {
  init(_ answer: Recognition) {
    let trained = answer.candidates.filter(\.isTrained).map(\.probability).max() ?? 0
    self.init(
      verdict: answer.verdict, label: answer.label, confidence: trained * answer.familiarity)
  }
}

struct PartFigures: Sendable {
  let part: ModelPart
  let title: String
  let known: Evaluation.VerdictCounts
  let backgroundNamed: Share
  let unknownNamed: Share
  let backgroundArea: Double?
  let unknownArea: Double?

  static let columns: [Column<PartFigures>] =
    [
      Column("part") { .other($0.part.rawValue, $0.title) },
      .count("right") { $0.known.right },
      // Also count wrong names by position only, so that each photo is in exactly one column.
      .count("wrong") { $0.known.wrong + $0.known.mappedWrong },
      .count("unsure") { $0.known.unsure },
      .count("refused", "rejected") { $0.known.notACampusBuilding + $0.known.notOnCampus },
      .count("not_buildings_named", "non-building photos named") {
        $0.backgroundNamed.photos > 0 ? $0.backgroundNamed.right : nil
      },
      .decimal("auroc", "AUROC", digits: 3) { $0.backgroundArea },
      .count("unknown_named", "unknown buildings named") {
        $0.unknownNamed.photos > 0 ? $0.unknownNamed.right : nil
      },
      .decimal("unknown_buildings_auroc", "AUROC, unknown buildings", digits: 3) { $0.unknownArea },
    ]

  init?(_ part: ModelPart, _ evaluation: Evaluation) {
    let answers = [evaluation.known, evaluation.background, evaluation.unknown].map { answers in
      answers.compactMap { answer in answer.parts[part].map { (answer.photo.label, $0) } }
    }
    guard answers.contains(where: { !$0.isEmpty }) else { return nil }
    self.part = part
    title =
      part == .place && !evaluation.hasFence ? "with \(evaluation.placeTitle)" : part.title
    known = Evaluation.VerdictCounts(answers[0].map { ($1.verdict, $0 == $1.label) })
    let named = answers.map { answers in
      Share(right: answers.count { $1.verdict == .building }, of: answers.count)
    }
    (backgroundNamed, unknownNamed) = (named[1], named[2])
    let confidences = answers.map { $0.map(\.1.confidence) }
    backgroundArea = ROCCurve(positives: confidences[0], negatives: confidences[1]).area
    unknownArea = ROCCurve(positives: confidences[0], negatives: confidences[2]).area
  }

  /// The names of all kinds of photos that are not right.
  var wrongNames: Int { known.namedWrong + backgroundNamed.right + unknownNamed.right }
}

extension Evaluation {
  /// Compares the right names of a model with the parts up to `first` and up to `second`.
  func changes(from first: ModelPart, to second: ModelPart) -> McNemar {
    func isRight(_ answer: Answer, _ part: ModelPart) -> Bool {
      guard let found = answer.parts[part] else { return false }
      return [.building, .mappedBuilding].contains(found.verdict)
        && found.label == answer.photo.label
    }
    return McNemar(
      known.map { (isRight($0, first), isRight($0, second)) }, sessions: known.sessions)
  }
}
