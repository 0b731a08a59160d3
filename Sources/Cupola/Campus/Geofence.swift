/// Where the campus is: everything inside any of its polygons.
public struct Geofence: Equatable, Sendable {
  /// The parts of the grounds.
  public let polygons: [Polygon]

  /// A fence around some areas.
  public init(polygons: [Polygon]) { self.polygons = polygons }

  /// Whether a place is on the campus; the boundary is.
  public func contains(_ position: Position) -> Bool {
    polygons.contains { $0.contains(position) }
  }
}
