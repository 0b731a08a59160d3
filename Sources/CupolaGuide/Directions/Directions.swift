public import CupolaCampus

// 1. Convert the start and the destination to candidate points on the graph, and search for the arcs between them.
// 2. Convert the arcs to points, segments and maneuvers.

/// Finds routes through a guide for one travel mode with A*, from door to door.
public struct Directions: Sendable {
  package let mode: TravelMode

  package let router: Router
  private let landmarks: Landmarks
  private let walls: Walls

  init(_ guide: Guide, _ mode: TravelMode, shortest: Bool) {
    self.mode = mode
    router = Router(guide.graph, guide.index, EdgeCost(mode, shortest: shortest))
    (landmarks, walls) = (guide.landmarks, guide.walls)
  }

  /// Returns the best route.
  ///
  /// - Throws: ``GuideError/nothingNear(_:)`` if the start or the destination is too far from every path for the mode,
  ///   ``GuideError/noWay(from:to:)`` if no route exists.
  public func route(from start: RouteEnd, to goal: RouteEnd) throws(GuideError) -> Route {
    try nearest(of: [goal], from: start).route
  }

  /// Returns the route to the destination that is reached first.
  ///
  /// - Returns: The index of the destination and the route.
  /// - Throws: ``GuideError/nothingNear(_:)``, ``GuideError/noWay(from:to:)``.
  public func nearest(
    of goals: [RouteEnd], from start: RouteEnd
  ) throws(GuideError) -> (number: Int, route: Route) {
    let first = path(start)
    guard !first.choices.isEmpty else { throw .nothingNear(start.title) }
    var choices: [PathEnd.Choice] = []
    var owners: [Int] = []
    for (number, goal) in goals.enumerated() {
      let end = path(goal)
      choices += end.choices
      owners += end.choices.map { _ in number }
    }
    guard !choices.isEmpty else { throw .nothingNear(goals.first?.title ?? "the destination") }
    let last = PathEnd(choices)
    guard let found = router.find(from: first, to: last) else {
      throw .noWay(from: start.title, to: goals.first?.title ?? "the destination")
    }
    let number = owners[found.goalChoice]
    return (number, route(found, from: (start, first), to: (goals[number], last)))
  }

  /// Returns the routes on foot to several destinations, computed by a single search.
  package func routes(
    from start: RouteEnd, to goals: [RouteEnd]
  ) -> [Result<Route, GuideError>] {
    let first = path(start)
    let ends = goals.map { path($0) }
    let last = PathEnd(ends.flatMap(\.choices))
    let owners = ends.enumerated().flatMap { number, end in end.choices.map { _ in number } }
    let isPossible = !first.choices.isEmpty && !last.choices.isEmpty
    let found = isPossible ? router.findEach(from: first, to: last, owners: owners) : []
    return goals.enumerated().map { number, goal in
      guard !first.choices.isEmpty else { return .failure(.nothingNear(start.title)) }
      guard !ends[number].choices.isEmpty else { return .failure(.nothingNear(goal.title)) }
      guard found.indices.contains(number), let way = found[number] else {
        return .failure(.noWay(from: start.title, to: goal.title))
      }
      return .success(route(way, from: (start, first), to: (goal, last)))
    }
  }

  private func path(_ end: RouteEnd) -> PathEnd {
    router.end(
      at: end.doors, exactly: end.isRoom, entering: end.place != nil, inside: end.inside)
  }

  private func route(
    _ found: PathSearch.Found, from start: (end: RouteEnd, path: PathEnd),
    to goal: (end: RouteEnd, path: PathEnd)
  ) -> Route {
    let assembly = RouteAssembly(found, router.search, from: start.path)
    let plan = ManeuverPlan(assembly, router.search, walls)
    let first = start.path.choices[found.startChoice]
    let last = goal.path.choices[found.goalChoice]
    var before = gap(first, start.end, from: assembly.points.first)
    // A gap as small as this may be an error in the user's position.
    if start.end.place == nil, first.offset < ManeuverText.unmentioned {
      before.isWalkersOnly = false
    }
    let beyond = gap(last, goal.end, from: assembly.points.last)
    let others = landmarks.without([
      start.end.place?.id, goal.end.place?.id, start.end.place?.building, goal.end.place?.building,
    ])
    let text = ManeuverText(
      assembly: assembly, search: router.search, landmarks: others,
      origin: start.end.place, destination: goal.end.place, before: before, beyond: beyond,
      inside: (start.end.inside, goal.end.inside))
    return Route(
      mode: mode, points: assembly.points, segments: assembly.segments,
      maneuvers: text.maneuvers(plan.steps), origin: start.end.place?.title,
      destination: goal.end.place?.title,
      metersOffPaths: text.metersOffPaths, metersBeyond: beyond.offset,
      metersNotStepFreeBefore: before.isWalkersOnly ? before.meters : 0,
      metersNotStepFreeBeyond: beyond.isWalkersOnly ? beyond.meters : 0)
  }

