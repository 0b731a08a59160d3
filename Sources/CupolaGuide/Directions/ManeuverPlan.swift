internal import CupolaCampus

// 1. Visit each point and add stairs, doors, crossings, corners of corridors, and the turns where there is a choice.
// 2. Measure turns over several meters around a point, and merge turns that follow each other immediately.

struct ManeuverPlan {
  struct Step: Equatable {
    var kind: Maneuver.Kind
    var point: Int
    var name: String?
    /// The turn in degrees; positive to the right.
    var turn = 0.0
    var level: Double?
    /// The number of the exit to take; `nil` if the route ends in the roundabout.
    var exit: Int?
    /// Whether the way splits, and the route follows one of two branches that lead ahead.
    var isFork = false
    /// Whether the turn leads to the street that the route was on.
    var isStaying = false
    /// The last point of turns that are announced as one.
    var end: Int
    /// The segment that a turn leads to, which may begin after a short hook.
    var onto: Int
    /// A way that users pass shortly before, and could take for the turn.
    var passed: String?

    init(
      kind: Maneuver.Kind, point: Int, name: String? = nil, turn: Double = 0,
      level: Double? = nil, exit: Int? = nil, isFork: Bool = false
    ) {
      (self.kind, self.point, self.name, self.turn) = (kind, point, name, turn)
      (self.level, self.exit, self.isFork) = (level, exit, isFork)
      (end, onto) = (point, point)
    }

    /// Whether the step leads to the right; meaningful only for turns.
    var isToRight: Bool {
      switch kind {
      case .slightRight, .right, .sharpRight: true
      default: false
      }
    }
  }

  private let assembly: RouteAssembly
  private let search: SearchGraph
  private let junctions: Junctions
  private(set) var steps: [Step] = []

  static let together = 15.0
  private static let togetherIndoors = 3.0
  /// Users see where a shorter jog leads.
  private static let jog = 6.0
  static let straight = 25.0
  /// Users follow a corridor around smaller bends without an instruction.
  private static let bend = 40.0

  init(_ assembly: RouteAssembly, _ search: SearchGraph) {
    (self.assembly, self.search) = (assembly, search)
    junctions = Junctions(assembly, search)
    let points = assembly.points
    steps = [Step(kind: .depart, point: 0, name: name(from: 0))]
    var next = 1
    while next < points.count - 1 {
      if let behind = addRoundabout(at: next) {
        next = behind
      } else {
        add(at: next)
        next += 1
      }
    }
    merge()
    steps.append(Step(kind: .arrive, point: points.count - 1))
    addFirst()
  }

  private var segments: [Route.Segment] { assembly.segments }

  private func name(from point: Int) -> String? {
    segments.indices.contains(point) ? segments[point].name : nil
  }

  private mutating func add(at point: Int) {
    let (before, behind) = (segments[point - 1], segments[point])
    if Self.isVertical(behind.kind) {
      if !isGoingOn(at: point) { steps.append(vertical(at: point)) }
      return
    }
    if behind.isIndoor != before.isIndoor {
      steps.append(
        Step(
          kind: behind.isIndoor ? .enterBuilding : .leaveBuilding, point: point,
          name: behind.name, turn: turn(at: point), level: assembly.points[point].level))
      return
    }
    if behind.kind == .crossing, before.kind != .crossing {
      steps.append(
        Step(
          kind: .crossing, point: point, name: junctions.streetsCrossed(from: point),
          turn: turnToCross(at: point)))
      return
    }
    let turn = turn(at: point)
    let isDoor = isDoorOfRoom(point)
    if isDoor || isCorner(point) && turn.magnitude >= Self.bend {
      let kind = isDoor ? kindAtDoor(point, turn) : Self.kind(turn)
      steps.append(Step(kind: kind, point: point, name: behind.name, turn: turn))
      return
    }
    if isAcrossArea(point) { return }
    addTurn(at: point, turn)
  }

