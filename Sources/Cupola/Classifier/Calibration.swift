/// What turns logits into probabilities that can be believed, and when they are too low.
public struct Calibration: Equatable, Codable, Sendable {
  /// Divides the logits (temperature scaling, Guo et al., ICML 2017); fitted on out-of-fold logits.
  public var temperature: Double
  /// A photo whose most probable building stays below this is no building of the campus.
  public var threshold: Double
  /// The share of photos of buildings that the background labels and the threshold together
  /// refused, out of fold, when the threshold was chosen; `nil` when there were too few photos.
  public var falseRejectionRate: Double?

  /// Probabilities as the classifier gives them, and no threshold.
  public static let identity = Calibration(
    temperature: 1, threshold: 0, falseRejectionRate: nil)

  /// A calibration from its parts.
  public init(temperature: Double, threshold: Double, falseRejectionRate: Double?) {
    self.temperature = temperature
    self.threshold = threshold
    self.falseRejectionRate = falseRejectionRate
  }

  private enum CodingKeys: String, CodingKey {
    case temperature, threshold
    case falseRejectionRate = "false_rejection_rate"
  }
}
