/// The answer that follows from what picture and place say.
struct Judgment {
  let model: Model
  let point: OperatingPoint
  /// What the picture says, one probability a label.
  let image: [Double]
  /// The same before temperature and softmax.
  let logits: [Float]
  /// What picture and place say together; `nil` without a position.
  let place: PlaceGuide.Answer?

  /// Where it was taken is not in it.
  var recognition: Recognition {
    let labels = place?.labels ?? model.labels
    let fused = probabilities
    let outcome = Decision(labels: labels, point: point).outcome(fused)
    let ranked = outcome.ranked.filter { place?.candidates.contains($0) ?? true }
    let reason = reason(outcome.reason, ranked)
    // Whether it is something unfamiliar was decided by then.
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
      imageOdds: Decision.odds(image, model.labels), place: place?.agreement,
      familiarity: model.labels.familiarity(of: fused))
  }

  /// What the picture says beside the place.
  private var picture: [Double] { place?.picture ?? image }

  /// One each of the labels, and of the buildings of the map that no photo trained.
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

  /// Never better than the picture's beside the place: that says nothing about whether there is a building. But where
  /// buildings of the map stand for what is unfamiliar, a building that trained may have won against these.
  private func odds(_ fused: [Double], _ labels: Labels) -> Double? {
    guard let odds = Decision.odds(fused, labels) else { return nil }
    return Decision.odds(picture, model.labels).map { min($0, odds) }
  }

  private func reason(
    _ reason: Recognition.Reason, _ ranked: [Int]
  ) -> Recognition.Reason {
    guard let place else { return reason }
    switch reason {
    case .background, .unknownBuilding: return reason
    default: break
    }
    if let refusal = Decision(labels: model.labels, point: point).refusal(picture) {
      return refusal
    }
    if let contradiction = place.contradiction, let other = contradiction.other {
      return .contradicted(
        picture: place.labels.names[contradiction.said], place: place.labels.names[other])
    }
    if case .recognized = reason, let best = ranked.first, best >= image.count {
      return .byPlaceOnly
    }
    return reason
  }
}

extension Recognition.Reason {
  /// The verdict that follows.
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
