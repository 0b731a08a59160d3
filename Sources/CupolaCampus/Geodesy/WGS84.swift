/// The ellipsoid of GPS and GeoJSON.
enum WGS84 {
  /// The equator's radius in meters.
  static let equatorialRadius = 6_378_137.0
  static let flattening = 1 / 298.257223563
  /// The first eccentricity squared.
  static let eccentricity2 = flattening * (2 - flattening)
}