  /// Returns the straight line between the end of a path and a place: to its door or, if the map contains none, to its
  /// outline.
  private func gap(
    _ choice: PathEnd.Choice, _ end: RouteEnd, from point: RoutePoint?
  ) -> ManeuverText.Gap {
    var gap = ManeuverText.Gap(
      offset: choice.offset, place: end.door(nearest: point), isWalkersOnly: choice.stopsShort)
    if let point, let place = end.place, place.doors.isEmpty,
      let edge = landmarks.nearest(of: place.id, to: point)
    {
      (gap.offset, gap.place) = (Bearing.meters(point, edge), edge)
    }
    return gap
  }
}

/// The start or the destination of a route.
public enum RouteEnd: Equatable, Sendable {
  /// A position; for positions indoors, with the floor.
  case position(Position, level: Double? = nil)
  case place(Place)

  var title: String {
    switch self {
    case .position(let position, _): "\(position.latitude),\(position.longitude)"
    case .place(let place): place.title
    }
  }

  package var place: Place? {
    if case .place(let place) = self { return place }
    return nil
  }

  package var point: RoutePoint {
    switch self {
    case .position(let position, let level): RoutePoint(position, level: level)
    case .place(let place): place.position
    }
  }

  /// Whether this is a room, which can be entered only through its doors.
  var isRoom: Bool { place.map { $0.kind == .room && !$0.doors.isEmpty } ?? false }

  /// The position of a place inside a building without mapped rooms, which is entered through the building's doors.
  var inside: RoutePoint? {
    guard let place, place.kind == .poi, place.building != nil, place.position.level == nil,
      !place.doors.isEmpty
    else { return nil }
    return place.position
  }

  package var doors: [Place.Door] {
    switch self {
    case .position: [Place.Door(point)]
    case .place(let place): place.doors.isEmpty ? [Place.Door(place.position)] : place.doors
    }
  }

  func door(nearest point: RoutePoint?) -> RoutePoint {
    guard let point else { return self.point }
    return doors.map(\.point).min { Bearing.meters($0, point) < Bearing.meters($1, point) }
      ?? self.point
  }
}

struct RouteAssembly {
  private(set) var points: [RoutePoint] = []
  private(set) var segments: [Route.Segment] = []
  /// The vertex of each point; -1 for a point inside an edge.
  private(set) var vertices: [Int] = []
  private(set) var arcs: [Int] = []

  private let search: SearchGraph

  init(_ found: PathSearch.Found, _ search: SearchGraph, from start: PathEnd) {
    self.search = search
    let graph = search.graph
    guard let first = found.arcs.first, let last = found.arcs.last else {
      addPoint(of: start.choices[found.startChoice].anchor)
      return
    }
    let begin = first & 1 == 0 ? found.skippedAtStart : 1 - found.skippedAtStart
    let end = last & 1 == 0 ? 1 - found.skippedAtGoal : found.skippedAtGoal
    add(graph.place(first >> 1, begin), vertex: vertex(of: first >> 1, at: begin))
    for (number, arc) in found.arcs.enumerated() {
      let isLast = number == found.arcs.count - 1
      let from = number == 0 ? found.skippedAtStart : 0
      let share = max(0, 1 - from - (isLast ? found.skippedAtGoal : 0))
      let place = isLast ? graph.place(arc >> 1, end) : graph.place(arc >> 1, arc & 1 == 0 ? 1 : 0)
      add(
        segment(arc, share), to: place,
        vertex: isLast ? vertex(of: arc >> 1, at: end) : graph.head(arc), arc: arc)
    }
  }

  private func vertex(of edge: Int, at fraction: Double) -> Int {
    fraction <= 0 ? search.graph.edges[edge].from : fraction >= 1 ? search.graph.edges[edge].to : -1
  }

  private mutating func addPoint(of anchor: PathEnd.Anchor) {
    switch anchor {
    case .vertex(let vertex):
      let place = search.graph.vertices[vertex]
      add(RoutePoint(place.point, level: place.level), vertex: vertex)
    case .edge(let edge, let fraction):
      add(search.graph.place(edge, fraction), vertex: vertex(of: edge, at: fraction))
    }
  }

  private mutating func add(_ point: RoutePoint, vertex: Int) {
    points.append(point)
    vertices.append(vertex)
  }

  private mutating func add(
    _ segment: Route.Segment, to place: RoutePoint, vertex: Int, arc: Int
  ) {
    // Skip empty segments: the route starts or ends at a vertex, or a door connects indoors and outdoors.
    if points.last == place { return }
    segments.append(segment)
    arcs.append(arc)
    add(place, vertex: vertex)
  }

  func way(of segment: Int) -> Int { search.graph.edges[arcs[segment] >> 1].way }

  private func segment(_ arc: Int, _ share: Double) -> Route.Segment {
    let edge = arc >> 1
    let way = search.graph.ways[search.graph.edges[edge].way]
    let seconds = EdgeCost(search.cost.mode).of(edge, in: search.graph)
    let rise = search.graph.rise(of: edge)
    return Route.Segment(
      kind: way.kind, name: way.name, meters: share * search.graph.lengths[edge],
      seconds: share * seconds, metersUp: share * (arc & 1 == 0 ? rise : 0 - rise),
      isIndoor: way.isIndoor)
  }
}
