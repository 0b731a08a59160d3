/// Where something is from where someone stands, as augmented reality wants it.
///
/// East, north and up are the axes of the tangent plane to WGS 84 at the position of the person; both
/// places are taken to be on the ellipsoid, as maps give no heights, so that `up` is only how much the
/// Earth curves away: -0.8 mm in 100 m.
public struct LocalPlacement: Equatable, Codable, Sendable {
  /// Meters.
  public let east, north, up: Double

  private enum CodingKeys: String, CodingKey {
    case east = "east_m"
    case north = "north_m"
    case up = "up_m"
  }

  init(of place: Position, from position: Position) {
    let offset = SurfacePoint(position).offset(of: SurfacePoint(place))
    (east, north, up) = (offset.x, offset.y, offset.z)
  }

  /// The columns of a 4x4 matrix that moves here without turning; x is east, y north, z up.
  public var eastNorthUp: [SIMD4<Double>] {
    LocalPlacement.translation(east, north, up)
  }

  /// The columns of a 4x4 matrix that moves here without turning; x is east, y up, z south, as in an
  /// ARKit session whose `worldAlignment` is `.gravityAndHeading` and that began at the position.
  ///
  ///     ARAnchor(transform: simd_float4x4(placement.gravityAndHeading.map { SIMD4<Float>($0) }))
  public var gravityAndHeading: [SIMD4<Double>] {
    LocalPlacement.translation(east, up, -north)
  }

  private static func translation(_ x: Double, _ y: Double, _ z: Double) -> [SIMD4<Double>] {
    [[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0], [x, y, z, 1]]
  }
}
