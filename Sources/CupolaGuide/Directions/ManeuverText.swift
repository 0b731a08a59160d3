internal import CupolaCampus

// 1. Convert each step of the plan to a sentence; name each building next to the route only once.
// 2. Name the way after the step, and what users pass before.

struct ManeuverText {
  let assembly: RouteAssembly
  let search: SearchGraph
  let landmarks: Landmarks
  let origin: Place?
  let destination: Place?
  let before: Gap?
  let beyond: Gap?
  /// The positions of the origin and the destination behind the doors of their buildings.
  let inside: (origin: RoutePoint?, destination: RoutePoint?)

  /// The straight line from the end of the route to the requested place.
  struct Gap {
    var offset: Double
    var place: RoutePoint
    /// Whether a route that is not step-free leads there on foot.
    var isWalkersOnly: Bool

    /// The reported distance in meters; a step at the door counts as 1 m.
    var meters: Double { isWalkersOnly ? max(offset, 1) : offset }
  }

  /// Distances to the first path below this number of meters are not mentioned, because they may be position errors.
  static let unmentioned = 20.0

  func maneuvers(_ steps: [ManeuverPlan.Step]) -> [Maneuver] {
    var lastLandmark: String?
    let doors = RoomDoors(search.graph, of: assembly)
    let maneuvers = steps.enumerated().map { number, step in
      let next = number + 1 < steps.count ? steps[number + 1].start : step.start
      let part = assembly.segments[min(step.start, assembly.segments.count)..<max(step.start, next)]
      let isWay = step.kind != .crossing && step.kind != .arrive
      let building =
        landmarks.near(step, of: assembly).flatMap { $0.name == step.name ? nil : Passed($0) }
        ?? doors.before(step.point, of: assembly).map { Passed(($0.name, $0.side, true)) }
      let mark = mark(step, building: building?.name == lastLandmark ? nil : building)
      let text =
        text(step, until: next, mark) + passages(behind: step, until: next)
        + toward(steps.dropFirst(number + 1).first, behind: step)
      if Self.namesLandmark(step.kind) {
        lastLandmark = mark.isBuilding || building?.name == lastLandmark ? building?.name : nil
      }
      return Maneuver(
        step.kind, at: step.start, name: isWay ? step.name : nil, text: text,
        meters: part.reduce(0) { $0 + $1.meters }, seconds: part.reduce(0) { $0 + $1.seconds })
    }
    return joiningStart(of: maneuvers)
  }

  /// Joins the departure with a crossing or steps that begin at the same point.
  private func joiningStart(of maneuvers: [Maneuver]) -> [Maneuver] {
    guard maneuvers.count > 2, case let (start, next) = (maneuvers[0], maneuvers[1]),
      next.point == 0, next.kind == .crossing || ManeuverPlan.isSteps(next.kind),
      before?.meters ?? 0 < Self.unmentioned, before?.isWalkersOnly != true
    else { return maneuvers }
    let link = next.text.contains(" and ") ? ", " : " and "
    let text = start.text + link + next.text.prefix(1).lowercased() + next.text.dropFirst()
    let joined = Maneuver(
      .depart, at: 0, name: next.name, text: text, meters: next.meters, seconds: next.seconds)
    return [joined] + maneuvers.dropFirst(2)
  }

  private static func namesLandmark(_ kind: Maneuver.Kind) -> Bool {
    ManeuverPlan.isTurn(kind) && kind != .uTurn
  }

  private func text(_ step: ManeuverPlan.Step, until next: Int, _ mark: Mark) -> String {
    if step.isBend { return past(mark) { follow(step) } }
    let then = behindTurn(step)
    switch step.kind {
    case .depart:
      return depart(step, until: next) + warning(of: before, "for the first")
        + missingDoor(origin, beside: assembly.segments.first)
    case .arrive:
      return arrive(step) + warning(of: beyond, "for the last")
        + missingDoor(destination, beside: assembly.segments.last)
    case .straight: return past(mark) { straight(step) }
    case .slightLeft: return past(mark) { "\(bear(step)) left\(onto(step, mark))\(then)" }
    case .slightRight: return past(mark) { "\(bear(step)) right\(onto(step, mark))\(then)" }
    case .left: return past(mark) { "turn left\(onto(step, mark))\(then)" }
    case .right: return past(mark) { "turn right\(onto(step, mark))\(then)" }
    case .sharpLeft, .sharpRight:
      return past(mark) { "turn \(sharply(step))\(onto(step, mark))\(then)" }
    case .uTurn: return past(mark) { "\(around(step))\(isBack(step) ? "" : onto(step, mark))" }
    case .roundabout: return roundabout(step)
    case .crossing: return crossing(step, until: next)
    case .steps: return takeSteps(step, "", until: next)
    case .stepsUp: return takeSteps(step, " up\(floor(step))", until: next)
    case .stepsDown: return takeSteps(step, " down\(floor(step))", until: next)
    case .escalator: return "Take the escalator"
    case .escalatorUp: return "Take the escalator up\(floor(step))"
    case .escalatorDown: return "Take the escalator down\(floor(step))"
    case .elevatorUp: return "Take the elevator up\(floor(step))"
    case .elevatorDown: return "Take the elevator down\(floor(step))"
    case .enterBuilding: return "Enter \(building(at: step))\(turnBehindDoor(step, until: next))"
    case .leaveBuilding: return "Leave \(building(at: step))\(turnBehindDoor(step, until: next))"
    }
  }

