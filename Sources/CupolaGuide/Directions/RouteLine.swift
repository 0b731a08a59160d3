public import CupolaCampus

// 1. Convert a route to meters east, north and up from an anchor, and add an arrow for each maneuver.
// 2. Convert the result to the coordinates of an AR session with `RouteWorld`.

/// A route to draw in augmented reality: points and arrows in meters from an anchor.
///
/// Coordinates are east, north and up. Each floor is 3.5 m high, counted from the anchor's floor; an unknown floor is
/// 0. Example for an ARKit session that starts at a position:
///
///     let line = RouteLine(route, around: start).resampled(every: 1)
///     let world = RouteWorld(headingUncertainty: 10)  // .gravityAndHeading
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

  let anchor: RoutePoint
  /// The points, at least one: east, north and up in meters.
  public let points: [SIMD3<Double>]
  /// One arrow for each maneuver, in order.
  public let arrows: [Arrow]

  static let floorHeight = RouteTrack.floorHeight
  private static let mostPoints = 100_000

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
    (self.anchor, self.points) = (anchor, points)
  }

  private init(_ line: RouteLine, points: [SIMD3<Double>]) {
    (anchor, arrows, self.points) = (line.anchor, line.arrows, points)
  }

  private static func direction(_ points: [SIMD3<Double>], at number: Int) -> SIMD3<Double> {
    let behind = points[min(number + 1, points.count - 1)] - points[number]
    let way = behind == .zero ? points[number] - points[max(0, number - 1)] : behind
    let length = (way * way).sum().squareRoot()
    return length > 1e-9 ? way / length : [0, 1, 0]
  }

  /// Returns the line with additional points, which are at most `meters` apart. Corners are kept.
  ///
  /// - Parameter meters: The distance, more than 0. Very long lines use a larger distance to limit the number of points
  ///   to about 100,000.
  package func resampled(every meters: Double) -> RouteLine {
    precondition(meters > 0, "spacing \(meters) m is not positive")
    let total = zip(points, points.dropFirst()).reduce(0) { $0 + $1.0.distance(to: $1.1) }
    let spacing = max(meters, total / Double(Self.mostPoints))
    var dense = Array(points.prefix(1))
    for (from, to) in zip(points, points.dropFirst()) {
      let parts = (from.distance(to: to) / spacing).rounded(.up)
      let count = parts.isFinite ? max(1, Int(min(parts, Double(Self.mostPoints)))) : 1
      for part in 1..<max(2, count) where count > 1 {
        dense.append(from + Double(part) / Double(count) * (to - from))
      }
      dense.append(to)
    }
    return RouteLine(self, points: dense)
  }

  /// Returns a simplified line that stays within `meters` of the original (Douglas & Peucker 1973).
  func simplified(to meters: Double) -> RouteLine {
    precondition(meters >= 0, "tolerance \(meters) m is negative")
    var isKept = points.indices.map { $0 == 0 || $0 == points.count - 1 }
    var parts = [(0, points.count - 1)]
    while let (from, to) = parts.popLast() {
      var (farthest, distance) = (from, meters)
      for number in (from + 1)..<max(from + 1, to) {
        let away = Self.distance(points[number], points[from], points[to])
        if away > distance { (farthest, distance) = (number, away) }
      }
      guard farthest > from else { continue }
      isKept[farthest] = true
      parts += [(from, farthest), (farthest, to)]
    }
    return RouteLine(self, points: points.indices.filter { isKept[$0] }.map { points[$0] })
  }

  private static func distance(
    _ point: SIMD3<Double>, _ from: SIMD3<Double>, _ to: SIMD3<Double>
  ) -> Double {
    let way = to - from
    let squared = (way * way).sum()
    let share = squared > 0 ? ((point - from) * way).sum() / squared : 0
    return point.distance(to: from + min(1, max(0, share)) * way)
  }
}

/// Converts the coordinates of a ``RouteLine`` to those of an ARKit session, where y is up and lengths are in meters.
///
/// The session starts at the line's anchor. Headings are never exact, so distant points may be displaced.
public struct RouteWorld: Equatable, Sendable {
  let headingUncertainty: Double
  let originHeight: Double
  private let sine: Double
  private let cosine: Double

