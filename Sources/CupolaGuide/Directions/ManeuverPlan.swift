internal import CupolaCampus

// 1. Visit each point and add stairs, doors, crossings, corners of corridors, and the turns where there is a choice.
// 2. Measure turns over several meters around a point.

struct ManeuverPlan {
  enum Side: String { case left, right }

  /// Why a turn is announced.
  enum Cause: Equatable {
    /// Users could take another way.
    case choice
    /// The way splits, and the route follows one of two branches that lead ahead.
    case fork
    /// The way bends sharply, where users have no choice.
    case bend
    /// The route goes straight on, but a jog leads to one side of the street, or to a path on its other side.
    case aside(Side)
    /// Several ways lead to one side, and the route takes the outermost one.
    case outermost
    /// A crossing begins a few meters to one side, behind two turns around the corner of a street.
    case setBack(Side)
    /// A link leads across the median of an avenue to its other roadway, where the route goes on or turns back.
    case median(isBack: Bool)
  }

  struct Step: Equatable {
    var kind: Maneuver.Kind
    var point: Int
    var name: String?
    /// The turn in degrees; positive to the right.
    var turn = 0.0
    var level: Double?
    /// The number of the exit that drivers take from a roundabout; `nil` for walkers, for driveways, and if the route
    /// ends in the roundabout.
    var exit: Int?
    var cause = Cause.choice
    /// The side to which the way bends right behind a turn.
    var bend: Side?
    /// The branch to take at a fork right behind a turn.
    var branch: Side?
    /// Whether the turn leads to the street that the route was on.
    var isStaying = false
    /// Whether the step before leads up or down in the same way.
    var isNext = false
    /// Whether another way that users could take for the turn follows it closely.
    var isFirst = false
    /// The point of the turn to a crossing that begins a few meters behind it.
    var lead: Int?
    /// The last point of turns that are announced as one.
    var end: Int
    /// The segment that a turn leads to, which may begin after a short hook.
    var onto: Int
    /// The ways that users pass before, and could take for the turn.
    var earlier: Junctions.Earlier?

    init(
      kind: Maneuver.Kind, point: Int, name: String? = nil, turn: Double = 0,
      level: Double? = nil, exit: Int? = nil, cause: Cause = .choice
    ) {
      (self.kind, self.point, self.name, self.turn) = (kind, point, name, turn)
      (self.level, self.exit, self.cause) = (level, exit, cause)
      (end, onto) = (point, point)
    }

    /// The point where the step is announced.
    var start: Int { lead ?? point }

    /// Whether the step leads to the right; meaningful only for turns.
    var isToRight: Bool { kind.isToRight }

    var isFork: Bool { cause == .fork }
    var isBend: Bool { cause == .bend }
    var isSlight: Bool { kind == .slightLeft || kind == .slightRight }
    var isAside: Bool { if case .aside = cause { true } else { false } }
    var isOverMedian: Bool { if case .median = cause { true } else { false } }
  }

  let assembly: RouteAssembly
  let search: SearchGraph
  let junctions: Junctions
  let doorways: Doorways
  var steps: [Step] = []

  static let together = 15.0
  /// The length in meters over which several small bends of a sidewalk are one corner.
  private static let corner = 25.0
  /// The same if a way of the same kind goes straight on, or none does.
  static let shortJog = 4.5
  static let straight = 25.0
  /// Nothing but the direction leads users across a square, so that it is measured over more meters.
  private static let acrossSquare = 20.0
  /// At larger angles, a turn has no side.
  static let sharpest = 174.0
  /// A turn at a larger angle leads to the side, so that users see it even if another turn follows immediately.
  static let sideTurn = 60.0
  /// Users follow a corridor around smaller bends without an instruction.
  static let bend = 40.0

  init(_ assembly: RouteAssembly, _ search: SearchGraph, _ walls: Walls) {
    (self.assembly, self.search) = (assembly, search)
    junctions = Junctions(assembly, search)
    doorways = Doorways(assembly: assembly, search: search, walls: walls)
    let points = assembly.points
    steps = [Step(kind: .depart, point: 0, name: name(from: 0))]
    var next = 1
    while next < points.count - 1 {
      if let behind = addRoundabout(at: next) ?? addMedian(at: next) {
        next = behind
      } else {
        add(at: next)
        next += 1
      }
    }
    merge()
    steps.append(Step(kind: .arrive, point: points.count - 1))
    leaveOutEnds()
    leaveLot()
    addFirst()
  }

