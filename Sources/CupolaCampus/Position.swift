/// A place on Earth, WGS 84.
public struct Position: Equatable, Codable, Sendable {
  /// Degrees north, -90...90.
  public let latitude: Double
  /// Degrees east, -180...180.
  public let longitude: Double
  /// Meters within which the true place lies, 0 or more; `nil` when nobody said.
  public let horizontalError: Double?

  /// Meters within which a position is taken to be right when nobody said.
  public static let usualError = 15.0

  /// Meters within which the true place is taken to lie: ``horizontalError`` or else ``usualError``.
  public var assumedError: Double { horizontalError ?? Position.usualError }

  /// Fails when a coordinate or the error is not finite or out of its range: phones give a negative error
  /// for a position that means nothing.
  public init?(latitude: Double, longitude: Double, horizontalError: Double? = nil) {
    guard (-90...90).contains(latitude), (-180...180).contains(longitude),
      horizontalError.map({ $0 >= 0 && $0.isFinite }) ?? true
    else { return nil }
    self.latitude = latitude
    self.longitude = longitude
    self.horizontalError = horizontalError
  }

  /// Reads a position as ``init(latitude:longitude:horizontalError:)`` accepts it.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    let position = Position(
      latitude: try values.decode(Double.self, forKey: .latitude),
      longitude: try values.decode(Double.self, forKey: .longitude),
      horizontalError: try values.decodeIfPresent(Double.self, forKey: .horizontalError))
    guard let position else {
      throw DecodingError.dataCorrupted(
        DecodingError.Context(
          codingPath: decoder.codingPath, debugDescription: "no place on Earth"))
    }
    self = position
  }

  /// The same place with another error; `nil` where that cannot be one.
  package func with(horizontalError: Double?) -> Position? {
    Position(latitude: latitude, longitude: longitude, horizontalError: horizontalError)
  }

  /// The place whose latitude is this one's longitude and the other way round, if there is one.
  package var swapped: Position? { Position(latitude: longitude, longitude: latitude) }

  private enum CodingKeys: String, CodingKey {
    case latitude, longitude
    case horizontalError = "horizontal_error_m"
  }
}

extension Position {
  /// The place some meters away, right to a percent within some kilometers; `nil` beyond a pole or the
  /// date line.
  ///
  /// - Parameter bearing: degrees clockwise from true north.
  package func moved(meters: Double, toward bearing: Double) -> Position? {
    let metersPerDegree = LocalPlane.metersPerDegree
    let (east, north) = Degrees.sinCos(bearing)
    let width = metersPerDegree * Degrees.sinCos(latitude).cos
    // Seven decimals are a centimeter.
    func rounded(_ degrees: Double) -> Double { (degrees * 1e7).rounded() / 1e7 }
    return Position(
      latitude: rounded(latitude + meters * north / metersPerDegree),
      longitude: rounded(longitude + meters * east / max(width, 1)))
  }
}

#if canImport(CoreLocation)

  public import CoreLocation

  extension Position {
    /// Where a phone was; `nil` when its horizontal accuracy is negative, which says that there is no position.
    ///
    /// Altitude and floor are left out.
    public init?(_ location: CLLocation) {
      guard location.horizontalAccuracy >= 0 else { return nil }
      self.init(
        latitude: location.coordinate.latitude, longitude: location.coordinate.longitude,
        horizontalError: location.horizontalAccuracy)
    }
  }

#endif
