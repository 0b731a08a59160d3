internal import CupolaCampus

// Turn measured errors into thresholds:
// 1. `Calibration` holds a temperature and one error curve per kind of error.
// 2. `ErrorCurve` computes the threshold for an error rate.
// 3. `Thresholds` combines the thresholds for a requested error rate.

/// The data for calibrated probabilities and for naming thresholds.
package struct Calibration: Equatable, Codable, Sendable {
  /// Divisor of the logits, greater than 0, fitted on out-of-fold logits (temperature scaling, Guo et al., ICML 2017).
  package var temperature: Double
  /// The log odds of the best building against all backgrounds, for held-out non-building photos.
  package var notBuildings: ErrorCurve?
  /// The same odds for photos of buildings excluded from training, which simulate unknown buildings.
  package var unknownBuildings: ErrorCurve?
  /// The share of the wrong name in the probability of all buildings, for misnamed held-out photos.
  package var wrongNames: ErrorCurve?
  /// The share of held-out building photos that are rejected at the default error, 0 to 1; `nil` without held-out
  /// photos.
  package var falseRejectionRate: Double?

  package static let identity = Calibration(temperature: 1)

  package init(
    temperature: Double, notBuildings: ErrorCurve? = nil, unknownBuildings: ErrorCurve? = nil,
    wrongNames: ErrorCurve? = nil, falseRejectionRate: Double? = nil
  ) {
    self.temperature = temperature
    self.notBuildings = notBuildings
    self.unknownBuildings = unknownBuildings
    self.wrongNames = wrongNames
    self.falseRejectionRate = falseRejectionRate
  }

  private enum CodingKeys: String, CodingKey {
    case temperature
    case notBuildings = "not_buildings"
    case unknownBuildings = "unknown_buildings"
    case wrongNames = "wrong_names"
    case falseRejectionRate = "false_rejection_rate"
  }
}

/// The scores of wrong answers to held-out photos.
/// Provides thresholds that limit the error rate using conformal risk control (Angelopoulos, Bates, Fisch, Lei &
/// Schuster, ICLR 2024). The limit holds on average over all photos like the held-out ones, for any model.
package struct ErrorCurve: Equatable, Codable, Sendable {
  package let photos: Int
  /// Scores of the wrong answers, highest first, clamped to ±700; at most 512.
  package let scores: [Double]

  package static let mostScores = 512
  static let bounds = -700.0...700

  package init(photos: Int, wrong: [Double]) {
    precondition(photos >= wrong.count, "\(wrong.count) wrong answers to \(photos) photos")
    self.photos = photos
    // Rounding up keeps files small and the error limit valid.
    scores = wrong.sorted(by: >).prefix(Self.mostScores).map {
      (min(max($0, Self.bounds.lowerBound), Self.bounds.upperBound) * 1e6).rounded(.up) / 1e6
    }
  }

  /// Returns the lowest score to accept so that the expected share of wrong answers is at most `error`.
  /// - Parameter error: The share of all photos, between 0 and 1 (exclusive).
  /// - Returns: The threshold; `nil` if there are too few photos for this error.
  package func threshold(error: Double) -> Double? {
    let allowed = max(0, Int(saturating: error * (Double(photos) + 1) + 1e-9)) - 1
    guard allowed >= 0 else { return nil }
    guard allowed < scores.count else {
      return scores.count < Self.mostScores ? -.infinity : scores[scores.count - 1].nextUp
    }
    return scores[allowed].nextUp
  }

  package func given(from score: Double) -> Int { scores.count { $0 >= score } }

  package var strictest: Double { scores.first?.nextUp ?? -.infinity }

  /// Returns the number of photos required for an error limit, which must be greater than 0.
  package static func photosNeeded(error: Double) -> Int {
    precondition(error > 0, "error rate \(error) is out of range")
    // The maximum avoids an integer overflow.
    return Int(min((1 / error - 1e-9).rounded(.up), 1e15)) - 1
  }
}

/// The thresholds for naming a building at a given error rate.
package struct Thresholds: Equatable, Sendable {
  /// The maximum expected share of building photos with a wrong name, between 0 and 1 (exclusive).
  /// If requested explicitly, also the maximum share of other photos that are named: non-building photos and unknown
  /// buildings.
  package let maximumError: Double
  /// Minimum log odds of the best building against all backgrounds, 0 or greater.
  package let leastOdds: Double
  /// Minimum share of the best building in the probability of all buildings.
  /// Minus infinity accepts any share; a value greater than 1 accepts none.
  package let leastShare: Double
  /// The share of photos of unknown buildings that reach ``leastOdds``; `nil` if it was not measured.
  /// An upper limit for named photos, because ``leastShare`` rejects more of them. At most ``maximumError`` only if
  /// that was requested explicitly.
  package let unknownNamed: Double?
  /// Whether the thresholds reject every answer because held-out photos were answered wrongly with the maximum score.
  package let namesNothing: Bool
  package let shortfalls: [Shortfall]

  /// An error limit that cannot be guaranteed.
  package struct Shortfall: Equatable, Sendable {
    package enum Kind: Equatable, Sendable { case buildings, notBuildings, unknownBuildings }

    package let kind: Kind
    package let photos: Int
    package let needed: Int
  }

  package static let defaultError = 0.05

  /// The default share of visits to unknown buildings.
  package static let unknownVisits = 1.0 / 3

  /// Creates the thresholds of a calibrated model.
  /// If an error limit cannot be guaranteed, only answers that score higher than every wrong held-out answer are
  /// accepted. By default, an image is rejected only if the backgrounds are more probable than the best building.
  /// Training places this boundary according to the default error, unless that would reject known buildings. An
  /// explicitly requested error applies without exception, including to unknown buildings.
  package init(_ calibration: Calibration, maximumError asked: Double? = nil) {
    let maximumError = asked ?? Self.defaultError
    precondition(maximumError > 0 && maximumError < 1, "error rate \(maximumError) is out of range")
    self.maximumError = maximumError
    var shortfalls: [Shortfall] = []
    func threshold(_ curve: ErrorCurve?, _ kind: Shortfall.Kind) -> Double {
      if let found = curve?.threshold(error: maximumError) { return found }
      shortfalls.append(
        Shortfall(
          kind: kind, photos: curve?.photos ?? 0,
          needed: ErrorCurve.photosNeeded(error: maximumError)))
      return curve?.strictest ?? -.infinity
    }
    leastShare = threshold(calibration.wrongNames, .buildings)
    let odds = threshold(calibration.notBuildings, .notBuildings)
    let unknown = calibration.unknownBuildings.map { threshold($0, .unknownBuildings) }
    leastOdds = asked == nil ? 0 : max(odds, unknown ?? 0, 0)
    namesNothing = leastShare > 1 || leastOdds > ErrorCurve.bounds.upperBound
    let (least, isSilent) = (leastOdds, namesNothing)
    unknownNamed = calibration.unknownBuildings.map { curve in
      isSilent ? 0 : Double(curve.given(from: least)) / Double(max(1, curve.photos))
    }
    self.shortfalls = shortfalls
  }
}
