internal import CupolaCampus

/// The part of the Earth that a drawing shows, as a plane with north up.
struct DrawingView {
  /// Pixels.
  let width: Double
  let height: Double
  /// Pixels per meter.
  let scale: Double
  private let middle: Position

  /// Around points, the short way across the antimeridian; `nil` where none is a place on Earth.
  ///
  /// - Parameters:
  ///   - heights: how high the drawing may be, pixels.
  ///   - least: how many meters it shows at least from edge to edge.
  ///   - margin: pixels about the points.
  init?(
    _ points: some Sequence<RoutePoint>, width: Double, heights: ClosedRange<Double>,
    least: Double, margin: Double
  ) {
    var first: Double?
    var (low, high) = (SIMD2(Double.infinity, .infinity), SIMD2(-Double.infinity, -.infinity))
    for point in points where point.isPlace {
      let start = first ?? point.longitude
      first = start
      let place = SIMD2(Degrees.turn(from: start, to: point.longitude), point.latitude)
      (low, high) = (pointwiseMin(low, place), pointwiseMax(high, place))
    }
    guard let first,
      let middle = Position(
        latitude: (low.y + high.y) / 2,
        longitude: Degrees.turn(from: 0, to: first + (low.x + high.x) / 2))
    else { return nil }
    let shrink = SIMD2(Degrees.sinCos(middle.latitude).cos, 1)
    let meters = (high - low) * shrink * LocalPlane.metersPerDegree
    let wide = max(meters.x, least)
    let tall = max(meters.y, least * heights.lowerBound / width)
    let inner = SIMD2(width, heights.upperBound) - 2 * margin
    scale = min(inner.x / wide, inner.y / tall)
    self.middle = middle
    self.width = width
    height = min(max(tall * scale + 2 * margin, heights.lowerBound), heights.upperBound).rounded()
  }

  var box: DrawingBox { DrawingBox(left: 0, top: 0, right: width, bottom: height) }

  /// Where a place is in the drawing, or beyond its edges; `nil` where it is no place on Earth.
  func point(_ place: RoutePoint) -> SIMD2<Double>? {
    guard place.isPlace else { return nil }
    let meters = LocalPlane.meters(
      from: middle, latitude: place.latitude, longitude: place.longitude)
    return SIMD2(width / 2 + meters.east * scale, height / 2 - meters.north * scale)
  }

  /// The places of a line or a ring; none for one that goes around on the other side of the Earth,
  /// which would look as if it crossed the view.
  func points(_ places: [RoutePoint]) -> [SIMD2<Double>] {
    let points = places.compactMap(point)
    let half =
      180 * LocalPlane.metersPerDegree * Degrees.sinCos(middle.latitude).cos * scale
    let isTorn = zip(points, points.dropFirst()).contains { abs($1.x - $0.x) > half }
    return isTorn ? [] : points
  }
}
