/// An area on the map: an outer ring and any number of holes, by the even-odd rule.
public struct Polygon: Equatable, Sendable {
  /// Closed rings, the outer one first; in each the last vertex repeats the first.
  public let rings: [[Vertex]]

  /// A corner of a ring: RFC 7946 puts longitude first.
  public struct Vertex: Equatable, Sendable {
    /// Degrees east.
    public let longitude: Double
    /// Degrees north.
    public let latitude: Double
  }

  /// Whether a place lies inside; a place on the boundary, also of a hole, does.
  public func contains(_ position: Position) -> Bool {
    var inside = false
    for ring in rings {
      for (start, end) in zip(ring, ring.dropFirst()) {
        switch Polygon.crossing(start, end, position) {
        case .boundary: return true
        case .crossed: inside.toggle()
        case .missed: continue
        }
      }
    }
    return inside
  }

  private enum Crossing { case boundary, crossed, missed }

  /// How the ray from a place to the east meets an edge.
  private static func crossing(_ a: Vertex, _ b: Vertex, _ place: Position) -> Crossing {
    let (x, y) = (place.longitude, place.latitude)
    guard y >= min(a.latitude, b.latitude), y <= max(a.latitude, b.latitude) else {
      return .missed
    }
    // Twice the signed area of (a, b, place): 0 when they are in line.
    let area =
      (b.longitude - a.longitude) * (y - a.latitude)
      - (x - a.longitude) * (b.latitude - a.latitude)
    let withinColumns =
      x >= min(a.longitude, b.longitude) && x <= max(a.longitude, b.longitude)
    if area == 0, withinColumns { return .boundary }
    // Half open, so that a vertex on the ray counts once.
    guard (a.latitude > y) != (b.latitude > y) else { return .missed }
    return (area > 0) == (b.latitude > a.latitude) ? .crossed : .missed
  }

  /// The mean of the outer ring's corners.
  var centre: Vertex {
    let corners = rings.first?.dropLast() ?? []
    let count = Double(max(corners.count, 1))
    return Vertex(
      longitude: corners.reduce(0) { $0 + $1.longitude } / count,
      latitude: corners.reduce(0) { $0 + $1.latitude } / count)
  }
}