  private mutating func addTurn(at point: Int, _ turn: Double) {
    let (before, behind) = (segments[point - 1], segments[point])
    let isNamedAnew =
      behind.name != nil && !StreetName.share(behind.name, before.name) && !isShort(point)
    if turn.magnitude < Self.straight, let kind = junctions.kindAtFork(point, turn) {
      steps.append(Step(kind: kind, point: point, name: behind.name, turn: turn, isFork: true))
      return
    }
    let isTurn =
      turn.magnitude >= Self.straight && junctions.isChoice(point)
      && !junctions.isBend(point, turn)
    guard isTurn || isNamedAnew else { return }
    steps.append(Step(kind: Self.kind(turn), point: point, name: behind.name, turn: turn))
  }

  // MARK: - Roundabouts

  /// Adds a roundabout that a car enters at a point, and returns the next point after its exit.
  private mutating func addRoundabout(at point: Int) -> Int? {
    guard search.hasTurns, isInRoundabout(point), !isInRoundabout(point - 1) else { return nil }
    var (end, exits) = (point + 1, 0)
    while end < segments.count, isInRoundabout(end) {
      exits += self.exits(at: assembly.vertices[end])
      end += 1
    }
    let isLeft = end < segments.count
    steps.append(
      Step(
        kind: .roundabout, point: point, name: isLeft ? segments[end].name : nil,
        exit: isLeft ? exits + 1 : nil))
    return end + 1
  }

  private func isInRoundabout(_ segment: Int) -> Bool {
    search.graph.ways[assembly.way(of: segment)].isRoundabout
  }

  /// The number of exits of a roundabout at a vertex. Driveways count, because drivers cannot tell them from streets.
  private func exits(at vertex: Int) -> Int {
    guard vertex >= 0 else { return 0 }
    return search.leaving[vertex].count { arc in
      !search.graph.ways[search.graph.edges[Int(arc) >> 1].way].isRoundabout
    }
  }

  // MARK: - Floor changes

  private static func isVertical(_ kind: WayKind) -> Bool {
    kind == .steps || kind == .escalator || kind == .elevator
  }

  /// Whether the way after a point leads up; `nil` if the map does not contain this. Steps change the floor only at
  /// their end, so the whole traveled part of the way is examined.
  private func isUp(_ point: Int) -> Bool? {
    let way = assembly.way(of: point)
    var (first, last) = (point, point)
    while first > 0, assembly.way(of: first - 1) == way { first -= 1 }
    while last + 1 < segments.count, assembly.way(of: last + 1) == way { last += 1 }
    let (from, to) = (assembly.points[first].level, assembly.points[last + 1].level)
    if let from, let to, from != to { return to > from }
    let incline = search.graph.ways[way].incline
    guard incline != 0 else { return nil }
    return (incline > 0) == (assembly.arcs[point] & 1 == 0)
  }

  private func isGoingOn(at point: Int) -> Bool {
    assembly.way(of: point) == assembly.way(of: point - 1)
      || segments[point].kind == segments[point - 1].kind && isUp(point) == isUp(point - 1)
  }

  private func vertical(at point: Int) -> Step {
    var end = point
    while end + 1 < segments.count, isGoingOn(at: end + 1) { end += 1 }
    let kind: Maneuver.Kind =
      switch (segments[point].kind, isUp(point)) {
      // Elevators always have floors.
      case (.elevator, let up): up ?? true ? .elevatorUp : .elevatorDown
      case (.escalator, let up?): up ? .escalatorUp : .escalatorDown
      case (.escalator, nil): .escalator
      case (_, let up?): up ? .stepsUp : .stepsDown
      case (_, nil): .steps
      }
    return Step(
      kind: kind, point: point, name: segments[point].name, turn: turn(at: point),
      level: assembly.points[end + 1].level)
  }

  private mutating func addFirst() {
    guard let first = segments.first else { return }
    if Self.isVertical(first.kind) {
      steps.insert(vertical(at: 0), at: 1)
    } else if first.kind == .crossing, let street = junctions.streetsCrossed(from: 0) {
      steps.insert(Step(kind: .crossing, point: 0, name: street), at: 1)
    }
  }

