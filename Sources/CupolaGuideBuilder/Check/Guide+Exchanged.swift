package import CupolaGuide

/// Notices who exchanged latitude and longitude.
extension Guide {
  /// Whether a place is far from all ways, and near to one with latitude and longitude exchanged.
  package func isExchanged(_ end: RouteEnd) -> Bool { isExchanged(end.point) }

  /// The buildings that are: either their map is exchanged, or that of the ways.
  package var exchangedBuildings: [Place] {
    places.filter { $0.kind == .building && isExchanged($0.position) }
  }

  private func isExchanged(_ point: RoutePoint) -> Bool {
    let other = RoutePoint(latitude: point.longitude, longitude: point.latitude)
    return !isNearWays(point) && isNearWays(other)
  }

  private func isNearWays(_ point: RoutePoint) -> Bool {
    let near = index.nearest(to: point, within: Router.reach) { _ in true }
    return near != nil
  }
}
