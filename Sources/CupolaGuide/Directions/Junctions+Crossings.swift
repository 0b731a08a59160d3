internal import CupolaCampus

// 1. Find the ends of a crossing, and the streets under it.
// 2. Decide whether a route crosses a street, or only enters or leaves it in the middle of a crossing.

extension Junctions {
  /// Whether a route enters or leaves a street in the middle of a crossing, and therefore does not cross it.
  func isHalfCrossing(_ point: Int) -> Bool {
    let segments = assembly.segments
    let end = crossingEnd(point)
    var begin = point
    while begin > 0, segments[begin - 1].kind == .crossing, crossingEnd(begin - 1) == end {
      begin -= 1
    }
    let isAlong =
      isAlongStreet(at: begin, segments[..<begin].reversed())
      || isAlongStreet(at: end, Array(segments[end...]))
    return isAlong && streetBetween(begin) == nil && streetBetween(end) == nil
      && !(begin + 1..<max(begin + 1, end)).contains { !streets(at: $0).isEmpty }
  }

  /// Returns the street that a path leads across without a marked crossing, or the main road that a street leads across;
  /// `nil` if there is none, or if it is only a driveway. On the other side, the path may lead into a side street, or into
  /// a link to the other roadway.
  func streetPassed(at point: Int) -> PathGraph.Way? {
    let parts = [assembly.segments[point - 1], assembly.segments[point]]
    guard parts.allSatisfy({ [.path, .area, .link, .street].contains($0.kind) && !$0.isIndoor }),
      let (street, other) = streetsBetween(point)
    else { return nil }
    // Walkers use a driveway or parking aisle like a path.
    let paths = [point - 1, point].count { segment in
      let way = search.graph.ways[assembly.way(of: segment)]
      return way.kind != .street || way.isLocal && way.name == nil
    }
    if paths == 2 { return street }
    let isOpposite = paths == 1 && StreetName.share(street.name, other.name)
    guard street.isMain || isOpposite, street.form != .tunnel,
      !isOn(street.name, near: point), angle(at: point) < ManeuverPlan.straight
    else { return nil }
    return street
  }

  /// Whether a route is on a street with the given name behind a point, or shortly before it.
  private func isOn(_ name: String?, near point: Int) -> Bool {
    var (segment, meters) = (point, 0.0)
    while segment >= 0, meters <= Self.near {
      if StreetName.share(assembly.segments[segment].name, name) { return true }
      if segment < point { meters += assembly.segments[segment].meters }
      segment -= 1
    }
    return false
  }

  private func streetBetween(_ point: Int) -> PathGraph.Way? { streetsBetween(point)?.left }

  /// Returns the streets that lead to both sides at a point where a route goes about straight on; `nil` if there are
  /// none, or only driveways.
  private func streetsBetween(_ point: Int) -> (left: PathGraph.Way, right: PathGraph.Way)? {
    let graph = search.graph
    guard (1..<assembly.segments.count).contains(point), assembly.vertices[point] >= 0,
      let before = Bearing.of(assembly.points[point - 1], assembly.points[point]),
      let behind = Bearing.of(assembly.points[point], assembly.points[point + 1])
    else { return nil }
    let turn = Degrees.turn(from: before, to: behind)
    guard turn.magnitude < Self.rightAngle else { return nil }
    let arms = search.streets[assembly.vertices[point]].map(Int.init).compactMap { arc in
      let end = RoutePoint(graph.vertices[graph.head(arc)].point)
      return Bearing.of(assembly.points[point], end).map { bearing in
        (graph.ways[graph.edges[arc >> 1].way], Degrees.turn(from: before, to: bearing))
      }
    }.filter { way, turn in !way.isLocal && turn.magnitude < Self.straightBack }
    guard let left = arms.first(where: { $0.1 < min(0, turn) - Self.noBend }),
      let right = arms.first(where: { $0.1 > max(0, turn) + Self.noBend })
    else { return nil }
    return (left.0, right.0)
  }

  /// Whether a street with the given name goes on ahead of a point where the route leaves it.
  func goesOn(_ name: String?, ahead point: Int) -> Bool {
    branches(at: point).contains {
      $0.turn.magnitude < Self.ahead && StreetName.share($0.way.name, name)
    }
  }

  /// Whether a street with the given name also leads back at a point where the route turns onto it.
  func goesOn(_ name: String?, behind point: Int) -> Bool {
    guard let own = bearing(point, step: 1, within: reach) else { return false }
    return branches(at: point, heading: own).contains {
      $0.turn.magnitude > 180 - Self.ahead && StreetName.share($0.way.name, name)
    }
  }

  /// Whether a street goes on in two directions at a point.
  func isOnStreet(_ point: Int) -> Bool { streets(at: point).count > 1 }

  /// Whether a point is in the middle of a street that a route crosses, where nobody turns.
  func isOnRoadway(_ point: Int) -> Bool {
    isBetweenCrossings(point) && streets(at: point).count > 1
  }

