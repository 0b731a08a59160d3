internal import CupolaCampus

/// Finds ways through a guide for one mode: A* over the ways of the map, from doors to doors.
public struct Directions: Sendable {
  /// How one goes.
  public let mode: TravelMode

  package let router: Router
  private let landmarks: Landmarks

  init(_ guide: Guide, _ mode: TravelMode, shortest: Bool) {
    self.mode = mode
    router = Router(guide.graph, guide.index, EdgeCost(mode, shortest: shortest))
    landmarks = guide.landmarks
  }

  /// The best way.
  ///
  /// - Throws: ``GuideError/nothingNear(_:)`` when an end is far from all ways of the mode, ``GuideError/noWay(from:to:)``
  ///   when no way leads there.
  public func route(from start: RouteEnd, to goal: RouteEnd) throws(GuideError) -> Route {
    try nearest(of: [goal], from: start).route
  }

  /// The way to that one of some ends which is reached first.
  ///
  /// - Returns: the number of the end, and the way.
  /// - Throws: ``GuideError/nothingNear(_:)``, ``GuideError/noWay(from:to:)``.
  public func nearest(
    of goals: [RouteEnd], from start: RouteEnd
  ) throws(GuideError) -> (number: Int, route: Route) {
    let first = try end(start)
    var choices: [PathEnd.Choice] = []
    var owners: [Int] = []
    for (number, goal) in goals.enumerated() {
      let end = router.end(
        at: goal.doors, exactly: goal.isRoom, entering: goal.place != nil)
      choices += end.choices
      owners += end.choices.map { _ in number }
    }
    guard !choices.isEmpty else { throw .nothingNear(goals.first?.title ?? "the goal") }
    let last = PathEnd(choices)
    guard let found = router.find(from: first, to: last) else {
      throw .noWay(from: start.title, to: goals.first?.title ?? "the goal")
    }
    let number = owners[found.goalChoice]
    return (number, route(found, from: (start, first), to: (goals[number], last)))
  }

  private func end(_ end: RouteEnd) throws(GuideError) -> PathEnd {
    let found = router.end(
      at: end.doors, exactly: end.isRoom, entering: end.place != nil)
    guard !found.choices.isEmpty else { throw .nothingNear(end.title) }
    return found
  }

  private func route(
    _ found: PathSearch.Found, from start: (end: RouteEnd, path: PathEnd),
    to goal: (end: RouteEnd, path: PathEnd)
  ) -> Route {
    let assembly = RouteAssembly(found, router.search, from: start.path)
    let plan = ManeuverPlan(assembly, router.search)
    let first = start.path.choices[found.startChoice]
    let last = goal.path.choices[found.goalChoice]
    var before = ManeuverText.Gap(
      meters: first.metersShort, place: start.end.door(nearest: assembly.points.first),
      isBarred: first.stopsShort)
    // Somebody's own position may be that wrong.
    if start.end.place == nil, first.offset < ManeuverText.unsaid { before.isBarred = false }
    let beyond = ManeuverText.Gap(
      meters: last.metersShort, place: goal.end.door(nearest: assembly.points.last),
      isBarred: last.stopsShort)
    let others = landmarks.without([
      start.end.place?.id, goal.end.place?.id, start.end.place?.building, goal.end.place?.building,
    ])
    let text = ManeuverText(
      assembly, router.search, others, origin: start.end.place?.title,
      destination: goal.end.place, before: before, beyond: beyond)
    return Route(
      mode: mode, points: assembly.points, segments: assembly.segments,
      maneuvers: text.maneuvers(plan.steps), origin: start.end.place?.title,
      destination: goal.end.place?.title, metersBeyond: last.offset,
      metersNotStepFreeBefore: before.isBarred ? before.meters : 0,
      metersNotStepFreeBeyond: beyond.isBarred ? beyond.meters : 0)
  }
}

extension RouteEnd {
  /// How to name it to people.
  var title: String {
    switch self {
    case .position(let position, _): "\(position.latitude),\(position.longitude)"
    case .place(let place): place.title
    }
  }
}
