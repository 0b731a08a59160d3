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