  /// Returns the words for a bend or a fork right behind a turn.
  private func behindTurn(_ step: ManeuverPlan.Step) -> String {
    if let side = step.branch { return ", then keep \(side.rawValue)" }
    guard let side = step.bend else { return "" }
    let isAisle = way(of: step.onto).isParkingAisle
    return ", then follow \(isAisle ? "the parking aisle" : "it") to the \(side.rawValue)"
  }

  // MARK: - Wording

  private func building(at step: ManeuverPlan.Step) -> String {
    landmarks.building(at: assembly.points[step.point]) ?? "the building"
  }

  /// Returns the direction to take right behind the door of a building, unless the next step states it.
  private func turnBehindDoor(_ step: ManeuverPlan.Step, until next: Int) -> String {
    let meters = assembly.segments[step.point..<max(step.point, next)].reduce(0) { $0 + $1.meters }
    guard meters >= ManeuverPlan.atDoor else { return "" }
    func near(_ way: Int) -> Double? {
      Bearing.near(step.point, of: assembly.points, step: way, within: Bearing.reachIndoors)
    }
    guard let before = near(-1), let behind = near(1) else { return "" }
    switch ManeuverPlan.kind(Degrees.turn(from: before, to: behind)) {
    case .left, .sharpLeft: return " and turn left"
    case .right, .sharpRight: return " and turn right"
    default: return ""
    }
  }

  /// What users pass, or have next to them, before a turn.
  struct Passed {
    var name: String
    var side: String
    var isBehind = true
    var isCrossed = false

    init(_ way: Junctions.Earlier.Passed) {
      (name, side) = (way.name, way.isToRight ? "right" : "left")
      isCrossed = way.isCrossed
    }

    init(_ building: (name: String, side: String, isBehind: Bool)) {
      (name, side, isBehind) = building
    }
  }

  private func past(_ mark: Mark, _ words: () -> String) -> String {
    let words = words()
    let meters = mark.meters.map { Self.rounded($0) }.flatMap {
      $0 > 0 ? DistanceText.text(meters: $0) : nil
    }
    if let passed = mark.passed, passed.isCrossed {
      let after = meters.map { "About \($0) after" } ?? "After"
      return "\(after) crossing \(passed.name), \(words)"
    }
    if let passed = mark.passed {
      let past = meters.map { "About \($0) past" } ?? (passed.isBehind ? "Past" : "At")
      return "\(past) \(passed.name) on your \(passed.side), \(words)"
    }
    return Self.sentence(words)
  }

  static func sentence(_ words: String) -> String {
    words.prefix(1).uppercased() + words.dropFirst()
  }

  /// Returns meters that people can estimate: 43 as 45, 187 as 190.
  static func rounded(_ meters: Double) -> Double {
    let step = meters < 100 ? 5.0 : 10
    return (meters / step).rounded() * step
  }

  func way(_ step: ManeuverPlan.Step, _ mark: Mark? = nil) -> String {
    if let name = title(step) {
      guard let ordinal = mark?.ordinal else { return name }
      // A sidewalk on the other side of its street has the same name.
      let isSidewalk = assembly.segments[step.onto].kind == .path
      return isSidewalk ? "the far side of \(name)" : "the \(ordinal) roadway of \(name)"
    }
    let way = way(of: min(step.onto, assembly.segments.count - 1))
    let outermost = step.isToRight ? "rightmost " : "leftmost "
    let first = step.isFirst && step.earlier == nil ? "first " : ""
    let ordinal =
      mark?.ordinal.map { $0 + " " } ?? (step.cause == .outermost ? outermost : first)
    return "the \(ordinal)\(way.isParkingAisle && mark != nil ? "parking aisle" : way.noun)"
  }

