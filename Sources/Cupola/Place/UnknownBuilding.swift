#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// What a picture says about whether its building trained the model at all.
///
/// The one place where that is judged: a better gate goes here.
enum UnknownBuilding {
  /// The share of visits to buildings that did not train.
  static let visits = OperatingPoint.unknownVisits
  /// The same as odds.
  static let visitOdds = visits / (1 - visits)

  /// A picture that is less sure than this says nothing more of an unknown building.
  static let mostLogRatio = 1.0
  static let leastLogRatio = -8.0
  /// The logarithm of the odds of the best building against all others where that begins to speak for
  /// a known one, and how much.
  static let bend = 2.5
  static let slope = 1.5
  /// No probability counts as less, so that its logarithm is a number.
  static let leastProbability = 1e-12

  /// The logarithm of how much more likely the picture is of an unknown building than of a known one.
  ///
  /// Fitted to photos of notredame's five buildings, each left out of training in turn: an unknown
  /// building gives the best known one 40 to 95 % of all buildings' probability, hardly ever 99 %.
  /// - Parameter probabilities: one a label, by the picture alone.
  static func logRatio(probabilities: [Double], labels: Labels) -> Double {
    guard let best = labels.buildings.max(by: { probabilities[$0] < probabilities[$1] }) else {
      return mostLogRatio
    }
    let share = Decision.share(of: best, probabilities, labels)
    let odds = log(max(share, leastProbability)) - log(max(1 - share, leastProbability))
    let byShare = max(mostLogRatio - slope * log1p(exp(odds - bend)), leastLogRatio)
    guard let unfamiliar = labels.unfamiliar else { return byShare }
    // A picture that the model itself finds like none of its buildings speaks for another one.
    let trained = labels.buildings.reduce(0) { $0 + probabilities[$1] }
    let byLikeness =
      log(max(probabilities[unfamiliar], leastProbability)) - log(max(trained, leastProbability))
    return max(byShare, min(byLikeness, mostLogRatio))
  }
}
