internal import CupolaSupport

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

// 1. `Degrees` has trigonometry in degrees, `WGS84` the constants of the ellipsoid.
// 2. `SurfacePoint` turns latitude and longitude into a point in space with local directions.
// 3. `Geodesic` measures the distance and azimuth between two positions.
// 4. `destination` goes the other way: from a position, an azimuth and a distance to a position.

/// Trigonometry in degrees, exact at the quarter turns.
package enum Degrees {
  /// Sine and cosine; a multiple of 90 degrees gives 0 and 1 without rounding errors. Both are NaN for what
  /// is not finite.
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

  /// The way from one longitude to another, -180...180, without the rounding error of subtracting
  /// numbers on two sides of the date line.
  package static func turn(from start: Double, to end: Double) -> Double {
    let difference = end - start
    // What the subtraction lost (Knuth's two-sum).
    let part = difference + start
    let lost = (end - part) - (start - (part - difference))
    return difference.remainder(dividingBy: 360) + lost
  }

  /// The direction of a vector, clockwise from north, 0..<360; 0 for none.
  package static func azimuth(east: Double, north: Double) -> Double {
    if east == 0, north == 0 { return 0 }
    let degrees = atan2(east, north) * (180 / .pi)
    let positive = degrees < 0 ? degrees + 360 : degrees
    return positive == 360 ? 0 : positive
  }
}

/// The ellipsoid of GPS and GeoJSON.
enum WGS84 {
  /// The equator's radius in meters.
  static let equatorialRadius = 6_378_137.0
  static let flattening = 1 / 298.257223563
  /// The first eccentricity squared.
  static let eccentricity2 = flattening * (2 - flattening)
}

/// A place on the WGS 84 ellipsoid as a point in space, and the directions there.
///
/// Lengths are meters; the axes go from the Earth's center to (0° N, 0° E), (0° N, 90° E) and the north
/// pole.
package struct SurfacePoint: Sendable {
  package let point: SIMD3<Double>
  /// The radius of curvature across the meridian.
  private let normal: Double
  private let phi, lambda: (sin: Double, cos: Double)

  /// - Parameter longitude: degrees, any finite number.
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

  /// A point of the map, longitude and latitude.
  init(_ map: SIMD2<Double>) { self.init(latitude: map.y, longitude: map.x) }

  /// Directions of length 1.
  var east: SIMD3<Double> { [-lambda.sin, lambda.cos, 0] }
  var north: SIMD3<Double> { [-phi.sin * lambda.cos, -phi.sin * lambda.sin, phi.cos] }
  var up: SIMD3<Double> { [phi.cos * lambda.cos, phi.cos * lambda.sin, phi.sin] }

  /// Meters east, north and up from here to another place.
  package func offset(of other: SurfacePoint) -> SIMD3<Double> {
    let way = other.point - point
    return [(way * east).sum(), (way * north).sum(), (way * up).sum()]
  }

  /// How much the ground bends in a direction, per meter (Euler 1767).
  func curvature(toward direction: (east: Double, north: Double)) -> Double {
    let ratio = normal / WGS84.equatorialRadius
    let meridian = 1 / (ratio * ratio * (1 - WGS84.eccentricity2))
    let (across, along) = (direction.east, direction.north)
    return (across * across + along * along * meridian) / normal
  }
}

/// The Earth as a plane around a place: right to a percent within some kilometers.
package enum LocalPlane {
  package static let metersPerDegree = 111_320.0

  /// Meters toward east and north from one place to another.
  package static func meters(
    from start: Position, latitude: Double, longitude: Double
  ) -> (east: Double, north: Double) {
    let turn = Degrees.turn(from: start.longitude, to: longitude)
    return (
      turn * Degrees.sinCos(start.latitude).cos * metersPerDegree,
      (latitude - start.latitude) * metersPerDegree
    )
  }

  /// Meters toward east and north from one place to another.
  package static func meters(
    from start: Position, to end: Position
  ) -> (east: Double, north: Double) {
    meters(from: start, latitude: end.latitude, longitude: end.longitude)
  }
}

/// How far it is over the ground of WGS 84 from one place to another, and which way.
///
/// The way is taken to be an arc of a circle that bends as the vertical turns between both places, which
/// is exact on a sphere. Compared with GeographicLib (Karney 2013):
///
/// | meters | error of the distance | of the direction |
/// |---|---|---|
/// | up to 10 km | 1e-8 m | 2e-7 degrees, or 1e-8 m to the side |
/// | 100 km | 1e-6 m | 1e-5 degrees |
/// | 1000 km | 2 cm | 0.001 degrees |
/// | 10,000 km | 2 km | 0.2 degrees |
/// | 15,000 km | 10 km | 0.5 degrees |
/// | nearly opposite places | 0.3 % | any |
package struct Geodesic: Equatable, Sendable {
  /// Meters.
  package let distance: Double
  /// The direction at the start, degrees clockwise from true north, 0..<360; 0 when both places are the
  /// same.
  package let azimuth: Double

  /// The way from one place to another.
  package init(from start: Position, to end: Position) {
    let (here, there) = (SurfacePoint(start), SurfacePoint(end))
    let way = there.point - here.point
    let chord = (way * way).sum().squareRoot()
    let curvature = (way * (there.up - here.up)).sum() / (chord * chord)
    // Of no way at all the curvature is not a number.
    distance = curvature > 0 ? 2 * asin(min(1, chord * curvature / 2)) / curvature : chord
    let offset = here.offset(of: there)
    azimuth = Degrees.azimuth(east: offset.x, north: offset.y)
  }
}

extension Position {
  /// The place reached by going straight on, with the same horizontal error: right to 2 cm for 100 km.
  ///
  /// - Parameters:
  ///   - azimuth: where to start to, degrees clockwise from true north.
  ///   - distance: meters; negative goes backwards.
  package func destination(azimuth: Double, distance: Double) -> Position {
    precondition(azimuth.isFinite && distance.isFinite, "a way of \(distance) m to \(azimuth)°")
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
