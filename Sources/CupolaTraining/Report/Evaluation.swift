package import Cupola

// 1. Group the photos: known buildings, non-building photos, unknown buildings.
// 2. Compute metrics from the image alone, then with position and heading. 3. Count the verdicts.

/// A model's answers to photos with known labels, and the metrics computed from them.
public struct Evaluation: Sendable {
  package struct Answer: Sendable {
    package let photo: LabeledPhoto
    package let verdict: Recognition.Verdict
    /// All buildings by the image alone, most probable first; only the best of them after ``keepBest()``.
    package private(set) var candidates: [Recognition.Candidate]
    package var odds: Double?
    /// The most probable building from image and position; `nil` if it is the same as from the image alone.
    package var bestWithPlace: String?
    /// The probability, 0...1, that the photo shows a building that was trained or is on the map.
    package var familiarity = 1.0
    /// Answers of the model with only some of its parts; empty if they were not computed.
    var parts: [ModelPart: PartialAnswer] = [:]
    package var facts = PhotoFacts()
    /// The figures of all candidates, if ``candidates`` contains only the best of them.
    var figuresOfAll: CandidateFigures?

    var probability: Double { candidates.first?.imageProbability ?? 0 }
    var figures: CandidateFigures {
      figuresOfAll ?? CandidateFigures(candidates, truth: photo.label)
    }
    var largestLogit: Double { figures.logit }
    var isRight: Bool { candidates.first?.label == photo.label }
    var answered: String? { bestWithPlace ?? candidates.first?.label }

    /// The probability of the best building, using position and heading; 0 off campus.
    var probabilityWithPlace: Double {
      verdict == .notOnCampus ? 0 : figures.probability
    }

    var confidence: Double { familiarity * probabilityWithPlace }
    var isRightWithPlace: Bool { verdict != .notOnCampus && answered == photo.label }

    private static let mostCandidates = 5
    /// The number of candidates to keep by the probability with position, which the report shows.
    private static let mostWithPlace = 2

    /// Keeps only the best candidates, because thousands of them for each photo would take too much memory.
    mutating func keepBest() {
      guard candidates.count > Self.mostCandidates else { return }
      figuresOfAll = figures
      let placed = Set(
        candidates.sorted { $0.probability > $1.probability }.prefix(Self.mostWithPlace)
          .map(\.label))
      candidates = candidates.enumerated().filter { rank, candidate in
        rank < Self.mostCandidates || placed.contains(candidate.label)
      }.map(\.element)
    }
  }

  /// Figures of a photo that depend on all candidates.
  struct CandidateFigures: Equatable, Sendable {
    let logit: Double
    /// The largest probability with position.
    let probability: Double
    /// The squared distance of the probabilities from those of the right answer.
    let squaredDistance: Double

    init(_ candidates: [Recognition.Candidate], truth: String) {
      logit = candidates.map(\.logit).max() ?? -.infinity
      probability = candidates.map(\.probability).max() ?? 0
      let distances = candidates.map { $0.imageProbability - ($0.label == truth ? 1 : 0) }
      let background = 1 - candidates.reduce(0) { $0 + $1.imageProbability }
      squaredDistance = (distances + [background]).reduce(0) { $0 + $1 * $1 }
    }
  }

  package let known: [Answer]
  package let background: [Answer]
  package let unknown: [Answer]
  /// Photos that could not be read.
  public let errors: [SkippedFile]
  package let confusion: ConfusionMatrix
  package let usesHOGFeatures: Bool
  /// Whether the model has a map with a fence.
  let hasFence: Bool
  /// Whether the model uses the positions of photos.
  let usesPlace: Bool
  /// The properties of photos that the model uses in addition to the image.
  let placeTitle: String
  let point: Thresholds
  /// The scores of training photos while their building was held out; `nil` if no building was held out.
  let unknownBuildingScores: ErrorCurve?
  /// The days of each building's training photos; `nil` if they are unknown.
  var trainedDays: [String: Set<String>]?

  /// Whether all test photos of known buildings were taken on one day.
  var isOfOneDay: Bool { Set(known.map(\.day)).count == 1 && known[0].day != nil }

  /// Whether all test photos of known buildings are from other days than the training photos of their buildings.
  var isOfOtherDays: Bool {
    guard let trainedDays, !known.isEmpty else { return false }
    return known.allSatisfy { answer in
      answer.day.map { trainedDays[answer.photo.label]?.contains($0) != true } ?? false
    }
  }

  package var all: [Answer] { known + background + unknown }
  var photoCount: Int { all.count + errors.count }

  package init(
    model: Model, answers: [Answer], errors: [SkippedFile], point: Thresholds? = nil
  ) {
    self.point = point ?? Thresholds(model.calibration)
    unknownBuildingScores = model.calibration.unknownBuildings
    let buildings = model.labels.buildings.map { model.labels.names[$0] }
    let index = buildings.indexByElement
    background = answers.filter { Labels.isBackground($0.photo.label) }
    let real = answers.filter { !Labels.isBackground($0.photo.label) }
    known = real.filter { $0.photo.split != .testUnknown && index[$0.photo.label] != nil }
    unknown = real.filter { $0.photo.split == .testUnknown || index[$0.photo.label] == nil }
    self.errors = errors
    var confusion = ConfusionMatrix(labels: buildings)
    for (answer, session) in zip(known, known.sessions) {
      guard let truth = index[answer.photo.label],
        let best = answer.candidates.first.flatMap({ index[$0.label] })
      else { continue }
      confusion.add(truth: truth, answer: best, session: session)
    }
    self.confusion = confusion
    usesHOGFeatures = model.recipe.features.kind == HOG.kind
    hasFence = model.campus?.geofence.polygons.isEmpty == false
    usesPlace = model.usesPlace
    placeTitle = model.campus == nil ? "position" : "position and heading"
  }

