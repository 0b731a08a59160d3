public import CupolaCampus

/// A point of a route, WGS 84.
public struct RoutePoint: Hashable, Sendable {
  /// Degrees north, -90...90.
  public var latitude: Double
  /// Degrees east, -180...180.
  public var longitude: Double
  /// The floor; `nil` outdoors, where no map says one.
  public var level: Double?

  /// - Parameters:
  ///   - latitude: degrees north.
  ///   - longitude: degrees east.
  ///   - level: `nil` outdoors.
  public init(latitude: Double, longitude: Double, level: Double? = nil) {
    (self.latitude, self.longitude, self.level) = (latitude, longitude, level)
  }
}

extension Position {
  /// Meters to a point of a map, whatever its floor.
  public func distance(to point: RoutePoint) -> Double {
    RoutePoint(latitude: latitude, longitude: longitude).distance(to: point)
  }
}

extension RoutePoint {
  /// Meters to another point, whatever the floors.
  package func distance(to point: RoutePoint) -> Double {
    MapPoint(latitude: point.latitude, longitude: point.longitude).flatMap { other in
      MapPoint(latitude: latitude, longitude: longitude).map { $0.place.distance(to: other.place) }
    } ?? .infinity
  }

  /// A place on the way to another point, the short one across the date line; on this one's floor.
  ///
  /// - Parameter share: how much of the way is behind, 0...1.
  package func toward(_ other: RoutePoint, _ share: Double) -> RoutePoint {
    let turn = Degrees.turn(from: longitude, to: other.longitude)
    return RoutePoint(
      latitude: latitude + share * (other.latitude - latitude),
      longitude: (longitude + share * turn).remainder(dividingBy: 360), level: level)
  }

  package init(_ point: MapPoint, level: Double? = nil) {
    self.init(latitude: point.latitude, longitude: point.longitude, level: level)
  }
}
