/// How sure a model must be to name a building, for a stated error.
public struct OperatingPoint: Equatable, Sendable {
  /// At most this share of the photos of buildings is expected to be given a wrong name, more than 0, less than 1.
  ///
  /// Where it was asked for, at most this share of the photos of anything else is expected to be given a name, too,
  /// be it no building or a building that did not train.
  public let maximumError: Double
  /// The least natural logarithm of the odds of the best building against all backgrounds, 0 or more.
  public let leastOdds: Double
  /// The least share of the best building in the probability of all buildings: minus infinity when any will do, more than
  /// 1 when none.
  public let leastShare: Double
  /// The share of the photos of buildings that were left out of training in turn that would not be refused, so that they
  /// may be given a name: fewer are where ``leastShare`` is much; `nil` when none were left out. More than
  /// ``maximumError`` unless that was asked for.
  public let unknownNamed: Double?
  /// Whether no answer can be sure enough for a name: held-out photos were answered wrongly as surely as can be.
  package let namesNothing: Bool
  /// What cannot be promised, because too few photos could be held out when the model was trained.
  public let shortfalls: [Shortfall]

  /// A promise that cannot be made.
  public struct Shortfall: Equatable, Sendable {
    /// What should have been held out.
    public enum Kind: Equatable, Sendable { case buildings, notBuildings, unknownBuildings }

    /// What should have been held out.
    public let kind: Kind
    /// How many photos were.
    public let photos: Int
    /// How many it takes.
    public let needed: Int
  }

  /// The error that is promised unless another is asked for.
  public static let usualError = 0.05

  /// The share of visits to buildings that did not train, unless somebody knows better.
  public static let unknownVisits = 1.0 / 3

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
  public init(_ calibration: Calibration, maximumError asked: Double? = nil) {
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
