internal import CupolaGuide

/// Finds the room, corridor or hall that a point is in.
struct SpaceLocator {
  private let spaces: [IndoorSpace]
  private let map: GuideMap
  private let index: FloorIndex

  init(_ spaces: [IndoorSpace], _ map: GuideMap) {
    (self.spaces, self.map) = (spaces, map)
    index = FloorIndex(
      spaces.map { space in
        (level: space.level, box: MapPoint.box(around: [space.rings[0].map { map.points[$0] }]))
      })
  }

  /// The first in the order of the map, of those on some floors, whose outline goes round a point.
  ///
  /// - Parameter budget: what all places of a map may still cost.
  func space(
    at point: MapPoint, on levels: [Double], within budget: inout PlaceBudget
  ) -> IndoorSpace? {
    let box = MapPoint.box(around: [[point]])
    let near = levels.flatMap { index.items(on: $0, meeting: box) }
    budget.tests -= near.reduce(0) { $0 + spaces[$1].rings[0].count }
    let around = near.filter { number in
      BuildingLocator.isInside(point, spaces[number].rings[0].map { map.points[$0] })
    }
    return around.min().map { spaces[$0] }
  }
}