  /// Creates a conversion for `worldAlignment = .gravityAndHeading`, where x is east and z is south.
  ///
  /// - Parameters:
  ///   - headingUncertainty: Degrees, such as `CLHeading.headingAccuracy`. NaN and negative values, which mean unknown
  ///     in Core Location, count as 180.
  ///   - originHeight: The height of the session's origin above the ground in meters.
  public init(headingUncertainty: Double, originHeight: Double = 1.4) {
    self.init(azimuth: 0, headingUncertainty, originHeight)
  }

  /// Creates a conversion for `worldAlignment = .gravity`, where -z is the initial camera direction.
  ///
  /// - Parameters:
  ///   - heading: The initial camera heading. For a magnetic heading, the initializer returns `nil`.
  ///   - headingUncertainty: Degrees, as for ``init(headingUncertainty:originHeight:)``.
  ///   - originHeight: The height of the session's origin above the ground in meters.
  public init?(
    cameraHeading heading: Heading, headingUncertainty: Double, originHeight: Double = 1.4
  ) {
    guard heading.reference == .trueNorth else { return nil }
    self.init(azimuth: heading.degrees, headingUncertainty, originHeight)
  }

  private init(azimuth: Double, _ uncertainty: Double, _ height: Double) {
    precondition(height.isFinite, "origin height \(height) m is not finite")
    (sine, cosine) = Degrees.sinCos(azimuth)
    headingUncertainty = uncertainty >= 0 ? min(180, uncertainty) : 180
    originHeight = height
  }

  /// Returns a point of a line in session coordinates.
  public func position(of point: SIMD3<Double>) -> SIMD3<Float> {
    let turned = turned(point)
    return SIMD3(Float(turned.x), Float(turned.y - originHeight), Float(turned.z))
  }

  private func turned(_ way: SIMD3<Double>) -> SIMD3<Double> {
    [way.x * cosine - way.y * sine, way.z, -(way.x * sine + way.y * cosine)]
  }

  var transform: RouteTransform {
    let (sine, cosine) = (Float(sine), Float(cosine))
    return RouteTransform(
      x: [cosine, 0, -sine, 0], y: [-sine, 0, -cosine, 0], z: [0, 1, 0, 0],
      origin: [0, -Float(originHeight), 0, 1])
  }

  func transform(of arrow: RouteLine.Arrow) -> RouteTransform {
    let ahead = turned(arrow.direction)
    let level = (ahead.x * ahead.x + ahead.z * ahead.z).squareRoot()
    // A vertical arrow has no horizontal right vector; use x.
    let right: SIMD3<Double> =
      level > 1e-9 ? [-ahead.z / level, 0, ahead.x / level] : [1, 0, 0]
    let up: SIMD3<Double> = [
      right.y * ahead.z - right.z * ahead.y, right.z * ahead.x - right.x * ahead.z,
      right.x * ahead.y - right.y * ahead.x,
    ]
    let place = position(of: arrow.position)
    return RouteTransform(
      x: SIMD4(SIMD3<Float>(right), 0), y: SIMD4(SIMD3<Float>(up), 0),
      z: SIMD4(SIMD3<Float>(-ahead), 0), origin: SIMD4(place, 1))
  }

  /// Returns the possible sideways error of a drawn point in meters, caused by the heading uncertainty.
  ///
  /// - Parameter meters: The distance from the session's origin, 0 or more.
  package func lateralError(at meters: Double) -> Double {
    meters * Degrees.sinCos(min(90, headingUncertainty)).sin
  }
}

/// A matrix of four columns, for `simd_float4x4(columns: transform.columns)`.
struct RouteTransform: Equatable, Sendable {
  let x: SIMD4<Float>
  let y: SIMD4<Float>
  let z: SIMD4<Float>
  let origin: SIMD4<Float>

  /// The images of x, y, z and the origin in meters; the fourth number of the origin is 1.
  var columns: (SIMD4<Float>, SIMD4<Float>, SIMD4<Float>, SIMD4<Float>) {
    (x, y, z, origin)
  }

  func applied(to point: SIMD3<Float>) -> SIMD3<Float> {
    let moved = point.x * x + point.y * y + point.z * z + origin
    return [moved.x, moved.y, moved.z]
  }
}
