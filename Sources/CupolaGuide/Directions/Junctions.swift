internal import CupolaCampus

// 1. List the other ways at a point of a route with their directions.
// 2. Decide whether the point is a choice, a bend of the same street, or a fork.

struct Junctions {
  struct Branch {
    let way: PathGraph.Way
    let bearing: Double
    /// The turn into the way in degrees; positive to the right.
    let turn: Double
    /// The turn at the first bend already, for ways that soon run next to each other.
    let first: Double
    /// Whether the way is short and ends.
    let isStub: Bool

    /// Whether the way leads to one side, so that users count it.
    var isClear: Bool { Junctions.clear.contains(turn.magnitude) && !isStub }
  }

  let assembly: RouteAssembly
  let search: SearchGraph

  /// Drivers do not see the short pieces of a junction as turns.
  private static let reachOfDrivers = 15.0

  /// Ways at larger angles do not lead ahead.
  static let ahead = 45.0
  /// Ways at larger angles lead back.
  static let sideways = 120.0
  /// Ways at these angles are to one side; outside of the second range, users may count them or not.
  static let (wide, clear) = (25.0...140, 40.0...125)
  /// Ways at these angles and the way ahead form a fork.
  static let narrow = 5.0...40
  /// Branches that are closer to each other have the same direction.
  static let distinct = 5.0
  /// Users follow a named street around bends below the first angle if other ways turn off by `margin` more, and around
  /// bends below the second angle if other ways lead back.
  static let (bend, sharpBend, margin) = (50.0, 75.0, 35.0)
  /// Lines that differ less go straight on.
  static let noBend = 10.0
  /// Ways at larger angles lead back along the route.
  static let straightBack = 165.0
  /// Users could confuse two ways whose directions differ less.
  static let similar = 45.0
  /// Users see which of two ways to the same side is the sharper one if they differ more.
  static let apart = 25.0
  /// Users can bear to a side at angles up to the first one, and turn sharply from the second one on.
  static let (slight, rightAngle) = (70.0, 90.0)
  /// Users walk along a street, and not only across it, for more than the width of a street in meters.
  static let width = 12.0
  /// A crossing that is shorter leads across no street.
  static let curb = 4.0
  /// Some users count shorter dead ends, such as paths to doors, and others do not.
  private static let stub = 20.0
  /// Users could take a way that is at most this many meters before a turn for the turn.
  static let near = 35.0
  /// Users see two ways that are at most this many meters apart at the same time.
  static let close = 10.0

  init(_ assembly: RouteAssembly, _ search: SearchGraph) {
    (self.assembly, self.search) = (assembly, search)
  }

  /// The distance in meters over which users see the direction of a way outdoors.
  var reach: Double { search.hasTurns ? Self.reachOfDrivers : Bearing.reach }

  /// Returns the direction before (`step` -1) or after (`step` 1) a point, measured at most to a limit. Drivers see
  /// directions only up to the next sharp turn.
  func bearing(_ point: Int, step: Int, until limit: Int? = nil, within reach: Double) -> Double? {
    var (end, meters) = (point, 0.0)
    while search.hasTurns, end != limit, meters < reach {
      let segment = step < 0 ? end - 1 : end
      guard assembly.segments.indices.contains(segment) else { break }
      meters += assembly.segments[segment].meters
      end += step
      let isEnd = end == 0 || end == assembly.segments.count
      if isEnd || angle(at: end) >= ManeuverPlan.sideTurn { break }
    }
    return Bearing.near(
      point, of: assembly.points, step: step, until: search.hasTurns ? end : limit, within: reach)
  }

  /// Whether a point has other ways than the one back. On one-way streets, there may be none back.
  func isChoice(_ point: Int) -> Bool { !others(at: point).isEmpty }

  /// Whether another way leads ahead or to a side.
  func hasWayAhead(_ point: Int) -> Bool {
    branches(at: point).contains { $0.turn.magnitude < Self.sideways }
  }

  private func hasWay(_ point: Int, within angle: Double) -> Bool {
    branches(at: point).contains { $0.turn.magnitude < angle }
  }

  /// Whether drivers see another way ahead that they cannot enter: a one-way street, or, where the road that they are on
  /// turns, a way that they could take for it, such as a private one.
  func hasClosedWayAhead(_ point: Int, _ turn: Double) -> Bool {
    search.hasTurns
      && (branches(at: point, search.visible).contains { $0.turn.magnitude < Self.sideways }
        || hasClosedWay(point, straighterThan: turn))
  }