  // MARK: - Figures from the image alone

  package var named: Share { Share(of: known, where: \.isRight) }

  /// The fraction of known photos whose most probable building is right; `nil` if there are no photos.
  public var top1: Double? { named.accuracy }

  /// The fraction of known photos whose building is among the three most probable.
  public var top3: Double? {
    Share(of: known) { answer in
      answer.candidates.prefix(3).contains { $0.label == answer.photo.label }
    }.accuracy
  }

  package var namedWithPlace: Share { Share(of: known, where: \.isRightWithPlace) }

  /// Top-1 accuracy with position and heading; photos rejected as off campus count as wrong.
  public var top1WithPlace: Double? { namedWithPlace.accuracy }

  /// The scores are the odds against the background classes, or the best building's probability if there are none.
  package var backgroundRejection: ROCCurve {
    func score(_ answer: Answer) -> Double { answer.odds ?? answer.probability }
    return ROCCurve(positives: known.map(score), negatives: background.map(score))
  }

  package var unknownRejection: ROCCurve {
    ROCCurve(positives: known.map(\.largestLogit), negatives: unknown.map(\.largestLogit))
  }

  package var calibration: CalibrationFigures {
    CalibrationFigures(
      answers: known.map { ($0.probability, $0.isRight) },
      squaredDistances: known.map(\.figures.squaredDistance))
  }

  package var riskCoverage: RiskCoverage {
    RiskCoverage(known.map { ($0.probabilityWithPlace, $0.isRightWithPlace) })
  }

  /// Risk by coverage for visits that include unknown buildings, for which every trained name is wrong.
  func riskCoverage(unknownShare: Double) -> RiskCoverage {
    guard !unknown.isEmpty, !known.isEmpty else { return riskCoverage }
    let weights = [
      (1 - unknownShare) / Double(known.count), unknownShare / Double(unknown.count),
    ]
    return RiskCoverage(
      weighed: known.map { ($0.confidence, $0.isRightWithPlace, weights[0]) }
        + unknown.map { ($0.confidence, false, weights[1]) })
  }

  /// Known buildings compared with other photos, by the confidence of the final answer.
  func finalRejection(of others: [Answer]) -> ROCCurve {
    ROCCurve(positives: known.map(\.confidence), negatives: others.map(\.confidence))
  }

  // MARK: - Figures from the verdicts

  package struct VerdictCounts: Equatable, Sendable {
    package var right = 0
    package var wrong = 0
    /// Two buildings have similar probabilities, or image and position disagree.
    package var unsure = 0
    /// The right building on the map, named from the position only.
    package var mappedRight = 0
    package var mappedWrong = 0
    package var notACampusBuilding = 0
    package var notOnCampus = 0

    package var rejected: Int { notACampusBuilding + notOnCampus }
    /// The number of photos that got the right name, whether from the image or from the position only.
    package var namedRight: Int { right + mappedRight }
    package var namedWrong: Int { wrong + mappedWrong }
    package var photos: Int { namedRight + namedWrong + unsure + rejected }

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

    static let columns: [Column<VerdictCounts>] = [
      .count("right") { $0.right }, .count("wrong") { $0.wrong }, .count("unsure") { $0.unsure },
      .count("not_a_campus_building", "\"Not a Campus Building\"") { $0.notACampusBuilding },
      .count("not_on_campus", "\"Not on Campus\"") { $0.notOnCampus },
      .count("mapped_right", "right by position only") { $0.mappedRight },
      .count("mapped_wrong", "wrong by position only") { $0.mappedWrong },
    ]
  }

  /// The fraction of known photos that the model names at its threshold, and the fraction of these names that are
  /// wrong.
  var operatingPoint: (coverage: Double, risk: Double?)? {
    let counts = verdicts(known)
    let named = Share(right: counts.wrong, of: counts.right + counts.wrong)
    return Share(right: named.photos, of: known.count).accuracy.map { ($0, named.accuracy) }
  }

  package func verdicts(_ answers: [Answer]) -> VerdictCounts {
    VerdictCounts(answers.map { ($0.verdict, $0.isRightWithPlace) })
  }

  var parts: [PartFigures] { ModelPart.allCases.compactMap { PartFigures($0, self) } }

  var unknownNamed: Share { Share(of: unknown) { $0.verdict == .building } }

  /// Whether there are too few photos of unknown buildings for a conclusion.
  var hasFewUnknown: Bool { unknown.count < PhotoAmount.enough }

  /// A remark behind the answers to photos of unknown buildings: whether they are too few, and the fraction of such
  /// photos that training expected not to be rejected, if it held out any.
  var unknownNote: String {
    guard !unknown.isEmpty else { return "" }
    let few = hasFewUnknown ? " (too few for a conclusion)" : ""
    return few + (heldOutBuildings.map { "; other buildings may differ: \($0)" } ?? "")
  }

  /// How training rejected photos of held-out buildings; `nil` if it could not hold out buildings.
  var heldOutBuildings: String? {
    point.unknownNamed.map {
      "when training held out its \(FigureText.count(confusion.labels.count, "building")) one by one, up to "
        + "\(FigureText.percent($0)) of their photos got another building's name"
    }
  }

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
