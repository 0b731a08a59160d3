/// A building as seen from a place: how far it is, and in which direction.
package struct BuildingView: Sendable {
  /// Meters to the nearest point of the footprint; 0 inside.
  package let distance: Double
  /// The direction of that point, degrees clockwise from true north; `nil` at no distance.
  package let bearing: Double?

  /// `nil` when the map does not know where the building is.
  package init?(of building: Building?, from position: Position) {
    guard let building,
      let nearest = building.nearestPoint(to: position, within: .infinity)
    else { return nil }
    let way = Geodesic(from: position, to: nearest.position)
    distance = way.distance
    bearing = way.distance > 0 ? way.azimuth : nil
  }
}
