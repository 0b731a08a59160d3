internal import CupolaCampus
internal import CupolaGuide

/// Which places are within reach of the grounds of a map.
struct CampusReach {
  private let plane: MapPlane
  /// Outlines, also on the plane.
  private let areas: [(ring: [MapPoint], points: [SIMD2<Double>])]
  /// The boxes around them on the plane: most stops of a country are outside of all.
  private let index: BoxIndex

  /// Around the grounds, where the map has their outline; else around all buildings, or all points of a map that has
  /// none.
  init(_ map: GuideMap) {
    let plane = MapPlane(around: map.points.first)
    let grounds = Grounds.rings(of: map)
    let buildings = map.features.compactMap { feature -> [MapPoint]? in
      guard PlaceRules.isBuilding(feature), case .area(let rings) = feature.geometry else {
        return nil
      }
      return rings.first?.map { map.points[$0] }
    }
    let rings = [grounds, buildings].first { !$0.isEmpty } ?? [map.points]
    let areas = rings.map { ring in (ring: ring, points: ring.map { plane.point($0) }) }
    (self.plane, self.areas) = (plane, areas)
    index = BoxIndex(areas.map { BoxTree.Box(around: $0.points) })
  }

  /// Whether a point is inside, or at most so many meters away.
  func holds(_ point: MapPoint, within meters: Double) -> Bool {
    let place = plane.point(point)
    // A meter more than what is compared, for what is rounded.
    let reach = SIMD2(repeating: meters + 1)
    return index.indices(meeting: BoxTree.Box(place - reach, place + reach)).contains { number in
      let (ring, points) = areas[number]
      return SegmentDistance.nearest(to: place, of: points).distance <= meters
        || BuildingLocator.isInside(point, ring)
    }
  }
}
