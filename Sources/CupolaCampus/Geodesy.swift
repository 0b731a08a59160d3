internal import CupolaSupport

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

// 1. `Degrees` provides trigonometry in degrees; `WGS84` contains the ellipsoid's constants.
// 2. `SurfacePoint` converts latitude and longitude to a 3D point with local directions.
// 3. `Geodesic` computes the distance and azimuth between two positions.
// 4. `destination` computes a position from a start, an azimuth and a distance.

/// Trigonometry in degrees, exact at multiples of 90 degrees.
package enum Degrees {
  /// Returns sine and cosine, exact at multiples of 90 degrees; NaN if the angle is not finite.
  package static func sinCos(_ degrees: Double) -> (sin: Double, cos: Double) {
    let rest = degrees.remainder(dividingBy: 90)
    let quarters = ((degrees - rest) / 90).rounded().remainder(dividingBy: 4)
    let (sine, cosine) = (sin(rest * (.pi / 180)), cos(rest * (.pi / 180)))
    return switch Int(saturating: quarters) & 3 {
    case 0: (sine, cosine)
    case 1: (cosine, -sine)
    case 2: (-sine, -cosine)
    default: (-cosine, sine)
    }
  }

  /// Returns the difference between two longitudes, -180...180, without rounding errors near the antimeridian.
  package static func turn(from start: Double, to end: Double) -> Double {
    let difference = end - start
    // The rounding error of the subtraction (Knuth's two-sum algorithm).
    let part = difference + start
    let lost = (end - part) - (start - (part - difference))
    return difference.remainder(dividingBy: 360) + lost
  }

  /// Returns the direction of a vector in degrees clockwise from north, 0..<360; 0 for a zero vector.
  package static func azimuth(east: Double, north: Double) -> Double {
    if east == 0, north == 0 { return 0 }
    let degrees = atan2(east, north) * (180 / .pi)
    let positive = degrees < 0 ? degrees + 360 : degrees
    return positive == 360 ? 0 : positive
  }
}

/// The WGS 84 ellipsoid, used by GPS and GeoJSON.
enum WGS84 {
  /// The equatorial radius in meters.
  static let equatorialRadius = 6_378_137.0
  static let flattening = 1 / 298.257223563
  static let eccentricity2 = flattening * (2 - flattening)
}

/// A point on the WGS 84 ellipsoid with its local directions, in Earth-centered coordinates in meters.
package struct SurfacePoint: Sendable {
  package let point: SIMD3<Double>
  /// The radius of curvature in the prime vertical.
  private let normal: Double
  private let phi, lambda: (sin: Double, cos: Double)

  /// Creates a point from degrees. The longitude can be any finite number.
  package init(latitude: Double, longitude: Double) {
    (phi, lambda) = (Degrees.sinCos(latitude), Degrees.sinCos(longitude))
    normal = WGS84.equatorialRadius / (1 - WGS84.eccentricity2 * phi.sin * phi.sin).squareRoot()
    let radius = normal * phi.cos
    point = [
      radius * lambda.cos, radius * lambda.sin, normal * (1 - WGS84.eccentricity2) * phi.sin,
    ]
  }

  init(_ position: Position) {
    self.init(latitude: position.latitude, longitude: position.longitude)
  }

  init(_ map: SIMD2<Double>) { self.init(latitude: map.y, longitude: map.x) }

  var east: SIMD3<Double> { [-lambda.sin, lambda.cos, 0] }
  var north: SIMD3<Double> { [-phi.sin * lambda.cos, -phi.sin * lambda.sin, phi.cos] }
  var up: SIMD3<Double> { [phi.cos * lambda.cos, phi.cos * lambda.sin, phi.sin] }

  /// Returns the offset of another point in meters east, north and up.
  package func offset(of other: SurfacePoint) -> SIMD3<Double> {
    let offset = other.point - point
    return [(offset * east).sum(), (offset * north).sum(), (offset * up).sum()]
  }

  /// Returns the ellipsoid's curvature in a direction, per meter (Euler 1767).
  func curvature(toward direction: (east: Double, north: Double)) -> Double {
    let ratio = normal / WGS84.equatorialRadius
    let meridian = 1 / (ratio * ratio * (1 - WGS84.eccentricity2))
    let (across, along) = (direction.east, direction.north)
    return (across * across + along * along * meridian) / normal
  }
}

/// A flat approximation of the Earth around a position: accurate to 1% within a few kilometers.
package enum LocalPlane {
  package static let metersPerDegree = 111_320.0

  package static func meters(
    from start: Position, latitude: Double, longitude: Double
  ) -> (east: Double, north: Double) {
    let turn = Degrees.turn(from: start.longitude, to: longitude)
    return (
      turn * Degrees.sinCos(start.latitude).cos * metersPerDegree,
      (latitude - start.latitude) * metersPerDegree
    )
  }

  package static func meters(
    from start: Position, to end: Position
  ) -> (east: Double, north: Double) {
    meters(from: start, latitude: end.latitude, longitude: end.longitude)
  }
}

/// The distance and initial azimuth between two positions on WGS 84.
///
/// Approximates the geodesic by a circular arc whose curvature follows from the two verticals, which is exact on a
/// sphere. Errors relative to GeographicLib (Karney 2013):
///
/// | distance | error of the distance | error of the azimuth |
/// |---|---|---|
/// | up to 10 km | 1e-8 m | 2e-7 degrees, or 1e-8 m sideways |
/// | 100 km | 1e-6 m | 1e-5 degrees |
/// | 1000 km | 2 cm | 0.001 degrees |
/// | 10,000 km | 2 km | 0.2 degrees |
/// | 15,000 km | 10 km | 0.5 degrees |
/// | nearly antipodal | 0.3% | unbounded |
package struct Geodesic: Equatable, Sendable {
  /// The distance in meters.
  package let distance: Double
  /// Degrees clockwise from true north at the start, 0..<360; 0 if the positions are equal.
  package let azimuth: Double

  package init(from start: Position, to end: Position) {
    let (here, there) = (SurfacePoint(start), SurfacePoint(end))
    let vector = there.point - here.point
    let chord = (vector * vector).sum().squareRoot()
    let curvature = (vector * (there.up - here.up)).sum() / (chord * chord)
    // The curvature is NaN if the positions are equal.
    distance = curvature > 0 ? 2 * asin(min(1, chord * curvature / 2)) / curvature : chord
    let offset = here.offset(of: there)
    azimuth = Degrees.azimuth(east: offset.x, north: offset.y)
  }
}

extension Position {
  /// Returns the position at an azimuth and a distance in meters, which may be negative. Accurate to 2 cm at 100 km.
  package func destination(azimuth: Double, distance: Double) -> Position {
    precondition(
      azimuth.isFinite && distance.isFinite, "invalid distance \(distance) m or azimuth \(azimuth)°"
    )
    let here = SurfacePoint(self)
    let direction = Degrees.sinCos(azimuth)
    let curvature = here.curvature(toward: (direction.sin, direction.cos))
    let (half, forwards) = (
      distance * curvature / 2, direction.sin * here.east + direction.cos * here.north
    )
    let end = here.point + 2 * sin(half) / curvature * (cos(half) * forwards - sin(half) * here.up)
    let flat = hypot(end.x, end.y) * (1 - WGS84.eccentricity2)
    let degrees = 180 / Double.pi
    return Position(
      latitude: atan2(end.z, flat) * degrees, longitude: atan2(end.y, end.x) * degrees,
      horizontalError: horizontalError) ?? self
  }
}
