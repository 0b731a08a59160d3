internal import Cupola

/// Chooses how improbable a building may be before the answer is "not a campus building".
enum RejectionThreshold {
  /// The highest threshold at which at most `budget` of the held-out photos of buildings are refused,
  /// counting those that the background labels refuse; 0 when these alone use the budget up.
  ///
  /// - Returns: the threshold and the share of photos that it and the backgrounds refuse.
  static func choose(
    probabilities: [[Double]], truth: [Int], names: Labels, budget: Double
  ) -> (threshold: Double, falseRejectionRate: Double)? {
    var scores: [Double] = []
    for (row, label) in zip(probabilities, truth) where names.buildings.contains(label) {
      let building = names.buildings.map { row[$0] }.max() ?? 0
      let background = names.backgrounds.map { row[$0] }.max() ?? 0
      scores.append(background > building ? -1 : building)
    }
    guard !scores.isEmpty else { return nil }
    scores.sort()
    let allowed = Int(budget * Double(scores.count))
    let threshold = max(0, scores[allowed])
    let refused = scores.count { $0 < threshold }
    return (threshold, Double(refused) / Double(scores.count))
  }
}
