/// Distances in a plane.
struct SegmentDistance {
  /// Where a closed ring comes nearest to a point; a ring without points is nowhere.
  static func nearest(
    to point: SIMD2<Double>, of ring: [SIMD2<Double>]
  ) -> (distance: Double, point: SIMD2<Double>) {
    var best = (distance: Double.infinity, point: point)
    for (one, other) in zip(ring, ring.dropFirst() + ring.prefix(1)) {
      let place = one + (other - one) * fraction(of: point, from: one, to: other)
      let gap = point - place
      let distance = (gap * gap).sum().squareRoot()
      if distance < best.distance { best = (distance, place) }
    }
    return best
  }

  /// The part of a straight line before the point of it that is nearest to another, 0...1.
  static func fraction(
    of point: SIMD2<Double>, from one: SIMD2<Double>, to other: SIMD2<Double>
  ) -> Double {
    let way = other - one
    let square = (way * way).sum()
    return square > 0 ? min(1, max(0, ((point - one) * way).sum() / square)) : 0
  }
}