  /// Whether drivers who follow a bend see a way that is clearly straighter, and could take it for the road that they
  /// are on.
  private func hasClosedWay(_ point: Int, straighterThan turn: Double) -> Bool {
    guard search.hasTurns, turn.magnitude > Self.ahead else { return false }
    let own = assembly.way(of: point)
    return branches(at: point, search.all).contains {
      Self.isLine($0.way.kind) && isComparable($0.way, to: own)
        && $0.turn.magnitude + Self.apart < turn.magnitude
    }
  }

  /// Whether a way ends at a point, so that users must turn.
  func isAtEnd(_ point: Int) -> Bool {
    branches(at: point).allSatisfy { $0.turn.magnitude >= Self.ahead }
  }

  /// Whether another way, which users could take for the given one, leads straight on.
  func hasWayAhead(_ point: Int, like own: Int) -> Bool {
    let before = assembly.segments[point - 1].kind
    let heading =
      before == .steps ? Bearing.of(assembly.points[point - 1], assembly.points[point]) : nil
    return branches(at: point, heading: heading).contains {
      $0.turn.magnitude < Self.ahead && search.graph.ways[own].kind == $0.way.kind
    }
  }

  /// Returns the second turn of a jog that is long enough to announce both, so that the first one is measured only up
  /// to this point; the end of the route if there is none.
  func jogEnd(behind point: Int) -> Int {
    let segments = assembly.segments
    var (end, meters) = (point, 0.0)
    while end < segments.count, Self.isLine(segments[end].kind), !segments[end].isIndoor {
      meters += segments[end].meters
      end += 1
      guard meters < Bearing.reach, end < segments.count else { break }
      let isBend = !search.hasTurns && angle(at: point) >= ManeuverPlan.sideTurn
      guard meters >= ManeuverPlan.shortJog, isBend || isSharp(point) else { continue }
      // A sharp bend behind a turn is not part of it.
      if !search.hasTurns, !isChoice(end), angle(at: end) >= ManeuverPlan.sideTurn { return end }
      guard isSharp(end) else { continue }
      let way = assembly.way(of: point)
      if isAtEnd(point) || segments[point].kind == .path && hasWayAhead(point, like: way) {
        return end
      }
    }
    return segments.count
  }

  /// Returns the first turn of such a jog.
  func jogBegin(before point: Int) -> Int? {
    var (begin, meters) = (point - 1, 0.0)
    while begin > 0 {
      meters += assembly.segments[begin].meters
      guard meters < Bearing.reach else { return nil }
      if jogEnd(behind: begin) == point { return begin }
      begin -= 1
    }
    return nil
  }

  /// Whether a street ends at a point, and the route goes straight on to a path, or the other way round, by a jog that is
  /// too short to announce.
  func isJogOntoPath(_ point: Int) -> Bool {
    let (segments, before) = (assembly.segments, assembly.segments[point - 1].kind)
    guard !search.hasTurns, Self.isLine(before), isSideways(point), isChoice(point),
      isAtEnd(point)
    else { return false }
    var (end, meters) = (point, 0.0)
    while end < segments.count, Self.isLine(segments[end].kind), !segments[end].isIndoor {
      meters += segments[end].meters
      end += 1
      guard meters <= ManeuverPlan.jog, end < segments.count else { return false }
      if isSideways(end) {
        return segments[end].kind != before && !segments[end].isIndoor
          && !StreetName.share(segments[end].name, segments[point - 1].name)
      }
    }
    return false
  }

  /// Whether a route turns by about a right angle at a point where there is a choice.
  private func isSharp(_ point: Int) -> Bool { angle(at: point) > Self.bend && isChoice(point) }

  /// Whether a route turns at a point by about a right angle.
  func isSideways(_ point: Int) -> Bool { angle(at: point) > Self.bend }

  /// Whether a route bends at a point itself, and not only near it.
  func bends(_ point: Int) -> Bool { angle(at: point) >= ManeuverPlan.straight }

  /// Whether a turn that is measured over several meters happens at a later choice.
  func isTurnLater(_ point: Int) -> Bool {
    guard angle(at: point) < Self.noBend else { return false }
    var (end, meters) = (point, 0.0)
    while end + 1 < assembly.segments.count {
      meters += assembly.segments[end].meters
      end += 1
      let isAtSteps = assembly.segments[end].kind == .steps
      guard meters < Bearing.reach, isAtSteps || Self.isLine(assembly.segments[end].kind) else {
        return false
      }
      if isAtSteps { return isSideways(end) }
      if angle(at: end) >= ManeuverPlan.straight {
        return isChoice(end)
          || meters >= ManeuverPlan.shortJog && !hasWay(point, within: Self.ahead)
      }
    }
    return false
  }

