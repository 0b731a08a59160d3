#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

// Combine image, position, and heading:
// 1. Compute `PlaceEvidence` for all buildings near the position.
// 2. Estimate whether the image shows a building without training photos (`UnknownBuilding`).
// 3. Combine image and position (`MapFusion`).
// 4. Detect answers that contradict the position (`Contradiction`).

struct PlaceGuide: Sendable {
  private let model: PlaceModel?
  private let labels: Labels
  private let scene: PlaceScene

  /// - Parameter mapsUntrained: Whether to recognize buildings on the map that have no training photos.
  init(_ model: Model, mapsUntrained: Bool = true) {
    (self.model, labels) = (model.place, model.labels)
    scene = PlaceScene(
      model.labels, campus: model.campus, viewpoints: model.place?.viewpoints ?? [:],
      untrained: mapsUntrained && model.place != nil,
      limitsTrained: model.classifier.kind == .retrieval)
  }

  /// Returns one flag per label, `true` if it is considered at a position; `nil` for all labels.
  func labelsInReach(of position: Position?) -> [Bool]? {
    position.flatMap(scene.labelsInReach)
  }

  struct Query {
    let position: Position
    let heading: Heading?
    let view: FieldOfView
    let year: Double

    var trueHeading: Heading? { heading?.trueNorth(at: position, year: year) }
  }

  struct Answer {
    /// Each label's probability from the image. If untrained buildings are nearby, they replace ``Labels/unfamiliar``,
    /// whose probability is then 0.
    let picture: [Double]
    /// The model's labels, followed by the untrained buildings on the map.
    let labels: Labels
    let probabilities: [Double]
    let candidates: Set<Int>
    let contradiction: Contradiction?
    /// Whether the position supports the most probable building; `nil` if the model does not use positions.
    let agreement: Recognition.PlaceAgreement?
    let views: [BuildingView?]
  }

  /// Returns the terms to add to the log probabilities, one per label, 0 or less; `nil` without a place model.
  func shifts(_ query: Query) -> [Double]? {
    model.map { evidence(for: query).shifts($0) }
  }

  private func evidence(for query: Query) -> PlaceEvidence {
    PlaceEvidence(
      at: query.position, heading: query.trueHeading, scene: scene, view: query.view)
  }

  /// The log evidence above which a position supports a building; the evidence of very inaccurate positions is about 0.
  private static let leastSupport = 0.05

  /// The difference of two image probabilities above which the image prefers one of the buildings: the text shows it.
  static let leastPreference = 0.001

  func answer(_ query: Query, image: [Double]) -> Answer {
    let heading = query.trueHeading
    let evidence = evidence(for: query)
    let candidates = Set(evidence.candidates)
    guard let model else {
      return Answer(
        picture: image, labels: scene.labels, probabilities: image, candidates: candidates,
        contradiction: nil, agreement: nil, views: evidence.views)
    }
    let behind = behind(candidates, from: query.position, toward: heading)
    let doubt = UnknownBuilding.logRatio(probabilities: image, labels: labels)
    let shifts = evidence.shifts(model)
    let untrained = evidence.candidates.filter(scene.untrained.contains)
    let picture = untrained.isEmpty ? image : withoutUnfamiliar(image)
    let fusion = MapFusion(
      labels: labels, untrained: untrained,
      untrainedCount: scene.untrained.count, hasHeading: heading != nil, doubt: doubt)
    let fused = fusion.fused(picture, shifts)
    let ranked = candidates.sorted { (fused[$0], $1) > (fused[$1], $0) }
    let contradiction = Contradiction(
      sure: sure(picture, fusion.knownShare), shifts: shifts, behind: behind, ranked: ranked,
      trained: scene.trainedCount)
    let terms = evidence.terms(model)
    let isSupported = ranked.first.map {
      terms[$0] > Self.leastSupport || isChosen($0, over: picture)
    }
    // Without a map, training can find that positions do not help.
    let isUsed = model.positionWeight > 0 || scene.outlines.contains { $0 != nil }
    let support: Recognition.PlaceAgreement? = isUsed ? .unclear : nil
    return Answer(
      picture: picture, labels: scene.labels, probabilities: fused,
      candidates: candidates, contradiction: contradiction,
      agreement: contradiction != nil ? .contradicts : isSupported ?? false ? .agrees : support,
      views: evidence.views)
  }

  /// Whether only the position makes a building the most probable one. The position then cannot fail to support it.
  private func isChosen(_ best: Int, over image: [Double]) -> Bool {
    guard best < scene.trainedCount else { return true }
    let most = labels.buildings.map { image[$0] }.max() ?? 0
    return most > image[best] + Self.leastPreference
  }

  private func withoutUnfamiliar(_ image: [Double]) -> [Double] {
    let rest = labels.familiarity(of: image)
    guard let unfamiliar = labels.unfamiliar, rest > 0 else { return image }
    return image.indices.map { $0 == unfamiliar ? 0 : image[$0] / rest }
  }

  /// Heading errors above 90 degrees are rarer than confused buildings: in none of the 275 photos of notredame is the
  /// building behind the camera.
  private func behind(
    _ candidates: Set<Int>, from position: Position, toward heading: Heading?
  ) -> Set<Int> {
    guard let heading else { return [] }
    return candidates.filter {
      scene.outlines[$0]?.isBehind(
        position, error: position.placeError, toward: heading.degrees) ?? false
    }
  }

