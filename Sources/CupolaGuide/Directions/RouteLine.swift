public import CupolaCampus

// 1. Convert a route to meters east, north and up from an anchor, and add an arrow for each maneuver.
// 2. Convert the result to the coordinates of an AR session with `RouteWorld`.

/// A route to draw in augmented reality: points and arrows in meters from an anchor.
///
/// Coordinates are east, north and up. Each floor is 3.5 m high, counted from the anchor's floor; an unknown floor is
/// 0. Example for an ARKit session that starts at a position:
///
///     let line = RouteLine(route, around: start)
///     let world = RouteWorld()  // .gravityAndHeading
///     for point in line.points { draw(at: world.position(of: point)) }
public struct RouteLine: Equatable, Sendable {
  /// An arrow at a maneuver.
  public struct Arrow: Equatable, Sendable {
    /// The index of the maneuver in ``Route/maneuvers``.
    public let maneuver: Int
    /// The position east, north and up in meters.
    public let position: SIMD3<Double>
    /// The unit vector along the route after the maneuver; at the end of the route, before the maneuver.
    public let direction: SIMD3<Double>
  }

  /// The points, at least one: east, north and up in meters.
  public let points: [SIMD3<Double>]
  /// One arrow for each maneuver, in order.
  public let arrows: [Arrow]

  static let floorHeight = RouteTrack.floorHeight

  /// Creates the line of a route with one point for each route point.
  ///
  /// - Parameters:
  ///   - route: The route to draw.
  ///   - anchor: The origin of the coordinates, with finite degrees.
  public init(_ route: Route, around anchor: RoutePoint) {
    precondition(
      anchor.latitude.isFinite && anchor.longitude.isFinite, "anchor \(anchor) is not finite")
    let plane = SurfacePoint(latitude: anchor.latitude, longitude: anchor.longitude)
    let points = route.points.map { point in
      let ground = plane.meters(to: point)
      let floors = (point.level ?? 0) - (anchor.level ?? 0)
      return SIMD3(ground.x, ground.y, floors * Self.floorHeight)
    }
    arrows = route.maneuvers.enumerated().map { number, maneuver in
      let point = min(max(0, maneuver.point), points.count - 1)
      return Arrow(
        maneuver: number, position: points[point], direction: Self.direction(points, at: point))
    }
    self.points = points
  }

  private static func direction(_ points: [SIMD3<Double>], at number: Int) -> SIMD3<Double> {
    let behind = points[min(number + 1, points.count - 1)] - points[number]
    let way = behind == .zero ? points[number] - points[max(0, number - 1)] : behind
    let length = (way * way).sum().squareRoot()
    return length > 1e-9 ? way / length : [0, 1, 0]
  }
}

/// Converts the coordinates of a ``RouteLine`` to those of an ARKit session, where y is up and lengths are in meters.
///
/// The session starts at the line's anchor. Headings are never exact, so distant points may be displaced.
public struct RouteWorld: Equatable, Sendable {
  private let originHeight: Double
  private let sine: Double
  private let cosine: Double

  /// Creates a conversion for `worldAlignment = .gravityAndHeading`, where x is east and z is south.
  ///
  /// - Parameter originHeight: The height of the session's origin above the ground in meters.
  public init(originHeight: Double = 1.4) { self.init(azimuth: 0, originHeight) }

  /// Creates a conversion for `worldAlignment = .gravity`, where -z is the initial camera direction.
  ///
  /// - Parameters:
  ///   - heading: The initial camera heading. For a magnetic heading, the initializer returns `nil`.
  ///   - originHeight: The height of the session's origin above the ground in meters.
  public init?(cameraHeading heading: Heading, originHeight: Double = 1.4) {
    guard heading.reference == .trueNorth else { return nil }
    self.init(azimuth: heading.degrees, originHeight)
  }

  private init(azimuth: Double, _ height: Double) {
    precondition(height.isFinite, "origin height \(height) m is not finite")
    (sine, cosine) = Degrees.sinCos(azimuth)
    originHeight = height
  }

  /// Returns a point of a line in session coordinates.
  public func position(of point: SIMD3<Double>) -> SIMD3<Float> {
    SIMD3(
      Float(point.x * cosine - point.y * sine), Float(point.z - originHeight),
      Float(-(point.x * sine + point.y * cosine)))
  }
}