  // MARK: - Turns

  private func turn(at point: Int) -> Double {
    turn(
      from: point, to: point, after: begin(behind: steps.last, to: point),
      until: crossingEnd(from: point))
  }

  /// Returns the end of a crossing that starts shortly after a point. Turns at the point are measured only up to this
  /// end.
  private func crossingEnd(from point: Int) -> Int {
    var (end, meters) = (point, 0.0)
    while end < segments.count, segments[end].kind != .crossing, meters < Self.together {
      meters += segments[end].meters
      end += 1
    }
    while end < segments.count, segments[end].kind == .crossing { end += 1 }
    return end
  }

  /// Returns the point from which to measure a turn after a crossing or steps, so that earlier turns are not announced
  /// twice.
  private func begin(behind step: Step?, to point: Int) -> Int? {
    guard let step, step.kind == .crossing || isClimb(step, to: point) else { return nil }
    return step.point
  }

  /// Whether steps lead to a point in a horizontal direction; `false` for vertical shafts.
  private func isClimb(_ step: Step, to point: Int) -> Bool {
    switch step.kind {
    case .steps, .stepsUp, .stepsDown, .escalator, .escalatorUp, .escalatorDown:
      Bearing.meters(assembly.points[step.point], assembly.points[point]) >= 1
    default: false
    }
  }

  private func turnToCross(at point: Int) -> Double {
    let said = steps.last.flatMap {
      $0.kind == .crossing || Self.isTurn($0.kind) ? $0.point : nil
    }
    return turn(from: point, to: point, after: said, until: crossingEnd(from: point))
  }

  /// Returns the angle between arriving at `first`, measured from `begin`, and leaving `last`, measured to `end`.
  private func turn(
    from first: Int, to last: Int, after begin: Int? = nil, until end: Int? = nil
  ) -> Double {
    let isIndoor = first > 0 && segments[first - 1].isIndoor && segments[last].isIndoor
    let reach = isIndoor ? Bearing.reachIndoors : Bearing.reach
    guard
      let before = Bearing.near(first, of: assembly.points, step: -1, until: begin, within: reach),
      let behind = Bearing.near(last, of: assembly.points, step: 1, until: end, within: reach)
    else { return 0 }
    return Degrees.turn(from: before, to: behind)
  }

  /// Whether a point is inside a room or an open area outdoors. Turns there are not announced, because users can see
  /// the way across.
  private func isAcrossArea(_ point: Int) -> Bool {
    let segment = segments[point]
    let isOpen = segment.kind == .room || segment.kind == .area && !segment.isIndoor
    return isOpen && assembly.way(of: point - 1) == assembly.way(of: point)
  }

  /// Whether a route turns around a corner of a corridor, which hides the way ahead.
  private func isCorner(_ point: Int) -> Bool {
    segments[point].kind == .area && segments[point].isIndoor
      && assembly.way(of: point - 1) == assembly.way(of: point)
  }

  /// Whether a route enters or leaves a room at a point.
  private func isDoorOfRoom(_ point: Int) -> Bool {
    let (before, behind) = (segments[point - 1].kind, segments[point].kind)
    return (before == .room || behind == .room) && !Self.isVertical(before)
      && assembly.way(of: point - 1) != assembly.way(of: point)
  }

  /// Whether two turns are announced as one. The turn into a room is always announced at its door.
  ///
  /// Two small opposite turns lead around something, such as a column.
  private func isTogether(_ one: Step, _ other: Step) -> Bool {
    let between = segments[one.point..<other.point]
    guard between.contains(where: \.isIndoor) else {
      return meters(one.point, other.point) < Self.together
    }
    guard segments[other.point].kind != .room, segments[one.point].kind != .room else {
      return false
    }
    let isAround =
      isCorner(one.point) && isCorner(other.point) && one.turn * other.turn < 0
      && max(one.turn.magnitude, other.turn.magnitude) < 60
    return meters(one.point, other.point) < (isAround ? Bearing.reach : Self.togetherIndoors)
  }

