/// The ground that a building stands on, in meters around its middle, ready to be looked at.
package struct BuildingOutline: Sendable {
  /// Closed rings, east and north of ``center``.
  package let rings: [[SIMD2<Double>]]
  /// The building's point, or the mean of its corners.
  package let center: Position
  /// Meters from there to the farthest corner.
  package let radius: Double

  /// Half the width of a building that the map gives as a point, in meters.
  private static let usualHalfWidth = 20.0
  /// How many corners it gets.
  private static let corners = 8

  /// `nil` when the map does not know where the building is.
  package init?(of building: Building) {
    guard let center = building.position else { return nil }
    self.center = center
    let rings = building.footprint.flatMap(\.rings).filter { $0.count > 3 }.map { ring in
      ring.map { corner in
        let way = LocalPlane.meters(
          from: center, latitude: corner.latitude, longitude: corner.longitude)
        return SIMD2(way.east, way.north)
      }
    }
    self.rings = rings.isEmpty ? [Self.circle] : rings
    radius = self.rings.joined().map { ($0 * $0).sum().squareRoot() }.max() ?? 0
  }

  /// Meters from a place to the circle around the building, 0 or less inside of it.
  package func distance(from position: Position) -> Double {
    let way = LocalPlane.meters(from: position, to: center)
    return (way.east * way.east + way.north * way.north).squareRoot() - radius
  }

  /// Whether all of it lies more than 90 degrees off a heading, wherever the position is within its error.
  ///
  /// - Parameters:
  ///   - error: meters.
  ///   - heading: degrees clockwise from true north.
  package func isBehind(
    _ position: Position, error: Double, toward heading: Double
  ) -> Bool {
    let way = LocalPlane.meters(from: position, to: center)
    let (sine, cosine) = Degrees.sinCos(heading)
    let ahead = SIMD2(sine, cosine)
    let farthest = rings.joined().map { ($0 * ahead).sum() }.max() ?? 0
    return farthest + (SIMD2(way.east, way.north) * ahead).sum() < -error
  }

  private static var circle: [SIMD2<Double>] {
    (0...corners).map { corner in
      let (sine, cosine) = Degrees.sinCos(360 * Double(corner % corners) / Double(corners))
      return SIMD2(sine, cosine) * usualHalfWidth
    }
  }
}
