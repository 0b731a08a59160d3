public import CupolaCampus

/// How the coordinates of a ``RouteLine`` lie in those of an ARKit session: y is up, lengths are meters.
///
/// The session began at the line's anchor. Its heading is never exact: ``headingUncertainty`` is handed out
/// so that apps draw far points with care, see ``lateralError(at:)``.
public struct RouteWorld: Equatable, Sendable {
  /// Degrees by which the line may be turned, 0...180.
  public let headingUncertainty: Double
  /// Meters of the session's origin above the floor: how high the phone was held.
  public let originHeight: Double
  private let sine: Double
  private let cosine: Double

  /// How high people hold a phone, meters.
  public static let usualHeight = 1.4

  /// Of a session with `worldAlignment = .gravityAndHeading`: x is east and z south.
  ///
  /// - Parameters:
  ///   - headingUncertainty: degrees, such as `CLHeading.headingAccuracy`; not a number or less than 0, as Core
  ///     Location tells where it knows nothing, counts as 180.
  ///   - originHeight: meters of the session's origin above the ground.
  public init(headingUncertainty: Double, originHeight: Double = usualHeight) {
    self.init(azimuth: 0, headingUncertainty, originHeight)
  }

  /// Of a session with `worldAlignment = .gravity`: -z is where the camera looked when it began.
  ///
  /// - Parameters:
  ///   - heading: where the camera looked then; `nil` is returned for one from magnetic north.
  ///   - headingUncertainty: degrees, as for ``init(headingUncertainty:originHeight:)``.
  ///   - originHeight: meters of the session's origin above the ground.
  public init?(
    cameraHeading heading: Heading, headingUncertainty: Double, originHeight: Double = usualHeight
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
  public var transform: RouteTransform {
    let (sine, cosine) = (Float(sine), Float(cosine))
    return RouteTransform(
      x: [cosine, 0, -sine, 0], y: [-sine, 0, -cosine, 0], z: [0, 1, 0, 0],
      origin: [0, -Float(originHeight), 0, 1])
  }

  /// Where to put a model of an arrow that points to its -z, with y up.
  public func transform(of arrow: RouteLine.Arrow) -> RouteTransform {
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
  public func lateralError(at meters: Double) -> Double {
    meters * Degrees.sinCos(min(90, headingUncertainty)).sin
  }
}
