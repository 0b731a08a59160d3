internal import Cupola

// What each part of a model adds to those before it.
// 1. The parts, in their order; 2. a recognizer without the later parts, asked by the same logits.
// 3. The figures of what each says.

enum ModelPart: String, CaseIterable, Sendable {
  case picture
  case backgrounds
  case unfamiliar
  case place
  case map

  var title: String {
    switch self {
    case .picture: "picture alone"
    case .backgrounds: "and photos of no buildings"
    case .unfamiliar: "and the line against unknown buildings"
    case .place: "and fence, position, heading"
    case .map: "and the map's other buildings"
    }
  }

  func isPart(of model: Model) -> Bool {
    let labels = model.labels
    return switch self {
    case .picture: true
    case .backgrounds: !labels.trainedBackgrounds.isEmpty
    case .unfamiliar: labels.unfamiliar != nil
    case .place: model.place != nil || model.campus != nil
    case .map:
      model.place != nil
        && model.campus?.buildings.contains { !labels.names.contains($0.label) } == true
    }
  }
}

/// A model without some of its parts, asked by the logits of the whole one.
struct PartialRecognizer: Sendable {
  let part: ModelPart
  private let recognizer: Recognizer
  /// Which of the whole model's labels it has.
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
    kept = names.names.indices.filter { label in
      names.buildings.contains(label)
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
  /// How probable the best building is that trained: nothing but that can be named wrongly.
  let surety: Double
}

extension PartialAnswer {
  init(_ answer: Recognition) {
    let trained = answer.candidates.filter(\.isTrained).map(\.probability).max() ?? 0
    self.init(
      verdict: answer.verdict, label: answer.label, surety: trained * answer.familiarity)
  }
}

struct PartFigures: Sendable {
  let part: ModelPart
  let known: Evaluation.Verdicts
  let backgroundNamed: Share
  let unknownNamed: Share
  /// How known buildings part from no buildings by how sure the answer is, place included; `nil` without
  /// photos.
  let backgroundArea: Double?
  let unknownArea: Double?

  static let columns: [Column<PartFigures>] =
    [
      Column("part") { .other($0.part.rawValue, $0.part.title) },
      .count("right") { $0.known.right },
      // By place only too: else photos would be in no column, and the map would seem to cost nothing.
      .count("wrong") { $0.known.wrong + $0.known.mappedWrong },
      .count("unsure") { $0.known.unsure },
      .count("refused") { $0.known.notACampusBuilding + $0.known.notOnCampus },
      .count("not_buildings_named", "no buildings named") {
        $0.backgroundNamed.photos > 0 ? $0.backgroundNamed.right : nil
      },
      .decimal("auroc", "AUROC", digits: 3) { $0.backgroundArea },
      .count("unknown_named", "unknown ones named") {
        $0.unknownNamed.photos > 0 ? $0.unknownNamed.right : nil
      },
      .decimal("unknown_buildings_auroc", "AUROC, unknown ones", digits: 3) { $0.unknownArea },
    ]

  init?(_ part: ModelPart, _ evaluation: Evaluation) {
    let answers = [evaluation.known, evaluation.background, evaluation.unknown].map { answers in
      answers.compactMap { answer in answer.parts[part].map { (answer.photo.label, $0) } }
    }
    guard answers.contains(where: { !$0.isEmpty }) else { return nil }
    self.part = part
    known = Evaluation.Verdicts(answers[0].map { ($1.verdict, $0 == $1.label) })
    let named = answers.map { answers in
      Share(right: answers.count { $1.verdict == .building }, of: answers.count)
    }
    (backgroundNamed, unknownNamed) = (named[1], named[2])
    let sureties = answers.map { $0.map(\.1.surety) }
    backgroundArea = ROCCurve(positives: sureties[0], negatives: sureties[1]).area
    unknownArea = ROCCurve(positives: sureties[0], negatives: sureties[2]).area
  }
}
