/// Decides between a building and none from the probabilities of all labels.
struct Decision {
  let labels: Labels
  let calibration: Calibration

  /// What the probabilities mean, one a label in the order of `labels`.
  func outcome(_ probabilities: [Double]) -> Outcome {
    let ranked = labels.buildings.sorted { probabilities[$0] > probabilities[$1] }
    guard let best = ranked.first else { return Outcome(ranked: [], reason: .noBuildings) }
    let background = labels.backgrounds.max { probabilities[$0] < probabilities[$1] }
    if let background, probabilities[background] > probabilities[best] {
      return Outcome(
        ranked: ranked,
        reason: .background(probability: probabilities[background]))
    }
    if probabilities[best] < calibration.threshold {
      return Outcome(
        ranked: ranked,
        reason: .unfamiliar(probability: probabilities[best], threshold: calibration.threshold))
    }
    return Outcome(ranked: ranked, reason: .recognised)
  }

  struct Outcome {
    /// Indices of the buildings' labels, most probable first.
    let ranked: [Int]
    let reason: Recognition.Reason
  }
}
