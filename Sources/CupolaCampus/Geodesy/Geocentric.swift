/// Places as points in space: metres from the Earth's centre towards (0° N, 0° E), (0° N, 90° E) and
/// the north pole, on the ellipsoid's surface.
enum Geocentric {
  static func point(latitude: Double, longitude: Double) -> SIMD3<Double> {
    frame(latitude: latitude, longitude: longitude).point
  }

  static func point(_ position: Position) -> SIMD3<Double> {
    point(latitude: position.latitude, longitude: position.longitude)
  }

  /// A point, and how it moves with longitude and latitude, in metres per radian.
  static func frame(
    latitude: Double, longitude: Double
  ) -> (point: SIMD3<Double>, east: SIMD3<Double>, north: SIMD3<Double>) {
    let (phi, lambda) = (Degrees.sinCos(latitude), Degrees.sinCos(longitude))
    let squeeze = 1 - WGS84.eccentricity2 * phi.sin * phi.sin
    // The radii of curvature across the meridian and along it.
    let normal = WGS84.equatorialRadius / squeeze.squareRoot()
    let meridian = normal * (1 - WGS84.eccentricity2) / squeeze
    let radius = normal * phi.cos
    return (
      [radius * lambda.cos, radius * lambda.sin, normal * (1 - WGS84.eccentricity2) * phi.sin],
      [-radius * lambda.sin, radius * lambda.cos, 0],
      [-meridian * phi.sin * lambda.cos, -meridian * phi.sin * lambda.sin, meridian * phi.cos]
    )
  }
}
