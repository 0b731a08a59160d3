package import CupolaCampus

// 1. `MapPlane` turns degrees into meters around a place.
// 2. `SegmentDistance` finds the nearest point of a line or a ring on it.
// 3. `Bearing` measures directions along a route.

/// A map as a plane in meters around a place, toward east and north: right to a percent within some kilometers.
package struct MapPlane: Sendable {
  private let latitude: Double
  private let longitude: Double
  private let shrink: Double

  /// - Parameter origin: `nil` where there is nothing to be drawn.
  package init(around origin: MapPoint?) {
    self.init(latitude: origin?.latitude ?? 0, longitude: origin?.longitude ?? 0)
  }

  /// Around a place that no map has, to the last digit.
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

  /// The place of a point of the plane.
  package func place(_ point: SIMD2<Double>) -> (latitude: Double, longitude: Double) {
    (
      latitude + point.y / LocalPlane.metersPerDegree,
      Degrees.turn(from: 0, to: longitude + point.x / (shrink * LocalPlane.metersPerDegree))
    )
  }
}

extension SurfacePoint {
  /// Meters toward east and north on the plane that touches the ground here: right to a millimeter within a kilometer.
  package func meters(to point: RoutePoint) -> SIMD2<Double> {
    let way = offset(of: SurfacePoint(latitude: point.latitude, longitude: point.longitude))
    return [way.x, way.y]
  }
}

package enum SegmentDistance {
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
  var squared: Double { (self * self).sum() }
  package var length: Double { squared.squareRoot() }
}

/// Directions along a route, degrees clockwise from north.
package enum Bearing {
  /// Meters along which a direction is taken: a footway begins with a little hook where it leaves a street.
  static let reach = 8.0

  /// From one point to another; `nil` when they are one.
  static func of(_ from: RoutePoint, _ to: RoutePoint) -> Double? {
    let way = MapPlane(latitude: from.latitude, longitude: from.longitude).point(to)
    return way.squared > 1e-6 ? Degrees.azimuth(east: way.x, north: way.y) : nil
  }

  /// The direction of the last meters before a point of a line, or of the first ones behind it.
  ///
  /// - Parameters:
  ///   - step: -1 is before, 1 is behind.
  ///   - limit: the point beyond which nothing counts; `nil` for none.
  static func near(
    _ number: Int, of points: [RoutePoint], step: Int, until limit: Int? = nil
  ) -> Double? {
    var place = number
    var walked = 0.0
    while points.indices.contains(place + step), walked < reach, place != limit {
      // A floor further up is no direction.
      guard points[place + step].level == points[place].level || walked == 0 else { break }
      walked += meters(points[place], points[place + step])
      place += step
    }
    return step < 0 ? of(points[place], points[number]) : of(points[number], points[place])
  }

  package static func meters(_ a: RoutePoint, _ b: RoutePoint) -> Double {
    MapPlane(latitude: a.latitude, longitude: a.longitude).point(b).length
  }

  /// The point of the compass, such as `north-east`.
  static func name(_ bearing: Double) -> String {
    let names = [
      "north", "north-east", "east", "south-east", "south", "south-west", "west", "north-west",
    ]
    return names[Int((bearing / 45).rounded() + 16) % 8]
  }
}
