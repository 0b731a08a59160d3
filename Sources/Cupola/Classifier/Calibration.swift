internal import CupolaCampus

// Turn measured errors into thresholds:
// 1. `Calibration` holds a temperature and one error curve per kind of error.
// 2. `ErrorCurve` computes the threshold for an error rate.
// 3. `Thresholds` combines the thresholds for a requested error rate.

/// Measured data for calibrating probabilities and choosing naming thresholds.
package struct Calibration: Equatable, Codable, Sendable {
  /// Divisor of the logits, greater than 0, fitted on out-of-fold logits (temperature scaling, Guo et al., ICML 2017).
  package var temperature: Double
  /// For held-out non-building photos, the log odds of the best building versus all background classes.
  package var notBuildings: ErrorCurve?
  /// The same odds for photos of buildings that were excluded from training to simulate unknown buildings.
  package var unknownBuildings: ErrorCurve?
  /// For misnamed held-out photos, the wrong building's fraction of the total probability of all buildings.
  package var wrongNames: ErrorCurve?
  /// The fraction of held-out building photos rejected at the default error rate; `nil` without held-out photos.
  package var falseRejectionRate: Double?
  /// The fraction of photos that are expected to show unknown buildings; `nil` if no threshold depends on it.
  package var unknownVisits: Double?

  package static let identity = Calibration(temperature: 1)

  package init(
    temperature: Double, notBuildings: ErrorCurve? = nil, unknownBuildings: ErrorCurve? = nil,
    wrongNames: ErrorCurve? = nil, falseRejectionRate: Double? = nil, unknownVisits: Double? = nil
  ) {
    self.temperature = temperature
    self.notBuildings = notBuildings
    self.unknownBuildings = unknownBuildings
    self.wrongNames = wrongNames
    self.falseRejectionRate = falseRejectionRate
    self.unknownVisits = unknownVisits
  }

  private enum CodingKeys: String, CodingKey {
    case temperature
    case notBuildings = "not_buildings"
    case unknownBuildings = "unknown_buildings"
    case wrongNames = "wrong_names"
    case falseRejectionRate = "false_rejection_rate"
    case unknownVisits = "unknown_visits"
  }
}

/// The scores of wrong answers to held-out photos.
/// Provides thresholds that limit the error rate using conformal risk control (Angelopoulos, Bates, Fisch, Lei &
/// Schuster, ICLR 2024). The limit holds for any model, on average over sessions similar to the held-out ones.
///
/// The unit is the session, because the photos of a session share their errors: the loss of a session is the fraction of
/// its photos with wrong answers.
package struct ErrorCurve: Equatable, Codable, Sendable {
  package let photos: Int
  /// The number of sessions; `nil` if each photo is its own session.
  package let sessions: Int?
  /// Scores of the wrong answers, highest first, clamped to ±700; at most 512.
  package let scores: [Double]
  /// For each score, the number of photos of its session; `nil` if each photo is its own session.
  package let sessionPhotos: [Int]?

  package static let mostScores = 512
  static let bounds = -700.0...700

  private enum CodingKeys: String, CodingKey {
    case photos, sessions, scores
    case sessionPhotos = "session_photos"
  }

  /// Creates a curve of photos that are each their own session.
  package init(photos: Int, wrong: [Double]) {
    precondition(photos >= wrong.count, "\(wrong.count) wrong answers to \(photos) photos")
    self.photos = photos
    scores = wrong.sorted(by: >).prefix(Self.mostScores).map(Self.rounded)
    (sessions, sessionPhotos) = (nil, nil)
  }

  /// Creates a curve from one score per photo, which is `nil` for right answers, and the session of each photo.
  package init(wrong: [Double?], sessions: [Int]) {
    precondition(
      wrong.count == sessions.count, "\(wrong.count) photos, \(sessions.count) sessions")
    let sizes = sessions.reduce(into: [:]) { $0[$1, default: 0] += 1 }
    let isSingle = sizes.count == wrong.count
    let kept = zip(wrong, sessions).compactMap { score, session in
      score.map { (score: $0, photos: sizes[session] ?? 1) }
    }.sorted { ($0.score, $0.photos) > ($1.score, $1.photos) }.prefix(Self.mostScores)
    photos = wrong.count
    scores = kept.map { Self.rounded($0.score) }
    self.sessions = isSingle ? nil : sizes.count
    sessionPhotos = isSingle ? nil : kept.map(\.photos)
  }

  /// Rounding up keeps files small without weakening the error limit.
  private static func rounded(_ score: Double) -> Double {
    (min(max(score, bounds.lowerBound), bounds.upperBound) * 1e6).rounded(.up) / 1e6
  }

  /// Returns the lowest threshold for which the expected fraction of wrong answers is at most `error`.
  /// - Parameter error: The maximum fraction of wrong answers among all photos, between 0 and 1 (exclusive).
  /// - Returns: The threshold; `nil` if there are too few sessions to guarantee this error rate.
  package func threshold(error: Double) -> Double? {
    // The total loss of all sessions may be error * (sessions + 1) - 1; the addend absorbs rounding errors.
    let allowed = error * (Double(sessions ?? photos) + 1) - 1 + 1e-9
    guard allowed >= 0 else { return nil }
    var loss = 0.0
    for (index, score) in scores.enumerated() {
      loss += sessionPhotos.map { 1 / Double($0[index]) } ?? 1
      if loss > allowed { return score.nextUp }
    }
    return scores.count < Self.mostScores ? -.infinity : scores[scores.count - 1].nextUp
  }

  package func given(from score: Double) -> Int { scores.count { $0 >= score } }

  package var strictest: Double { scores.first?.nextUp ?? -.infinity }

  /// Returns the number of sessions required for an error limit, which must be greater than 0.
  package static func sessionsNeeded(error: Double) -> Int {
    precondition(error > 0, "error rate \(error) is out of range")
    // Clamp to avoid integer overflow.
    return Int(min((1 / error - 1e-9).rounded(.up), 1e15)) - 1
  }
}

