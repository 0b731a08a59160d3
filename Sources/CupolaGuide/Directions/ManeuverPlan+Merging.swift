internal import CupolaCampus

// 1. Merge turns that follow each other immediately, unless users could take another way then.
// 2. Remove steps that are not needed, and find out where the others lead.

extension ManeuverPlan {
  private static let togetherIndoors = 3.0
  /// Users see where a jog up to this number of meters leads.
  static let jog = 6.0
  /// The same if another way goes straight on.
  private static let shortestJog = 3.0
  /// Users do not see two turns up to this number of meters apart at the edge of a street.
  static let curb = 2.0
  /// Users do not see a turn up to this number of meters from a door as a separate one.
  static let atDoor = 1.0
  /// A turn is part of the crossing of an unmarked street that is at most this number of meters behind it.
  private static let verge = 5.0

  mutating func merge() {
    var merged: [Step] = []
    for (number, step) in steps.enumerated() {
      if let last = merged.last, Self.isTurn(last.kind), Self.isTurn(step.kind),
        isTogether(last, step)
      {
        merged.removeLast()
        merged += together(last, step, behind: merged.last)
      } else {
        append(step, before: steps.dropFirst(number + 1).first, to: &merged)
      }
    }
    steps = merged.indices.filter { isNeeded($0, of: merged) }.map { merged[$0] }
    // A jog is announced where it ends.
    for number in steps.indices
    where steps[number].kind == .straight && steps[number].cause == .choice {
      steps[number].point = steps[number].end
    }
    for number in steps.indices.dropFirst() { complete(number) }
    joinForks()
    joinDoors()
  }

  /// Removes turns at the door of a building, which the step through the door includes.
  private mutating func joinDoors() {
    func isDoor(_ number: Int) -> Bool {
      steps.indices.contains(number)
        && [.enterBuilding, .leaveBuilding].contains(steps[number].kind)
    }
    let turns = steps.indices.filter { number in
      Self.isTurn(steps[number].kind)
        && [number - 1, number + 1].contains { door in
          guard isDoor(door) else { return false }
          let points = [steps[number].point, steps[door].point].sorted()
          return meters(points[0], points[1]) < Self.atDoor
        }
    }
    for number in turns.reversed() { steps.remove(at: number) }
  }

  /// Joins turns with forks of the same path that users reach right behind them.
  private mutating func joinForks() {
    for number in steps.indices.dropFirst(2).reversed() {
      let (turn, fork) = (steps[number - 1], steps[number])
      guard !search.hasTurns, fork.isFork, fork.isSlight, fork.earlier == nil,
        Self.isTurn(turn.kind), turn.kind != .straight, !turn.isFork, !turn.isBend,
        turn.bend == nil, turn.onto <= fork.onto,
        segments[turn.onto...fork.onto].allSatisfy({ $0.kind == .path && $0.name == nil }),
        meters(turn.end, fork.point) < Bearing.reach
      else { continue }
      steps[number - 1].branch = fork.isToRight ? .right : .left
      steps.remove(at: number)
    }
  }

  private func append(_ this: Step, before next: Step?, to merged: inout [Step]) {
    var step = this
    if let last = merged.last, crossesCorridor(last, step) { merged.removeLast() }
    var crossing = merged.last.flatMap { setBack($0, step) }
    // Do not measure past the next turn, which users see as a turn of its own.
    let end = min(crossingEnd(from: step.point), next?.point ?? segments.count)
    if crossing == nil, let last = merged.last, isAtCrossing(last, step),
      case let turn = turn(from: last.point, to: step.point, until: end),
      !isBefore(last, step, turn)
    {
      merged.removeLast()
      (step.turn, step.lead) = (turn, last.point)
      crossing = merged.last.flatMap { setBack($0, step) }
    }
    if let crossing {
      merged.removeLast()
      step = crossing
    }
    if let last = merged.last, let kind = kindOfSameTurn(last, step) {
      merged.removeLast()
      step.kind = kind
    }
    if let last = merged.last, isFirstRoadway(last, step, before: next) { merged.removeLast() }
    if isBetweenCrossings(merged.suffix(2), step) {
      merged.removeLast()
      return
    }
    if let last = merged.last, isOneCrossing(last, step) {
      merged[merged.count - 1].name = last.name ?? step.name
      if junctions.isUnmarked(step.point), !last.isAside {
        merged[merged.count - 1].end = step.point
      }
    } else {
      merged.append(step)
    }
  }

