// 1. `UnwrappedRing` converts each ring to one closed line, even across the antimeridian or around a pole.
// 2. `contains` looks up a position in the edge index.
// 3. `signedDistance` returns the distance to the outer boundary, negative inside.
// 4. `side` compares that distance with the position's error.

/// The campus area: a union of polygons that includes their boundaries.
///
/// Edges are straight in longitude and latitude (RFC 7946). Lookups use an index and take about 1 µs.
public struct Geofence: Sendable {
  /// The polygons of the campus.
  public let polygons: [Polygon]

  private let index: FenceIndex
  private let boundary: EdgeCurves

  /// Creates a fence from polygons, which may overlap.
  public init(polygons: [Polygon]) {
    self.polygons = polygons
    index = FenceIndex(polygons)
    boundary = EdgeCurves(FenceOutline(index).segments)
  }

  /// Whether a position is on the campus or its boundary, ignoring the position's error.
  ///
  /// To allow for rounding, slanted edges extend 0.1 mm to each side.
  public func contains(_ position: Position) -> Bool {
    index.location(of: position) != .outside
  }

  /// Returns the distance to the boundary along the ellipsoid in meters: negative inside, 0 on the boundary.
  ///
  /// The error is below 1 mm up to 100 km, below 5 cm up to 1000 km, and below 0.3% at any distance. Without a
  /// boundary, the distance is `-inf` if the fence contains the whole Earth, and `inf` if the fence is empty.
  public func signedDistance(to position: Position) -> Double {
    let distance =
      boundary.nearestPoint(to: SurfacePoint(position).point)
      .flatMap { Position(map: $0) }
      .map { Geodesic(from: position, to: $0).distance } ?? .infinity
    switch index.location(of: position) {
    case .outside: return distance
    case .inside: return -distance
    // A polygon's boundary can be a seam inside the campus.
    case .boundary: return distance < 2e-4 ? 0 : -distance
    }
  }

  /// Returns the side of the fence, given the position's error (``Position/defaultError`` if unknown).
  ///
  /// If the error is 0, the result is never ``FenceSide/tooClose``, and the boundary counts as inside.
  public func side(of position: Position) -> FenceSide {
    let error = position.assumedError
    guard error > 0 else { return contains(position) ? .inside : .outside }
    let distance = signedDistance(to: position)
    return distance > error ? .outside : distance <= -error ? .inside : .tooClose
  }
}

extension Geofence {
  /// Like ``contains(_:)``, but also adds the number of boxes tested to `work`.
  func contains(_ position: Position, _ work: inout Int) -> Bool {
    index.location(of: position, &work) != .outside
  }

  /// Whether more positions are inside if latitude and longitude are swapped.
  package func isSwapped(by positions: [Position]) -> Bool {
    let swapped = positions.compactMap(\.swapped)
    return positions.count(where: contains) < swapped.count(where: contains)
  }
}

extension Geofence: Equatable {
  /// Whether two fences have the same polygons.
  public static func == (a: Geofence, b: Geofence) -> Bool { a.polygons == b.polygons }
}

/// Whether a position is inside or outside the fence, given the position's error.
public enum FenceSide: String, Codable, CaseIterable, Sendable {
  /// The error circle is inside the fence.
  case inside
  /// The error circle is outside the fence.
  case outside
  /// The error circle intersects the boundary.
  case tooClose = "too_close_to_tell"
}

/// A polygon with an outer ring and any number of holes (even-odd rule).
public struct Polygon: Equatable, Sendable {
  /// Closed rings, starting with the outer ring. The last vertex of each ring repeats the first.
  public let rings: [[Vertex]]

  /// Creates a polygon without validation. ``Campus`` validates the rings of GeoJSON.
  package init(rings: [[Vertex]]) { self.rings = rings }

  /// A ring's vertex. As in RFC 7946, longitude comes first.
  public struct Vertex: Equatable, Sendable {
    /// Degrees east, -360...360. Rings across the antimeridian may exceed ±180.
    public let longitude: Double
    /// Degrees north, -90...90.
    public let latitude: Double

    package init(longitude: Double, latitude: Double) {
      self.longitude = longitude
      self.latitude = latitude
    }
  }

  /// The segments of all rings. Rings that cannot be unwrapped are used unchanged.
  var lines: [MapSegment] { rings.flatMap { MapSegment.path(Polygon.points(of: $0)) } }

  /// The mean of the outer ring's vertices. Its longitude may exceed ±180 degrees.
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

/// Converts a ring to one closed line in the plane, for all common ways to draw rings across the antimeridian.
///
/// RFC 7946 splits outlines at ±180 degrees, and extends outlines around a pole along ±180 degrees to the pole. Some
/// maps instead jump from 179 to -179, or continue to 181. A jump of more than 180 and less than 360 degrees is
/// interpreted as the short way around. If the outline then does not close, it goes around a pole and is extended to
/// the nearer one.
package enum UnwrappedRing {
  package enum Failure: Error, Equatable {
    /// The ring has both jumps and longitudes beyond ±180 degrees, which is ambiguous.
    case mixed(index: Int)
    /// The ring spans more than 360 degrees of longitude.
    case tooWide
    /// The ring goes around the Earth and crosses the equator.
    case roundWithoutPole
  }

  /// Returns the points of a closed ring in degrees, x east and y north.
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
    // A ring around a pole may extend back beyond its start.
    try check(unwrapped, width: turn == 0 ? 360 : 720)
    return turn == 0 ? unwrapped : unwrapped + (try pathOverPole(from: points, turn: turn))
  }

  private static func check(_ points: [SIMD2<Double>], width most: Double) throws(Failure) {
    let longitudes = points.map(\.x)
    let width = (longitudes.max() ?? 0) - (longitudes.min() ?? 0)
    guard !(width > most) else { throw .tooWide }
  }

  /// Returns the degrees to add to make an edge take the short way around.
  private static func shortening(from a: SIMD2<Double>, to b: SIMD2<Double>) -> Double {
    // A jump of 360 degrees is an edge along the map's border, as in outlines of Antarctica.
    guard (b.x - a.x).magnitude > 180, (b.x - a.x).magnitude < 360 else { return 0 }
    return b.x > a.x ? -360 : 360
  }

  /// Returns the points that connect the end of a ring around a pole, via the pole, to its start.
  private static func pathOverPole(
    from ring: [SIMD2<Double>], turn: Double
  ) throws(Failure) -> [SIMD2<Double>] {
    guard turn.magnitude == 360 else { throw .tooWide }
    let isNorth = ring.allSatisfy { $0.y > 0 }
    guard isNorth || ring.allSatisfy({ $0.y < 0 }) else { throw .roundWithoutPole }
    let pole = isNorth ? 90.0 : -90
    return [[ring[0].x + turn, pole], [ring[0].x, pole], ring[0]]
  }
}
