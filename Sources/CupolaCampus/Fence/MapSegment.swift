internal import CupolaSupport

// 1. `MapSegment` is a straight line on the map; it finds where rays and other lines meet it.
// 2. `EdgeCurves` bounds how far each edge curves away from its chord in space.
// 3. Edges that can hold the nearest point are halved until they are nearly straight.

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

/// Edges that are straight on the map, and so curves in space, to find their point nearest to a place.
///
/// A curve departs from its chord by no more than its length allows, which tells which edges can hold the
/// nearest point; these are halved until they are straight to a ten-thousandth of a millimeter.
struct EdgeCurves: Sendable {
  /// An edge, or a part of one, and its ends in space.
  private struct Piece {
    let line: MapSegment
    let start, end: SIMD3<Double>
    /// Meters that it departs from the straight line at most.
    let slack: Double

    init(_ line: MapSegment, _ start: SIMD3<Double>, _ end: SIMD3<Double>) {
      (self.line, self.start, self.end) = (line, start, end)
      // An eighth of the second derivative, which on a sphere is below the square of the sum of both
      // differences; 1 % more is for the ellipsoid.
      let angle = (line.way.x.magnitude + line.way.y.magnitude) * (.pi / 180)
      slack = 1.01 * WGS84.equatorialRadius * angle * angle / 8
    }

    /// Where the straight line between the ends is nearest to a place, 0...1, and meters to there.
    @inline(__always)
    func foot(of place: SIMD3<Double>) -> (share: Double, distance: Double) {
      let way = end - start
      let length2 = (way * way).sum()
      let along = length2 > 0 ? ((place - start) * way).sum() / length2 : 0
      let share = min(max(along, 0), 1)
      let rest = place - start - share * way
      return (share, (rest * rest).sum().squareRoot())
    }

    var halves: [Piece] {
      let middle = line.point(0.5)
      let point = SurfacePoint(middle).point
      return [
        Piece(MapSegment(line.start, middle), start, point),
        Piece(MapSegment(middle, line.end), point, end),
      ]
    }
  }

  private let pieces: [Piece]
  private let tree: SpaceTree

  init(_ lines: [MapSegment]) {
    pieces = lines.map { Piece($0, SurfacePoint($0.start).point, SurfacePoint($0.end).point) }
    tree = SpaceTree(pieces.map { SpaceTree.Box($0.start, $0.end, reach: $0.slack) })
  }

  /// The point of the map that is nearest through the ground, within some meters; `nil` without any.
  ///
  /// Over the ground the same point is nearest, up to second order in the Earth's flattening.
  func nearestPoint(to place: SIMD3<Double>, within meters: Double = .infinity) -> SIMD2<Double>? {
    var work = 0
    return nearestPoint(to: place, within: meters, &work)
  }

  /// The same; to `work` is added how often an edge was looked at.
  func nearestPoint(
    to place: SIMD3<Double>, within meters: Double = .infinity, _ work: inout Int
  ) -> SIMD2<Double>? {
    let bound = tree.least(from: place, below: meters) { number in
      work += 1
      return pieces[number].foot(of: place).distance + pieces[number].slack
    }
    var best = (distance: bound + 1e-6, point: SIMD2<Double>?.none)
    // In the order of the edges: of equally near points the first is told.
    tree.visit(from: place, within: bound + 1e-6) { number in
      work += 1
      EdgeCurves.search(pieces[number], place, &best)
    }
    return best.point
  }

  private static func search(
    _ piece: Piece, _ place: SIMD3<Double>, _ best: inout (distance: Double, point: SIMD2<Double>?)
  ) {
    let (share, distance) = piece.foot(of: place)
    // Only what is nearer by 1e-10 is followed: on a circle around the place all points are as near.
    let goal = best.point == nil ? best.distance : best.distance * (1 - 1e-10)
    guard distance - piece.slack < goal else { return }
    if piece.slack <= 1e-7 {
      if distance < best.distance { best = (distance, piece.line.point(share)) }
    } else {
      let halves = piece.halves
      let isFirst = share <= 0.5
      search(halves[isFirst ? 0 : 1], place, &best)
      search(halves[isFirst ? 1 : 0], place, &best)
    }
  }
}

extension Position {
  /// A point of the map, whose longitude may be beyond ±180 degrees, without the rounding of latitudes.
  init?(map point: SIMD2<Double>) {
    self.init(
      latitude: min(max(point.y, -90), 90), longitude: Degrees.turn(from: 0, to: point.x))
  }
}