  /// Returns the one or two steps for two turns that follow each other immediately.
  private func together(_ one: Step, _ other: Step, behind earlier: Step?) -> [Step] {
    let saysName = other.name != nil && !StreetName.share(one.name, other.name)
    if !one.isFork, other.isFork,
      meters(one.point, other.point) < (saysName ? Self.shortestJog : Self.curb)
    {
      return [turnAtFork(one, other)]
    }
    if let crossing = crossingAside(one, other) { return [crossing] }
    if one.bend != nil { return [one, other] }
    if one.isFork || other.isFork {
      // A turn to the same side implies the branch to take.
      let isImplied = one.isFork && !other.isFork && one.isToRight == other.isToRight
      return isImplied ? [other] : [one, other]
    }
    let begin = begin(behind: earlier, to: one.point) ?? end(of: earlier, before: one)
    let turn = turn(
      from: one.point, to: other.point, after: begin, until: crossingEnd(from: other.point))
    // Users who leave a street in the middle of a crossing, or enter it there, turn only once.
    let isOneTurn =
      segments[one.point..<other.point].allSatisfy { $0.kind == .crossing }
      && junctions.isHalfCrossing(one.point) && !isThereAndBack(one, other, turn)
    if !isOneTurn, let (first, second) = separated(one, other, turn, after: begin) {
      guard other.isBend, !one.isBend, first.kind != .straight else { return [first, second] }
      var turn = first
      turn.bend = second.turn > 0 ? .right : .left
      return [turn]
    }
    if let steps = turnAndFork(one, other, after: begin) { return steps }
    var sum = one
    (sum.kind, sum.turn) = (Self.kind(turn), turn)
    let side = sum.kind == .straight ? aside(one, other) : nil
    if isSwerve(one, other, turn) { sum.point = other.point }
    sum.cause = side.map { .aside($0) } ?? (one.isBend && other.isBend ? .bend : .choice)
    (sum.name, sum.end) = (other.name, other.end)
    return [sum]
  }

  /// Returns a turn and the fork that users reach right behind it, if the second turn is only a branch of that fork.
  private func turnAndFork(_ one: Step, _ other: Step, after begin: Int?) -> [Step]? {
    let gap = meters(one.end, other.point)
    guard gap >= Self.curb, gap < Bearing.reach, !segments[one.point].isIndoor,
      let isToRight = junctions.sideAtFork(other.point)
    else { return nil }
    var (first, fork) = (one, other)
    first.turn = turn(from: one.point, to: one.end, after: begin, until: other.point)
    first.kind = Self.kind(first.turn)
    (fork.kind, fork.cause) = (isToRight ? .slightRight : .slightLeft, .fork)
    return first.kind == .straight ? nil : [first, fork]
  }

  /// Returns the end of a turn that is announced a few meters before another one; `nil` if there is none.
  private func end(of earlier: Step?, before step: Step) -> Int? {
    guard let earlier, Self.isTurn(earlier.kind), earlier.kind != .straight, !earlier.isFork,
      !earlier.isBend, !segments[earlier.end].isIndoor,
      meters(earlier.end, step.point) >= Self.shortestJog
    else { return nil }
    return earlier.end
  }

