/// Which places are within reach of the grounds of a map.
struct CampusReach {
  /// An outline, also on the plane, with the box around it there.
  private struct Area {
    let ring: [MapPoint]
    let points: [SIMD2<Double>]
    let box: Box
  }

  private struct Box {
    var low = SIMD2(repeating: Double.infinity)
    var high = SIMD2(repeating: -Double.infinity)

    /// Whether a place may be inside, or so many meters away.
    func mayHold(_ place: SIMD2<Double>, within meters: Double) -> Bool {
      // A meter more than what is compared, for what is rounded.
      let reach = meters + 1
      return place.x >= low.x - reach && place.x <= high.x + reach && place.y >= low.y - reach
        && place.y <= high.y + reach
    }
  }

  private let plane: MapPlane
  private let areas: [Area]
  /// Around all of them: most stops of a country are outside.
  private let box: Box

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
    let areas = rings.map { ring in
      let points = ring.map { plane.point($0) }
      return Area(ring: ring, points: points, box: Self.box(around: points))
    }
    (self.plane, self.areas) = (plane, areas)
    box = Self.box(around: areas.flatMap { [$0.box.low, $0.box.high] })
  }

  private static func box(around points: [SIMD2<Double>]) -> Box {
    points.reduce(into: Box()) { box, point in
      (box.low, box.high) = (pointwiseMin(box.low, point), pointwiseMax(box.high, point))
    }
  }

  /// Whether a point is inside, or at most so many meters away.
  func holds(_ point: MapPoint, within meters: Double) -> Bool {
    let place = plane.point(point)
    guard box.mayHold(place, within: meters) else { return false }
    return areas.contains { area in
      area.box.mayHold(place, within: meters)
        && (SegmentDistance.nearest(to: place, of: area.points).distance <= meters
          || BuildingLocator.isInside(point, area.ring))
    }
  }
}
