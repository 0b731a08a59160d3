/// A place on Earth, WGS 84.
public struct Position: Equatable, Codable, Sendable {
  /// Degrees north, -90...90.
  public let latitude: Double
  /// Degrees east, -180...180.
  public let longitude: Double
  /// Metres within which the true place lies, 0 or more; `nil` when nobody said.
  public var horizontalError: Double?

  /// Fails when a coordinate is not finite or out of its range.
  public init?(latitude: Double, longitude: Double, horizontalError: Double? = nil) {
    guard (-90...90).contains(latitude), (-180...180).contains(longitude) else { return nil }
    self.latitude = latitude
    self.longitude = longitude
    self.horizontalError = horizontalError
  }

  private enum CodingKeys: String, CodingKey {
    case latitude, longitude
    case horizontalError = "horizontal_error_m"
  }
}
