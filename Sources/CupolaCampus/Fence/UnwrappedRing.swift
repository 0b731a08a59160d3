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

  /// The points, the first repeated at the end.
  ///
  /// - Parameter ring: closed: the last vertex repeats the first.
  package static func points(of ring: [Polygon.Vertex]) throws(Failure) -> [MapPoint] {
    let jumps = zip(ring, ring.dropFirst()).map { turns(from: $0, to: $1) }
    guard jumps.contains(where: { $0 != 0 }) else { return try asWritten(ring) }
    if let index = ring.firstIndex(where: { $0.longitude.magnitude > 180 }) {
      throw .mixed(index: index)
    }
    var turn = 0
    var points = [MapPoint(ring[0])]
    points.reserveCapacity(ring.count + 3)
    for (vertex, jump) in zip(ring.dropFirst(), jumps) {
      turn += jump
      points.append(MapPoint(vertex, turns: turn))
    }
    guard turn == 0 else {
      return points + (try wayHome(from: ring, turn: turn))
    }
    return points
  }

  private static func asWritten(_ ring: [Polygon.Vertex]) throws(Failure) -> [MapPoint] {
    let points = ring.map { MapPoint($0) }
    let west = points.reduce(Double.infinity) { min($0, $1.x) }
    let east = points.reduce(-Double.infinity) { max($0, $1.x) }
    guard !(east - west > 360) else { throw .tooWide }
    return points
  }

  /// How many turns to add so that an edge takes the short way.
  private static func turns(from a: Polygon.Vertex, to b: Polygon.Vertex) -> Int {
    let difference = b.longitude - a.longitude
    // A whole turn is an edge along the map's border, as around Antarctica.
    guard difference.magnitude > 180, difference.magnitude < 360 else { return 0 }
    return difference > 0 ? -1 : 1
  }

  /// From the end of a ring that went once around a pole, over the pole to its start.
  private static func wayHome(
    from ring: [Polygon.Vertex], turn: Int
  ) throws(Failure) -> [MapPoint] {
    guard turn.magnitude == 1 else { throw .tooWide }
    let isNorth = ring.allSatisfy { $0.latitude > 0 }
    guard isNorth || ring.allSatisfy({ $0.latitude < 0 }) else { throw .roundWithoutPole }
    let start = ring[0]
    let pole = Polygon.Vertex(longitude: start.longitude, latitude: isNorth ? 90 : -90)
    return [MapPoint(pole, turns: turn), MapPoint(pole), MapPoint(start)]
  }
}
