internal import CupolaSupport

// 1. `MapSegment` is a straight line on the map. It computes intersections with rays and other segments.
// 2. `EdgeCurves` limits how far each edge can be from its 3D chord.
// 3. Edges that may contain the nearest point are bisected until they are nearly straight.

/// A straight segment in the plane of longitude (x) and latitude (y) in degrees. Longitudes may exceed ±180 degrees.
struct MapSegment: Equatable, Sendable {
  let start: SIMD2<Double>
  let end: SIMD2<Double>

  /// A point is on a line if it is within this distance in degrees: 0.1 mm. Rounding errors are 10,000 times smaller.
  static let tolerance = 1e-9

  init(_ start: SIMD2<Double>, _ end: SIMD2<Double>) {
    (self.start, self.end) = (start, end)
  }

  static func path(_ points: [SIMD2<Double>]) -> [MapSegment] {
    zip(points, points.dropFirst()).map { MapSegment($0, $1) }
  }

  var box: BoxTree.Box { BoxTree.Box(start, end) }

  var vector: SIMD2<Double> { end - start }

  var length: Double { (vector * vector).sum().squareRoot() }

  var isPoint: Bool { length <= MapSegment.tolerance }

  func point(_ share: Double) -> SIMD2<Double> {
    share == 0 ? start : share == 1 ? end : start + share * vector
  }

  /// Returns the signed distance of a point to the left of the line in degrees; 0 within the ``tolerance``.
  private func side(of point: SIMD2<Double>) -> Double {
    let (vector, rest) = (vector, point - start)
    let degrees = (vector.x * rest.y - vector.y * rest.x) / length
    return degrees.magnitude > MapSegment.tolerance ? degrees : 0
  }

  // MARK: - A ray

  /// The intersection of an eastward ray with a segment; the boundary is ``tolerance`` wide.
  enum Crossing { case missed, crossed, boundary }

  @inline(__always)
  func crossing(rayFrom place: SIMD2<Double>) -> Crossing {
    let isUpwards = start.y <= end.y
    let (low, high) = isUpwards ? (start.y, end.y) : (end.y, start.y)
    guard place.y >= low, place.y <= high, place.x <= max(start.x, end.x) else { return .missed }
    // The interval is half-open, so a vertex on the ray counts once.
    let isOnRay: Crossing = place.y < high ? .crossed : .missed
    if place.x < min(start.x, end.x) { return isOnRay }
    let side = low == high ? 0 : side(of: place)
    return side == 0 ? .boundary : (side > 0) == isUpwards ? isOnRay : .missed
  }

  // MARK: - Another line

  /// The intersection of two segments; positions are fractions of the first segment's length.
  enum Contact: Equatable {
    case none
    /// One point that is an endpoint of either segment.
    case touch(Double)
    /// One interior point of both segments.
    case crossing(Double)
    /// A common part of both segments.
    case overlap(ClosedRange<Double>)
  }

  /// Returns the intersection with another segment. This segment must not be a point.
  func contact(with other: MapSegment) -> Contact {
    let slack = MapSegment.tolerance / length
    func share(_ point: SIMD2<Double>) -> Double {
      ((point - start) * vector).sum() / (vector * vector).sum()
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

/// Edges that are straight on the map and curved in 3D, for finding the nearest point.
///
/// The length of an edge limits how far it is from its chord. This limit determines which edges may contain the nearest
/// point. These edges are bisected until they are straight to within 0.1 µm.
struct EdgeCurves: Sendable {
  private struct Piece {
    let line: MapSegment
    let start, end: SIMD3<Double>
    /// The maximum deviation from the chord, in meters.
    let slack: Double

    init(_ line: MapSegment, _ start: SIMD3<Double>, _ end: SIMD3<Double>) {
      (self.line, self.start, self.end) = (line, start, end)
      // An eighth of the second derivative, bounded by the squared sum of both differences, plus 1% for the ellipsoid.
      let angle = (line.vector.x.magnitude + line.vector.y.magnitude) * (.pi / 180)
      slack = 1.01 * WGS84.equatorialRadius * angle * angle / 8
    }

    /// Returns the chord's nearest point to a place, as a fraction of its length, and the distance in meters.
    @inline(__always)
    func foot(of place: SIMD3<Double>) -> (share: Double, distance: Double) {
      let vector = end - start
      let length2 = (vector * vector).sum()
      let along = length2 > 0 ? ((place - start) * vector).sum() / length2 : 0
      let share = min(max(along, 0), 1)
      let rest = place - start - share * vector
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

  /// Returns the point with the shortest straight line to a 3D place; `nil` if no point is within `meters`.
  func nearestPoint(to place: SIMD3<Double>, within meters: Double = .infinity) -> SIMD2<Double>? {
    var work = 0
    return nearestPoint(to: place, within: meters, &work)
  }

  func nearestPoint(
    to place: SIMD3<Double>, within meters: Double = .infinity, _ work: inout Int
  ) -> SIMD2<Double>? {
    let bound = tree.least(from: place, below: meters) { number in
      work += 1
      return pieces[number].foot(of: place).distance + pieces[number].slack
    }
    var best = (distance: bound + 1e-6, point: SIMD2<Double>?.none)
    // Edges are visited in order, so the first of equally near points is returned.
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
    // Require an improvement of 1e-10, because all points on a circle around the place are equally near.
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
  /// Converts a map point, whose longitude may exceed ±180 degrees. Clamps rounded latitudes.
  init?(map point: SIMD2<Double>) {
    self.init(
      latitude: min(max(point.y, -90), 90), longitude: Degrees.turn(from: 0, to: point.x))
  }
}
