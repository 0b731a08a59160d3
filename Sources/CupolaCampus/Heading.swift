/// The direction of a camera, in degrees clockwise from north.
public struct Heading: Equatable, Codable, Sendable {
  /// The meaning of 0 degrees.
  public enum Reference: String, Codable, Sendable {
    /// Geographic north.
    case trueNorth = "true"
    /// Magnetic north, which differs from true north by the declination.
    case magneticNorth = "magnetic"
  }

  /// Degrees clockwise from `reference`, 0..<360.
  public let degrees: Double
  /// The north from which `degrees` is measured.
  public let reference: Reference

  /// Normalizes the degrees to 0..<360; returns `nil` if they are not finite.
  public init?(degrees: Double, reference: Reference = .trueNorth) {
    guard degrees.isFinite else { return nil }
    let turn = degrees.truncatingRemainder(dividingBy: 360)
    let positive = turn < 0 ? turn + 360 : turn
    self.degrees = positive == 360 ? 0 : positive
    self.reference = reference
  }

  /// Decodes a heading. Throws if the degrees are outside 0..<360.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    degrees = try values.decode(Double.self, forKey: .degrees)
    reference = try values.decode(Reference.self, forKey: .reference)
    guard (0..<360).contains(degrees) else {
      throw DecodingError.dataCorruptedError(
        forKey: .degrees, in: values, debugDescription: "degrees must be from 0 to below 360")
    }
  }
}

#if canImport(CoreLocation) && !os(tvOS)

  public import CoreLocation

  extension Heading {
    /// Uses true north if available, otherwise magnetic north. Returns `nil` for an invalid heading.
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
  /// Returns the heading relative to true north, corrected by the magnetic declination if needed.
  ///
  /// - Parameters:
  ///   - position: The position where the heading was measured.
  ///   - year: The time of the measurement as a decimal year, for example 2026.5; see ``MagneticField`` for the valid
  ///     range.
  public func trueNorth(at position: Position, year: Double) -> Heading {
    switch reference {
    case .trueNorth: self
    case .magneticNorth:
      Heading(degrees: degrees + MagneticField(at: position, year: year).declination) ?? self
    }
  }
}

/// The 16 compass points. Each covers 22.5 degrees.
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

  /// Returns the compass point nearest to a bearing in degrees. Halfway between two, returns the clockwise one.
  public init(bearing: Double) {
    precondition(bearing.isFinite, "invalid bearing \(bearing)")
    let turn = Heading(degrees: bearing)?.degrees ?? 0
    self = CompassPoint.allCases[Int((turn / 22.5 + 0.5).rounded(.down)) % 16]
  }
}
