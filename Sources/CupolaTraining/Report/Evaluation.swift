package import Cupola

// The answers to photos whose truth is known, and the figures that follow from them.
// 1. Photos are sorted: known buildings, no buildings, unknown buildings.
// 2. Figures of the picture alone; 3. figures with the place; 4. counts of verdicts.

/// What a model answered about photos whose answers are known, and the figures that follow.
public struct Evaluation: Sendable {
  package struct Answer: Sendable {
    package let photo: LabeledPhoto
    /// What the photo shows, with its place taken into account.
    package let verdict: Recognition.Verdict
    /// What the picture alone says: all buildings, most probable first.
    package let candidates: [Recognition.Candidate]
    package var odds: Double?
    /// The most probable building by picture and place; `nil` when that is the picture's.
    package var bestWithPlace: String?
    /// How probably it shows anything that trained or that the map knows, 0...1.
    package var familiarity = 1.0
    /// What the model says with some of its parts only; empty where nobody asked.
    var parts: [ModelPart: PartialAnswer] = [:]
    package var facts = PhotoFacts()

    var probability: Double { candidates.first?.imageProbability ?? 0 }
    var largestLogit: Double { candidates.map(\.logit).max() ?? -.infinity }
    var isRight: Bool { candidates.first?.label == photo.label }
    var answered: String? { bestWithPlace ?? candidates.first?.label }

    /// How sure picture and place are together; 0 off the campus.
    var probabilityWithPlace: Double {
      verdict == .notOnCampus ? 0 : candidates.map(\.probability).max() ?? 0
    }

    var surety: Double { familiarity * probabilityWithPlace }
    var isRightWithPlace: Bool { verdict != .notOnCampus && answered == photo.label }
  }

  /// Photos of buildings that the model knows.
  package let known: [Answer]
  /// Photos of things that are no buildings.
  package let background: [Answer]
  /// Photos of buildings that the model does not know.
  package let unknown: [Answer]
  /// Photos that could not be read.
  public let errors: [SkippedFile]
  /// The truth against the most probable building, by the picture alone.
  package let confusion: ConfusionMatrix
  /// Whether the model uses the `hog` features, so that its figures are the baseline's.
  package let usesHOGFeatures: Bool
  let point: Thresholds
  /// What training knows of photos whose building was left out; `nil` where none was.
  let leftOut: ErrorCurve?

  package var all: [Answer] { known + background + unknown }
  var asked: Int { all.count + errors.count }

  package init(
    model: Model, answers: [Answer], errors: [SkippedFile], point: Thresholds? = nil
  ) {
    self.point = point ?? Thresholds(model.calibration)
    leftOut = model.calibration.unknownBuildings
    let buildings = model.labels.buildings.map { model.labels.names[$0] }
    let index = buildings.indexByElement
    background = answers.filter { Labels.isBackground($0.photo.label) }
    let real = answers.filter { !Labels.isBackground($0.photo.label) }
    known = real.filter { $0.photo.split != .testUnknown && index[$0.photo.label] != nil }
    unknown = real.filter { $0.photo.split == .testUnknown || index[$0.photo.label] == nil }
    self.errors = errors
    var confusion = ConfusionMatrix(labels: buildings)
    for answer in known {
      guard let truth = index[answer.photo.label],
        let best = answer.candidates.first.flatMap({ index[$0.label] })
      else { continue }
      confusion.add(truth: truth, answer: best)
    }
    self.confusion = confusion
    usesHOGFeatures = model.recipe.features.kind == HOG.kind
  }

  // MARK: - Figures of the picture alone

  package var named: Share { Share(right: confusion.correct, of: known.count) }

  /// The share of the known photos whose most probable building is right; `nil` without photos.
  public var top1: Double? { named.accuracy }

  /// Share of the known photos whose building is among the three most probable.
  public var top3: Double? {
    Share(of: known) { answer in
      answer.candidates.prefix(3).contains { $0.label == answer.photo.label }
    }.accuracy
  }

  package var namedWithPlace: Share { Share(of: known, where: \.isRightWithPlace) }

  /// The same by picture, place and heading, where photos refused for their place are wrong.
  public var top1WithPlace: Double? { namedWithPlace.accuracy }

  /// How photos of known buildings part from photos of no buildings by what decides there: the odds of
  /// the best building against the backgrounds, or without backgrounds its probability.
  package var backgroundRejection: ROCCurve {
    func score(_ answer: Answer) -> Double { answer.odds ?? answer.probability }
    return ROCCurve(positives: known.map(score), negatives: background.map(score))
  }