  var segments: [Route.Segment] { assembly.segments }

  func name(from point: Int) -> String? {
    segments.indices.contains(point) ? segments[point].name : nil
  }

  private mutating func add(at point: Int) {
    let (before, behind) = (segments[point - 1], segments[point])
    if Self.isVertical(behind.kind) {
      if !isGoingOn(at: point) || junctions.dividesSteps(point) {
        steps.append(vertical(at: point))
      }
      return
    }
    if behind.isIndoor != before.isIndoor {
      steps.append(
        Step(
          kind: behind.isIndoor ? .enterBuilding : .leaveBuilding, point: point,
          name: behind.name, turn: turn(at: point), level: assembly.points[point].level))
      return
    }
    if let crossing = crossing(at: point) {
      steps.append(crossing)
      return
    }
    let turn = turn(at: point)
    let isDoor = doorways.isDoor(point)
    if isDoor || isCorner(point) && turn.magnitude >= Self.bend {
      let kind = isDoor ? doorways.kind(at: point, turn) : Self.kind(turn)
      steps.append(Step(kind: kind, point: point, name: behind.name, turn: turn))
      return
    }
    if isInsideCrossing(point) { return }
    if !search.hasTurns, let street = junctions.streetPassed(at: point) {
      let name = street.name ?? (street.isMain ? "the main road" : nil)
      var step = Step(kind: .crossing, point: point, name: name)
      if junctions.isSideways(point) { step.turn = turn }
      steps.append(step)
      return
    }
    guard isAcrossArea(point) else { return addTurn(at: point, turn) }
    if behind.kind == .area, turn.magnitude >= Junctions.bend, isFarInside(point) {
      steps.append(Step(kind: Self.kind(turn), point: point, name: behind.name, turn: turn))
    }
  }

  /// Returns the step of a marked crossing that begins at a point.
  private func crossing(at point: Int) -> Step? {
    let isFirst =
      segments[point - 1].kind != .crossing || junctions.isCornerOfCrossings(point)
    guard segments[point].kind == .crossing, isFirst, !junctions.isHalfCrossing(point),
      !junctions.isCurb(point)
    else { return nil }
    var step = Step(
      kind: .crossing, point: point,
      name: junctions.streetsCrossed(from: point) ?? junctions.drivewayCrossed(from: point),
      turn: turnToCross(at: point))
    if step.turn.magnitude >= Junctions.bend, let curve = junctions.curveBegin(before: point),
      steps.last?.end ?? 0 < curve
    {
      step.turn = 0
      if meters(curve, point) >= Junctions.curb {
        step.cause = .setBack(junctions.bend(at: point) > 0 ? .left : .right)
        step.lead = curve
      }
    }
    return step
  }

  /// Whether a point belongs to a crossing that is already announced, or to its piece at a curb.
  private func isInsideCrossing(_ point: Int) -> Bool {
    if let last = steps.last, last.kind == .crossing,
      junctions.bendBeforeStreet(from: last.point) == point
    {
      return true
    }
    let isCurb = segments[point].kind == .crossing && junctions.isCurb(point)
    return isCurb || junctions.isOnRoadway(point)
  }

