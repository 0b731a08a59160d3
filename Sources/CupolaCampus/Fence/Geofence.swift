// 1. `UnwrappedRing` makes each ring one closed line, across the antimeridian and around poles too.
// 2. `contains` looks a position up in the index of all edges.
// 3. `signedDistance` measures to the nearest point of the outer boundary, negative inside.
// 4. `side` compares that distance with the error of the position.

/// Where the campus is: everything inside any of its polygons, and their boundaries.
///
/// Edges are straight in longitude and latitude (RFC 7946, section 3.1.1). A fence is prepared when it
/// is made, so that of its edges only those due east of a position are looked at: that takes a microsecond or so, but
/// some milliseconds where there are ten thousands of them, as there are of a comb to its west.
public struct Geofence: Sendable {
  /// The parts of the grounds.
  public let polygons: [Polygon]

  private let index: FenceIndex
  private let boundary: EdgeCurves

  /// A fence around some areas, which may overlap.
  public init(polygons: [Polygon]) {
    self.polygons = polygons
    index = FenceIndex(polygons)
    boundary = EdgeCurves(FenceOutline(index).segments)
  }

  /// Whether a place is on the campus; the boundary is. The position's error is ignored.
  ///
  /// A slanted edge is 0.1 mm wide to either side, as coordinates round; one along a meridian or parallel, where they do
  /// not, is exact.
  public func contains(_ position: Position) -> Bool {
    index.location(of: position) != .outside
  }

  /// Meters to the fence along the ellipsoid, negative inside, 0 on the boundary.
  ///
  /// Up to 100 km the error is below 1 mm, up to 1000 km below 5 cm, anywhere below 0.3 %. Where there is
  /// no boundary it is infinite: `-inf` when the fence holds all the Earth, `inf` when it is empty.
  public func signedDistance(to position: Position) -> Double {
    let distance =
      boundary.nearestPoint(to: SurfacePoint(position).point)
      .flatMap { Position(map: $0) }
      .map { Geodesic(from: position, to: $0).distance } ?? .infinity
    switch index.location(of: position) {
    case .outside: return distance
    case .inside: return -distance
    // The boundary of a part may be a seam in the middle of the grounds.
    case .boundary: return distance < 2e-4 ? 0 : -distance
    }
  }

  /// On which side of the fence a position surely lies, given its horizontal error, or
  /// ``Position/usualError`` where that is not known.
  ///
  /// With an error of 0 a place on the boundary is inside and no place is too close.
  public func side(of position: Position) -> FenceSide {
    let error = position.assumedError
    guard error > 0 else { return contains(position) ? .inside : .outside }
    let distance = signedDistance(to: position)
    return distance > error ? .outside : distance <= -error ? .inside : .tooClose
  }
}

extension Geofence {
  /// The same as ``contains(_:)``; to `work` is added how many boxes around edges were compared.
  func contains(_ position: Position, _ work: inout Int) -> Bool {
    index.location(of: position, &work) != .outside
  }

  /// Whether more places lie inside with latitude and longitude exchanged than as they are.
  package func isSwapped(by positions: [Position]) -> Bool {
    let swapped = positions.compactMap(\.swapped)
    return positions.count(where: contains) < swapped.count(where: contains)
  }
}

extension Geofence: Equatable {
  /// Whether two fences have the same polygons.
  public static func == (a: Geofence, b: Geofence) -> Bool { a.polygons == b.polygons }
}

/// On which side of the fence a position lies, as far as its error lets that be told.
public enum FenceSide: String, Codable, CaseIterable, Sendable {
  /// The whole circle of the position's error lies within the fence.
  case inside
  /// The whole circle of the position's error lies outside the fence.
  case outside
  /// The fence runs through the circle of the position's error.
  case tooClose = "too_close_to_tell"
}

/// An area on the map: an outer ring and any number of holes, by the even-odd rule.
public struct Polygon: Equatable, Sendable {
  /// Closed rings, the outer one first; in each the last vertex repeats the first.
  public let rings: [[Vertex]]

  /// An area of rings that ``rings`` describes; those of GeoJSON are checked by ``Campus``.
  package init(rings: [[Vertex]]) { self.rings = rings }

  /// A corner of a ring: RFC 7946 puts longitude first.
  public struct Vertex: Equatable, Sendable {
    /// Degrees east, -360...360: rings across the antimeridian may go on beyond ±180.
    public let longitude: Double
    /// Degrees north, -90...90.
    public let latitude: Double

    package init(longitude: Double, latitude: Double) {
      self.longitude = longitude
      self.latitude = latitude
    }
  }

  /// The lines of all rings; as they are written where a ring makes no sense.
  var lines: [MapSegment] { rings.flatMap { MapSegment.path(Polygon.points(of: $0)) } }

  /// The mean of the outer ring's corners; its longitude may be beyond ±180 degrees.
  var center: Vertex? {
    guard let ring = rings.first, !ring.isEmpty else { return nil }
    let corners = Polygon.points(of: ring).dropLast()
    let mean = corners.reduce(.zero, +) / Double(max(corners.count, 1))
    return Vertex(longitude: mean.x, latitude: mean.y)
  }

  private static func points(of ring: [Vertex]) -> [SIMD2<Double>] {
    (try? UnwrappedRing.points(of: ring)) ?? ring.map { [$0.longitude, $0.latitude] }
  }
}

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
