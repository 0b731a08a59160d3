/// An area on the map: an outer ring and any number of holes, by the even-odd rule.
public struct Polygon: Equatable, Sendable {
  /// Closed rings, the outer one first; in each the last vertex repeats the first.
  public let rings: [[Vertex]]

  /// An area of rings that ``rings`` describes; those of GeoJSON are checked by ``Campus``.
  package init(rings: [[Vertex]]) { self.rings = rings }

  /// A corner of a ring: RFC 7946 puts longitude first.
  public struct Vertex: Equatable, Sendable {
    /// Degrees east.
    public let longitude: Double
    /// Degrees north.
    public let latitude: Double

    package init(longitude: Double, latitude: Double) {
      self.longitude = longitude
      self.latitude = latitude
    }
  }

  /// Whether a place lies inside; a place on the boundary, also of a hole, does, exactly.
  ///
  /// For many questions ask a ``Geofence``, which is prepared for them.
  public func contains(_ position: Position) -> Bool {
    let edges = FenceEdge.edges(of: self, number: 0)
    if position.latitude.magnitude == 90 {
      return edges.contains { $0.low.y == position.latitude || $0.high.y == position.latitude }
    }
    var isInside = false
    for place in (-1...1).map({ MapPoint(position, turns: $0) }) {
      for edge in edges {
        switch edge.crossing(place) {
        case .missed: continue
        case .crossed: isInside.toggle()
        case .boundary: return true
        }
      }
    }
    return isInside
  }

  /// The mean of the outer ring's corners; its longitude may be beyond ±180 degrees.
  var centre: Vertex? {
    guard let ring = rings.first, !ring.isEmpty else { return nil }
    let points = (try? UnwrappedRing.points(of: ring)) ?? ring.map { MapPoint($0) }
    let corners = points.dropLast()
    let count = Double(max(corners.count, 1))
    return Vertex(
      longitude: corners.reduce(0) { $0 + $1.x } / count,
      latitude: corners.reduce(0) { $0 + $1.y } / count)
  }
}
