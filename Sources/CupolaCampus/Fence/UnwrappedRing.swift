/// A ring as one closed line in the plane, whichever way its author took the antimeridian.
///
/// RFC 7946 cuts outlines at ±180 degrees, and leads those that enclose a pole along ±180 to it. People
/// also jump from 179 to -179, or go on to 181. A jump of more than half but less than a whole turn is
/// taken to mean the short way; an outline that then does not come back has gone round a pole, and is
/// led to the one it is nearer to.
package enum UnwrappedRing {
  package enum Failure: Error, Equatable {
    /// A ring with longitudes beyond ±180 degrees that jumps as well: either alone has a meaning.
    case mixed(index: Int)
    /// The ring goes more than once around the Earth.
    case tooWide
    /// The ring goes round the Earth on both sides of the equator.
    case roundWithoutPole
  }

  /// The points, x to the east and y to the north in degrees, the first repeated at the end.
  ///
  /// - Parameter ring: closed: the last vertex repeats the first.
  package static func points(of ring: [Polygon.Vertex]) throws(Failure) -> [SIMD2<Double>] {
    let points = ring.map { SIMD2($0.longitude, $0.latitude) }
    let jumps = zip(points, points.dropFirst()).map { shortening(from: $0, to: $1) }
    guard jumps.contains(where: { $0 != 0 }) else {
      try check(points, width: 360)
      return points
    }
    if let index = points.firstIndex(where: { $0.x.magnitude > 180 }) {
      throw .mixed(index: index)
    }
    var turn = 0.0
    var unwrapped = [points[0]]
    for (point, jump) in zip(points.dropFirst(), jumps) {
      turn += jump
      unwrapped.append(point + [turn, 0])
    }
    // Around a pole a ring may dent, and so reach beyond its start.
    try check(unwrapped, width: turn == 0 ? 360 : 720)
    return turn == 0 ? unwrapped : unwrapped + (try wayHome(from: points, turn: turn))
  }

  /// Refuses what is wider than some degrees.
  private static func check(_ points: [SIMD2<Double>], width most: Double) throws(Failure) {
    let longitudes = points.map(\.x)
    let width = (longitudes.max() ?? 0) - (longitudes.min() ?? 0)
    guard !(width > most) else { throw .tooWide }
  }

  /// Degrees to add so that an edge takes the short way.
  private static func shortening(from a: SIMD2<Double>, to b: SIMD2<Double>) -> Double {
    // A whole turn is an edge along the map's border, as around Antarctica.
    guard (b.x - a.x).magnitude > 180, (b.x - a.x).magnitude < 360 else { return 0 }
    return b.x > a.x ? -360 : 360
  }

  /// From the end of a ring that went once around a pole, over the pole to its start.
  private static func wayHome(
    from ring: [SIMD2<Double>], turn: Double
  ) throws(Failure) -> [SIMD2<Double>] {
    guard turn.magnitude == 360 else { throw .tooWide }
    let isNorth = ring.allSatisfy { $0.y > 0 }
    guard isNorth || ring.allSatisfy({ $0.y < 0 }) else { throw .roundWithoutPole }
    let pole = isNorth ? 90.0 : -90
    return [[ring[0].x + turn, pole], [ring[0].x, pole], ring[0]]
  }
}
