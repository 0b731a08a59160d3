package import CupolaCampus

extension MapPoint {
  /// The box around rings, in ten-millionths of a degree; all longitudes for what lies across the date line, all the
  /// plane without any point.
  package static func box(around rings: [[MapPoint]]) -> BoxTree.Box {
    var low = SIMD2(repeating: Double.infinity)
    var high = SIMD2(repeating: -Double.infinity)
    for point in rings.joined() {
      let place = SIMD2(Double(point.longitudeE7), Double(point.latitudeE7))
      (low, high) = (pointwiseMin(low, place), pointwiseMax(high, place))
    }
    if rings.contains(where: isAcrossDateLine) {
      (low.x, high.x) = (-Double(wholeTurn) / 2, Double(wholeTurn) / 2)
    }
    return BoxTree.Box(low, high)
  }
}
