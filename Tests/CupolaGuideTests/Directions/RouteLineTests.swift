import CupolaCampus
import Testing

@testable import CupolaGuide

@Suite("Route lines")
struct RouteLineTests {
  private let corners: [SIMD2<Double>] = [[0, 0], [0, 100], [50, 100], [50, 103]]

  private var line: RouteLine {
    RouteLine(RouteMaker.route(corners), around: RouteMaker.point([0, 0]))
  }

  @Test("Points are meters east and north of the anchor")
  func meters() throws {
    let anchor = try #require(Position(latitude: 42.05, longitude: -87.67))
    for point in [[30, 40], [-700, 20], [5, -900]] as [SIMD2<Double>] {
      let place = RouteMaker.point(point)
      let there = try #require(Position(latitude: place.latitude, longitude: place.longitude))
      let way = Geodesic(from: anchor, to: there)
      let line = RouteLine(RouteMaker.route([point]), around: RouteMaker.point([0, 0]))
      let drawn = line.points[0]
      #expect(((drawn * drawn).sum().squareRoot() - way.distance).magnitude < 1e-3)
      let azimuth = Degrees.azimuth(east: drawn.x, north: drawn.y)
      #expect(Degrees.turn(from: azimuth, to: way.azimuth).magnitude < 1e-3)
    }
  }

  @Test("Floors are 3.5 m high, measured from the anchor's floor")
  func floors() {
    let points = [RouteMaker.point([0, 0], level: 1), RouteMaker.point([0, 0], level: 3)]
    let route = Route(
      mode: .walk, points: points,
      segments: [Route.Segment(kind: .elevator, meters: 0, seconds: 30)],
      maneuvers: [RouteMaker.maneuver(.elevatorUp, 0), RouteMaker.maneuver(.arrive, 1)])
    let line = RouteLine(route, around: points[0])
    #expect(line.points.map(\.z) == [0, 7])
    #expect(line.arrows.map(\.direction) == [[0, 0, 1], [0, 0, 1]])
    #expect(RouteLine(route, around: RouteMaker.point([0, 0])).points.map(\.z) == [3.5, 10.5])
  }

  @Test("Each maneuver has an arrow in the direction of travel")
  func arrows() {
    let arrows = line.arrows
    #expect(arrows.count == 4)
    #expect((arrows[0].direction - [0, 1, 0]).max() < 1e-6)
    #expect((arrows[1].direction.x - 1).magnitude < 1e-3)
    #expect((arrows[3].direction.y - 1).magnitude < 1e-3)
  }

  @Test("World axes with gravityAndHeading: x east, y up, z south")
  func world() {
    let world = RouteWorld(originHeight: 1.5)
    #expect(world.position(of: [3, 4, 5]) == [3, 3.5, -4])
  }

  @Test("World axes with gravity: the camera direction is -z")
  func turned() throws {
    let east = try #require(Heading(degrees: 90))
    let world = try #require(RouteWorld(cameraHeading: east, originHeight: 0))
    #expect(world.position(of: [10, 0, 0]) == [0, 0, -10])
    #expect(world.position(of: [0, 10, 0]) == [-10, 0, 0])
    let magnetic = try #require(Heading(degrees: 90, reference: .magneticNorth))
    #expect(RouteWorld(cameraHeading: magnetic) == nil)
  }
}

enum Degree {
  static func sinCos(_ radians: Double) -> (sin: Double, cos: Double) {
    Degrees.sinCos(radians * 180 / .pi)
  }
}

enum RouteMaker {
  static let latitude = 42.05
  static let longitude = -87.67
  // The meters per degree at this latitude (WGS 84).
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

  /// Returns the turn in degrees; positive is to the right.
  static func turn(_ corners: [SIMD2<Double>], at number: Int) -> Double {
    let (before, behind) = (
      corners[number] - corners[number - 1], corners[number + 1] - corners[number]
    )
    return Degrees.turn(
      from: Degrees.azimuth(east: before.x, north: before.y),
      to: Degrees.azimuth(east: behind.x, north: behind.y))
  }
}
