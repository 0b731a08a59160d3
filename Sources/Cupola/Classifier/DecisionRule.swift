#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

// Turn probabilities and thresholds into an answer:
// 1. `DecisionRule` ranks the buildings and compares their odds and probabilities with the thresholds.
// 2. `RecognitionBuilder` combines the result with the position and creates the `Recognition`.

/// Decides whether to name one building, two buildings, or none, given the probabilities of all labels.
package struct DecisionRule {
  let labels: Labels
  let point: Thresholds

  package init(labels: Labels, point: Thresholds) {
    self.labels = labels
    self.point = point
  }

  package func outcome(_ probabilities: [Double]) -> Outcome {
    let ranked = labels.buildings.sorted { probabilities[$0] > probabilities[$1] }
    return Outcome(ranked: ranked, reason: reason(probabilities, ranked))
  }

  package struct Outcome {
    package let ranked: [Int]
    package let reason: Recognition.Reason
  }

  private func reason(_ probabilities: [Double], _ ranked: [Int]) -> Recognition.Reason {
    guard let best = ranked.first else { return .noBuildings }
    if let refusal = refusal(probabilities) { return refusal }
    let needed = point.leastShare
    let share = Self.share(of: best, probabilities, labels)
    if point.accepts(share: share) { return .recognized }
    let second = ranked.dropFirst().first.map { Self.share(of: $0, probabilities, labels) } ?? 0
    return point.accepts(share: share + second)
      ? .tooClose(share: share, needed: needed) : .unfamiliar(share: share, needed: needed)
  }

  func refusal(_ probabilities: [Double]) -> Recognition.Reason? {
    guard !point.accepts(odds: Self.odds(probabilities, labels)) else { return nil }
    let background = labels.backgrounds.reduce(0) { $0 + probabilities[$1] }
    let unfamiliar = labels.unfamiliar.map { probabilities[$0] } ?? 0
    return unfamiliar > background / 2
      ? .unknownBuilding(probability: background) : .background(probability: background)
  }

  package static func share(of label: Int, _ probabilities: [Double], _ labels: Labels) -> Double {
    let all = labels.buildings.reduce(0) { $0 + probabilities[$1] }
    return all > 0 ? probabilities[label] / all : 0
  }

  /// The log odds of the best building versus all background classes, clamped to ±700; `nil` if either is missing.
  package static func odds(_ probabilities: [Double], _ labels: Labels) -> Double? {
    guard !labels.backgrounds.isEmpty,
      let building = labels.buildings.map({ probabilities[$0] }).max()
    else { return nil }
    let background = labels.backgrounds.reduce(0) { $0 + probabilities[$1] }
    return min(max(log(building) - log(background), -700), 700)
  }
}

/// Combines the evidence of image and position into a `Recognition`.
struct RecognitionBuilder {
  let model: Model
  let point: Thresholds
  let image: [Double]
  /// The classifier's logits, before temperature scaling and softmax.
  let logits: [Float]
  let place: PlaceGuide.Answer?

  var recognition: Recognition {
    let labels = place?.labels ?? model.labels
    let fused = probabilities
    let outcome = DecisionRule(labels: labels, point: point).outcome(fused)
    let ranked = outcome.ranked.filter { place?.candidates.contains($0) ?? true }
    let reason = reason(outcome.reason, ranked)
    // `DecisionRule` has already handled unfamiliar images.
    let shares = model.labels.amongFamiliar(fused)
    let imageShares = model.labels.amongFamiliar(image)
    let candidates = ranked.map { number in
      candidate(
        number, of: labels, shares[number], image: number < image.count ? imageShares[number] : 0)
    }
    let isNamed = [.building, .mappedBuilding].contains(reason.verdict)
    let best = isNamed ? candidates.first : nil
    return Recognition(
      verdict: reason.verdict, reason: reason, label: best?.label,
      building: best.flatMap { model.campus?.building(labeled: $0.label) },
      probability: best?.probability, candidates: candidates, odds: odds(fused, labels),
      imageOdds: DecisionRule.odds(image, model.labels),
      place: agreement(on: best?.label, ranked.first),
      familiarity: model.labels.familiarity(of: fused),
      imageFamiliarity: model.labels.familiarity(of: image))
  }

  private var picture: [Double] { place?.picture ?? image }

  /// Returns whether the position supports the answer. If the answer would differ without the position, the value is not
  /// `unclear`, unless the position hardly changes the probability.
  private func agreement(on label: String?, _ first: Int?) -> Recognition.PlaceAgreement? {
    guard let place, place.agreement == .unclear, let first, first < image.count,
      (probabilities[first] - image[first]).magnitude > PlaceGuide.leastPreference
    else { return place?.agreement }
    let alone = model.decisionRule(at: point).outcome(image)
    let seen =
      alone.reason == .recognized ? alone.ranked.first.map { model.labels.names[$0] } : nil
    return seen == label ? .unclear : label == nil ? .contradicts : .agrees
  }

  /// The probabilities of all labels, followed by those of buildings that are on the map but were not trained.
  private var probabilities: [Double] {
    guard let place else { return image }
    let missing = place.labels.names.count - place.probabilities.count
    return place.probabilities + [Double](repeating: 0, count: missing)
  }

  private func candidate(
    _ number: Int, of labels: Labels, _ probability: Double, image imageProbability: Double
  ) -> Recognition.Candidate {
    let isTrained = number < image.count
    let view = place?.views[number]
    return Recognition.Candidate(
      label: labels.names[number], probability: probability, imageProbability: imageProbability,
      logit: isTrained ? Double(logits[number]) : -.infinity, isTrained: isTrained,
      distance: view?.distance, bearing: view?.bearing)
  }

  /// Never exceeds the odds from the image alone, because a position is not evidence that a building is visible. If
  /// untrained buildings on the map replace the unfamiliar label, the image odds exclude that label.
  private func odds(_ fused: [Double], _ labels: Labels) -> Double? {
    guard let odds = DecisionRule.odds(fused, labels) else { return nil }
    return DecisionRule.odds(picture, model.labels).map { min($0, odds) }
  }

  private func reason(
    _ reason: Recognition.Reason, _ ranked: [Int]
  ) -> Recognition.Reason {
    guard let place else { return reason }
    switch reason {
    case .background, .unknownBuilding: return reason
    default: break
    }
    if let refusal = model.decisionRule(at: point).refusal(picture) {
      return refusal
    }
    if let contradiction = place.contradiction, let other = contradiction.other {
      return .contradicted(
        picture: place.labels.names[contradiction.named], place: place.labels.names[other])
    }
    if case .recognized = reason, let best = ranked.first, best >= image.count {
      return .byPlaceOnly
    }
    return reason
  }
}

extension Recognition.Reason {
  package var verdict: Recognition.Verdict {
    switch self {
    case .recognized: .building
    case .byPlaceOnly: .mappedBuilding
    case .outsideGeofence: .notOnCampus
    case .tooClose, .contradicted: .unsure
    case .background, .unknownBuilding, .unfamiliar, .noBuildings: .notACampusBuilding
    }
  }
}
