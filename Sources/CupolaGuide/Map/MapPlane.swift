package import CupolaCampus

// 1. Convert degrees to meters from a point with `MapPlane`.
// 2. Find nearest points with `SegmentDistance`, and measure directions with `Bearing`.

/// A plane in meters east and north of an origin, accurate to 1% within a few kilometers.
package struct MapPlane: Sendable {
  private let latitude: Double
  private let longitude: Double
  private let shrink: Double

  package init(around origin: MapPoint?) {
    self.init(latitude: origin?.latitude ?? 0, longitude: origin?.longitude ?? 0)
  }

  package init(latitude: Double, longitude: Double) {
    (self.latitude, self.longitude) = (latitude, longitude)
    shrink = max(0.01, Degrees.sinCos(latitude).cos)
  }

  package func point(latitude: Double, longitude: Double) -> SIMD2<Double> {
    [
      Degrees.turn(from: self.longitude, to: longitude) * shrink * LocalPlane.metersPerDegree,
      (latitude - self.latitude) * LocalPlane.metersPerDegree,
    ]
  }

  package func point(_ point: MapPoint) -> SIMD2<Double> {
    self.point(latitude: point.latitude, longitude: point.longitude)
  }

  package func point(_ point: RoutePoint) -> SIMD2<Double> {
    self.point(latitude: point.latitude, longitude: point.longitude)
  }

  package func place(_ point: SIMD2<Double>) -> (latitude: Double, longitude: Double) {
    (
      latitude + point.y / LocalPlane.metersPerDegree,
      Degrees.turn(from: 0, to: longitude + point.x / (shrink * LocalPlane.metersPerDegree))
    )
  }
}

extension SurfacePoint {
  /// Returns the meters east and north on the tangent plane, accurate to a millimeter within 1 km.
  package func meters(to point: RoutePoint) -> SIMD2<Double> {
    let way = offset(of: SurfacePoint(latitude: point.latitude, longitude: point.longitude))
    return [way.x, way.y]
  }
}

extension [[SIMD2<Double>]] {
  /// Whether a point is inside rings, by the even-odd rule.
  package func enclose(_ place: SIMD2<Double>) -> Bool {
    var isInside = false
    for ring in self {
      for (one, other) in zip(ring, ring.dropFirst() + ring.prefix(1))
      where (one.y > place.y) != (other.y > place.y) {
        let x = one.x + (place.y - one.y) / (other.y - one.y) * (other.x - one.x)
        if place.x < x { isInside.toggle() }
      }
    }
    return isInside
  }
}

package enum SegmentDistance {
  /// Returns the point on a closed ring that is nearest to another point; infinitely far for an empty ring.
  package static func nearest(
    to point: SIMD2<Double>, of ring: [SIMD2<Double>]
  ) -> (distance: Double, point: SIMD2<Double>) {
    var best = (distance: Double.infinity, point: point)
    for (one, other) in zip(ring, ring.dropFirst() + ring.prefix(1)) {
      let place = nearest(to: point, from: one, to: other)
      let gap = point - place
      if gap.length < best.distance { best = (gap.length, place) }
    }
    return best
  }

  /// Returns the point on a segment that is nearest to another point.
  package static func nearest(
    to point: SIMD2<Double>, from one: SIMD2<Double>, to other: SIMD2<Double>
  ) -> SIMD2<Double> {
    one + (other - one) * fraction(of: point, from: one, to: other)
  }

  static func fraction(
    of point: SIMD2<Double>, from one: SIMD2<Double>, to other: SIMD2<Double>
  ) -> Double {
    let way = other - one
    return way.squared > 0 ? min(1, max(0, ((point - one) * way).sum() / way.squared)) : 0
  }
}

extension SIMD2<Double> {
  package var squared: Double { (self * self).sum() }
  package var length: Double { squared.squareRoot() }
}

/// Directions along a route, in degrees clockwise from north.
package enum Bearing {
  /// The distance in meters over which a direction is measured, because footways often start with a small hook at a
  /// street.
  static let reach = 8.0
  /// The same distance indoors, where corridors are short.
  static let reachIndoors = 3.0

  package static func of(_ from: RoutePoint, _ to: RoutePoint) -> Double? {
    let way = MapPlane(latitude: from.latitude, longitude: from.longitude).point(to)
    return way.squared > 1e-6 ? Degrees.azimuth(east: way.x, north: way.y) : nil
  }

  /// Returns the direction of the last meters before a point (`step` -1) or of the first meters after it (`step` 1).
  static func near(
    _ number: Int, of points: [RoutePoint], step: Int, until limit: Int? = nil,
    within reach: Double = reach
  ) -> Double? {
    var place = number
    var (end, walked) = (points[number], 0.0)
    while points.indices.contains(place + step), walked < reach, place != limit {
      let next = points[place + step]
      // A point on another floor does not determine a horizontal direction.
      guard next.level == end.level || walked == 0 else { break }
      let meters = meters(end, next)
      // A long section after a short one must not hide the direction of the short one.
      let isCut = walked > 0 && walked + meters > reach
      end = isCut ? end.toward(next, (reach - walked) / meters) : next
      walked += meters
      place += step
    }
    return step < 0 ? of(end, points[number]) : of(points[number], end)
  }

  package static func meters(_ a: RoutePoint, _ b: RoutePoint) -> Double {
    MapPlane(latitude: a.latitude, longitude: a.longitude).point(b).length
  }

  static func name(_ bearing: Double) -> String {
    let names = [
      "north", "northeast", "east", "southeast", "south", "southwest", "west", "northwest",
    ]
    return names[Int((bearing / 45).rounded() + 16) % 8]
  }
}
