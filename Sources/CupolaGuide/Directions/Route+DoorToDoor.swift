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
    let (from, to) = (start.door(nearest: points.first), goal.door(nearest: points.last))
    let straight = Bearing.meters(from, to)
    let beyond = (points.first.map { Bearing.meters(from, $0) } ?? 0) + metersBeyond
    // Who leaves the mapped ways to walk as far need not come to them at all; to another floor nothing else leads.
    if from.level == to.level, straight <= beyond { return (straight, straight / pace) }
    return (meters + beyond, seconds + beyond / pace)
  }
}