  func way(of segment: Int) -> PathGraph.Way {
    search.graph.ways[assembly.way(of: segment)]
  }

  /// The name of the way after a step. Of three names or more, only the one that the route follows is used.
  func title(_ step: ManeuverPlan.Step) -> String? {
    let next = assembly.segments.dropFirst(step.onto).lazy.map(\.name).first { $0 != step.name }
    return step.name.map { StreetName.spoken(StreetName.brief($0, before: next ?? nil)) }
  }

  private func onto(_ step: ManeuverPlan.Step, _ mark: Mark) -> String {
    let segment = assembly.segments[step.point]
    if segment.kind == .room { return " into \(step.name ?? "the room")" }
    guard segment.isIndoor else { return ontoOutdoors(step, mark) }
    guard step.point > 0, assembly.way(of: step.point - 1) != assembly.way(of: step.onto) else {
      return ""
    }
    let isOtherKind = way(of: step.point - 1).noun != way(of: step.onto).noun
    if step.name == nil, !isLeavingRoom(step), !isOtherKind { return "" }
    let isPlatform = step.name?.lowercased().contains("platform") ?? false
    return " \(isPlatform ? "onto" : "into") \(way(step))"
  }

  private func bear(_ step: ManeuverPlan.Step) -> String { step.isFork ? "keep" : "bear" }

  private func ontoOutdoors(_ step: ManeuverPlan.Step, _ mark: Mark) -> String {
    guard step.point > 0 else { return " onto \(way(step))" }
    let (before, behind) = (assembly.segments[step.point - 1], assembly.segments[step.onto])
    let segment = assembly.segments[step.point]
    // Staying on a street does not tell which of two branches with its name to take.
    if step.isStaying, step.isSlight, hasRival(step) { return " on \(way(step))" }
    // Users who step off a crossing in its middle stay on the street, but not on its sidewalk.
    if step.isStaying, segment.kind == .crossing, before.kind != behind.kind {
      return " onto the \(behind.kind == .path ? "sidewalk" : "roadway") of \(way(step))"
    }
    if step.isStaying {
      let shared = StreetName.shared(step.name, before.name)
      return " to stay on \(shared ?? way(step))"
    }
    if step.name == nil, behind.kind == .crossing { return " onto \(way(step, mark))" }
    // Users who leave a street with a name need to know that they do.
    let isLeaving = step.isFork && before.name != nil
    // "Onto the path" would suggest another path than the current one.
    let isSame =
      step.name == nil && before.kind == behind.kind && !before.isIndoor && !isLeaving
    if step.name == nil, way(of: step.onto).isParkingAisle {
      guard way(of: step.point - 1).isParkingAisle else {
        return street(outOfLot: step).map { " toward \($0)" } ?? " into the parking lot"
      }
      return " into \(way(step, mark))"
    }
    if let street = streetAcross(step) { return " to stay on \(street)" }
    if isSame, behind.kind == .area { return " across \(way(step, mark))" }
    return isSame && step.isFork ? "" : " onto \(way(step, mark))"
  }

  /// Returns the street that users follow across a square without a name; `nil` if its names before and behind the square
  /// differ.
  func streetAcross(_ step: ManeuverPlan.Step) -> String? {
    guard step.name == nil, step.point > 0, assembly.segments[step.onto].kind == .area,
      let behind = assembly.segments[step.onto...].first(where: { $0.kind != .area })
    else { return nil }
    return StreetName.shared(behind.name, assembly.segments[step.point - 1].name)
  }

  /// Returns the street to which a few meters of a parking aisle lead from a path; `nil` if they lead into the lot.
  private func street(outOfLot step: ManeuverPlan.Step) -> String? {
    let aisle = assembly.segments.indices[step.onto...].prefix { way(of: $0).isParkingAisle }
    let meters = aisle.reduce(0) { $0 + assembly.segments[$1].meters }
    guard assembly.segments[step.point - 1].kind != .street, meters <= Junctions.near,
      aisle.endIndex < assembly.segments.count,
      assembly.segments[aisle.endIndex].kind == .street, !way(of: aisle.endIndex).isLocal
    else { return nil }
    return assembly.segments[aisle.endIndex].name ?? "the street"
  }

  /// Another way that leads back is on one side; only a way straight back requires turning around.
  private func around(_ step: ManeuverPlan.Step) -> String {
    guard step.point > 0, !assembly.segments[step.point].isIndoor,
      step.turn.magnitude <= ManeuverPlan.sharpest, !isBack(step)
    else { return uTurn }
    return "turn \(sharply(step))"
  }

