/// Where a camera looked, in degrees clockwise from north.
public struct Heading: Equatable, Codable, Sendable {
  /// What 0 degrees means.
  public enum Reference: String, Codable, Sendable {
    /// Geographic north.
    case trueNorth = "true"
    /// The compass needle's north, off by the local declination.
    case magneticNorth = "magnetic"
  }

  /// 0 up to, not including, 360.
  public let degrees: Double
  /// Which north `degrees` counts from.
  public let reference: Reference

  /// A direction; any finite number of degrees is brought into 0..<360.
  public init(degrees: Double, reference: Reference = .trueNorth) {
    precondition(degrees.isFinite, "a heading of \(degrees) degrees")
    let turn = degrees.truncatingRemainder(dividingBy: 360)
    let positive = turn < 0 ? turn + 360 : turn
    self.degrees = positive == 360 ? 0 : positive
    self.reference = reference
  }
}
