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

#if canImport(CoreLocation) && !os(tvOS)

  public import CoreLocation

  extension Heading {
    /// Where a phone looked: from true north, where it knows that, otherwise from magnetic north; `nil` when its
    /// accuracy is negative, which says that there is no heading.
    public init?(_ heading: CLHeading) {
      guard heading.headingAccuracy >= 0 else { return nil }
      let isTrue = heading.trueHeading >= 0
      let degrees = isTrue ? heading.trueHeading : heading.magneticHeading
      guard degrees.isFinite else { return nil }
      self.init(degrees: degrees, reference: isTrue ? .trueNorth : .magneticNorth)
    }
  }

#endif

extension Heading {
  /// The same direction from true north: a magnetic heading turned by the declination.
  ///
  /// - Parameters:
  ///   - position: where the compass was read.
  ///   - year: when the compass was read, such as 2026.5; see ``MagneticField`` for how far the model reaches.
  public func trueNorth(at position: Position, year: Double) -> Heading {
    switch reference {
    case .trueNorth: self
    case .magneticNorth:
      Heading(degrees: degrees + MagneticField(at: position, year: year).declination) ?? self
    }
  }
}

/// The 16 points of the compass; each names the directions up to 11.25 degrees from it.
public enum CompassPoint: String, CaseIterable, Codable, Sendable {
  case north = "N"
  case northNorthEast = "NNE"
  case northEast = "NE"
  case eastNorthEast = "ENE"
  case east = "E"
  case eastSouthEast = "ESE"
  case southEast = "SE"
  case southSouthEast = "SSE"
  case south = "S"
  case southSouthWest = "SSW"
  case southWest = "SW"
  case westSouthWest = "WSW"
  case west = "W"
  case westNorthWest = "WNW"
  case northWest = "NW"
  case northNorthWest = "NNW"

  /// The nearest point; half way between two, the one further clockwise.
  ///
  /// - Parameter bearing: degrees clockwise from north, any finite number.
  public init(bearing: Double) {
    precondition(bearing.isFinite, "a bearing of \(bearing) degrees")
    let turn = Heading(degrees: bearing)?.degrees ?? 0
    self = CompassPoint.allCases[Int((turn / 22.5 + 0.5).rounded(.down)) % 16]
  }
}