  private mutating func addTurn(at point: Int, _ turn: Double) {
    let (before, behind) = (segments[point - 1], segments[point])
    // Drivers turn around at the end of a way.
    if search.hasTurns, assembly.arcs[point - 1] ^ 1 == assembly.arcs[point] {
      steps.append(Step(kind: .uTurn, point: point, name: behind.name, turn: 180))
      return
    }
    let isNamedAnew =
      behind.name != nil && !StreetName.share(behind.name, before.name) && !isShort(point)
      && !(steps.last.map {
        isAlongSidewalk($0) || $0.kind != .crossing && StreetName.share(behind.name, $0.name)
      } ?? false)
    if turn.magnitude < Self.straight, let kind = junctions.kindAtFork(point, turn) {
      steps.append(Step(kind: kind, point: point, name: behind.name, turn: turn, cause: .fork))
      return
    }
    let isTurn =
      turn.magnitude >= Self.straight
      && (junctions.isChoice(point) || junctions.isChoice(junctions.beforeCurb(point))
        || isEndOfLot(point)
        || turn.magnitude >= Self.bend && junctions.hasClosedWayAhead(point, turn))
      && !junctions.isBend(point, turn) && !junctions.isTurnLater(point)
      && !junctions.goesOnInCrossing(point, turn)
    // The other floors of an elevator are not ways that users could walk.
    let isForced = before.kind == .elevator && junctions.branches(at: point).isEmpty
    guard isTurn && !isForced || isNamedAnew else { return addBend(at: point, turn) }
    let kind = isForced ? .straight : Self.kind(turn)
    var step = Step(kind: kind, point: point, name: behind.name, turn: turn)
    // Users who leave an elevator do not notice small angles.
    if before.kind == .elevator, step.isSlight { step.kind = step.isToRight ? .right : .left }
    steps.append(step)
  }

  /// Whether a parking aisle ends at a point, and a path begins there.
  private func isEndOfLot(_ point: Int) -> Bool {
    !search.hasTurns && search.graph.ways[assembly.way(of: point - 1)].isParkingAisle
      && segments[point].kind == .path && !isShort(point)
  }

