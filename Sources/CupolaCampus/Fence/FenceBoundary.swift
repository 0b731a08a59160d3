/// The outer and inner boundary of a fence in space, to find its nearest point.
///
/// Edges are straight on the map, so they are curves in space. Cut into pieces of a degree at most, each
/// is known to stay close to the straight line between its ends; how close tells which pieces can hold
/// the nearest point, and only those are followed exactly.
struct FenceBoundary: Sendable {
  /// A piece of an edge.
  struct Piece: Sendable {
    /// Its ends in space, metres.
    let start: SIMD3<Double>
    let end: SIMD3<Double>
    /// Its ends on the map, degrees.
    let longitudes: SIMD2<Double>
    let latitudes: SIMD2<Double>
    /// Metres that it departs from the straight line at most.
    let slack: Double
  }

  private let pieces: [Piece]

  init(_ index: FenceIndex) {
    pieces = FenceOutline(index).segments.flatMap(FenceBoundary.pieces)
  }

  /// The place of the boundary that is nearest to a position; `nil` when there is no boundary.
  func nearestPlace(to position: Position) -> Position? {
    let here = Geocentric.point(position)
    let within = pieces.reduce(Double.infinity) { min($0, $1.distance(to: here) + $1.slack) }
    var best = (distance: Double.infinity, place: Position?.none)
    for piece in pieces where piece.distance(to: here) - piece.slack <= min(within, best.distance) {
      let nearest = piece.nearestPlace(to: here)
      if nearest.distance < best.distance { best = nearest }
    }
    return best.place
  }

  private static func pieces(of segment: FenceOutline.Segment) -> [Piece] {
    let way = segment.end - segment.start
    let count = max(1, max(way.x.magnitude, way.y.magnitude).rounded(.up))
    let corners = (0...Int(count)).map { number in
      number == Int(count) ? segment.end : segment.start + way * (Double(number) / count)
    }
    let points = corners.map { Geocentric.point(latitude: $0.y, longitude: $0.x) }
    let slack = slack(across: way.x / count * (.pi / 180), up: way.y / count * (.pi / 180))
    return (0..<Int(count)).map { index in
      Piece(
        start: points[index], end: points[index + 1],
        longitudes: [corners[index].x, corners[index + 1].x],
        latitudes: [corners[index].y, corners[index + 1].y], slack: slack)
    }
  }

  /// A curve departs from its chord by an eighth of its second derivative at most. On a sphere that is
  /// below the square of the sum of both differences; 1 % more is for the ellipsoid.
  private static func slack(across: Double, up: Double) -> Double {
    let sum = across.magnitude + up.magnitude
    return 1.01 * WGS84.equatorialRadius * sum * sum / 8
  }
}

extension FenceBoundary.Piece {
  /// Metres through the ground to the straight line between the ends.
  @inline(__always)
  func distance(to place: SIMD3<Double>) -> Double {
    let way = end - start
    let length2 = (way * way).sum()
    let along = length2 > 0 ? ((place - start) * way).sum() / length2 : 0
    let rest = place - start - min(max(along, 0), 1) * way
    return (rest * rest).sum().squareRoot()
  }

  /// The nearest place of the piece itself, and how far it is through the ground.
  ///
  /// Through the ground and over it the same place is nearest, up to second order in the Earth's
  /// flattening.
  func nearestPlace(to place: SIMD3<Double>) -> (distance: Double, place: Position?) {
    var candidates = [0.0, 1.0]
    var (low, high) = (0.0, 1.0)
    var (atLow, atHigh) = (slope(at: 0, to: place), slope(at: 1, to: place))
    // Where the distance first falls and then grows there is a minimum between: by the Illinois rule.
    if atLow < 0, atHigh > 0 {
      var share = 0.5
      var wasLow: Bool?
      for _ in 0..<60 where high - low > 1e-14 {
        share = (low * atHigh - high * atLow) / (atHigh - atLow)
        let slope = slope(at: share, to: place)
        if slope == 0 { break }
        // An end that stays twice counts half, so that it moves as well.
        if slope < 0 {
          (low, atLow) = (share, slope)
          if wasLow == true { atHigh /= 2 }
        } else {
          (high, atHigh) = (share, slope)
          if wasLow == false { atLow /= 2 }
        }
        wasLow = slope < 0
      }
      candidates = [share]
    }
    let results = candidates.map { share in
      let rest = frame(at: share).point - place
      return (distance: (rest * rest).sum().squareRoot(), share: share)
    }
    let nearest = results.min { $0.distance < $1.distance } ?? results[0]
    let (longitude, latitude) = coordinates(at: nearest.share)
    let found = Position(latitude: latitude, longitude: Degrees.turn(from: 0, to: longitude))
    return (nearest.distance, found)
  }

  private func coordinates(at share: Double) -> (longitude: Double, latitude: Double) {
    let longitude = longitudes.x * (1 - share) + longitudes.y * share
    let latitude = latitudes.x * (1 - share) + latitudes.y * share
    return (longitude, min(max(latitude, -90), 90))
  }

  private func frame(
    at share: Double
  ) -> (point: SIMD3<Double>, east: SIMD3<Double>, north: SIMD3<Double>) {
    let (longitude, latitude) = coordinates(at: share)
    return Geocentric.frame(latitude: latitude, longitude: longitude)
  }

  /// Half of how fast the squared distance grows along the piece.
  private func slope(at share: Double, to place: SIMD3<Double>) -> Double {
    let frame = frame(at: share)
    let way =
      (longitudes.y - longitudes.x) * frame.east + (latitudes.y - latitudes.x) * frame.north
    return ((frame.point - place) * way).sum()
  }
}
