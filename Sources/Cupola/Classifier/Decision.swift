#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Decides between a building, several and none from the probabilities of all labels.
package struct Decision {
  let labels: Labels
  let point: OperatingPoint

  package init(labels: Labels, point: OperatingPoint) {
    self.labels = labels
    self.point = point
  }

  /// What the probabilities mean, one a label in the order of `labels`.
  package func outcome(_ probabilities: [Double]) -> Outcome {
    let ranked = labels.buildings.sorted { probabilities[$0] > probabilities[$1] }
    return Outcome(ranked: ranked, reason: reason(probabilities, ranked))
  }

  package struct Outcome {
    /// Indices of the buildings' labels, most probable first.
    package let ranked: [Int]
    package let reason: Recognition.Reason
  }

  private func reason(_ probabilities: [Double], _ ranked: [Int]) -> Recognition.Reason {
    guard let best = ranked.first else { return .noBuildings }
    if let refusal = refusal(probabilities) { return refusal }
    let needed = point.leastShare
    let share = Self.share(of: best, probabilities, labels)
    if share >= needed { return .recognized }
    let second = ranked.dropFirst().first.map { Self.share(of: $0, probabilities, labels) } ?? 0
    return share + second >= needed
      ? .tooClose(share: share, needed: needed) : .unfamiliar(share: share, needed: needed)
  }

  /// Why this is no building that trained; `nil` when it may be one.
  func refusal(_ probabilities: [Double]) -> Recognition.Reason? {
    guard let odds = Self.odds(probabilities, labels), odds < point.leastOdds else { return nil }
    let background = labels.backgrounds.reduce(0) { $0 + probabilities[$1] }
    let unfamiliar = labels.unfamiliar.map { probabilities[$0] } ?? 0
    return unfamiliar > background / 2
      ? .unknownBuilding(probability: unfamiliar) : .background(probability: background)
  }

  /// The share of a building in the probability of all buildings.
  package static func share(of label: Int, _ probabilities: [Double], _ labels: Labels) -> Double {
    let all = labels.buildings.reduce(0) { $0 + probabilities[$1] }
    return all > 0 ? probabilities[label] / all : 0
  }

  /// The logarithm of the odds of the best building against all backgrounds, -700...700; `nil`
  /// without backgrounds or buildings.
  package static func odds(_ probabilities: [Double], _ labels: Labels) -> Double? {
    guard !labels.backgrounds.isEmpty,
      let building = labels.buildings.map({ probabilities[$0] }).max()
    else { return nil }
    let background = labels.backgrounds.reduce(0) { $0 + probabilities[$1] }
    return min(max(log(building) - log(background), -700), 700)
  }
}
