#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// A building as seen from a place: how far it is, and which part of the horizon it takes.
package struct BuildingView: Sendable {
  /// Meters to the nearest point of the footprint; 0 inside.
  package let distance: Double
  /// The direction of that point, degrees clockwise from true north; `nil` at no distance.
  package let bearing: Double?
  /// How far the building reaches to both sides of the bearing, degrees.
  package let extent: ClosedRange<Double>

  /// Half the width of a building that the map gives as a point, in meters.
  private static let usualHalfWidth = 20.0

  /// `nil` when the map does not know where the building is.
  package init?(of building: Building?, from position: Position) {
    guard let building,
      let nearest = building.nearestPoint(to: position, within: .infinity)
    else { return nil }
    let way = Geodesic(from: position, to: nearest.position)
    distance = way.distance
    guard way.distance > 0 else {
      (bearing, extent) = (nil, -180...180)
      return
    }
    bearing = way.azimuth
    extent =
      building.footprint.isEmpty
      ? Self.extent(ofPointAt: way.distance)
      : Self.extent(of: building.footprint, from: position, bearing: way.azimuth)
  }

  /// Degrees between a direction and the building; 0 when it looks at any part of it.
  package func angle(to heading: Double) -> Double {
    guard let bearing else { return 0 }
    let turn = (heading - bearing).remainder(dividingBy: 360)
    if extent.contains(turn) { return 0 }
    let gaps = [turn - extent.upperBound, extent.lowerBound - turn].map {
      $0.remainder(dividingBy: 360).magnitude
    }
    return min(gaps[0], gaps[1])
  }

  private static func extent(ofPointAt distance: Double) -> ClosedRange<Double> {
    let half = atan2(usualHalfWidth, distance) * (180 / .pi)
    return -half...half
  }

  private static func extent(
    of footprint: [Polygon], from position: Position, bearing: Double
  ) -> ClosedRange<Double> {
    var (left, right) = (0.0, 0.0)
    for corner in footprint.lazy.compactMap(\.rings.first).joined() {
      let way = LocalPlane.meters(
        from: position, latitude: corner.latitude, longitude: corner.longitude)
      let turn = (Degrees.azimuth(east: way.east, north: way.north) - bearing)
        .remainder(dividingBy: 360)
      (left, right) = (min(left, turn), max(right, turn))
    }
    return left...right
  }
}