  /// Whether a route crosses a street without a marked crossing at a point.
  func isUnmarked(_ point: Int) -> Bool { assembly.segments[point].kind != .crossing }

  /// Whether the crossing at a point is only the piece at a curb, which leads across no street.
  func isCurb(_ point: Int) -> Bool {
    assembly.segments[point..<crossingEnd(point)].reduce(0) { $0 + $1.meters } < Self.curb
      && crossesNoStreet(from: point)
  }

  /// Returns the last sharp bend between the start of a crossing and the street, behind which users cross it.
  func bendBeforeStreet(from point: Int) -> Int {
    let inside = (point + 1..<max(point + 1, crossingEnd(point))).prefix { streets(at: $0).isEmpty }
    return inside.last { isSideways($0) } ?? point
  }

  /// Returns the turn to a crossing for users who have just followed a bend in the other direction, behind which another
  /// way leads straight on; `nil` at other points.
  func turnOffBend(_ point: Int) -> Double? {
    guard assembly.segments[point - 1].kind == .path,
      let heading = Bearing.near(point, of: assembly.points, step: -1, within: Self.curb),
      let bearing = Bearing.of(assembly.points[point], assembly.points[point + 1]),
      branches(at: point, heading: heading).contains(where: {
        Self.isLine($0.way.kind) && $0.turn.magnitude < Self.ahead
      })
    else { return nil }
    let turn = Degrees.turn(from: heading, to: bearing)
    return turn.magnitude > Self.bend ? turn : nil
  }

  /// Returns the start of the curve by which a sidewalk leads around a corner to a crossing that goes straight on; `nil`
  /// for other crossings.
  func curveBegin(before point: Int) -> Int? {
    let (own, segments) = (bend(at: point), assembly.segments)
    var (at, meters, sum) = (point, 0.0, 0.0)
    var curve: (begin: Int, turn: Double)?
    while at > 1, segments[at - 1].kind == .path, !segments[at - 1].isIndoor {
      at -= 1
      meters += segments[at].meters
      let bend = bend(at: at)
      guard meters <= Self.width, bend * own <= 0 || bend.magnitude < Self.noBend else { break }
      sum += bend
      if bend.magnitude >= Self.noBend { curve = (at, sum) }
      if isChoice(at) { break }
    }
    guard let curve, curve.turn * own < 0, min(curve.turn.magnitude, own.magnitude) >= Self.ahead,
      (curve.turn + own).magnitude < ManeuverPlan.straight
    else { return nil }
    return curve.begin
  }

  /// Returns the start of the piece of a crossing at a curb that ends at a point, or the point itself.
  func beforeCurb(_ point: Int) -> Int {
    let begin = beforeStepAside(point)
    return begin < point && isCurb(begin) ? begin : point
  }

  /// Returns the start of the few meters from a roadway to the crossing or path next to it that begins at a point, or
  /// of the piece of a crossing at a curb. Users do not see them as a turn and measure turns across them.
  func beforeStepAside(_ point: Int) -> Int {
    let segments = assembly.segments
    var (begin, meters) = (point, 0.0)
    while begin > 0, segments[begin - 1].kind == .crossing,
      begin == point || !isCornerOfCrossings(begin)
    {
      begin -= 1
      meters += segments[begin].meters
    }
    guard begin > 0, begin < point, crossingEnd(begin) == point, meters <= ManeuverPlan.together,
      isHalfCrossing(begin) || isCurb(begin)
    else { return point }
    return begin
  }

  /// Whether the segments before and after a point are crossings.
  private func isBetweenCrossings(_ point: Int) -> Bool {
    [point - 1, point].allSatisfy { assembly.segments[$0].kind == .crossing }
  }

  /// Whether a route goes on about straight inside a crossing, where no other way leads in a similar direction.
  func goesOnInCrossing(_ point: Int, _ turn: Double) -> Bool {
    isBetweenCrossings(point) && turn.magnitude < Self.bend
      && branches(at: point).allSatisfy { ($0.turn - turn).magnitude >= Self.similar }
  }

  /// Whether a route turns from one crossing to another one at a corner.
  func isCornerOfCrossings(_ point: Int) -> Bool {
    guard isBetweenCrossings(point), streets(at: point).count < 2 else { return false }
    return angle(at: point) > Self.bend && assembly.way(of: point - 1) != assembly.way(of: point)
      || isCornerOfIsland(point)
  }

  /// Whether a route turns at a point on an island between two streets, and crosses the second one in another direction.
  /// Two opposite bends, as on the islands of staggered crossings, are not a turn.
  private func isCornerOfIsland(_ point: Int) -> Bool {
    func isOnIsland(_ point: Int) -> Bool {
      (1..<assembly.segments.count).contains(point) && streets(at: point).isEmpty
        && isBetweenCrossings(point)
    }
    guard isOnIsland(point) else { return false }
    var (begin, end) = (point, point)
    while isOnIsland(begin - 1) { begin -= 1 }
    while isOnIsland(end + 1) { end += 1 }
    let (first, second) = (streets(at: begin - 1), streets(at: end + 1))
    guard !first.isEmpty, !second.isEmpty,
      let before = Bearing.of(assembly.points[begin - 1], assembly.points[begin]),
      let behind = Bearing.of(assembly.points[end], assembly.points[end + 1])
    else { return false }
    let turn = Degrees.turn(from: before, to: behind)
    let isSameStreet = first.contains { one in
      second.contains { one.name == $0.name || StreetName.share(one.name, $0.name) }
    }
    guard turn.magnitude > (isSameStreet ? Self.bend : ManeuverPlan.straight) else { return false }
    // The sharpest bend in the direction of the turn.
    return point == (begin...end).max { bend(at: $0) * turn < bend(at: $1) * turn }
  }

