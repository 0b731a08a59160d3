internal import CupolaSupport

/// A straight line on the map, in the plane of longitude (x) and latitude (y), degrees, in which RFC 7946
/// draws edges.
///
/// Longitudes go on beyond ±180 degrees where an outline crosses the antimeridian.
struct MapSegment: Equatable, Sendable {
  let start: SIMD2<Double>
  let end: SIMD2<Double>

  /// Degrees that a point may lie beside a line and still be on it: 0.1 mm. Rounding moves coordinates by
  /// a ten-thousandth of that.
  static let tolerance = 1e-9

  init(_ start: SIMD2<Double>, _ end: SIMD2<Double>) {
    (self.start, self.end) = (start, end)
  }

  /// The lines between neighboring points.
  static func path(_ points: [SIMD2<Double>]) -> [MapSegment] {
    zip(points, points.dropFirst()).map { MapSegment($0, $1) }
  }

  var box: BoxTree.Box { BoxTree.Box(start, end) }

  var way: SIMD2<Double> { end - start }

  var length: Double { (way * way).sum().squareRoot() }

  /// Whether both ends are one point, within the ``tolerance``.
  var isPoint: Bool { length <= MapSegment.tolerance }

  /// The point after a share of the way.
  func point(_ share: Double) -> SIMD2<Double> {
    share == 0 ? start : share == 1 ? end : start + share * way
  }

  /// Degrees that a point lies to the left of the line, 0 within the ``tolerance``.
  private func side(of point: SIMD2<Double>) -> Double {
    let (way, rest) = (way, point - start)
    let degrees = (way.x * rest.y - way.y * rest.x) / length
    return degrees.magnitude > MapSegment.tolerance ? degrees : 0
  }

  // MARK: - A ray

  /// How the ray from a place to the east meets a line; on the line are places within the ``tolerance``, and within its
  /// ``box``: where the line runs along a meridian or parallel its coordinates do not round.
  enum Crossing { case missed, crossed, boundary }

  @inline(__always)
  func crossing(rayFrom place: SIMD2<Double>) -> Crossing {
    let isUpwards = start.y <= end.y
    let (low, high) = isUpwards ? (start.y, end.y) : (end.y, start.y)
    guard place.y >= low, place.y <= high, place.x <= max(start.x, end.x) else { return .missed }
    // Half open, so that a corner on the ray counts once.
    let isOnRay: Crossing = place.y < high ? .crossed : .missed
    if place.x < min(start.x, end.x) { return isOnRay }
    let side = low == high ? 0 : side(of: place)
    return side == 0 ? .boundary : (side > 0) == isUpwards ? isOnRay : .missed
  }

  // MARK: - Another line

  /// Where another line meets this one, as a share of this one's way.
  enum Contact: Equatable {
    case none
    /// In one point that is an end of one of them.
    case touch(Double)
    /// In one point within both.
    case crossing(Double)
    /// Along both.
    case overlap(ClosedRange<Double>)
  }

  /// Where another line meets this one, which has a length.
  func contact(with other: MapSegment) -> Contact {
    let slack = MapSegment.tolerance / length
    func share(_ point: SIMD2<Double>) -> Double {
      ((point - start) * way).sum() / (way * way).sum()
    }
    func within(_ share: Double) -> Double { min(max(share, 0), 1) }
    let (sides, shares) = (
      (side(of: other.start), side(of: other.end)), (share(other.start), share(other.end))
    )
    if sides == (0, 0) {
      let (low, high) = (min(shares.0, shares.1), max(shares.0, shares.1))
      guard low <= 1 + slack, high >= -slack else { return .none }
      let range = within(low)...within(high)
      return range.upperBound - range.lowerBound > slack
        ? .overlap(range) : .touch(range.lowerBound)
    }
    guard sides.0 * sides.1 <= 0 else { return .none }
    let share = shares.0 + sides.0 / (sides.0 - sides.1) * (shares.1 - shares.0)
    guard share >= -slack, share <= 1 + slack else { return .none }
    let isEnd = sides.0 == 0 || sides.1 == 0 || share <= slack || share >= 1 - slack
    return isEnd ? .touch(within(share)) : .crossing(share)
  }
}
