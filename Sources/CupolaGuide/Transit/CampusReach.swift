internal import CupolaCampus

/// Which places are within reach of the grounds of a map.
struct CampusReach {
  private let plane: MapPlane
  private let rings: [[MapPoint]]

  /// Around the boundary, where the map has one: what has the role or is tagged as a university or college; else
  /// around all buildings, or all points of a map that has none.
  init(_ map: GuideMap) {
    let areas = map.features.compactMap { feature -> (MapFeature, [[Int]])? in
      guard case .area(let rings) = feature.geometry else { return nil }
      return (feature, rings)
    }
    let boundaries = areas.filter { feature, _ in
      feature["cupola:role"] == "boundary"
        || ["university", "college"].contains(feature["amenity"]) && !PlaceRules.isBuilding(feature)
    }
    let chosen =
      boundaries.isEmpty ? areas.filter { PlaceRules.isBuilding($0.0) } : boundaries
    let numbers = chosen.isEmpty ? [[Array(map.points.indices)]] : chosen.map(\.1)
    plane = MapPlane(around: map.points.first)
    rings = numbers.flatMap { $0.prefix(1) }.map { $0.map { map.points[$0] } }
  }

  /// Whether a point is inside, or at most so many meters away.
  func holds(_ point: MapPoint, within meters: Double) -> Bool {
    rings.contains { ring in
      SegmentDistance.nearest(to: plane.point(point), of: ring.map(plane.point)).distance <= meters
        || BuildingLocator.isInside(point, ring)
    }
  }
}
