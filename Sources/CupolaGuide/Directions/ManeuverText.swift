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
  /// Users may forget what to count over a longer distance in meters.
  private static let longestCount = 150.0
  /// Users who know how far a turn is do not take a way for it that is more than this number of meters, and a third of
  /// the distance, before it.
  private static let obvious = 100.0
  private static let ordinals = ["second", "third"]

  func maneuvers(_ steps: [ManeuverPlan.Step]) -> [Maneuver] {
    var lastLandmark: String?
    let doors = RoomDoors(search.graph, of: assembly)
    return steps.enumerated().map { number, step in
      let next = number + 1 < steps.count ? steps[number + 1].point : step.point
      let part = assembly.segments[min(step.point, assembly.segments.count)..<max(step.point, next)]
      let isWay = step.kind != .crossing && step.kind != .arrive
      let building =
        landmarks.near(step, of: assembly).map { Passed($0) }
        ?? doors.before(step.point, of: assembly).map { Passed(($0.name, $0.side, true)) }
      let mark = mark(step, building: building?.name == lastLandmark ? nil : building)
      let text =
        text(step, until: next, mark) + passages(behind: step, until: next)
        + toward(steps.dropFirst(number + 1).first, behind: step)
      if Self.namesLandmark(step.kind) {
        lastLandmark = mark.isBuilding || building?.name == lastLandmark ? building?.name : nil
      }
      return Maneuver(
        step.kind, at: step.point, name: isWay ? step.name : nil, text: text,
        meters: part.reduce(0) { $0 + $1.meters }, seconds: part.reduce(0) { $0 + $1.seconds })
    }
  }

  private static func namesLandmark(_ kind: Maneuver.Kind) -> Bool {
    ManeuverPlan.isTurn(kind) && kind != .uTurn
  }

  /// What users look for at a turn.
  struct Mark {
    var passed: Passed?
    var isBuilding = false
    /// "second" if there is exactly one such way before, which nobody can miss. Users count more ways differently, so
    /// that they also need the distance.
    var ordinal: String?
    /// The distance from the last instruction or from the passed way in meters.
    var meters: Double?
  }

  /// Returns what distinguishes a turn from earlier ways: their number or the last one; if there is none nearby, a
  /// building; at last, the distance.
  private func mark(_ step: ManeuverPlan.Step, building near: Passed?) -> Mark {
    guard let earlier = step.earlier else { return Mark(passed: near, isBuilding: near != nil) }
    // A building that is still next to users does not tell which of several ways to take.
    let building = near?.isBehind ?? false ? near : nil
    let last = earlier.last.map { Passed($0) }
    if last == nil, building != nil { return Mark(passed: building, isBuilding: true) }
    let isLastOnly = last != nil && earlier.count <= (earlier.countsLast ? 1 : 0)
    if isLastOnly {
      let isOtherRoadway = last?.name == step.name
      return isOtherRoadway ? Mark(ordinal: Self.ordinals[0]) : pastLast(earlier)
    }
    if earlier.isCountable, earlier.count == 1, earlier.meters <= Self.longestCount, isCounted(step)
    {
      return Mark(ordinal: Self.ordinals[0])
    }
    // A building is too large to tell ways apart that are close together.
    let fromLast = earlier.last?.meters ?? .infinity
    let isLastNear = earlier.countsLast && fromLast < ManeuverPlan.together
    let behindLast = Mark(passed: last, meters: fromLast)
    let isDistinct = earlier.last.map { earlier.isDistinct($0) } ?? false
    if isLastNear, isDistinct { return behindLast }
    if building != nil { return Mark(passed: building, isBuilding: true) }
    return isDistinct ? behindLast : fromAfar(step, earlier)
  }

  /// Returns what distinguishes a turn from ways far before it: their number and the distance, a street with a name, or
  /// the last way with the same noun.
  private func fromAfar(_ step: ManeuverPlan.Step, _ earlier: Junctions.Earlier) -> Mark {
    if earlier.meters > Self.longestCount, let named = earlier.named,
      named.meters <= Self.longestCount
    {
      guard earlier.countBehindNamed == 1, isCounted(step) else {
        return Mark(passed: Passed(named), meters: named.meters)
      }
      return Mark(passed: Passed(named), ordinal: Self.ordinals[0])
    }
    if let nearest = earlier.distances.first, nearest > max(Self.obvious, earlier.meters / 3) {
      return Mark(meters: earlier.meters)
    }
    let isCountable = earlier.isCountable && isCounted(step)
    if isCountable, Self.ordinals.indices.contains(earlier.count - 1) {
      return Mark(ordinal: Self.ordinals[earlier.count - 1], meters: earlier.meters)
    }
    if let last = earlier.lastLike, last.meters <= Self.longestCount, earlier.isDistinct(last) {
      return Mark(passed: Passed(last), meters: last.meters)
    }
    return Mark(meters: earlier.meters)
  }

  /// Returns the last way before a turn, with its number if users pass others like it; the distance if they cannot count
  /// them.
  private func pastLast(_ earlier: Junctions.Earlier) -> Mark {
    guard var last = earlier.last, earlier.likeLast != 0 else {
      return Mark(passed: earlier.last.map { Passed($0) })
    }
    guard let count = earlier.likeLast, count <= Self.ordinals.count,
      earlier.meters <= Self.longestCount
    else { return Mark(meters: earlier.meters) }
    last.name = "the \(Self.ordinals[count - 1])\(last.name.drop { $0 != " " })"
    return Mark(passed: Passed(last))
  }

  /// Whether the way after a step has a noun that can be counted. Several entrances lead to one parking lot.
  private func isCounted(_ step: ManeuverPlan.Step) -> Bool {
    guard step.name == nil, step.point > 0, assembly.segments[step.onto].kind != .area else {
      return false
    }
    return !way(of: step.onto).isParkingAisle || way(of: step.point - 1).isParkingAisle
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
    case .uTurn: return past(mark) { "turn \(around(step))\(isBack(step) ? "" : onto(step, mark))" }
    case .roundabout: return roundabout(step)
    case .crossing: return crossing(step)
    case .steps: return takeSteps(step, "", until: next)
    case .stepsUp: return takeSteps(step, " up\(floor(step))", until: next)
    case .stepsDown: return takeSteps(step, " down\(floor(step))", until: next)
    case .escalator: return "Take the escalator"
    case .escalatorUp: return "Take the escalator up\(floor(step))"
    case .escalatorDown: return "Take the escalator down\(floor(step))"
    case .elevatorUp: return "Take the elevator up\(floor(step))"
    case .elevatorDown: return "Take the elevator down\(floor(step))"
    case .enterBuilding: return "Enter \(building(at: step))\(turnBehindDoor(step))"
    case .leaveBuilding: return "Leave \(building(at: step))\(turnBehindDoor(step))"
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

  /// Returns the direction to take right behind the door of a building.
  private func turnBehindDoor(_ step: ManeuverPlan.Step) -> String {
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

    init(_ way: Junctions.Earlier.Passed) {
      (name, side) = (way.name, way.isToRight ? "right" : "left")
    }

    init(_ building: (name: String, side: String, isBehind: Bool)) {
      (name, side, isBehind) = building
    }
  }

  private func past(_ mark: Mark, _ words: () -> String) -> String {
    let words = words()
    let meters = mark.meters.map { DistanceText.text(meters: Self.rounded($0)) }
    if let passed = mark.passed {
      let past = meters.map { "About \($0) past" } ?? (passed.isBehind ? "Past" : "At")
      return "\(past) \(passed.name) on your \(passed.side), \(words)"
    }
    if let meters { return "After \(meters), \(words)" }
    return words.prefix(1).uppercased() + words.dropFirst()
  }

  /// Returns meters that people can estimate: 43 as 45, 187 as 190.
  private static func rounded(_ meters: Double) -> Double {
    let step = meters < 100 ? 5.0 : 10
    return (meters / step).rounded() * step
  }

  func way(_ step: ManeuverPlan.Step, _ mark: Mark? = nil) -> String {
    if let name = title(step) {
      return (mark?.ordinal.map { "the \($0) roadway of " } ?? "") + name
    }
    let way = way(of: min(step.onto, assembly.segments.count - 1))
    let outermost = step.isToRight ? "rightmost " : "leftmost "
    let ordinal =
      mark?.ordinal.map { $0 + " " } ?? (step.cause == .outermost ? outermost : "")
    return "the \(ordinal)\(way.isParkingAisle && mark != nil ? "parking aisle" : way.noun)"
  }

  func way(of segment: Int) -> PathGraph.Way {
    search.graph.ways[assembly.way(of: segment)]
  }

  /// The name of the way after a step. Of three names or more, only the one that the route follows is used.
  func title(_ step: ManeuverPlan.Step) -> String? {
    let next = assembly.segments.dropFirst(step.onto).lazy.map(\.name).first { $0 != step.name }
    return step.name.map { StreetName.brief($0, before: next ?? nil) }
  }

  private func onto(_ step: ManeuverPlan.Step, _ mark: Mark) -> String {
    let segment = assembly.segments[step.point]
    if segment.kind == .room { return " into \(step.name ?? "the room")" }
    guard segment.isIndoor else { return ontoOutdoors(step, mark) }
    guard step.point > 0, assembly.way(of: step.point - 1) != assembly.way(of: step.onto) else {
      return ""
    }
    let isOtherKind = way(of: step.point - 1).noun != way(of: step.onto).noun
    return step.name == nil && !isLeavingRoom(step) && !isOtherKind ? "" : " into \(way(step))"
  }

  private func bear(_ step: ManeuverPlan.Step) -> String { step.isFork ? "keep" : "bear" }

  private func ontoOutdoors(_ step: ManeuverPlan.Step, _ mark: Mark) -> String {
    guard step.point > 0 else { return " onto \(way(step))" }
    let (before, behind) = (assembly.segments[step.point - 1], assembly.segments[step.onto])
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
      return mark.ordinal == nil ? "" : " into \(way(step, mark))"
    }
    return isSame && (step.isFork || behind.kind == .area) ? "" : " onto \(way(step, mark))"
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
    else { return "around" }
    return sharply(step)
  }

  /// Returns the words for a turn that leads back. Walkers who turn by so much face almost the way that they came.
  private func sharply(_ step: ManeuverPlan.Step) -> String {
    let side = step.turn > 0 ? "right" : "left"
    let isAround = !search.hasTurns && step.turn.magnitude >= ManeuverPlan.around
    return isAround ? "around to the \(side)" : "sharply \(side)"
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
      return "continue on \(way(step)) on your \(side.rawValue)"
    }
    if step.isFork {
      // Users leave the street that they know by its name.
      let isUnnamed = step.name == nil && assembly.segments[step.point - 1].name != nil
      let onto = isUnnamed ? " onto \(way(step))" : step.name == nil ? "" : " on \(way(step))"
      return "continue straight\(onto)"
    }
    let isOntoPath =
      assembly.segments[max(0, step.point - 1)].kind == .street
      && assembly.segments[step.onto].kind == .path
    let isStraight = hasRival(step) || step.name == nil && isOntoPath
    let onto = segment.isIndoor ? "along" : isStraight ? "straight onto" : "on"
    return "continue \(onto) \(way(step))"
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
      case .uTurn: "turn around"
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

  /// Returns a sentence that does not name a street if the crossing leads only across a bicycle path, for example.
  private func crossing(_ step: ManeuverPlan.Step) -> String {
    if case .aside(let side) = step.cause { return crossing(step, to: side) }
    if case .median(let isBack) = step.cause {
      return "Cross \(way(step)) and \(isBack ? "go back" : "continue") along its other side"
    }
    let isStreet =
      step.name != nil || !Junctions(assembly, search).crossesNoStreet(from: step.point)
    let words = isStreet ? "cross \(step.name ?? "the street")" : "take the crossing"
    let then = newName(behind: step).map { " and continue on \($0)" } ?? ""
    guard let side = sideways(step) else {
      return words.prefix(1).uppercased() + words.dropFirst() + then
    }
    return "\(side) and \(words)\(then)"
  }

  /// Returns the name of a street that begins where users have crossed another one without a marked crossing.
  private func newName(behind step: ManeuverPlan.Step) -> String? {
    let behind = assembly.segments[step.end]
    guard step.point > 0, Junctions.isLine(behind.kind),
      Junctions(assembly, search).isUnmarked(step.point),
      !StreetName.share(behind.name, assembly.segments[step.point - 1].name)
    else { return nil }
    return behind.name
  }

  /// Returns the words for a crossing to a path that begins to one side on the other side of the street.
  private func crossing(_ step: ManeuverPlan.Step, to side: ManeuverPlan.Side) -> String {
    let meters = (step.point..<step.end).reduce(0) { $0 + assembly.segments[$1].meters }
    let path = way(of: step.onto)
    let words = "Cross \(step.name ?? "the street") to \(path.name ?? "the \(path.noun)")"
    guard meters >= ManeuverPlan.shortJog else { return words }
    return "\(words) \(DistanceText.text(meters: Self.rounded(meters))) to the \(side.rawValue)"
  }

  private func sideways(_ step: ManeuverPlan.Step) -> String? {
    switch ManeuverPlan.kind(step.turn) {
    case .left: "Turn left"
    case .right: "Turn right"
    case .sharpLeft, .sharpRight: "Turn \(sharply(step))"
    case .uTurn: "Turn \(around(step))"
    // Users who walk along the street need to know the side of a crossing.
    case .slightLeft where isBeside(step): "Bear left"
    case .slightRight where isBeside(step): "Bear right"
    default: nil
    }
  }

  private func isBeside(_ step: ManeuverPlan.Step) -> Bool {
    step.kind == .crossing && step.point > 0
      && (assembly.segments[step.point - 1].kind == .street
        || Junctions(assembly, search).isUnmarked(step.point))
  }

  private func floor(_ step: ManeuverPlan.Step) -> String {
    step.level.map { " to floor \(FloorText.text($0))" } ?? ""
  }

  private func takeSteps(
    _ step: ManeuverPlan.Step, _ direction: String, until next: Int
  ) -> String {
    let name = step.name.map { name in
      let saysSteps = ["step", "stair"].contains { name.lowercased().contains($0) }
      return saysSteps ? name : "the steps \(name)"
    }
    let side = sideways(step).map { "\($0) and take" } ?? "Take"
    return
      "\(side) \(name ?? "the \(step.isNext ? "next " : "")steps")\(direction)\(count(step, until: next))"
  }

  private func count(_ step: ManeuverPlan.Step, until next: Int) -> String {
    let flights = (step.point..<max(step.point, next)).prefix {
      assembly.segments[$0].kind == .steps
    }
    let ways = flights.map { assembly.way(of: $0) }
    let counts = ways.indices.filter { $0 == 0 || ways[$0] != ways[$0 - 1] }
      .map { Int(search.graph.ways[ways[$0]].stepCount) }
    guard !counts.contains(0), !counts.isEmpty else { return "" }
    return " (\(counts.reduce(0, +)) steps)"
  }
}

package struct FloorText {
  package static func text(_ level: Double) -> String {
    level == level.rounded() && level.magnitude < 1e6 ? String(Int(level)) : String(level)
  }
}