  private var uTurn: String { search.hasTurns ? "make a U-turn" : "turn around" }

  private func sharply(_ step: ManeuverPlan.Step) -> String {
    "sharply \(step.turn > 0 ? "right" : "left")"
  }

  /// Whether users go back the way that they came.
  private func isBack(_ step: ManeuverPlan.Step) -> Bool {
    step.point > 0 && assembly.segments.indices.contains(step.point)
      && assembly.arcs[step.point - 1] ^ 1 == assembly.arcs[step.point]
  }

  private func straight(_ step: ManeuverPlan.Step) -> String {
    let segment = assembly.segments[step.point]
    if segment.kind == .room {
      let isFirst = isLeavingRoom(step) && assembly.way(of: step.point - 1) == assembly.way(of: 0)
      return "\(isFirst ? "go" : "continue straight") into \(step.name ?? "the room")"
    }
    if isLeavingRoom(step) { return "go straight along \(way(step))" }
    if case .aside(let side) = step.cause {
      guard step.isStaying || wasOn(step) else {
        return "switch to \(way(step)) on your \(side.rawValue)"
      }
      let isOnSidewalk = assembly.segments[step.onto].kind == .path
      return "continue on \(isOnSidewalk ? "the \(side.rawValue) side of " : "")\(way(step))"
    }
    if step.isFork {
      // Users leave the street that they know by its name.
      let isUnnamed = step.name == nil && assembly.segments[step.point - 1].name != nil
      let onto = isUnnamed || isNew(step) ? "onto" : "on"
      return "continue straight" + (isUnnamed || step.name != nil ? " \(onto) \(way(step))" : "")
    }
    let isStraight = hasRival(step) || step.name == nil
    let onto =
      segment.isIndoor ? "along" : isStraight ? "straight onto" : isNew(step) ? "onto" : "on"
    return "continue \(onto) \(way(step))"
  }

  /// Whether users were on the way of a step shortly before it, and then stepped aside, for example to a crossing.
  private func wasOn(_ step: ManeuverPlan.Step) -> Bool {
    var meters = 0.0
    for segment in assembly.segments[..<step.point].reversed() where meters < Junctions.near {
      if StreetName.share(step.name, segment.name) { return true }
      meters += segment.meters
    }
    return false
  }

  /// Whether users were on another street before a step, and before the crossing or steps that lead to it.
  private func isNew(_ step: ManeuverPlan.Step) -> Bool {
    var meters = 0.0
    for segment in assembly.segments[..<step.point].reversed() {
      if StreetName.share(step.name, segment.name) { return false }
      if Junctions.isLine(segment.kind) || segment.kind == .area { meters += segment.meters }
      if meters >= ManeuverPlan.together { break }
    }
    return step.name != nil
  }

  /// Whether another way at a step has the name of the way after it.
  private func hasRival(_ step: ManeuverPlan.Step) -> Bool {
    guard let name = step.name, step.point > 0 else { return false }
    return Junctions(assembly, search).branches(at: step.end).contains {
      StreetName.share(name, $0.way.name)
    }
  }

  /// Returns the words for a sharp bend, where users have no choice.
  private func follow(_ step: ManeuverPlan.Step) -> String {
    let side = step.turn > 0 ? "right" : "left"
    let isSharp = [.sharpLeft, .sharpRight, .uTurn].contains(step.kind)
    return "follow \(way(step, Mark())) \(isSharp ? "sharply " : "")to the \(side)"
  }

  private func isLeavingRoom(_ step: ManeuverPlan.Step) -> Bool {
    step.point > 0 && assembly.segments[step.point - 1].kind == .room
  }

  private func roundabout(_ step: ManeuverPlan.Step) -> String {
    guard let exit = step.exit else { return acrossRoundabout(step) }
    let name = step.name.map { " onto \($0)" } ?? ""
    let ordinals = [
      "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth",
    ]
    guard ordinals.indices.contains(exit - 1) else {
      return "At the roundabout, take exit \(exit)\(name)"
    }
    return "At the roundabout, take the \(ordinals[exit - 1]) exit\(name)"
  }

