#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// The ellipsoid of GPS and GeoJSON.
enum WGS84 {
  /// The equator's radius in metres.
  static let equatorialRadius = 6_378_137.0
  static let flattening = 1 / 298.257223563
  /// The ratio of the radii.
  static let ratio = 1 - flattening
  static let polarRadius = equatorialRadius * ratio
  /// The first eccentricity squared.
  static let eccentricity2 = flattening * (2 - flattening)
  /// The second eccentricity squared.
  static let secondEccentricity2 = eccentricity2 / (ratio * ratio)

  /// Sine and cosine of the reduced latitude that belongs to a latitude.
  ///
  /// The cosine is never 0, so that a pole keeps its longitude and directions there a meaning.
  static func reduced(latitude: Double) -> (sin: Double, cos: Double) {
    let (sine, cosine) = Degrees.sinCos(latitude)
    let norm = hypot(ratio * sine, cosine)
    return (ratio * sine / norm, max(cosine / norm, 1e-150))
  }
}
