internal import CupolaCampus

/// A route to be drawn into the world: points and arrows in meters around an anchor.
///
/// Coordinates are east, north and up; up counts floors of ``floorHeight`` from the anchor's floor, where no
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
  public let anchor: RoutePoint
  /// At least one: east, north and up, meters.
  public let points: [SIMD3<Double>]
  /// One for each maneuver, in order.
  public let arrows: [Arrow]

  /// Meters between two floors.
  public static let floorHeight = RouteTrack.floorHeight
  /// A line is not resampled to more points.
  private static let mostPoints = 100_000

  /// The line of a route, with a point for each of its points.
  ///
  /// - Parameters:
  ///   - route: what is drawn.
  ///   - anchor: what the coordinates count from; its degrees are finite.
  public init(_ route: Route, around anchor: RoutePoint) {
    precondition(anchor.latitude.isFinite && anchor.longitude.isFinite, "an anchor at \(anchor)")
    let plane = TangentPlane(latitude: anchor.latitude, longitude: anchor.longitude)
    let points = route.points.map { point in
      let ground = plane.meters(point)
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
  public func resampled(every meters: Double) -> RouteLine {
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
  public func simplified(to meters: Double) -> RouteLine {
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