  /// Returns the turn in degrees at a point, measured over the width of a junction; positive to the right.
  func turn(at point: Int) -> Double {
    guard let before = bearing(point, step: -1, within: Self.reachOfDrivers),
      let behind = bearing(point, step: 1, within: Self.reachOfDrivers)
    else { return 0 }
    return Degrees.turn(from: before, to: behind)
  }

  func angle(at point: Int) -> Double { bend(at: point).magnitude }

  /// Returns the turn in degrees at a point itself; positive to the right.
  func bend(at point: Int) -> Double {
    guard let before = Bearing.of(assembly.points[point - 1], assembly.points[point]),
      let behind = Bearing.of(assembly.points[point], assembly.points[point + 1])
    else { return 0 }
    return Degrees.turn(from: before, to: behind)
  }

  /// Whether a turn only follows a bend of a named street, where no other way could be meant.
  func isBend(_ point: Int, _ turn: Double) -> Bool {
    let turn = turn.magnitude
    if turn < ManeuverPlan.bend, isSameWay(point) {
      return branches(at: point).allSatisfy { $0.turn.magnitude >= Self.sideways }
    }
    guard let name = assembly.segments[point].name,
      StreetName.share(name, assembly.segments[point - 1].name), turn < Self.sharpBend
    else { return false }
    if hasClosedWay(point, straighterThan: turn) { return false }
    let least = turn < Self.bend ? turn + Self.margin : Self.sideways
    return branches(at: point).allSatisfy {
      $0.turn.magnitude >= (StreetName.share(name, $0.way.name) ? Self.sideways : least)
    }
  }

  /// Whether a point is inside a path or street without a name.
  private func isSameWay(_ point: Int) -> Bool {
    let ways = [point - 1, point].map { search.graph.ways[assembly.way(of: $0)] }
    return ways[0].noun == ways[1].noun
      && ways.allSatisfy { Self.isLine($0.kind) && $0.name == nil && !$0.isIndoor }
  }

  /// Returns the branch of a fork that a route takes although it goes almost straight; `nil` at points where the way
  /// ahead is clear.
  func kindAtFork(_ point: Int, _ turn: Double) -> Maneuver.Kind? {
    let (before, behind) = (assembly.segments[point - 1], assembly.segments[point])
    guard Self.isLine(behind.kind), Self.isLine(before.kind) || before.kind == .steps,
      !behind.isIndoor
    else { return nil }
    let isStaying = StreetName.share(behind.name, before.name)
    let heading =
      before.kind == .steps ? Bearing.of(assembly.points[point - 1], assembly.points[point]) : nil
    let branches = branches(at: point, heading: heading).filter { Self.isLine($0.way.kind) }
    // The next name tells users that the street changes, even if they have just turned onto the current one.
    let isFar =
      behind.name == nil
      ? metersStraight(to: point, bend: ManeuverPlan.bend) >= Bearing.reach
      : metersStraight(to: point, bend: ManeuverPlan.straight) >= ManeuverPlan.together
    let rivals = branches.filter { branch in
      let isSameStreet = StreetName.share(branch.way.name, before.name)
      // Users would follow the street that the route leaves. After some meters on it, also around a bend, and around a
      // corner to another way without a name.
      if !isStaying, isSameStreet {
        let most = behind.name == nil ? Self.sideways : Self.sharpBend
        return branch.turn.magnitude < (isFar ? most : Self.ahead)
      }
      guard branch.turn.magnitude < Self.ahead,
        isComparable(branch.way, to: assembly.way(of: point)),
        (branch.turn - turn).magnitude >= Self.distinct
      else { return false }
      // The name does not tell drivers which branch to take.
      if search.hasTurns, isStaying, isSameStreet { return true }
      return branch.turn.magnitude <= turn.magnitude + margin(isStaying && !isSameStreet)
        || search.hasTurns && isBetween(branch.turn, turn)
    }
    let first = firstTurn(point)
    let sides = Set(
      rivals.map { (turn - $0.turn).magnitude >= Self.distinct ? turn > $0.turn : first > $0.first }
    )
    // The route goes straight between two other branches, or where its street turns to both sides.
    guard sides.count == 1, let isRight = sides.first else {
      let isMiddle = rivals.allSatisfy {
        turn.magnitude < $0.turn.magnitude
          && (!isStaying || (turn - $0.turn).magnitude <= Self.apart)
      }
      return isMiddle && !rivals.isEmpty ? .straight : nil
    }
    // "Keep right" would suggest a way that turns off to the right.
    let isInMiddle = branches.contains { branch in
      let angle = isRight ? branch.turn : -branch.turn
      return angle < Self.sideways && angle >= (isRight ? turn : -turn) + Self.distinct
    }
    let isStraight = rivals.allSatisfy { turn.magnitude + Self.noBend <= $0.turn.magnitude }
    let isOffBend = rivals.allSatisfy { $0.turn.magnitude >= Self.ahead }
    // Walkers see the two roadways of a street as one.
    let isRoadway =
      !search.hasTurns && isStaying
      && rivals.allSatisfy { StreetName.share($0.way.name, behind.name) }
    if isOffBend || isInMiddle && (isStraight || isRoadway) { return .straight }
    return isRight ? .slightRight : .slightLeft
  }

