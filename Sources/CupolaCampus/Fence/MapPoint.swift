/// A point of the plane of longitude and latitude in which RFC 7946 draws straight edges.
///
/// Longitudes go on beyond ±180 degrees where an outline crosses the antimeridian. Adding a full turn
/// may round; `tail` holds what was lost, so that a point is exactly where its numbers say.
package struct MapPoint: Equatable, Sendable {
  /// Degrees east, rounded to a double.
  package let x: Double
  /// Degrees north.
  package let y: Double
  /// What `x` lacks of the true longitude; 0 unless turns were added.
  package let tail: Double

  init(longitude: Double, latitude: Double, turns: Int = 0) {
    let added = 360 * Double(turns)
    x = longitude + added
    // Knuth's two-sum.
    let part = x - longitude
    tail = (longitude - (x - part)) + (added - part)
    y = latitude
  }

  init(_ vertex: Polygon.Vertex, turns: Int = 0) {
    self.init(longitude: vertex.longitude, latitude: vertex.latitude, turns: turns)
  }

  init(_ position: Position, turns: Int = 0) {
    self.init(longitude: position.longitude, latitude: position.latitude, turns: turns)
  }

  /// Whether the point lies west of another, exactly.
  package func isWest(of other: MapPoint) -> Bool {
    x == other.x ? tail < other.tail : x < other.x
  }
}
