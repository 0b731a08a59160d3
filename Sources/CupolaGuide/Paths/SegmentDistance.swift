internal import CupolaCampus

/// Distances in a plane.
package struct SegmentDistance {
  /// Where a closed ring comes nearest to a point; a ring without points is nowhere.
  package static func nearest(
    to point: SIMD2<Double>, of ring: [SIMD2<Double>]
  ) -> (distance: Double, point: SIMD2<Double>) {
    var best = (distance: Double.infinity, point: point)
    for (one, other) in zip(ring, ring.dropFirst() + ring.prefix(1)) {
      let place = one + (other - one) * fraction(of: point, from: one, to: other)
      let gap = point - place
      if gap.length < best.distance { best = (gap.length, place) }
    }
    return best
  }

  /// The part of a straight line before the point of it that is nearest to another, 0...1.
  package static func fraction(
    of point: SIMD2<Double>, from one: SIMD2<Double>, to other: SIMD2<Double>
  ) -> Double {
    let way = other - one
    return way.squared > 0 ? min(1, max(0, ((point - one) * way).sum() / way.squared)) : 0
  }
}

extension SIMD2<Double> {
  /// The squared length.
  package var squared: Double { (self * self).sum() }
  package var length: Double { squared.squareRoot() }
}
