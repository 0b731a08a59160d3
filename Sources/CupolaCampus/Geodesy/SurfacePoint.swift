/// A place on the WGS 84 ellipsoid as a point in space, and the directions there.
///
/// Lengths are meters; the axes go from the Earth's center to (0° N, 0° E), (0° N, 90° E) and the north
/// pole.
package struct SurfacePoint {
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
  func offset(of other: SurfacePoint) -> SIMD3<Double> {
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