/// The thresholds for naming a building at a given error rate.
package struct Thresholds: Equatable, Sendable {
  /// The maximum expected fraction of building photos with a wrong name, between 0 and 1 (exclusive).
  /// If requested explicitly, also limits the fraction of non-building photos and of photos of unknown buildings that
  /// receive a name.
  package let maximumError: Double
  /// Whether ``maximumError`` was requested. The default thresholds limit only wrong names of the model's buildings.
  package let isRequested: Bool
  /// Minimum log odds of the best building versus all background classes, 0 or greater.
  package let leastOdds: Double
  /// Minimum fraction of the total building probability that the best building must reach.
  /// Minus infinity accepts any fraction; a value greater than 1 accepts none.
  package let leastShare: Double
  /// The fraction of photos of unknown buildings that reach ``leastOdds``; `nil` if it was not measured.
  /// This is an upper limit for the fraction that receives a name, because ``leastShare`` rejects more photos. It is at
  /// most ``maximumError`` only if that was requested explicitly.
  package let unknownNamed: Double?
  /// Whether the thresholds reject every answer, because a wrong held-out answer has the maximum score.
  package let namesNothing: Bool
  package let shortfalls: [Shortfall]

  /// An error limit that cannot be guaranteed.
  package struct Shortfall: Equatable, Sendable {
    package enum Kind: Equatable, Sendable { case buildings, notBuildings, unknownBuildings }

    package let kind: Kind
    package let photos: Int
    /// The number of sessions of the photos; `nil` if each photo is its own session.
    package var sessions: Int?
    /// The number of sessions required.
    package let needed: Int
  }

  package static let defaultError = 0.05

  /// The assumed fraction of photos that show unknown buildings.
  package static let unknownVisits = 1.0 / 3

  /// Creates the thresholds of a calibrated model.
  /// If an error limit cannot be guaranteed, an answer is accepted only if it scores higher than every wrong held-out
  /// answer. By default, an image is rejected only if the background classes are more probable than the best building.
  /// Training sets this boundary for the default error rate, unless that would reject known buildings. An explicitly
  /// requested error rate always applies, including to unknown buildings.
  package init(_ calibration: Calibration, maximumError asked: Double? = nil) {
    let maximumError = asked ?? Self.defaultError
    precondition(maximumError > 0 && maximumError < 1, "error rate \(maximumError) is out of range")
    self.maximumError = maximumError
    isRequested = asked != nil
    var shortfalls: [Shortfall] = []
    func threshold(_ curve: ErrorCurve?, _ kind: Shortfall.Kind) -> Double {
      if let found = curve?.threshold(error: maximumError) { return found }
      shortfalls.append(
        Shortfall(
          kind: kind, photos: curve?.photos ?? 0, sessions: curve?.sessions,
          needed: ErrorCurve.sessionsNeeded(error: maximumError)))
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

  /// Whether training held out enough photos to limit wrong names of photos of the model's buildings.
  package var isGuaranteed: Bool { !shortfalls.contains { $0.kind == .buildings } }

  /// Whether photos are rejected although the best building is more probable than 99.9% (log odds of 6.9).
  package var rejectsHighProbabilities: Bool { leastOdds > 6.9 && !namesNothing }

  /// - Parameter odds: The log odds of the best building versus all background classes; `nil` without either.
  package func accepts(odds: Double?) -> Bool { odds.map { $0 >= leastOdds } ?? true }

  /// - Parameter share: The best building's fraction of the total building probability.
  package func accepts(share: Double) -> Bool { share >= leastShare }
}
