/// A WGS 84 position.
public struct Position: Equatable, Codable, Sendable {
  /// Degrees north, -90...90.
  public let latitude: Double
  /// Degrees east, -180...180.
  public let longitude: Double
  /// The accuracy in meters, 0 or more; `nil` if unknown.
  public let horizontalError: Double?

  /// The accuracy in meters that is assumed if it is unknown.
  public static let defaultError = 15.0

  /// ``horizontalError``, or ``defaultError`` if it is unknown.
  public var assumedError: Double { horizontalError ?? Position.defaultError }

  /// Returns `nil` if a value is not finite or is out of range. Phones report negative errors for invalid positions.
  public init?(latitude: Double, longitude: Double, horizontalError: Double? = nil) {
    guard (-90...90).contains(latitude), (-180...180).contains(longitude),
      horizontalError.map({ $0 >= 0 && $0.isFinite }) ?? true
    else { return nil }
    self.latitude = latitude
    self.longitude = longitude
    self.horizontalError = horizontalError
  }

  /// Decodes a position. Throws if a value is invalid.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    let position = Position(
      latitude: try values.decode(Double.self, forKey: .latitude),
      longitude: try values.decode(Double.self, forKey: .longitude),
      horizontalError: try values.decodeIfPresent(Double.self, forKey: .horizontalError))
    guard let position else {
      throw DecodingError.dataCorrupted(
        DecodingError.Context(
          codingPath: decoder.codingPath, debugDescription: "invalid position"))
    }
    self = position
  }

  /// Returns the position with another error, or `nil` if the error is invalid.
  package func with(horizontalError: Double?) -> Position? {
    Position(latitude: latitude, longitude: longitude, horizontalError: horizontalError)
  }

  package var swapped: Position? { Position(latitude: longitude, longitude: latitude) }

  private enum CodingKeys: String, CodingKey {
    case latitude, longitude
    case horizontalError = "horizontal_error_m"
  }
}

extension Position {
  /// Returns the position moved by up to a few kilometers, accurate to 1%; `nil` beyond a pole or the antimeridian.
  package func moved(meters: Double, toward bearing: Double) -> Position? {
    let metersPerDegree = LocalPlane.metersPerDegree
    let (east, north) = Degrees.sinCos(bearing)
    let width = metersPerDegree * Degrees.sinCos(latitude).cos
    func rounded(_ degrees: Double) -> Double { (degrees * 1e7).rounded() / 1e7 }
    return Position(
      latitude: rounded(latitude + meters * north / metersPerDegree),
      longitude: rounded(longitude + meters * east / max(width, 1)))
  }
}

#if canImport(CoreLocation)

  public import CoreLocation

  extension Position {
    /// Returns `nil` for invalid positions, which have a negative accuracy. Ignores altitude and floor.
    public init?(_ location: CLLocation) {
      guard location.horizontalAccuracy >= 0 else { return nil }
      self.init(
        latitude: location.coordinate.latitude, longitude: location.coordinate.longitude,
        horizontalError: location.horizontalAccuracy)
    }
  }

#endif