  /// Whether the right one of two ways ahead is taken at a point right behind a turn; `nil` if there is no fork.
  func sideAtFork(_ point: Int) -> Bool? {
    guard Self.isLine(assembly.segments[point].kind),
      let heading = Bearing.of(assembly.points[point - 1], assembly.points[point]),
      let own = bearing(point, step: 1, within: reach)
    else { return nil }
    let turn = Degrees.turn(from: heading, to: own)
    let rivals = branches(at: point, heading: heading).filter {
      Self.isLine($0.way.kind) && $0.turn.magnitude < Self.ahead
        && isComparable($0.way, to: assembly.way(of: point))
    }
    let sides = Set(rivals.map { turn > $0.turn })
    return turn.magnitude < Self.ahead && sides.count == 1 ? sides.first : nil
  }

  /// Whether a street and the branch that it forks with bend to opposite sides, so that neither goes straight on.
  private func isBetween(_ branch: Double, _ turn: Double) -> Bool {
    branch * turn < 0 && turn.magnitude >= Self.distinct
      && branch.magnitude < Self.narrow.upperBound
  }

  /// Returns for how many meters a route leads straight along one street to a point.
  private func metersStraight(to point: Int, bend: Double) -> Double {
    let name = assembly.segments[point - 1].name
    var (begin, meters) = (point, 0.0)
    while begin > 0, StreetName.share(assembly.segments[begin - 1].name, name),
      begin == point || angle(at: begin) < bend
    {
      begin -= 1
      meters += assembly.segments[begin].meters
    }
    return meters
  }

  /// Returns by how many degrees more a rival may turn off. Users follow a street, and drivers follow it past narrow
  /// exits.
  private func margin(_ isStaying: Bool) -> Double {
    search.hasTurns ? (isStaying ? 10 : 20) : (isStaying ? 20 : 25)
  }

  /// Whether another way at a point leads in about the given direction.
  func hasWay(_ point: Int, toward bearing: Double) -> Bool {
    branches(at: point).contains {
      Self.isLine($0.way.kind)
        && Degrees.turn(from: $0.bearing, to: bearing).magnitude < Self.similar
    }
  }

  /// Whether a route was on the same street until shortly before a turn, and no other instruction came in between.
  func isStaying(_ step: ManeuverPlan.Step, after earlier: Int) -> Bool {
    var (segment, meters) = (step.point - 1, 0.0)
    while segment >= earlier, meters < ManeuverPlan.together {
      let before = assembly.segments[segment]
      guard Self.isLine(before.kind) || before.kind == .area else { return false }
      if StreetName.share(step.name, before.name) { return !isConnector(segment, step, earlier) }
      meters += before.meters
      segment -= 1
    }
    return false
  }

  /// Whether a segment belongs to a short piece of a street inside a junction, which users do not take for the street.
  /// Walkers recognize a street that they were on before.
  private func isConnector(_ last: Int, _ step: ManeuverPlan.Step, _ earlier: Int) -> Bool {
    func isOnIt(_ segment: Route.Segment) -> Bool { StreetName.share(step.name, segment.name) }
    let same = assembly.segments[..<(last + 1)].reversed().prefix(while: isOnIt)
    let begin = last + 1 - same.count
    return begin > earlier && same.reduce(0) { $0 + $1.meters } < ManeuverPlan.together
      && (search.hasTurns || !assembly.segments[..<begin].contains(where: isOnIt))
  }