  /// Returns two turns, each measured only up to the other one, if they are announced separately.
  private func separated(
    _ one: Step, _ other: Step, _ sum: Double, after begin: Int?
  ) -> (Step, Step)? {
    let isOntoSidewalk = isOntoSidewalk(one, other, sum)
    if isOntoSidewalk, segments[one.point - 1].kind == .path { return nil }
    let gap = meters(one.point, other.point)
    let isLegible =
      turnsBack(sum, one, other) && gap >= Bearing.reach
      || (isJog(sum, one, other) || isAmbiguous(one, other)) && gap >= jog(at: one.point)
      || isOntoPath(one) && meters(one.end, other.point) >= Self.jog
    guard !segments[one.point].isIndoor else { return isLegible ? (one, other) : nil }
    var (first, second) = (one, other)
    let between = meters(one.end, other.point)
    if one.kind != .uTurn {
      first.turn = turn(from: one.point, to: one.end, after: begin, until: other.point)
    }
    second.turn = turn(
      from: other.point, to: other.point, after: one.end, until: crossingEnd(from: other.point))
    let isZigzag =
      first.turn * second.turn < 0 && min(first.turn.magnitude, second.turn.magnitude) >= Self.bend
      && max(first.turn.magnitude, second.turn.magnitude) >= Self.sideTurn
    let smaller = min(first.turn.magnitude, second.turn.magnitude)
    let isApart =
      isZigzag && between >= (junctions.isAtEnd(one.point) ? Self.shortJog : Self.shortestJog)
      || !search.hasTurns && smaller >= Self.sideTurn && between >= Self.shortJog
      || smaller >= Self.bend && between >= Self.jog
      || smaller >= Self.straight && between >= Bearing.reach
      || first.turn * second.turn > 0 && between >= Self.shortestJog
        && (Self.straight..<Junctions.bend).contains(first.turn.magnitude)
        && second.turn.magnitude >= Self.bend && isAlike(one.point, other.point)
        && junctions.goesStraightOn(other.point)
    first.kind = Self.kind(first.turn)
    second.kind = Self.kind(second.turn)
    if isApart, !isOntoSidewalk { return (first, second) }
    // The end of a jog is not a part of the turn behind it.
    return isLegible ? (one, one.end > one.point ? second : other) : nil
  }

  /// Whether two ways have no name and the same noun.
  private func isAlike(_ one: Int, _ other: Int) -> Bool {
    let ways = [one, other].map { search.graph.ways[assembly.way(of: $0)] }
    return ways[0].noun == ways[1].noun && ways.allSatisfy { $0.name == nil }
  }

  /// Whether two turns only lead from a street to the sidewalk next to it, or back, so that users go straight on.
  private func isOntoSidewalk(_ one: Step, _ other: Step, _ sum: Double) -> Bool {
    let before = segments[one.point - 1].kind
    guard !search.hasTurns, Self.kind(sum) == .straight,
      before == .crossing || StreetName.share(name(from: one.point - 1), name(from: other.point))
    else { return false }
    let gap = meters(one.end, other.point)
    return switch (before, segments[other.point].kind) {
    case (.street, .path), (.path, .street), (.crossing, .street): gap < Junctions.width
    default: false
    }
  }

  /// Whether a step is announced. Two turns that cancel each other out are not, unless they lead to a way with another
  /// name, or to a path at the end of a street or shortly before another turn, which users could confuse with the second
  /// one of the two.
  private func isNeeded(_ number: Int, of steps: [Step]) -> Bool {
    let step = steps[number]
    if isAlongSidewalk(step) { return false }
    if step.kind != .straight || step.cause != .choice || doorways.isDoor(step.point) {
      return true
    }
    if step.name != nil, !StreetName.share(step.name, name(from: max(0, step.point - 1))) {
      let isSaid = number > 0 && StreetName.share(step.name, steps[number - 1].name)
      return !isSaid || steps[number - 1].kind == .crossing
    }
    if junctions.isJogOntoPath(step.point) { return true }
    guard isOntoPath(step), number + 1 < steps.count, Self.isTurn(steps[number + 1].kind),
      steps[number + 1].kind != .straight
    else { return false }
    return meters(step.end, steps[number + 1].point) < Junctions.near
  }

  /// Whether a crossing only continues the sidewalk of a street across a side street without a name.
  func isAlongSidewalk(_ step: Step) -> Bool {
    guard step.kind == .crossing, step.name == nil, step.cause == .choice, !search.hasTurns,
      step.turn.magnitude < Self.straight, step.point > 0, segments[step.point - 1].kind == .path,
      let behind = segments[step.point...].first(where: { $0.kind != .crossing })
    else { return false }
    return behind.kind == .path && StreetName.share(name(from: step.point - 1), behind.name)
  }

