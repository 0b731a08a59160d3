internal import CupolaCampus
internal import CupolaGuide

/// Finds the buildings that stand on an open area, which nobody crosses there.
struct BuildingsInside {
  private let map: GuideMap
  private let rings: [[Int]]
  private let index: BoxIndex

  init(_ map: GuideMap) {
    self.map = map
    rings = map.features.compactMap { feature in
      guard PlaceRules.isInTheWay(feature), case .area(let rings) = feature.geometry else {
        return nil
      }
      return rings.first
    }
    index = BoxIndex(rings.map { ring in MapPoint.box(around: [ring.map { map.points[$0] }]) })
  }

  /// The outer rings of those that stand on an area with all of their points, and are none of its holes; `nil` where it
  /// is too much to look.
  ///
  /// - Parameters:
  ///   - area: rings, the outer one first.
  ///   - budget: what all areas of a map may still cost.
  func rings(on area: [[Int]], within budget: inout AreaBudget) -> [[Int]]? {
    let outlines = area.map { $0.map { map.points[$0] } }
    let near = index.indices(meeting: MapPoint.box(around: outlines))
    let tests =
      near.reduce(0) { $0 + rings[$1].count } * outlines.reduce(0) { $0 + $1.count }
    guard budget.tests >= tests else { return nil }
    budget.tests -= tests
    let corners = Set(area.joined())
    return near.map { rings[$0] }.filter { ring in
      let others = ring.filter { !corners.contains($0) }
      return !others.isEmpty
        && others.allSatisfy { point in
          outlines.reduce(false) { $0 != BuildingLocator.isInside(map.points[point], $1) }
        }
    }
  }
}