  private func firstTurn(_ point: Int) -> Double {
    guard let before = bearing(point, step: -1, within: reach),
      let behind = Bearing.of(assembly.points[point], assembly.points[point + 1])
    else { return 0 }
    return Degrees.turn(from: before, to: behind)
  }

  static func isLine(_ kind: WayKind) -> Bool { kind == .street || kind == .path }

  /// Whether users could take one way for the other. From a street, footpaths and driveways look different.
  func isComparable(_ way: PathGraph.Way, to number: Int) -> Bool {
    let own = search.graph.ways[number]
    return own.kind == .path || way.kind == own.kind && own.kind != .street
      || way.kind == .street && (own.isLocal || !way.isLocal)
  }

  func others(at point: Int, _ leaving: SearchGraph.Leaving? = nil) -> [Int] {
    let vertex = assembly.vertices[point]
    guard vertex >= 0 else { return [] }
    let (back, own) = (assembly.arcs[point - 1] ^ 1, assembly.arcs[point])
    return (leaving ?? search.seen)[vertex].map(Int.init).filter { $0 != back && $0 != own }
  }

  /// Whether steps divide at a point into flights that both lead up, or both down, and the route turns there.
  func dividesSteps(_ point: Int) -> Bool {
    let graph = search.graph
    func rise(_ arc: Int) -> Float {
      let way = graph.ways[graph.edges[arc >> 1].way]
      return way.kind != .steps ? 0 : arc & 1 == 0 ? way.incline : -way.incline
    }
    guard point > 0, point < assembly.arcs.count, bends(point) else { return false }
    let own = rise(assembly.arcs[point])
    return rise(assembly.arcs[point - 1]) * own > 0
      && others(at: point).contains { rise($0) * own > 0 }
  }

  func branches(
    at point: Int, _ leaving: SearchGraph.Leaving? = nil, heading: Double? = nil
  ) -> [Branch] {
    guard let before = heading ?? bearing(point, step: -1, within: reach) else {
      return []
    }
    return branches(others(at: point, leaving), heading: before)
  }

  /// Returns the other ways at the start of a route with their angles to it.
  func branchesAtStart(heading: Double) -> [Branch] {
    guard let vertex = assembly.vertices.first, vertex >= 0 else { return [] }
    return branches(
      search.seen[vertex].map(Int.init).filter { $0 != assembly.arcs[0] }, heading: heading)
  }

  func branches(_ arcs: [Int], heading before: Double) -> [Branch] {
    arcs.compactMap { arc in
      let way = search.graph.ways[search.graph.edges[arc >> 1].way]
      let line = line(from: arc)
      guard way.kind != .link, way.kind != .room,
        let bearing = Bearing.near(0, of: line, step: 1, within: reach),
        let first = Bearing.of(line[0], line[1])
      else { return nil }
      return Branch(
        way: way, bearing: bearing, turn: Degrees.turn(from: before, to: bearing),
        first: Degrees.turn(from: before, to: first), isStub: isStub(arc))
    }
  }

  private func isStub(_ first: Int) -> Bool {
    let graph = search.graph
    let arcs = search.seen.follow(first, in: graph, for: Self.stub) { $0.count == 1 ? $0[0] : nil }
    let meters = arcs.reduce(0) { $0 + graph.lengths[$1 >> 1] }
    return meters < Self.stub && search.seen.onward(arcs[arcs.count - 1], in: graph).isEmpty
  }

  /// Returns the first meters of the way that starts with an arc.
  private func line(from first: Int) -> [RoutePoint] {
    let graph = search.graph
    let way = graph.edges[first >> 1].way
    let arcs = search.all.follow(first, in: graph, for: reach) { onward in
      onward.first { graph.edges[$0 >> 1].way == way }
    }
    return ([graph.tail(first)] + arcs.map(graph.head)).map { vertex in
      RoutePoint(graph.vertices[vertex].point, level: graph.vertices[vertex].level)
    }
  }
}

extension PathGraph.Way {
  /// The word for a way without a name.
  var noun: String {
    if isIndoor { return isHall ? "hall" : "corridor" }
    return switch kind {
    case .street where form == .alley: "alley"
    case .street: isParkingAisle ? "parking lot" : isLocal ? "driveway" : "street"
    case .area: "square"
    case .crossing: "crossing"
    default: isTrack ? "track" : "path"
    }
  }

  /// The noun with its indefinite article.
  var indefinite: String { (noun == "alley" ? "an " : "a ") + noun }
}