  /// Returns the one turn of a turn and a fork that users reach at the same time.
  private func turnAtFork(_ one: Step, _ fork: Step) -> Step {
    var step = one
    step.turn = turn(from: one.point, to: fork.point)
    step.kind = Self.kind(step.turn)
    (step.name, step.end) = (fork.name, fork.end)
    return step
  }

  /// Whether the first of two turns only leads aside where there is no choice, so that users turn at the second one.
  private func isSwerve(_ one: Step, _ other: Step, _ sum: Double) -> Bool {
    one.turn * other.turn < 0 && other.turn.magnitude >= Self.sideTurn && sum * other.turn > 0
      && !junctions.hasWayAhead(one.point)
  }

  /// Whether two turns lead to one side and then, by about a right angle, to the other one, but not straight on.
  private func isThereAndBack(_ one: Step, _ other: Step, _ sum: Double) -> Bool {
    let first = turn(from: one.point, to: one.point, until: other.point)
    let second = turn(from: other.point, to: other.point, after: one.point)
    return first * second < 0 && Self.kind(sum) != .straight
      && [one.point, other.point].allSatisfy { junctions.angle(at: $0) >= Self.sideTurn }
  }

  /// Returns the side to which users leave a roadway in the middle of a crossing to walk on next to it, or enter it.
  private func aside(_ one: Step, _ other: Step) -> Side? {
    let kinds = [segments[one.point - 1].kind, segments[other.point].kind]
    guard junctions.beforeStepAside(other.point) == one.point,
      kinds.contains(.street), kinds != [.street, .street],
      meters(one.point, other.point) >= Junctions.curb
    else { return nil }
    return turn(from: one.point, to: one.point, until: other.point) > 0 ? .right : .left
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
      if !isIndoor, let heading = headingBefore(steps[number]) {
        if junctions.isOutermost(steps[number], heading: heading) {
          steps[number].cause = .outermost
        }
        if let kind = junctions.kindAmongTurns(steps[number], heading: heading) {
          steps[number].kind = kind
        }
        if junctions.isInsideOfFork(steps[number], heading: heading) {
          steps[number].kind = steps[number].isToRight ? .slightLeft : .slightRight
          steps[number].cause = .fork
        }
        steps[number].isFirst = junctions.isFirst(steps[number], heading: heading)
      }
    }
    let isOnItsName =
      !search.hasTurns && Self.isTurn(earlier.kind)
      && StreetName.share(earlier.name, steps[number].name)
    steps[number].isStaying =
      !steps[number].isBend
      && (isOnItsName || junctions.isStaying(steps[number], after: earlier.point))
    steps[number].isNext = Self.isSteps(steps[number].kind) && steps[number].kind == earlier.kind
    let isSideways = Self.isTurn(steps[number].kind) && steps[number].kind != .straight
    if isSideways, !isIndoor, !steps[number].isBend, steps[number].kind != .uTurn {
      var ways = junctions.earlier(before: steps[number], after: earlier)
      ways?.meters = meters(earlier.point, steps[number].point)
      steps[number].earlier = ways
    }
  }

  /// Returns the direction before a turn, so that other ways at its point are measured from the same one.
  private func headingBefore(_ step: Step) -> Double? {
    let end = crossingEnd(from: step.end)
    let behind = junctions.bearing(step.end, step: 1, until: end, within: junctions.reach)
    return behind.map { $0 - step.turn }
  }

  /// Whether users turn to a crossing or to steps that begin only a step after the turn.
  private func isAtCrossing(_ one: Step, _ other: Step) -> Bool {
    let isOutdoors = !segments[one.point].isIndoor
    let isUnmarked = other.kind == .crossing && junctions.isUnmarked(other.point)
    let gap = isUnmarked ? Self.verge : Self.shortestJog
    return (other.kind == .crossing || Self.isSteps(other.kind) && isOutdoors)
      && Self.isTurn(one.kind) && !one.isFork && !other.isOverMedian
      && (meters(one.point, other.point) < gap
        || junctions.beforeStepAside(other.point) == one.point || leadsOnly(one, to: other))
  }

  /// Whether a turn leads to one side before a path bends back to the crossing, so that both together are no turn.
  private func isBefore(_ one: Step, _ crossing: Step, _ sum: Double) -> Bool {
    Self.kind(sum) == .straight && one.turn.magnitude >= Junctions.ahead
      && segments[one.point].kind == .path && meters(one.end, crossing.point) >= Self.verge
      && junctions.hasWayAhead(one.point)
  }

  /// Whether a short path behind a turn leads straight to a crossing and nowhere else.
  private func leadsOnly(_ one: Step, to other: Step) -> Bool {
    // The first half of an unmarked crossing can have the name of the sidewalk before it.
    let isHalf =
      junctions.isUnmarked(other.point) && meters(one.point, other.point) <= Junctions.width
      && !StreetName.share(name(from: one.point), name(from: other.end))
    return other.kind == .crossing && other.turn.magnitude < Self.straight
      && one.end < other.point && meters(0, one.point) >= Bearing.reach
      && meters(one.point, other.point) < Self.together
      && segments[one.point..<other.point].allSatisfy {
        $0.kind == .path && ($0.name == nil || isHalf) && !$0.isIndoor
      }
      && !(one.point + 1..<other.point).contains { junctions.isChoice($0) }
  }

  /// Whether two crossings lead across one street and the bicycle path next to it, which is not a street of the graph.
  private func isOneCrossing(_ one: Step, _ other: Step) -> Bool {
    guard one.kind == .crossing, other.kind == .crossing, other.turn.magnitude < Self.straight,
      !one.isOverMedian, !other.isOverMedian
    else { return false }
    // The roadways of one street.
    if StreetName.share(one.name, other.name), meters(one.end, other.point) <= Junctions.near {
      return true
    }
    guard meters(one.point, other.point) < Self.together else { return false }
    if junctions.isUnmarked(one.point), junctions.isUnmarked(other.point) {
      let isNext = meters(one.end, other.point) <= Self.verge
      return isNext && (one.name == nil || other.name == nil)
    }
    return other.name != nil && junctions.crossesNoStreet(from: one.point)
      || one.name != nil && junctions.crossesNoStreet(from: other.point)
  }

  /// Whether users cross a street in two parts, with a few meters along its roadway in between, which they do not see as
  /// a turn.
  private func isBetweenCrossings(_ last: ArraySlice<Step>, _ step: Step) -> Bool {
    guard last.count == 2, let one = last.first, let turn = last.last, one.kind == .crossing,
      step.kind == .crossing, Self.isTurn(turn.kind), !search.hasTurns,
      StreetName.share(one.name, step.name), turn.point < step.point
    else { return false }
    return meters(turn.point, step.point) < Bearing.reach
      && segments[turn.point..<step.point].allSatisfy { $0.kind == .street }
  }

  /// Whether users cross only one roadway of a street straight on, before they turn onto the other one.
  private func isFirstRoadway(_ one: Step, _ other: Step, before next: Step?) -> Bool {
    guard one.kind == .crossing, one.cause == .choice, one.turn.magnitude < Self.straight,
      junctions.isUnmarked(one.point), Self.isTurn(other.kind),
      StreetName.share(one.name, other.name), meters(one.end, other.point) <= Junctions.near,
      segments[other.point].kind == .street
    else { return false }
    // The turn can be part of the crossing of the other roadway.
    guard let next, Self.isTurn(next.kind), isTogether(other, next) else { return true }
    return crossingAside(other, next) == nil
  }

  /// Whether users would take another way if two turns were announced as one.
  private func isAmbiguous(_ one: Step, _ other: Step) -> Bool {
    guard !segments[one.point].isIndoor,
      let bearing = junctions.bearing(
        other.point, step: 1, until: crossingEnd(from: other.point), within: junctions.reach)
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

  private func jog(at point: Int) -> Double {
    junctions.hasWayAhead(point, like: assembly.way(of: point)) || junctions.isAtEnd(point)
      ? Self.shortJog : Self.jog
  }
}