  private func isShort(_ point: Int) -> Bool {
    var meters = 0.0
    for segment in segments[point...] {
      guard segment.name == segments[point].name else { break }
      meters += segment.meters
    }
    return meters < Self.together
  }

  static func kind(_ turn: Double) -> Maneuver.Kind {
    let isRight = turn > 0
    switch turn.magnitude {
    case ..<straight: return .straight
    case ..<50: return isRight ? .slightRight : .slightLeft
    case ..<125: return isRight ? .right : .left
    case ..<165: return isRight ? .sharpRight : .sharpLeft
    default: return .uTurn
    }
  }

  /// Doors are at right angles to walls, although the middle of a room may be in another direction.
  private func kindAtDoor(_ point: Int, _ turn: Double) -> Maneuver.Kind {
    switch Self.kind(turn) {
    case .slightLeft, .sharpLeft: .left
    case .slightRight, .sharpRight: .right
    case .straight: sideOfRoom(point) ?? .straight
    case let kind: kind
    }
  }

  /// Returns the side on which a route enters or leaves a room through the side wall of a corridor; `nil` for other
  /// doors.
  private func sideOfRoom(_ point: Int) -> Maneuver.Kind? {
    let reach = Bearing.reachIndoors
    guard assembly.vertices[point] >= 0,
      let before = Bearing.near(point, of: assembly.points, step: -1, within: reach),
      let behind = Bearing.near(point, of: assembly.points, step: 1, within: reach)
    else { return nil }
    let isEntering = segments[point].kind == .room
    let corridor = assembly.way(of: isEntering ? point - 1 : point)
    // The corridor goes on past the door that the route enters, or begins before the door that it leaves.
    let wanted = isEntering ? before : behind + 180
    let graph = search.graph
    let other = search.leaving[assembly.vertices[point]].compactMap { arc -> Double? in
      guard graph.edges[Int(arc) >> 1].way == corridor else { return nil }
      return Bearing.of(
        assembly.points[point], RoutePoint(graph.vertices[graph.head(Int(arc))].point))
    }.min { turn(wanted, $0).magnitude < turn(wanted, $1).magnitude }
    guard let other, turn(wanted, other).magnitude < 45 else { return nil }
    let side = isEntering ? turn(other, behind) : turn(behind, before + 180)
    return side > 0 ? .right : .left
  }

  private func turn(_ from: Double, _ to: Double) -> Double { Degrees.turn(from: from, to: to) }

  // MARK: - Merging

  private mutating func merge() {
    var merged: [Step] = []
    for step in steps {
      guard var last = merged.last, Self.isTurn(last.kind), Self.isTurn(step.kind),
        isTogether(last, step)
      else {
        if let last = merged.last, crossesCorridor(last, step) || isSameTurn(last, step) {
          merged.removeLast()
        }
        if let last = merged.last, isOneCrossing(last, step) {
          merged[merged.count - 1].name = step.name
        } else {
          merged.append(step)
        }
        continue
      }
      if last.isFork || step.isFork {
        // A turn to the same side implies the branch to take.
        if last.isFork, !step.isFork, last.isToRight == step.isToRight { merged.removeLast() }
        merged.append(step)
        continue
      }
      let begin = begin(behind: merged.dropLast().last, to: last.point)
      let turn = turn(
        from: last.point, to: step.point, after: begin, until: crossingEnd(from: step.point))
      let gap = meters(last.point, step.point)
      if turnsBack(turn, last, step) && gap >= Bearing.reach
        || (isJog(turn, last, step) || isAmbiguous(last, step)) && gap >= Self.jog
      {
        merged.append(step)
        continue
      }
      last.turn = turn
      last.kind = Self.kind(last.turn)
      (last.name, last.end) = (step.name, step.end)
      merged[merged.count - 1] = last
    }
    steps = merged.filter { step in
      // Remove two turns that cancel each other out, unless the name changes.
      step.kind != .straight || step.isFork || step.point > 0 && isDoorOfRoom(step.point)
        || step.name != nil && !StreetName.share(step.name, name(from: max(0, step.point - 1)))
    }
    for number in steps.indices.dropFirst() { complete(number) }
  }