  /// Returns the building that the image clearly shows; `nil` if there is none.
  /// - Parameter knownShare: The probability that the image shows a trained building.
  private func sure(_ image: [Double], _ knownShare: Double) -> Int? {
    labels.buildings.max { image[$0] < image[$1] }.flatMap { best in
      DecisionRule.share(of: best, image, labels) * knownShare >= Contradiction.sureShare
        ? best : nil
    }
  }
}

/// Combines the probabilities from image and position for trained and untrained buildings.
struct MapFusion {
  let labels: Labels
  /// The untrained buildings that the image can show, as indexes into ``PlaceScene``.
  let untrained: [Int]
  let untrainedCount: Int
  /// Whether the heading is known. Without it, a position can hardly distinguish adjacent buildings.
  let hasHeading: Bool
  let doubt: Double

  static let withoutHeading = 0.25

  /// The probability, from the image, that it shows a trained building; 1 without untrained buildings nearby.
  var knownShare: Double {
    guard !untrained.isEmpty else { return 1 }
    return 1 / (1 + UnknownBuilding.visitOdds * exp(doubt))
  }

  /// The prior probability of an untrained building, relative to that of all trained buildings together.
  private var prior: Double {
    let trained = Double(labels.buildings.count)
    // Limited to the prior of a trained building, because users are more likely to have photographed popular buildings.
    let each = min(1, UnknownBuilding.visitOdds * trained / Double(max(untrainedCount, 1)))
    return each * exp(doubt) * (hasHeading ? 1 : Self.withoutHeading)
  }

  /// Returns the combined probabilities, one per shift.
  /// An untrained building receives the total image probability of all trained buildings, multiplied by its prior and
  /// the evidence for an unknown building. The total for all buildings never exceeds the total from the image, so the
  /// background classes keep their probability.
  func fused(_ image: [Double], _ shifts: [Double]) -> [Double] {
    guard !untrained.isEmpty else {
      let fused = PlaceEvidence.fused(image, Array(shifts.prefix(image.count)))
      return fused + [Double](repeating: 0, count: shifts.count - image.count)
    }
    var weights = [Double](repeating: 0, count: shifts.count)
    for label in image.indices { weights[label] = image[label] * exp(shifts[label]) }
    let seen = labels.buildings.reduce(0) { $0 + image[$1] }
    for building in untrained { weights[building] = seen * prior * exp(shifts[building]) }
    let buildings = labels.buildings + untrained
    let all = buildings.reduce(0) { $0 + weights[$1] }
    if all > seen { for building in buildings { weights[building] *= seen / all } }
    let sum = weights.reduce(0, +)
    return sum > 0
      ? weights.map { $0 / sum } : image + [Double](repeating: 0, count: shifts.count - image.count)
  }
}

/// Estimates from the image whether it shows a building without training photos.
enum UnknownBuilding {
  static let visits = Thresholds.unknownVisits
  static let visitOdds = visits / (1 - visits)

  /// The maximum log ratio, reached by unclear images.
  static let mostLogRatio = 1.0
  static let leastLogRatio = -8.0
  /// The bend and slope of the log ratio, as a function of the best building's log odds versus all other buildings.
  static let bend = 2.5
  static let slope = 1.5
  /// The minimum probability, which keeps logarithms finite.
  static let leastProbability = 1e-12

  /// Returns the log likelihood ratio of an unknown building versus a known one.
  /// Fitted to the photos of the five notredame buildings, excluding each building from training once. For an unknown
  /// building, the best known building receives 40% to 95% of the total building probability, and almost never 99%.
  static func logRatio(probabilities: [Double], labels: Labels) -> Double {
    guard let best = labels.buildings.max(by: { probabilities[$0] < probabilities[$1] }) else {
      return mostLogRatio
    }
    let share = DecisionRule.share(of: best, probabilities, labels)
    let odds = log(max(share, leastProbability)) - log(max(1 - share, leastProbability))
    let byShare = max(mostLogRatio - slope * log1p(exp(odds - bend)), leastLogRatio)
    guard let unfamiliar = labels.unfamiliar else { return byShare }
    // The unfamiliar label is additional evidence for an unknown building.
    let trained = labels.buildings.reduce(0) { $0 + probabilities[$1] }
    let byLikeness =
      log(max(probabilities[unfamiliar], leastProbability)) - log(max(trained, leastProbability))
    return max(byShare, min(byLikeness, mostLogRatio))
  }
}

/// A conflict between position and image that prevents the recognizer from naming a building.
struct Contradiction {
  /// The building that the image clearly shows; if there is none, the most probable building.
  let named: Int
  /// The most probable other building. Buildings in front of the camera are preferred.
  let other: Int?

  /// The minimum fraction of the total building probability for a clear image.
  static let sureShare = 0.6
  /// If a building's log evidence is this far below that of the best position, the position contradicts it.
  static let muchLess = -log(20.0)

  /// Returns `nil` if position and image agree.
  /// - Parameters:
  ///   - behind: The buildings behind the camera, which are not named if there is another building in front.
  ///   - ranked: The candidates, most probable first.
  ///   - trained: The number of trained labels, which come before the untrained buildings.
  init?(sure: Int?, shifts: [Double], behind: Set<Int>, ranked: [Int], trained: Int) {
    guard let named = sure ?? ranked.first, named < trained else { return nil }
    let others = ranked.filter { $0 != named }
    let ahead = others.first { !behind.contains($0) }
    let isFar = sure != nil && shifts[named] <= Self.muchLess
    guard isFar || (ahead != nil && behind.contains(named)) else { return nil }
    self.named = named
    other = ahead ?? others.first
  }
}
