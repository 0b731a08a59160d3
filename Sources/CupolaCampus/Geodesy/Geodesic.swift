#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

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
