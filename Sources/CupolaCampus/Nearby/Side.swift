/// On which side of someone something is.
public enum Side: String, CaseIterable, Codable, Sendable {
  /// Up to 45 degrees to the left or right of where they look.
  case ahead
  case right
  /// 135 degrees or more.
  case behind
  case left

  /// The side at an angle from where someone looks, -180...180 degrees, positive clockwise.
  public init(turn: Double) {
    self =
      turn.magnitude <= 45 ? .ahead : turn.magnitude >= 135 ? .behind : turn > 0 ? .right : .left
  }
}
