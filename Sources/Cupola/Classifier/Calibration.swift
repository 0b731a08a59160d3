/// What turns logits into probabilities that can be believed, and says how sure is sure enough.
public struct Calibration: Equatable, Codable, Sendable {
  /// Divides the logits (temperature scaling, Guo et al., ICML 2017), more than 0; fitted on out-of-fold logits.
  public var temperature: Double
  /// Held-out photos of no buildings: the logarithm of the odds of the best building against all
  /// backgrounds.
  public var notBuildings: ErrorCurve?
  /// Photos of buildings that were left out of training in turn: the same odds. So do buildings look
  /// that have no photos.
  public var unknownBuildings: ErrorCurve?
  /// Held-out photos of buildings that were named wrong: the share of that name in the probability
  /// of all buildings.
  public var wrongNames: ErrorCurve?
  /// The share of the held-out photos of buildings, 0...1, that were answered with "Not a Campus Building"
  /// at the usual error; `nil` when none could be held out.
  public var falseRejectionRate: Double?

  /// Probabilities as the classifier gives them, and nothing known about its errors.
  public static let identity = Calibration(temperature: 1)

  /// A calibration from its parts.
  public init(
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
