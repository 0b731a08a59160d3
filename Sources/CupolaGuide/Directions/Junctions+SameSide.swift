internal import CupolaCampus

// 1. Compare the ways that lead to the same side at the point of a turn.
// 2. Find a similar way that follows a turn within a few meters.
// 3. Find the side on which several bends lead back.

extension Junctions {
  /// Returns the kind of a turn at a point where another way turns to the same side by a clearly different angle: the
  /// nearer one of the two is "bear", and the other one "sharply", whichever the route takes; `nil` at other points.
  func kindAmongTurns(_ step: ManeuverPlan.Step, heading: Double) -> Maneuver.Kind? {
    let (turn, own) = (step.turn, assembly.way(of: step.end))
    guard !step.isFork, [.left, .right].contains(step.kind) else { return nil }
    let lines = branches(at: step.point, heading: heading).filter { Self.isLine($0.way.kind) }
    // Users bear to a side only if another way goes straight on.
    let hasWayAhead = lines.contains { $0.turn.magnitude < ManeuverPlan.straight }
    let least = hasWayAhead ? ManeuverPlan.straight : Self.bend
    let others = lines.filter {
      isComparable($0.way, to: own) && $0.turn * turn > 0
        && (least...Self.wide.upperBound).contains($0.turn.magnitude)
    }
    let isSharper = others.contains { turn.magnitude - $0.turn.magnitude > Self.apart }
    let isNearer = others.contains { $0.turn.magnitude - turn.magnitude > Self.apart }
    if isSharper, !isNearer, turn.magnitude >= Self.rightAngle {
      return turn > 0 ? .sharpRight : .sharpLeft
    }
    if isNearer, !isSharper, turn.magnitude <= Self.slight {
      return turn > 0 ? .slightRight : .slightLeft
    }
    return nil
  }

  /// Whether the way that a route leaves at a point leads on there, so that users would follow it.
  func goesStraightOn(_ point: Int) -> Bool {
    guard !search.hasTurns,
      let heading = Bearing.of(assembly.points[point - 1], assembly.points[point])
    else { return false }
    return branches(at: point, heading: heading).contains {
      Self.isLine($0.way.kind) && $0.turn.magnitude < ManeuverPlan.straight
        && isComparable($0.way, to: assembly.way(of: point - 1))
    }
  }

  /// Whether another way at the start leads in the direction that the route takes behind a point.
  func hasWayAtStart(toward point: Int) -> Bool {
    guard let heading = bearing(point, step: 1, within: reach) else { return false }
    return branchesAtStart(heading: heading).contains {
      Self.isLine($0.way.kind) && $0.turn.magnitude < Self.similar
    }
  }

  /// Whether a turn takes the branch of a fork that bends less, if both bend to the same side.
  func isInsideOfFork(_ step: ManeuverPlan.Step, heading: Double) -> Bool {
    guard !search.hasTurns, step.isSlight, step.cause == .choice, step.end == step.point else {
      return false
    }
    let own = assembly.way(of: step.end)
    let others = branches(at: step.point, heading: heading).filter {
      Self.isLine($0.way.kind) && isComparable($0.way, to: own)
        && $0.turn.magnitude < Self.rightAngle
    }
    return !others.isEmpty
      && others.allSatisfy {
        $0.turn * step.turn > 0
          && (Self.apart..<Self.similar).contains($0.turn.magnitude - step.turn.magnitude)
      }
  }

  /// Whether a turn leads to the outermost of several ways without names to one side, which are too close together to be
  /// told apart by their angles.
  func isOutermost(_ step: ManeuverPlan.Step, heading: Double) -> Bool {
    let own = assembly.way(of: step.end)
    guard step.name == nil, step.cause == .choice, step.end == step.point,
      (ManeuverPlan.straight..<Self.sideways).contains(step.turn.magnitude)
    else { return false }
    let side = branches(at: step.point, heading: heading).filter {
      $0.turn * step.turn > 0 && $0.turn.magnitude < Self.sideways && !$0.isStub
    }
    let rivals = side.filter {
      Self.isLine($0.way.kind) && isComparable($0.way, to: own)
        && $0.turn.magnitude >= ManeuverPlan.straight
        && ($0.turn - step.turn).magnitude <= Self.apart
    }
    return !rivals.isEmpty
      && side.allSatisfy { $0.turn.magnitude <= step.turn.magnitude - Self.distinct }
  }

