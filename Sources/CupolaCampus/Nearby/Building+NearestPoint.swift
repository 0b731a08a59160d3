extension Building {
  /// The point of a building that is nearest to someone.
  struct NearestPoint {
    let position: Position
    let isInside: Bool
  }

  /// The nearest point of the footprint, or the building's own point when it has none.
  ///
  /// - Parameter meters: `nil` is returned early for what is further away.
  func nearestPoint(to position: Position, within meters: Double) -> NearestPoint? {
    guard footprint.contains(where: { $0.rings.contains { !$0.isEmpty } }) else {
      return self.position.map { NearestPoint(position: $0, isInside: false) }
    }
    guard latitudesLie(within: meters, of: position) else { return nil }
    if footprint.contains(where: { $0.contains(position) }) {
      return Position(map: [position.longitude, position.latitude])
        .map { NearestPoint(position: $0, isInside: true) }
    }
    // No way over the ground is shorter than the one through it.
    return EdgeCurves(footprint.flatMap(\.lines))
      .nearestPoint(to: SurfacePoint(position).point, within: meters)
      .flatMap { Position(map: $0) }
      .map { NearestPoint(position: $0, isInside: false) }
  }

  /// Whether a parallel of the footprint is within reach: a quick look that spares most buildings of
  /// a town the rest.
  private func latitudesLie(within meters: Double, of position: Position) -> Bool {
    var (south, north) = (Double.infinity, -Double.infinity)
    for vertex in footprint.lazy.flatMap(\.rings).joined() {
      (south, north) = (min(south, vertex.latitude), max(north, vertex.latitude))
    }
    let degrees = max(south - position.latitude, position.latitude - north)
    // A degree of latitude is 110.57 km at least.
    return degrees * 110_000 <= meters
  }
}
