internal import CupolaCampus

// 1. Find the link from one roadway of an avenue across its median to the other one.
// 2. Decide whether the route goes on there in the same direction, or turns back.
// 3. Find crossings that users reach by some meters along the street that they cross.

extension ManeuverPlan {
  /// Roadways whose directions differ by at most this number of degrees are parallel.
  private static let parallel = 30.0

  /// Adds the crossing of an avenue to its other roadway by a link that begins at a point, and returns the next point
  /// after the link. Walkers see one avenue to cross, and not two turns.
  mutating func addMedian(at point: Int) -> Int? {
    guard !search.hasTurns, let end = medianEnd(from: point) else { return nil }
    let turn = turn(from: point, to: end)
    let isBack = turn.magnitude > 90
    guard (isBack ? 180 - turn.magnitude : turn.magnitude) <= Self.parallel else { return nil }
    var step = Step(
      kind: .crossing, point: point, name: name(from: point - 1), cause: .median(isBack: isBack))
    (step.end, step.onto) = (end, end)
    steps.append(step)
    return end + 1
  }

  /// Returns the end of a link that leads from the middle of one roadway to the middle of another one with its name.
  private func medianEnd(from point: Int) -> Int? {
    let name = name(from: point - 1)
    guard isRoadway(point - 1), name != nil, junctions.isSideways(point),
      junctions.goesOn(name, ahead: point)
    else { return nil }
    var (end, meters) = (point, 0.0)
    while end < segments.count, segments[end].kind == .street,
      end == point || !StreetName.share(self.name(from: end), name)
    {
      meters += segments[end].meters
      end += 1
    }
    guard meters <= Junctions.near, end < segments.count, isRoadway(end),
      junctions.goesOn(name, behind: end)
    else { return nil }
    return end
  }

  /// Whether cars use a segment in one direction only, as on the roadways of an avenue.
  private func isRoadway(_ segment: Int) -> Bool {
    let access = search.graph.edges[assembly.arcs[segment] >> 1].access
    return segments[segment].kind == .street && access.intersection(.drive) != .drive
  }

  /// Returns the one crossing of a street for two turns that lead along it for some meters: to a path or street that
  /// begins on the other side to the left or right, or to a marked crossing that begins aside; `nil` if there is none.
  func crossingAside(_ one: Step, _ other: Step) -> Step? {
    let street = search.graph.ways[assembly.way(of: one.point)]
    let first = turn(from: one.point, to: one.point, until: other.point)
    let second = turn(from: other.point, to: other.point, after: one.point)
    guard !search.hasTurns,
      [one, other].allSatisfy({ !$0.isFork && !$0.isBend && $0.bend == nil && $0.end == $0.point }),
      segments[one.point..<other.point].allSatisfy({ $0.kind == .street }), !street.isLocal,
      first * second < 0, min(first.magnitude, second.magnitude) >= Junctions.ahead,
      (first + second).magnitude < Junctions.ahead,
      junctions.isOnStreet(one.point), junctions.isOnStreet(other.point)
    else { return nil }
    var step = Step(kind: .crossing, point: one.point, name: street.name)
    (step.end, step.onto) = (other.point, other.point)
    let (side, gap) = (first > 0 ? Side.right : .left, meters(one.point, other.point))
    let (before, onto) = (name(from: one.point - 1), name(from: other.point))
    if segments[other.point].kind == .crossing {
      guard (Self.curb...Junctions.width).contains(gap), !StreetName.share(street.name, before)
      else { return nil }
      step.cause = .setBack(side)
      (step.point, step.lead) = (other.point, one.point)
      return step
    }
    let kinds = [segments[one.point - 1].kind, segments[other.point].kind]
    let isFromStreetToOther =
      kinds.allSatisfy(Junctions.isLine) && gap <= Junctions.width
      && onto != street.name
      && !StreetName.share(before, street.name) && !StreetName.share(before, onto)
    guard kinds == [.path, .path] || isFromStreetToOther else { return nil }
    step.cause = .aside(side)
    return step
  }

  /// Returns the crossing of a street that a sidewalk reaches by a few meters along it to one side; `nil` for others.
  func setBack(_ one: Step, _ other: Step) -> Step? {
    if case .aside(let side) = one.cause, one.end < other.start {
      return setBack(one, other, to: side)
    }
    guard other.kind == .crossing, Self.isTurn(one.kind), !one.isFork, one.end < other.start,
      meters(0, one.point) >= Bearing.reach,
      (Self.curb...Junctions.width).contains(meters(one.point, other.start)),
      segments[one.point - 1].kind == .path || !junctions.isUnmarked(other.point),
      segments[one.point..<other.point].allSatisfy({ $0.kind == .path && !$0.isIndoor })
    else { return nil }
    let first = turn(from: one.point, to: one.end, until: other.start)
    let second = turn(
      from: other.start, to: junctions.bendBeforeStreet(from: other.point), after: one.end,
      until: crossingEnd(from: other.point))
    guard first * second < 0, min(first.magnitude, second.magnitude) >= Junctions.ahead,
      (first + second).magnitude < Junctions.ahead
    else { return nil }
    return setBack(one, other, to: first > 0 ? .right : .left)
  }

  private func setBack(_ one: Step, _ other: Step, to side: Side) -> Step? {
    guard other.kind == .crossing, meters(one.point, other.start) <= Junctions.width,
      turn(
        from: one.point, to: junctions.bendBeforeStreet(from: other.point),
        until: crossingEnd(from: other.point)
      ).magnitude < Junctions.ahead
    else { return nil }
    var step = other
    (step.cause, step.turn, step.lead) = (.setBack(side), 0, one.point)
    return step
  }
}
