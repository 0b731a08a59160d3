internal import CupolaCampus

// From what training learned about errors to the thresholds of answers:
// 1. A `Calibration` holds a temperature and one error curve for each kind of error.
// 2. An `ErrorCurve` gives the threshold that keeps an error rate.
// 3. An `OperatingPoint` combines the thresholds for a requested error rate.

/// What turns logits into probabilities that can be believed, and says how sure is sure enough.
package struct Calibration: Equatable, Codable, Sendable {
  /// Divides the logits (temperature scaling, Guo et al., ICML 2017), more than 0; fitted on out-of-fold logits.
  package var temperature: Double
  /// Held-out photos of no buildings: the logarithm of the odds of the best building against all
  /// backgrounds.
  package var notBuildings: ErrorCurve?
  /// Photos of buildings that were left out of training in turn: the same odds. So do buildings look
  /// that have no photos.
  package var unknownBuildings: ErrorCurve?
  /// Held-out photos of buildings that were named wrong: the share of that name in the probability
  /// of all buildings.
  package var wrongNames: ErrorCurve?
  /// The share of the held-out photos of buildings, 0...1, that were answered with "Not a Campus Building"
  /// at the usual error; `nil` when none could be held out.
  package var falseRejectionRate: Double?

  /// Probabilities as the classifier gives them, and nothing known about its errors.
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

/// How sure a model was of wrong answers to photos that its fits had not seen.
///
/// Says how sure an answer must be so that errors stay rare: conformal risk control (Angelopoulos,
/// Bates, Fisch, Lei & Schuster, ICLR 2024). The promise holds for photos like those, whatever the
/// model; it is an average over all such photos, right or wrong.
package struct ErrorCurve: Equatable, Codable, Sendable {
  package let photos: Int
  /// The scores of the wrong answers among them, -700...700, highest first; at most 512.
  package let scores: [Double]

  package static let mostScores = 512
  /// Scores beyond these, such as infinite ones, are kept as these.
  static let bounds = -700.0...700

  /// A curve from the scores of the wrong answers, in any order, to some photos.
  package init(photos: Int, wrong: [Double]) {
    precondition(photos >= wrong.count, "\(wrong.count) wrong answers to \(photos) photos")
    self.photos = photos
    // Rounded up, so that files stay small and no promise is lost.
    scores = wrong.sorted(by: >).prefix(Self.mostScores).map {
      (min(max($0, Self.bounds.lowerBound), Self.bounds.upperBound) * 1e6).rounded(.up) / 1e6
    }
  }

  /// The lowest score from which on answers may be given, so that at most a share `error` of all
  /// photos is expected to get a wrong one; `nil` when the photos are too few to promise that.
  ///
  /// - Parameter error: more than 0, less than 1.
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

  /// How many photos it takes to promise an error.
  ///
  /// - Parameter error: more than 0.
  package static func photosNeeded(error: Double) -> Int {
    precondition(error > 0, "an error of \(error)")
    // What is more than a whole number can be is more photos than anybody has, too.
    return Int(min((1 / error - 1e-9).rounded(.up), 1e15)) - 1
  }
}

/// How sure a model must be to name a building, for a stated error.
package struct OperatingPoint: Equatable, Sendable {
  /// At most this share of the photos of buildings is expected to be given a wrong name, more than 0, less than 1.
  ///
  /// Where it was asked for, at most this share of the photos of anything else is expected to be given a name, too,
  /// be it no building or a building that did not train.
  package let maximumError: Double
  /// The least natural logarithm of the odds of the best building against all backgrounds, 0 or more.
  package let leastOdds: Double
  /// The least share of the best building in the probability of all buildings: minus infinity when any will do, more than
  /// 1 when none.
  package let leastShare: Double
  /// The share of the photos of buildings that were left out of training in turn that would not be refused, so that they
  /// may be given a name: fewer are where ``leastShare`` is much; `nil` when none were left out. More than
  /// ``maximumError`` unless that was asked for.
  package let unknownNamed: Double?
  /// Whether no answer can be sure enough for a name: held-out photos were answered wrongly as surely as can be.
  package let namesNothing: Bool
  /// What cannot be promised, because too few photos could be held out when the model was trained.
  package let shortfalls: [Shortfall]

  /// A promise that cannot be made.
  package struct Shortfall: Equatable, Sendable {
    /// What should have been held out.
    package enum Kind: Equatable, Sendable { case buildings, notBuildings, unknownBuildings }

    /// What should have been held out.
    package let kind: Kind
    /// How many photos were.
    package let photos: Int
    /// How many it takes.
    package let needed: Int
  }

  /// The error that is promised unless another is asked for.
  package static let usualError = 0.05

  /// The share of visits to buildings that did not train, unless somebody knows better.
  package static let unknownVisits = 1.0 / 3

  /// The operating point of a calibrated model.
  ///
  /// Where an error cannot be promised, only answers that are surer than every wrong one seen are
  /// given. A background more probable than every building is always believed. Training puts that line
  /// where the usual error is kept, unless that would refuse the buildings too; a promise that is
  /// asked for is kept at any price, also about buildings that did not train.
  ///
  /// - Parameters:
  ///   - calibration: what the model knows of its errors.
  ///   - asked: more than 0, less than 1; `nil` is the usual error. See ``maximumError``.
  package init(_ calibration: Calibration, maximumError asked: Double? = nil) {
    let maximumError = asked ?? Self.usualError
    precondition(maximumError > 0 && maximumError < 1, "an error of \(maximumError)")
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
