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

  /// A direction; any finite number of degrees is brought into 0..<360, and others are none.
  public init?(degrees: Double, reference: Reference = .trueNorth) {
    guard degrees.isFinite else { return nil }
    let turn = degrees.truncatingRemainder(dividingBy: 360)
    let positive = turn < 0 ? turn + 360 : turn
    self.degrees = positive == 360 ? 0 : positive
    self.reference = reference
  }

  /// Reads a direction of 0..<360 degrees.
  ///
  /// - Throws: `DecodingError.dataCorrupted` for any other number.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    degrees = try values.decode(Double.self, forKey: .degrees)
    reference = try values.decode(Reference.self, forKey: .reference)
    guard (0..<360).contains(degrees) else {
      throw DecodingError.dataCorruptedError(
        forKey: .degrees, in: values, debugDescription: "not 0 up to 360 degrees")
    }
  }
}