  /// How they part from photos of unknown buildings by the largest logit of any building.
  package var unknownRejection: ROCCurve {
    ROCCurve(positives: known.map(\.largestLogit), negatives: unknown.map(\.largestLogit))
  }

  package var calibration: CalibrationFigures {
    CalibrationFigures(
      answers: known.map { ($0.probability, $0.isRight) },
      squaredDistances: known.map { answer in
        let probabilities = answer.candidates.map { candidate in
          candidate.imageProbability - (candidate.label == answer.photo.label ? 1 : 0)
        }
        let background = 1 - answer.candidates.reduce(0) { $0 + $1.imageProbability }
        return (probabilities + [background]).reduce(0) { $0 + $1 * $1 }
      })
  }

  /// What comes of answering only the surest, by picture, place and heading.
  package var riskCoverage: RiskCoverage {
    RiskCoverage(known.map { ($0.probabilityWithPlace, $0.isRightWithPlace) })
  }

  /// The same of visits of which some are to unknown buildings, where every name of one that trained is
  /// wrong; without photos of unknown buildings that of the known ones.
  func riskCoverage(unknownShare: Double) -> RiskCoverage {
    guard !unknown.isEmpty, !known.isEmpty else { return riskCoverage }
    let weights = [
      (1 - unknownShare) / Double(known.count), unknownShare / Double(unknown.count),
    ]
    return RiskCoverage(
      weighed: known.map { ($0.surety, $0.isRightWithPlace, weights[0]) }
        + unknown.map { ($0.surety, false, weights[1]) })
  }

  /// How known buildings part from photos of other kinds by how sure the answer is, place included.
  func finalRejection(of others: [Answer]) -> ROCCurve {
    ROCCurve(positives: known.map(\.surety), negatives: others.map(\.surety))
  }

  // MARK: - Figures of the verdicts

  package struct Verdicts: Equatable, Sendable {
    package var right = 0
    package var wrong = 0
    /// Two buildings too close to call, or picture and place say different ones.
    package var unsure = 0
    /// A building that has no photos, by place only, and rightly.
    package var mappedRight = 0
    package var mappedWrong = 0
    package var notACampusBuilding = 0
    package var notOnCampus = 0

    init(_ answers: some Sequence<(verdict: Recognition.Verdict, isRight: Bool)>) {
      for (verdict, isRight) in answers {
        switch verdict {
        case .building where isRight: right += 1
        case .building: wrong += 1
        case .unsure: unsure += 1
        case .mappedBuilding where isRight: mappedRight += 1
        case .mappedBuilding: mappedWrong += 1
        case .notACampusBuilding: notACampusBuilding += 1
        case .notOnCampus: notOnCampus += 1
        }
      }
    }

    static let columns: [Column<Verdicts>] = [
      .count("right") { $0.right }, .count("wrong") { $0.wrong }, .count("unsure") { $0.unsure },
      .count("not_a_campus_building", "\"Not a Campus Building\"") { $0.notACampusBuilding },
      .count("not_on_campus", "\"Not on Campus\"") { $0.notOnCampus },
      .count("mapped_right", "right by place only") { $0.mappedRight },
      .count("mapped_wrong", "wrong by place only") { $0.mappedWrong },
    ]
  }

  /// What the model's own line gives: the share of the known photos that are named, and of these the
  /// share that are named wrong; `nil` without photos.
  var operatingPoint: (coverage: Double, risk: Double?)? {
    let counts = verdicts(known)
    let named = Share(right: counts.wrong, of: counts.right + counts.wrong)
    return Share(right: named.photos, of: known.count).accuracy.map { ($0, named.accuracy) }
  }

  package func verdicts(_ answers: [Answer]) -> Verdicts {
    Verdicts(answers.map { ($0.verdict, $0.isRightWithPlace) })
  }

  var parts: [PartFigures] { ModelPart.allCases.compactMap { PartFigures($0, self) } }

  /// The photos of unknown buildings that were given the name of one that trained.
  var unknownNamed: Share { Share(of: unknown) { $0.verdict == .building } }

  var unknownNamedByPicture: Share? {
    let part = [ModelPart.unfamiliar, .backgrounds, .picture].first { part in
      unknown.first?.parts[part] != nil
    }
    return part.map { part in
      Share(of: unknown) { $0.parts[part]?.verdict == .building }
    }
  }

  package func photos(of truth: String, takenFor label: String) -> [String] {
    known.filter { $0.photo.label == truth && $0.candidates.first?.label == label }
      .map(\.photo.name)
  }
}
