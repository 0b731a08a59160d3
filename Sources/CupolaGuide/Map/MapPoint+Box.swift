internal import CupolaCampus

extension MapPoint {
  /// The box around points, in ten-millionths of a degree; all the plane without any.
  static func box(around points: some Sequence<MapPoint>) -> BoxTree.Box {
    var low = SIMD2(repeating: Double.infinity)
    var high = SIMD2(repeating: -Double.infinity)
    for point in points {
      let place = SIMD2(Double(point.longitudeE7), Double(point.latitudeE7))
      (low, high) = (pointwiseMin(low, place), pointwiseMax(high, place))
    }
    return BoxTree.Box(low, high)
  }
}
