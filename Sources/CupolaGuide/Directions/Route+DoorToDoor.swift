extension Route {
  /// What it takes from door to door: also before and beyond the mapped ways, in straight lines.
  ///
  /// - Parameters:
  ///   - start: where it was asked to begin.
  ///   - goal: where to.
  package func fromDoorToDoor(
    _ start: RouteEnd, _ goal: RouteEnd
  ) -> (meters: Double, seconds: Double) {
    let pace = EdgeCost.pace(mode)
    let straight = Bearing.meters(start.point, goal.point)
    let before = points.first.map { first in
      start.doors.map { Bearing.meters($0.point, first) }.min() ?? 0
    }
    let beyond = (before ?? 0) + metersBeyond
    // Who leaves the mapped ways to walk as far need not come to them at all; to another floor nothing else leads.
    if start.point.level == goal.point.level, straight <= beyond {
      return (straight, straight / pace)
    }
    return (meters + beyond, seconds + beyond / pace)
  }
}