  /// Whether a route follows streets, the first of which begins at a point, for some meters.
  private func isAlongStreet(at point: Int, _ segments: [Route.Segment]) -> Bool {
    let names = streets(at: point).map(\.name)
    guard let first = segments.first, names.contains(first.name) else { return false }
    return segments.prefix { $0.kind == .street }.reduce(0) { $0 + $1.meters } >= Self.width
  }

  /// Returns the end of a crossing, which is at the latest where the route turns to another one.
  private func crossingEnd(_ point: Int) -> Int {
    var end = point
    while end < assembly.segments.count, assembly.segments[end].kind == .crossing,
      end == point || !isCornerOfCrossings(end)
    {
      end += 1
    }
    return end
  }

  /// Returns the names of the streets that a crossing leads across; `nil` if none has a name.
  func streetsCrossed(from point: Int) -> String? {
    var names: [String] = []
    let own = point > 0 && assembly.segments[point - 1].kind == .street
    let left = own ? assembly.segments[point - 1].name : nil
    let ways = crossings(from: point).compactMap(\.name)
    let others = ways.filter { !StreetName.share($0, left) }
    let named = others.isEmpty ? ways : others
    for name in named.isEmpty ? pedestrianStreets(from: point) : named
    where !names.contains(where: { StreetName.share($0, name) }) {
      names.append(name)
    }
    return names.isEmpty ? nil : names.joined(separator: " and ")
  }

  /// Returns the names of the pedestrian streets that a crossing leads across.
  private func pedestrianStreets(from point: Int) -> [String] {
    (point + 1..<max(point + 1, crossingEnd(point))).compactMap { inside in
      let sides = branches(at: inside).filter {
        $0.way.kind == .path && Self.wide.contains($0.turn.magnitude)
      }
      let left = sides.first { $0.turn < 0 }
      return left?.way.name.flatMap { name in
        sides.contains { $0.turn > 0 && $0.way.name == name } ? name : nil
      }
    }
  }

  /// Returns "the driveway" if a crossing leads only across driveways; visitors do not call them streets.
  func drivewayCrossed(from point: Int) -> String? {
    let ways = crossings(from: point)
    return !ways.isEmpty && ways.allSatisfy(\.isLocal) ? "the driveway" : nil
  }

  /// Whether a crossing leads only across ways that are not streets on the map, such as bicycle paths.
  func crossesNoStreet(from point: Int) -> Bool { crossings(from: point).isEmpty }

  /// Returns the streets under a crossing, or those at its first end that has some.
  private func crossings(from point: Int) -> [PathGraph.Way] {
    let end = crossingEnd(point)
    guard end > point else { return streets(at: point) }
    let inside = (point + 1..<end).flatMap { streets(at: $0) }
    guard inside.isEmpty else { return inside }
    // The street at a corner belongs to the crossing before it.
    let ends = point > 0 && isCornerOfCrossings(point) ? [end] : [point, end]
    let found = ends.map { streets(at: $0) }.filter { !$0.isEmpty }
    // A crossing can begin where a driveway leaves the street.
    return found.first { !$0.allSatisfy(\.isLocal) } ?? found.first ?? []
  }

  private func streets(at point: Int) -> [PathGraph.Way] {
    let vertex = assembly.vertices[point]
    guard vertex >= 0 else { return [] }
    return search.streets[vertex].map { search.graph.ways[search.graph.edges[Int($0) >> 1].way] }
  }

  /// Returns the first segment after a point that is longer than a hook, such as the few meters along a street to the
  /// path on its other side.
  func behindHook(_ point: Int, before next: Int) -> Int {
    let (segments, way) = (assembly.segments, assembly.way(of: point))
    var (end, meters) = (point, 0.0)
    while end < segments.count, assembly.way(of: end) == way {
      meters += segments[end].meters
      end += 1
    }
    guard meters < Bearing.reach || segments[point].kind == .crossing,
      end < min(next, segments.count), !segments[end].isIndoor,
      [.street, .path, .area].contains(segments[end].kind)
    else { return point }
    // A few meters behind the hook belong to the next turn.
    let rest = segments[end..<min(next, segments.count)].reduce(0) { $0 + $1.meters }
    let isLine = Self.isLine(segments[point].kind) && Self.isLine(segments[end].kind)
    return isLine && rest < min(meters, Self.curb) ? point : end
  }
}
