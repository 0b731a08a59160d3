import CupolaCampus

@testable import CupolaGuide

enum Degree {
  /// Of radians.
  static func sinCos(_ radians: Double) -> (sin: Double, cos: Double) {
    Degrees.sinCos(radians * 180 / .pi)
  }
}

/// Routes of corners on a plane around a place.
enum RouteMaker {
  static let latitude = 42.05
  static let longitude = -87.67
  // Meters of a degree there (WGS 84).
  private static let north = 111_075.0
  private static let east = 82_778.0

  static func point(_ place: SIMD2<Double>, level: Double? = nil) -> RoutePoint {
    RoutePoint(
      latitude: latitude + place.y / north, longitude: longitude + place.x / east, level: level)
  }

  static func position(_ place: SIMD2<Double>, error: Double?) -> Position? {
    let point = point(place)
    return Position(
      latitude: point.latitude, longitude: point.longitude, horizontalError: error)
  }

  static func place(_ point: RoutePoint) -> SIMD2<Double> {
    [(point.longitude - longitude) * east, (point.latitude - latitude) * north]
  }

  /// A route with a maneuver at each turn of 25 degrees or more.
  static func route(_ corners: [SIMD2<Double>], mode: TravelMode = .walk) -> Route {
    let speed = mode == .drive ? 12 : 1.4
    let lengths = zip(corners, corners.dropFirst()).map { ($1 - $0).length }
    let segments = lengths.map {
      Route.Segment(kind: mode == .drive ? .street : .path, meters: $0, seconds: $0 / speed)
    }
    var maneuvers = [maneuver(.depart, 0)]
    for number in corners.indices.dropFirst().dropLast() {
      let turn = turn(corners, at: number)
      if turn.magnitude >= 25 { maneuvers.append(maneuver(turn > 0 ? .right : .left, number)) }
    }
    maneuvers.append(maneuver(.arrive, corners.count - 1))
    return Route(
      mode: mode, points: corners.map { point($0) }, segments: segments, maneuvers: maneuvers)
  }

  static func maneuver(_ kind: Maneuver.Kind, _ point: Int) -> Maneuver {
    Maneuver(kind, at: point, text: kind.rawValue, meters: 0, seconds: 0)
  }

  /// Degrees, to the right more than 0.
  static func turn(_ corners: [SIMD2<Double>], at number: Int) -> Double {
    let (before, behind) = (
      corners[number] - corners[number - 1], corners[number + 1] - corners[number]
    )
    return Degrees.turn(
      from: Degrees.azimuth(east: before.x, north: before.y),
      to: Degrees.azimuth(east: behind.x, north: behind.y))
  }
}
