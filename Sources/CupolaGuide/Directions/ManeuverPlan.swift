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
    /// The ways that users pass before, and could take for the turn.
    var earlier: Junctions.Earlier?

    init(
      kind: Maneuver.Kind, point: Int, name: String? = nil, turn: Double = 0,
      level: Double? = nil, exit: Int? = nil, isFork: Bool = false
    ) {
      (self.kind, self.point, self.name, self.turn) = (kind, point, name, turn)
      (self.level, self.exit, self.isFork) = (level, exit, isFork)
      (end, onto) = (point, point)
    }

    /// Whether the step leads to the right; meaningful only for turns.
    var isToRight: Bool { kind.isToRight }
  }

  private let assembly: RouteAssembly
  private let search: SearchGraph
  private let junctions: Junctions
  private let doorways: Doorways
  private(set) var steps: [Step] = []

  static let together = 15.0
  private static let togetherIndoors = 3.0
  /// Users see where a jog up to this number of meters leads.
  private static let jog = 6.0
  /// The same if a way of the same kind goes straight on, or none does.
  static let shortJog = 4.5
  static let straight = 25.0
  /// At larger angles, a turn has no side.
  static let sharpest = 174.0
  /// Users follow a corridor around smaller bends without an instruction.
  private static let bend = 40.0

  init(_ assembly: RouteAssembly, _ search: SearchGraph, _ walls: Walls) {
    (self.assembly, self.search) = (assembly, search)
    junctions = Junctions(assembly, search)
    doorways = Doorways(assembly: assembly, search: search, walls: walls)
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
          kind: .crossing, point: point,
          name: junctions.streetsCrossed(from: point) ?? junctions.drivewayCrossed(from: point),
          turn: turnToCross(at: point)))
      return
    }
    let turn = turn(at: point)
    let isDoor = doorways.isDoor(point)
    if isDoor || isCorner(point) && turn.magnitude >= Self.bend {
      let kind = isDoor ? doorways.kind(at: point, turn) : Self.kind(turn)
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
      && !junctions.isBend(point, turn) && !junctions.isTurnLater(point)
    guard isTurn || isNamedAnew else { return }
    let kind = junctions.kindAmongTurns(point, turn) ?? Self.kind(turn)
    steps.append(Step(kind: kind, point: point, name: behind.name, turn: turn))
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
    var step = Step(
      kind: .roundabout, point: point, name: isLeft ? segments[end].name : nil,
      exit: isLeft ? exits + 1 : nil)
    step.end = end
    steps.append(step)
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
      from: point, to: point,
      after: begin(behind: steps.last, to: point) ?? junctions.jogBegin(before: point),
      until: min(crossingEnd(from: point), junctions.jogEnd(behind: point)))
  }

  private func jog(at point: Int) -> Double {
    junctions.hasWayAhead(point, like: assembly.way(of: point)) || junctions.isAtEnd(point)
      ? Self.shortJog : Self.jog
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
    // Halls are shorter than streets.
    return meters < (segments[point].isIndoor ? Bearing.reach : Self.together)
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

  // MARK: - Merging

  private mutating func merge() {
    var merged: [Step] = []
    for step in steps {
      guard var last = merged.last, Self.isTurn(last.kind), Self.isTurn(step.kind),
        isTogether(last, step)
      else {
        var step = step
        if let last = merged.last, crossesCorridor(last, step) { merged.removeLast() }
        if let last = merged.last, let kind = kindOfSameTurn(last, step) {
          merged.removeLast()
          step.kind = kind
        }
        if let last = merged.last, isOneCrossing(last, step) {
          merged[merged.count - 1].name = last.name ?? step.name
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
        || (isJog(turn, last, step) || isAmbiguous(last, step)) && gap >= jog(at: last.point)
        || isOntoPath(last) && meters(last.end, step.point) >= Self.jog
      {
        merged.append(step)
        continue
      }
      last.kind = Self.kind(turn)
      // Two turns to one side lead back on that side, even if their sum slightly exceeds a half turn.
      let isOneSided = last.kind == .uTurn && last.turn * step.turn > 0
      last.turn = isOneSided ? (last.turn > 0 ? Self.sharpest : 0 - Self.sharpest) : turn
      (last.name, last.end) = (step.name, step.end)
      merged[merged.count - 1] = last
    }
    steps = merged.indices.filter { isNeeded($0, of: merged) }.map { merged[$0] }
    // A jog is announced where it ends.
    for number in steps.indices where steps[number].kind == .straight {
      steps[number].point = steps[number].end
    }
    for number in steps.indices.dropFirst() { complete(number) }
  }

  /// Whether a step is announced. Two turns that cancel each other out are not, unless they lead to a way with another
  /// name, or to a path shortly before another turn, which users could confuse with the second one of the two.
  private func isNeeded(_ number: Int, of steps: [Step]) -> Bool {
    let step = steps[number]
    if step.kind != .straight || step.isFork || doorways.isDoor(step.point) { return true }
    if step.name != nil, !StreetName.share(step.name, name(from: max(0, step.point - 1))) {
      return true
    }
    guard isOntoPath(step), number + 1 < steps.count, Self.isTurn(steps[number + 1].kind),
      steps[number + 1].kind != .straight
    else { return false }
    return meters(step.end, steps[number + 1].point) < Junctions.near
  }

  /// Whether a jog leads straight from a street to a path.
  private func isOntoPath(_ step: Step) -> Bool {
    step.kind == .straight && step.end > step.point && segments[step.end].kind == .path
      && segments[step.point - 1].kind == .street
  }

  /// Finds out where a turn leads, which depends on the steps before and after it.
  private mutating func complete(_ number: Int) {
    let earlier = steps[number - 1]
    let isIndoor = segments[steps[number].point].isIndoor
    if Self.isTurn(steps[number].kind) {
      let next = number + 1 < steps.count ? steps[number + 1].point : segments.count
      let end = steps[number].end
      steps[number].onto = isIndoor ? end : junctions.behindHook(end, before: next)
      steps[number].name = name(from: steps[number].onto)
    }
    steps[number].isStaying = junctions.isStaying(steps[number], after: earlier.point)
    let isSideways = Self.isTurn(steps[number].kind) && steps[number].kind != .straight
    if isSideways, !isIndoor {
      var ways = junctions.earlier(before: steps[number], after: earlier.end)
      ways?.meters = meters(earlier.point, steps[number].point)
      steps[number].earlier = ways
    }
  }

  /// Whether two crossings lead across one street and the bicycle path next to it, which is not a street of the graph.
  private func isOneCrossing(_ one: Step, _ other: Step) -> Bool {
    guard one.kind == .crossing, other.kind == .crossing,
      meters(one.point, other.point) < Self.together
    else { return false }
    return other.name != nil && junctions.crossesNoStreet(from: one.point)
      || one.name != nil && junctions.crossesNoStreet(from: other.point)
        && other.turn.magnitude < Self.straight
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
      && segments[one.point].kind != .room && meters(one.point, other.point) < 6
  }

  /// Returns the turn at the door of a room if it is the only one, although the corridor has a corner just before it.
  private func kindOfSameTurn(_ one: Step, _ other: Step) -> Maneuver.Kind? {
    let sides: [Maneuver.Kind] = [.slightLeft, .left, .slightRight, .right]
    guard segments[other.point].kind == .room, isCorner(one.point), sides.contains(one.kind),
      meters(one.point, other.point) < 6
    else { return nil }
    let turn = turn(from: one.point, to: other.point)
    let kind = doorways.kind(at: other.point, turn, after: one.point)
    let isSame = { (kind: Maneuver.Kind) in sides.contains(kind) && kind.isToRight == one.isToRight
    }
    guard turn.magnitude < 125, isSame(kind), other.kind == .straight || isSame(other.kind) else {
      return nil
    }
    return kind
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
