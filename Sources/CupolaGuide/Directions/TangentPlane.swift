internal import CupolaCampus

/// The plane that touches the ground at a place: meters toward east and north, right to a millimeter
/// within a kilometer.
struct TangentPlane: Sendable {
  private let origin: SIMD3<Double>
  private let east: SIMD3<Double>
  private let north: SIMD3<Double>

  init(latitude: Double, longitude: Double) {
    origin = SurfacePoint(latitude: latitude, longitude: longitude).point
    let (phi, lambda) = (Degrees.sinCos(latitude), Degrees.sinCos(longitude))
    east = [-lambda.sin, lambda.cos, 0]
    north = [-phi.sin * lambda.cos, -phi.sin * lambda.sin, phi.cos]
  }

  func meters(latitude: Double, longitude: Double) -> SIMD2<Double> {
    let way = SurfacePoint(latitude: latitude, longitude: longitude).point - origin
    return [(way * east).sum(), (way * north).sum()]
  }

  func meters(_ point: RoutePoint) -> SIMD2<Double> {
    meters(latitude: point.latitude, longitude: point.longitude)
  }

  func meters(_ position: Position) -> SIMD2<Double> {
    meters(latitude: position.latitude, longitude: position.longitude)
  }
}