  /// Whether another way that users could take for a turn follows it within a few meters, if they went straight on.
  func isFirst(_ step: ManeuverPlan.Step, heading: Double) -> Bool {
    let (graph, own) = (search.graph, search.graph.ways[assembly.way(of: step.onto)])
    guard step.name == nil, step.cause == .choice, step.end == step.point, Self.isLine(own.kind),
      !own.isParkingAisle, ![.straight, .uTurn].contains(step.kind)
    else { return false }
    func ahead(_ arcs: [Int], _ heading: Double) -> Int? {
      let turns = arcs.compactMap { arc in branches([arc], heading: heading).first.map { (arc, $0) }
      }
      return turns.filter { $0.1.turn.magnitude < Self.ahead && Self.isLine($0.1.way.kind) }
        .min { $0.1.turn.magnitude < $1.1.turn.magnitude }?.0
    }
    var (next, heading, meters) = (ahead(others(at: step.point), heading), heading, 0.0)
    while let arc = next {
      meters += max(graph.lengths[arc >> 1], 0.1)
      guard meters <= Self.close else { return false }
      let (from, to) = (graph.vertices[graph.tail(arc)], graph.vertices[graph.head(arc)])
      heading = Bearing.of(RoutePoint(from.point), RoutePoint(to.point)) ?? heading
      let arcs = search.visible.onward(arc, in: graph)
      next = ahead(arcs, heading)
      let isAlike = branches(arcs.filter { $0 != next }, heading: heading).contains {
        $0.way.noun == own.noun && $0.way.name == nil && ($0.turn > 0) == step.isToRight
          && Self.wide.contains($0.turn.magnitude)
          && ($0.turn.magnitude - step.turn.magnitude).magnitude < Self.similar
      }
      if isAlike { return true }
    }
    return false
  }

  /// Returns a turn on the side of its bends, which lead back even if their sum exceeds a half turn.
  func sided(
    _ turn: Double, from first: Int, to last: Int, between limit: Int?, and end: Int?,
    within reach: Double
  ) -> Double {
    func leadsBack(_ turn: Double) -> Bool {
      [.sharpLeft, .sharpRight, .uTurn].contains(ManeuverPlan.kind(turn))
    }
    guard leadsBack(turn) else { return turn }
    let bends = self.bends(from: first, to: last, between: limit, and: end, within: reach)
    let sum = bends.reduce(0, +)
    let isOnSide = sum * turn > 0 && turn.magnitude <= ManeuverPlan.sharpest
    // Users see no side at a point where they turn back.
    let isAround = bends.contains { $0.magnitude >= ManeuverPlan.sharpest }
    guard leadsBack(sum), !isOnSide, !isAround else { return turn }
    return sum > 0 ? ManeuverPlan.sharpest : 0 - ManeuverPlan.sharpest
  }

  /// Returns the turns at the points from the last meters before one point to the first meters after another one, and
  /// between two limits.
  private func bends(
    from first: Int, to last: Int, between limit: Int?, and end: Int?, within reach: Double
  ) -> [Double] {
    let segments = assembly.segments
    var (one, other, before, behind) = (first, last, 0.0, 0.0)
    while one > (limit ?? 0) + 1, before + segments[one - 1].meters < reach {
      one -= 1
      before += segments[one].meters
    }
    while other + 1 < min(end ?? segments.count, segments.count),
      behind + segments[other].meters < reach
    {
      behind += segments[other].meters
      other += 1
    }
    return (one...other).map { bend(at: $0) }
  }
}
