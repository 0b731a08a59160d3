internal import CupolaGuide

/// Finds the points of lines and elevators in a room without looking at all of its floor.
struct StopIndex {
  private let map: GuideMap
  /// Numbers of points of the map.
  private let points: [Int]
  private let floors: FloorIndex

  /// - Parameter stops: what is outdoors is passed over.
  init(_ stops: some Sequence<PathDraft.Vertex>, of map: GuideMap) {
    let all = stops.compactMap { stop in stop.level.map { (point: stop.point, level: $0) } }
    self.map = map
    points = all.map(\.point)
    floors = FloorIndex(
      all.map { (level: $0.level, box: MapPoint.box(around: [[map.points[$0.point]]])) })
  }

  /// Numbers of the points that lie in a space; `nil` where it is too much to look.
  ///
  /// - Parameter budget: what all areas of a map may still cost.
  func points(in space: IndoorSpace, within budget: inout AreaBudget) -> [Int]? {
    let candidates = candidates(in: space)
    let rings = space.rings.map { $0.map { map.points[$0] } }
    let tests = candidates.count * rings.reduce(0) { $0 + $1.count }
    guard budget.take(tests: tests, of: space.id) else { return nil }
    return candidates.filter { point in
      rings.reduce(false) { $0 != BuildingLocator.isInside(map.points[point], $1) }
    }
  }

  /// Numbers of the points that may lie in a space: those of its floor in the box around it.
  func candidates(in space: IndoorSpace) -> [Int] {
    let box = MapPoint.box(around: space.rings.map { $0.map { map.points[$0] } })
    return floors.items(on: space.level, meeting: box).map { points[$0] }
  }
}
