/// Which places are within reach of the grounds of a map.
struct CampusReach {
  private let plane: MapPlane
  private let rings: [[MapPoint]]

  /// Around the grounds, where the map has their outline; else around all buildings, or all points of a map that has
  /// none.
  init(_ map: GuideMap) {
    plane = MapPlane(around: map.points.first)
    let grounds = Grounds.rings(of: map)
    let buildings = map.features.compactMap { feature -> [MapPoint]? in
      guard PlaceRules.isBuilding(feature), case .area(let rings) = feature.geometry else {
        return nil
      }
      return rings.first?.map { map.points[$0] }
    }
    rings = [grounds, buildings].first { !$0.isEmpty } ?? [map.points]
  }

  /// Whether a point is inside, or at most so many meters away.
  func holds(_ point: MapPoint, within meters: Double) -> Bool {
    rings.contains { ring in
      SegmentDistance.nearest(to: plane.point(point), of: ring.map(plane.point)).distance <= meters
        || BuildingLocator.isInside(point, ring)
    }
  }
}