  /// Finds out where a turn leads, which depends on the steps before and after it.
  private mutating func complete(_ number: Int) {
    let earlier = steps[number - 1]
    if Self.isTurn(steps[number].kind), !segments[steps[number].point].isIndoor {
      let next = number + 1 < steps.count ? steps[number + 1].point : segments.count
      steps[number].onto = junctions.behindHook(steps[number].end, before: next)
      steps[number].name = name(from: steps[number].onto)
    }
    steps[number].isStaying = junctions.isStaying(steps[number], after: earlier.point)
    let isSideways = Self.isTurn(steps[number].kind) && steps[number].kind != .straight
    if isSideways, !steps[number].isFork, !segments[steps[number].point].isIndoor {
      steps[number].passed = junctions.passed(before: steps[number], after: earlier.end)
    }
  }

  /// Whether two crossings lead across one street: first across its bicycle path, which the graph does not contain.
  private func isOneCrossing(_ one: Step, _ other: Step) -> Bool {
    one.kind == .crossing && other.kind == .crossing && other.name != nil
      && junctions.crossesNoStreet(from: one.point)
      && meters(one.point, other.point) < Self.together
  }

  /// Whether users would take another way if two turns were announced as one.
  private func isAmbiguous(_ one: Step, _ other: Step) -> Bool {
    guard !segments[one.point].isIndoor,
      let bearing = Bearing.near(
        other.point, of: assembly.points, step: 1, until: crossingEnd(from: other.point))
    else { return false }
    return junctions.hasWay(one.point, toward: bearing)
  }

  /// Whether two steps lead straight from a room across a corridor into another one.
  private func crossesCorridor(_ one: Step, _ other: Step) -> Bool {
    one.kind == .straight && other.kind == .straight && segments[other.point].kind == .room
      && meters(one.point, other.point) < 6
  }

  /// Whether a route turns only once, at the door of a room, although the corridor has a corner just before it.
  private func isSameTurn(_ one: Step, _ other: Step) -> Bool {
    let sides: [Maneuver.Kind] = [.slightLeft, .left, .slightRight, .right]
    guard segments[other.point].kind == .room, isCorner(one.point), sides.contains(one.kind),
      sides.contains(other.kind), one.isToRight == other.isToRight,
      meters(one.point, other.point) < 6
    else { return false }
    return turn(from: one.point, to: other.point).magnitude < 125
  }

  /// Whether merging two turns would suggest turning back although neither turn does, such as two left turns.
  private func turnsBack(_ turn: Double, _ one: Step, _ other: Step) -> Bool {
    switch Self.kind(turn) {
    case .uTurn: one.kind != .uTurn && other.kind != .uTurn
    case .sharpLeft, .sharpRight:
      [one.kind, other.kind].allSatisfy {
        [.left, .right, .slightLeft, .slightRight].contains($0)
      }
    default: false
    }
  }

  /// Whether two opposite turns cancel each other out, although the first one is a choice between ways ahead.
  private func isJog(_ turn: Double, _ one: Step, _ other: Step) -> Bool {
    Self.kind(turn) == .straight && one.kind != .straight && other.kind != .straight
      && !segments[one.point].isIndoor && junctions.hasWayAhead(one.point)
  }

  static func isTurn(_ kind: Maneuver.Kind) -> Bool {
    switch kind {
    case .straight, .slightLeft, .slightRight, .left, .right, .sharpLeft, .sharpRight, .uTurn: true
    default: false
    }
  }

  private func meters(_ from: Int, _ to: Int) -> Double {
    segments[from..<to].reduce(0) { $0 + $1.meters }
  }
}
