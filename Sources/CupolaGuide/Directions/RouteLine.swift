public import CupolaCampus

// 1. A route becomes meters east, north and up around an anchor, with an arrow for each maneuver.
// 2. `RouteWorld` turns these into the coordinates of an AR session.

/// A route to be drawn into the world: points and arrows in meters around an anchor.
///
/// Coordinates are east, north and up; up counts floors of 3.5 m from the anchor's floor, where no
/// floor is known from 0. In an app with ARKit, started at a position:
///
///     let line = RouteLine(route, around: start).resampled(every: 1)
///     let world = RouteWorld(headingUncertainty: 10)  // .gravityAndHeading
///     for point in line.points { draw(at: world.position(of: point)) }
public struct RouteLine: Equatable, Sendable {
  /// A mark at a maneuver.
  public struct Arrow: Equatable, Sendable {
    /// A number of ``Route/maneuvers``.
    public let maneuver: Int
    /// East, north and up, meters.
    public let position: SIMD3<Double>
    /// Where the way goes on from there, of length 1; where it came from at the end.
    public let direction: SIMD3<Double>
  }

  /// What the coordinates count from.
  let anchor: RoutePoint
  /// At least one: east, north and up, meters.
  public let points: [SIMD3<Double>]
  /// One for each maneuver, in order.
  public let arrows: [Arrow]

  /// Meters between two floors.
  static let floorHeight = RouteTrack.floorHeight
  private static let mostPoints = 100_000

  /// The line of a route, with a point for each of its points.
  ///
  /// - Parameters:
  ///   - route: what is drawn.
  ///   - anchor: what the coordinates count from; its degrees are finite.
  public init(_ route: Route, around anchor: RoutePoint) {
    precondition(anchor.latitude.isFinite && anchor.longitude.isFinite, "an anchor at \(anchor)")
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

  /// The direction behind a point, or else before it; north of a single place.
  private static func direction(_ points: [SIMD3<Double>], at number: Int) -> SIMD3<Double> {
    let behind = points[min(number + 1, points.count - 1)] - points[number]
    let way = behind == .zero ? points[number] - points[max(0, number - 1)] : behind
    let length = (way * way).sum().squareRoot()
    return length > 1e-9 ? way / length : [0, 1, 0]
  }

  /// The same line with more points: at the corners, and so many meters apart or less between them.
  ///
  /// - Parameter meters: more than 0; of very long lines more are taken, for 100,000 points.
  package func resampled(every meters: Double) -> RouteLine {
    precondition(meters > 0, "points each \(meters) m")
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

  /// The line without points that lie nearer to it than some meters (Douglas & Peucker 1973).
  ///
  /// - Parameter meters: 0 or more.
  func simplified(to meters: Double) -> RouteLine {
    precondition(meters >= 0, "points nearer than \(meters) m")
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

  /// Meters from a point to the straight line between two others.
  private static func distance(
    _ point: SIMD3<Double>, _ from: SIMD3<Double>, _ to: SIMD3<Double>
  ) -> Double {
    let way = to - from
    let squared = (way * way).sum()
    let share = squared > 0 ? ((point - from) * way).sum() / squared : 0
    return point.distance(to: from + min(1, max(0, share)) * way)
  }
}

/// How the coordinates of a ``RouteLine`` lie in those of an ARKit session: y is up, lengths are meters.
///
/// The session began at the line's anchor. Its heading is never exact: apps draw far points with care,
/// see ``lateralError(at:)``.
public struct RouteWorld: Equatable, Sendable {
  /// Degrees by which the line may be turned, 0...180.
  let headingUncertainty: Double
  /// Meters of the session's origin above the floor: how high the phone was held.
  let originHeight: Double
  private let sine: Double
  private let cosine: Double

  /// Of a session with `worldAlignment = .gravityAndHeading`: x is east and z south.
  ///
  /// - Parameters:
  ///   - headingUncertainty: degrees, such as `CLHeading.headingAccuracy`; not a number or less than 0, as Core
  ///     Location tells where it knows nothing, counts as 180.
  ///   - originHeight: meters of the session's origin above the ground: as high as people hold a phone.
  public init(headingUncertainty: Double, originHeight: Double = 1.4) {
    self.init(azimuth: 0, headingUncertainty, originHeight)
  }

  /// Of a session with `worldAlignment = .gravity`: -z is where the camera looked when it began.
  ///
  /// - Parameters:
  ///   - heading: where the camera looked then; `nil` is returned for one from magnetic north.
  ///   - headingUncertainty: degrees, as for ``init(headingUncertainty:originHeight:)``.
  ///   - originHeight: meters of the session's origin above the ground: as high as people hold a phone.
  public init?(
    cameraHeading heading: Heading, headingUncertainty: Double, originHeight: Double = 1.4
  ) {
    guard heading.reference == .trueNorth else { return nil }
    self.init(azimuth: heading.degrees, headingUncertainty, originHeight)
  }

  private init(azimuth: Double, _ uncertainty: Double, _ height: Double) {
    precondition(height.isFinite, "a phone \(height) m above the floor")
    (sine, cosine) = Degrees.sinCos(azimuth)
    headingUncertainty = uncertainty >= 0 ? min(180, uncertainty) : 180
    originHeight = height
  }

  /// A point of a line in the session's coordinates.
  public func position(of point: SIMD3<Double>) -> SIMD3<Float> {
    let turned = turned(point)
    return SIMD3(Float(turned.x), Float(turned.y - originHeight), Float(turned.z))
  }

  private func turned(_ way: SIMD3<Double>) -> SIMD3<Double> {
    [way.x * cosine - way.y * sine, way.z, -(way.x * sine + way.y * cosine)]
  }

  /// From east, north and up to the session's coordinates.
  var transform: RouteTransform {
    let (sine, cosine) = (Float(sine), Float(cosine))
    return RouteTransform(
      x: [cosine, 0, -sine, 0], y: [-sine, 0, -cosine, 0], z: [0, 1, 0, 0],
      origin: [0, -Float(originHeight), 0, 1])
  }

  /// Where to put a model of an arrow that points to its -z, with y up.
  func transform(of arrow: RouteLine.Arrow) -> RouteTransform {
    let ahead = turned(arrow.direction)
    let level = (ahead.x * ahead.x + ahead.z * ahead.z).squareRoot()
    // An arrow straight up lies on its back.
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

  /// Meters to the side by which something may be drawn wrong for the heading's uncertainty.
  ///
  /// - Parameter meters: from the session's origin, 0 or more.
  package func lateralError(at meters: Double) -> Double {
    meters * Degrees.sinCos(min(90, headingUncertainty)).sin
  }
}

/// A matrix of four columns, as ARKit's: `simd_float4x4(columns: transform.columns)`.
struct RouteTransform: Equatable, Sendable {
  let x: SIMD4<Float>
  let y: SIMD4<Float>
  let z: SIMD4<Float>
  let origin: SIMD4<Float>

  /// Where x, y, z and the origin go, meters; the fourth number of the origin is 1.
  var columns: (SIMD4<Float>, SIMD4<Float>, SIMD4<Float>, SIMD4<Float>) {
    (x, y, z, origin)
  }

  /// Where a point goes.
  func applied(to point: SIMD3<Float>) -> SIMD3<Float> {
    let moved = point.x * x + point.y * y + point.z * z + origin
    return [moved.x, moved.y, moved.z]
  }
}
