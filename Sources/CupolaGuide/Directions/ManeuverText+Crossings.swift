internal import CupolaCampus

// 1. Name the streets under a crossing, and where it is if users do not walk straight to it.
// 2. Name the way behind it if users follow that way without another instruction.

extension ManeuverText {
  /// Users who walk on for more than this number of meters behind a crossing need to know where.
  private static let longestCrossing = 20.0
  /// The same for steps, which users see from both ends.
  private static let longestSteps = 100.0

  /// Returns a sentence that does not name a street if the crossing leads only across a bicycle path, for example.
  func crossing(_ step: ManeuverPlan.Step, until next: Int) -> String {
    if case .aside(let side) = step.cause { return crossing(step, to: side) }
    if case .median(let isBack) = step.cause {
      return "Cross \(way(step)) and \(isBack ? "go back" : "continue") along its other side"
    }
    let isStreet =
      step.name != nil || !Junctions(assembly, search).crossesNoStreet(from: step.point)
    let words =
      (isStreet ? "cross \(step.name ?? "the street")" : "take the crossing")
      + aside(step, isStreet)
    let then = wayBehind(step, until: next).map { " and continue \($0)" } ?? ""
    guard let side = sideways(step) else { return Self.sentence(words) + then }
    return "\(side)\(then.isEmpty ? " and" : ",") \(words)\(then)"
  }

  /// Returns where a crossing is that users reach by a few meters along the street.
  private func aside(_ step: ManeuverPlan.Step, _ isStreet: Bool) -> String {
    guard case .setBack(let side) = step.cause else { return "" }
    let isMarked = isStreet && !Junctions(assembly, search).isUnmarked(step.point)
    return (isMarked ? " at the crossing" : "") + " a few meters to the \(side.rawValue)"
  }

  /// Returns the way on which users walk on behind a crossing, with a preposition, if they follow it for some meters or
  /// if it has a name that begins there.
  private func wayBehind(_ step: ManeuverPlan.Step, until next: Int) -> String? {
    let segments = assembly.segments
    let parts = (step.end..<max(step.end, next))
    let begin = parts.last { segments[$0].kind == .crossing }.map { $0 + 1 } ?? step.end
    return way(from: begin, until: next, behind: step, atLeast: Self.longestCrossing)
      ?? newName(behind: step).map { "on \($0)" }
  }

  /// Returns the same for steps.
  func wayBehindSteps(_ step: ManeuverPlan.Step, until next: Int) -> String? {
    let parts = step.point..<max(step.point, next)
    let begin = parts.last { assembly.segments[$0].kind == .steps }.map { $0 + 1 }
    return begin.flatMap { way(from: $0, until: next, behind: step, atLeast: Self.longestSteps) }
  }

  private func way(
    from begin: Int, until next: Int, behind step: ManeuverPlan.Step, atLeast least: Double
  ) -> String? {
    let segments = assembly.segments
    let meters = (begin..<max(begin, next)).reduce(0) { $0 + segments[$1].meters }
    guard meters >= least else { return nil }
    // The first meters may lead from the roadway to the way.
    var (part, passed) = (begin, segments[begin].meters)
    while passed < Junctions.width, part + 1 < next {
      part += 1
      passed += segments[part].meters
    }
    guard segments[begin...part].allSatisfy({ Junctions.isLine($0.kind) && !$0.isIndoor }) else {
      return nil
    }
    let way = way(of: part)
    if way.isParkingAisle { return "into the parking lot" }
    let isAlong = step.kind == .crossing && StreetName.share(way.name, step.name)
    if isAlong, way.kind == .path { return "on its sidewalk" }
    return "on \(isAlong ? "the \(way.noun)" : way.name ?? "the \(way.noun)")"
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
}
