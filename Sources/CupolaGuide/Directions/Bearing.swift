internal import CupolaCampus

/// Directions along a route, degrees clockwise from north.
package struct Bearing {
  /// From one point to another; `nil` when they are one.
  static func of(_ from: RoutePoint, _ to: RoutePoint) -> Double? {
    let plane = MapPlane(latitude: from.latitude, longitude: from.longitude)
    let way = plane.point(latitude: to.latitude, longitude: to.longitude)
    guard way.squared > 1e-6 else { return nil }
    return Degrees.azimuth(east: way.x, north: way.y)
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

  /// Meters along which a direction is taken: a footway begins with a little hook where it leaves a street.
  static let reach = 8.0

  /// Of a way in meters toward east and north.
  static func azimuth(_ way: SIMD2<Double>) -> Double {
    Degrees.azimuth(east: way.x, north: way.y)
  }

  /// How far one turns from one direction to another, -180...180, to the right more than 0.
  static func turn(_ from: Double, _ to: Double) -> Double { Degrees.turn(from: from, to: to) }

  package static func meters(_ a: RoutePoint, _ b: RoutePoint) -> Double {
    let plane = MapPlane(latitude: a.latitude, longitude: a.longitude)
    return plane.point(latitude: b.latitude, longitude: b.longitude).length
  }

  private static let names = [
    "north", "north-east", "east", "south-east", "south", "south-west", "west", "north-west",
  ]

  /// The point of the compass, such as `north-east`.
  static func name(_ bearing: Double) -> String {
    names[Int((bearing / 45).rounded() + 16) % 8]
  }
}