  /// Returns the words for a roundabout whose exits users do not count.
  private func acrossRoundabout(_ step: ManeuverPlan.Step) -> String {
    let isLeft = step.end < assembly.segments.count
    let side = step.turn > 0 ? "right" : "left"
    guard isLeft else { return alongRoundabout(step, to: side) }
    let direction =
      switch ManeuverPlan.kind(step.turn) {
      case .straight: "go straight"
      case .slightLeft, .slightRight: "bear \(side)"
      case .sharpLeft, .sharpRight: "turn sharply \(side)"
      case .uTurn: uTurn
      default: "turn \(side)"
      }
    let isStaying = StreetName.share(step.name, assembly.segments[step.point - 1].name)
    let staying = ManeuverPlan.kind(step.turn) == .straight ? "on" : "to stay on"
    let onto = way(of: step.end).isParkingAisle ? "into" : isStaying ? staying : "onto"
    return "At the roundabout, \(direction) \(onto) \(way(step))"
  }

  /// Returns the words for a roundabout in which the route ends.
  private func alongRoundabout(_ step: ManeuverPlan.Step, to side: String) -> String {
    let meters = assembly.segments[step.point...].reduce(0) { $0 + $1.meters }
    let distance =
      meters < Bearing.reach ? "" : " for \(DistanceText.text(meters: Self.rounded(meters)))"
    return search.hasTurns
      ? "Enter the roundabout" + (distance.isEmpty ? "" : " and stay on it\(distance)")
      : "Follow the roundabout to the \(side)\(distance)"
  }

  func sideways(_ step: ManeuverPlan.Step) -> String? {
    switch ManeuverPlan.kind(step.turn) {
    case .left: "Turn left"
    case .right: "Turn right"
    case .sharpLeft, .sharpRight: "Turn \(sharply(step))"
    case .uTurn: Self.sentence(around(step))
    // Users who walk along the street need to know the side of a crossing, and of steps next to a path straight on.
    case .slightLeft where isBeside(step): "Bear left"
    case .slightRight where isBeside(step): "Bear right"
    default: nil
    }
  }

  private func isBeside(_ step: ManeuverPlan.Step) -> Bool {
    if ManeuverPlan.isSteps(step.kind), step.start > 0 {
      return Junctions(assembly, search).branches(at: step.start).contains {
        Junctions.isLine($0.way.kind) && $0.turn.magnitude < ManeuverPlan.straight
      }
    }
    return step.kind == .crossing && step.point > 0
      && (assembly.segments[step.point - 1].kind == .street
        || Junctions(assembly, search).isUnmarked(step.point)
        || Junctions(assembly, search).isCornerOfCrossings(step.point))
  }

  private func floor(_ step: ManeuverPlan.Step) -> String {
    step.level.map { " to floor \(FloorText.text($0))" } ?? ""
  }

  private func takeSteps(
    _ step: ManeuverPlan.Step, _ direction: String, until next: Int
  ) -> String {
    let name = step.name.map { name in
      let saysSteps = ["step", "stair"].contains { name.lowercased().contains($0) }
      return saysSteps ? name : isPartOfStreet(step) ? "the steps on \(name)" : "the steps \(name)"
    }
    let then = wayBehindSteps(step, until: next).map { " and continue \($0)" } ?? ""
    let side = sideways(step).map { "\($0)\(then.isEmpty ? " and" : ",") take" } ?? "Take"
    return
      "\(side) \(name ?? "the \(step.isNext ? "next " : "")steps")\(direction)"
      + "\(count(step, until: next))\(then)"
  }

  /// Whether steps have the name of the way before or behind them.
  private func isPartOfStreet(_ step: ManeuverPlan.Step) -> Bool {
    let behind = assembly.segments.dropFirst(step.point).first { $0.kind != .steps }
    let before = step.point > 0 ? assembly.segments[step.point - 1] : nil
    return [before, behind].contains { way in
      way.map { Junctions.isLine($0.kind) && StreetName.share($0.name, step.name) } ?? false
    }
  }

  private func count(_ step: ManeuverPlan.Step, until next: Int) -> String {
    let flights = (step.point..<max(step.point, next)).prefix {
      assembly.segments[$0].kind == .steps
    }
    let ways = flights.map { assembly.way(of: $0) }
    let counts = ways.indices.filter { $0 == 0 || ways[$0] != ways[$0 - 1] }
      .map { Int(search.graph.ways[ways[$0]].stepCount) }
    guard !counts.contains(0), !counts.isEmpty else { return "" }
    let sum = counts.reduce(0, +)
    return sum == 1 ? " (1 step)" : " (\(sum) steps)"
  }
}

package struct FloorText {
  package static func text(_ level: Double) -> String {
    level == level.rounded() && level.magnitude < 1e6 ? String(Int(level)) : String(level)
  }
}
