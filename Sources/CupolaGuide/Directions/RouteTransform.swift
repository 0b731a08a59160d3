/// A matrix of four columns, as ARKit's: `simd_float4x4(columns: transform.columns)`.
public struct RouteTransform: Equatable, Sendable {
  /// Where x goes.
  public let x: SIMD4<Float>
  /// Where y goes.
  public let y: SIMD4<Float>
  /// Where z goes.
  public let z: SIMD4<Float>
  /// Where the origin goes, meters; the fourth number is 1.
  public let origin: SIMD4<Float>

  init(
    x: SIMD4<Float>, y: SIMD4<Float>, z: SIMD4<Float>, origin: SIMD4<Float>
  ) {
    (self.x, self.y, self.z, self.origin) = (x, y, z, origin)
  }

  /// All four.
  public var columns: (SIMD4<Float>, SIMD4<Float>, SIMD4<Float>, SIMD4<Float>) {
    (x, y, z, origin)
  }

  /// Where a point goes.
  public func applied(to point: SIMD3<Float>) -> SIMD3<Float> {
    let moved = point.x * x + point.y * y + point.z * z + origin
    return [moved.x, moved.y, moved.z]
  }
}