  /// Adds a sharp bend, after which users walk in another direction than the last instruction said. Where the name that
  /// users know ends, they follow several small bends around one corner.
  private mutating func addBend(at point: Int, _ near: Double) {
    let (before, behind) = (segments[point - 1], segments[point])
    let isLeaving = before.name != nil && !StreetName.share(before.name, behind.name)
    let corner = isLeaving ? turn(from: point, to: point, within: Self.corner) : near
    let turn = corner.magnitude > near.magnitude ? corner : near
    guard !search.hasTurns, turn.magnitude >= Self.sideTurn, junctions.bends(point),
      [.street, .path, .crossing].contains(before.kind), !before.isIndoor,
      [.street, .path].contains(behind.kind), !behind.isIndoor, !junctions.isTurnLater(point)
    else { return }
    // A curve is one bend.
    if let last = steps.last, last.cause == .bend, meters(last.point, point) < Self.together,
      last.turn * turn > 0
    {
      return
    }
    var step = Step(
      kind: Self.kind(turn), point: point, name: name(from: point), turn: turn)
    step.cause = .bend
    steps.append(step)
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
    while end + 1 < segments.count, isGoingOn(at: end + 1), !junctions.dividesSteps(end + 1) {
      end += 1
    }
    let kind: Maneuver.Kind =
      switch (segments[point].kind, isUp(point)) {
      // Elevators always have floors.
      case (.elevator, let up): up ?? true ? .elevatorUp : .elevatorDown
      case (.escalator, let up?): up ? .escalatorUp : .escalatorDown
      case (.escalator, nil): .escalator
      case (_, let up?): up ? .stepsUp : .stepsDown
      case (_, nil): .steps
      }
    let said = steps.last.flatMap {
      (Self.isTurn($0.kind) || junctions.dividesSteps(point)) && $0.point < point ? $0.point : nil
    }
    return Step(
      kind: kind, point: point, name: segments[point].name,
      turn: turn(from: point, to: point, after: said, until: end + 1),
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
    func turn(within reach: Double) -> Double {
      self.turn(
        from: junctions.beforeCurb(point), to: point,
        after: begin(behind: steps.last, to: point),
        until: min(crossingEnd(from: point), junctions.jogEnd(behind: point)), within: reach)
    }
    let far = turn(within: junctions.reach)
    guard search.hasTurns, StreetName.share(name(from: point - 1), name(from: point)) else {
      return far
    }
    // Drivers follow a curve of their street without turning.
    let near = turn(within: Bearing.reach)
    return near.magnitude < far.magnitude ? near : far
  }

  /// Returns the end of a crossing or steps that start shortly after a point, or their start if the route turns there.
  /// Turns at the point are measured only up to this end.
  func crossingEnd(from point: Int) -> Int {
    func isStep(_ kind: WayKind) -> Bool { kind == .crossing || Self.isVertical(kind) }
    var (end, meters) = (point, 0.0)
    while end < segments.count, !isStep(segments[end].kind), meters < Self.together {
      meters += segments[end].meters
      end += 1
    }
    if end > point, end < segments.count, junctions.isSideways(end) { return end }
    while end < segments.count, isStep(segments[end].kind) { end += 1 }
    return end
  }

  /// Returns the point from which to measure a turn after a crossing, steps or a bend, so that earlier turns are not
  /// announced twice.
  func begin(behind step: Step?, to point: Int) -> Int? {
    let bend = junctions.jogBegin(before: point)
    guard let step, step.kind == .crossing || isClimb(step, to: point) else { return bend }
    return max(step.kind == .crossing ? step.end : step.point, bend ?? 0)
  }

  /// Whether steps lead to a point in a horizontal direction; `false` for vertical shafts.
  private func isClimb(_ step: Step, to point: Int) -> Bool {
    Self.isSteps(step.kind)
      && Bearing.meters(assembly.points[step.point], assembly.points[point]) >= 1
  }

  static func isSteps(_ kind: Maneuver.Kind) -> Bool {
    switch kind {
    case .steps, .stepsUp, .stepsDown, .escalator, .escalatorUp, .escalatorDown: true
    default: false
    }
  }

  private func turnToCross(at point: Int) -> Double {
    let said = steps.last.flatMap {
      $0.kind == .crossing || Self.isTurn($0.kind) ? $0.point : nil
    }
    let turn = turn(
      from: junctions.beforeStepAside(point), to: junctions.bendBeforeStreet(from: point),
      after: said,
      until: crossingEnd(from: point))
    return turn.magnitude < Junctions.bend ? junctions.turnOffBend(point) ?? turn : turn
  }

  /// Returns the angle between arriving at `first`, measured from `begin`, and leaving `last`, measured to `end`.
  func turn(
    from first: Int, to last: Int, after begin: Int? = nil, until end: Int? = nil,
    within outdoors: Double? = nil
  ) -> Double {
    let isIndoor = first > 0 && segments[first - 1].isIndoor && segments[last].isIndoor
    let reach = isIndoor ? Bearing.reachIndoors : outdoors ?? junctions.reach
    let square = segments[last...].prefix { $0.kind == .area && !$0.isIndoor }
    let across = min(Self.acrossSquare, square.reduce(0) { $0 + $1.meters })
    guard
      let before = junctions.bearing(first, step: -1, until: begin, within: reach),
      let behind = junctions.bearing(last, step: 1, until: end, within: max(reach, across))
    else { return 0 }
    let turn = Degrees.turn(from: before, to: behind)
    guard first > 0, across <= reach else { return turn }
    return junctions.sided(turn, from: first, to: last, between: begin, and: end, within: reach)
  }

  /// Whether a point is inside a room or an open area outdoors. Small turns there are not announced, because users can
  /// see the way across.
  private func isAcrossArea(_ point: Int) -> Bool {
    (segments[point].kind == .room || isOpenArea(point))
      && assembly.way(of: point - 1) == assembly.way(of: point)
  }

  /// Whether the way after a point leads across a square, or across a platform below ground. Only corridors and halls
  /// have floors.
  private func isOpenArea(_ point: Int) -> Bool {
    segments[point].kind == .area && assembly.points[point].level == nil
  }

  /// Whether a route crosses the same open area for some meters before and after a point.
  private func isFarInside(_ point: Int) -> Bool {
    func meters(_ part: some Sequence<Route.Segment>) -> Double {
      part.prefix { $0.kind == .area && !$0.isIndoor }.reduce(0) { $0 + $1.meters }
    }
    let least = min(meters(segments[..<point].reversed()), meters(segments[point...]))
    return least >= Bearing.reach
  }

  /// Whether a route turns around a corner of a corridor, which hides the way ahead.
  func isCorner(_ point: Int) -> Bool {
    point > 0 && segments[point].kind == .area && !isOpenArea(point)
      && assembly.way(of: point - 1) == assembly.way(of: point)
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

  static func isTurn(_ kind: Maneuver.Kind) -> Bool {
    switch kind {
    case .straight, .slightLeft, .slightRight, .left, .right, .sharpLeft, .sharpRight, .uTurn: true
    default: false
    }
  }

  func meters(_ from: Int, _ to: Int) -> Double {
    segments[from..<to].reduce(0) { $0 + $1.meters }
  }
}
