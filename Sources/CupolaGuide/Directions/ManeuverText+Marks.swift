internal import CupolaCampus

// 1. Choose what distinguishes a turn from the ways before it: a number, a way, a building, or only the distance.

extension ManeuverText {
  /// Users may forget what to count over a longer distance in meters.
  private static let longestCount = 150.0
  /// Users who know how far a turn is do not take a way for it that is more than this number of meters, and a third of
  /// the distance, before it.
  private static let obvious = 100.0
  /// Users remember this number of earlier ways more easily than a distance from the last one.
  private static let fewest = 2
  /// An instruction is announced up to about this number of meters ahead. Users who hear it cannot count the ways before.
  private static let announced = 65.0
  private static let ordinals = ["second", "third", "fourth", "fifth", "sixth"]

  /// What users look for at a turn.
  struct Mark {
    var passed: Passed?
    var isBuilding = false
    /// "second" if there is one such way before.
    var ordinal: String?
    /// The distance from the passed way in meters. The instruction before states its own distance.
    var meters: Double?
  }

  /// Returns what distinguishes a turn from earlier ways: their number or the last one; if there is none nearby, a
  /// building; at last, only the distance that the instruction before states.
  func mark(_ step: ManeuverPlan.Step, building near: Passed?) -> Mark {
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
    if earlier.isCountable, earlier.count == 1, isAhead(earlier), isCounted(step) {
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

  /// Returns what distinguishes a turn from ways far before it: a street with a name, their number, or the last way with
  /// the same noun. Users prefer the last way to a high number.
  private func fromAfar(_ step: ManeuverPlan.Step, _ earlier: Junctions.Earlier) -> Mark {
    if earlier.meters > Self.longestCount, let named = earlier.named,
      named.meters <= Self.longestCount
    {
      guard earlier.countBehindNamed == 1, isCounted(step) else {
        return Mark(passed: Passed(named), meters: named.meters)
      }
      return Mark(passed: Passed(named), ordinal: Self.ordinals[0])
    }
    let isCountable = earlier.isCountable && isCounted(step)
    let ordinal = isCountable ? Self.ordinal(earlier.count) : nil
    let isFew = ordinal != nil && earlier.count <= Self.fewest
    if isFew, isAhead(earlier) { return Mark(ordinal: ordinal) }
    if !isFew, let nearest = earlier.distances.first,
      nearest > max(Self.obvious, earlier.meters / 3)
    {
      return Mark()
    }
    if let last = earlier.lastLike, isFew || last.meters <= Self.longestCount,
      earlier.isDistinct(last)
    {
      return Mark(passed: Passed(last), meters: last.meters)
    }
    return Mark(ordinal: ordinal)
  }

  /// Whether all ways that users count are still ahead when they hear the instruction.
  private func isAhead(_ earlier: Junctions.Earlier) -> Bool {
    earlier.distances.allSatisfy { $0 <= Self.announced }
  }

  /// Returns the number of the way behind `count` others; `nil` if there are none or too many to count.
  private static func ordinal(_ count: Int) -> String? {
    ordinals.indices.contains(count - 1) ? ordinals[count - 1] : nil
  }

  /// Returns the last way before a turn, with its number if users pass others like it; nothing if they cannot count
  /// them.
  private func pastLast(_ earlier: Junctions.Earlier) -> Mark {
    guard var last = earlier.last, earlier.likeLast != 0 else {
      return Mark(passed: earlier.last.map { Passed($0) })
    }
    guard let ordinal = earlier.likeLast.flatMap(Self.ordinal),
      earlier.meters <= Self.longestCount
    else { return Mark() }
    last.name = "the \(ordinal)\(last.name.drop { $0 != " " })"
    return Mark(passed: Passed(last))
  }

  /// Whether the way after a step has a noun that can be counted. Several entrances lead to one parking lot.
  private func isCounted(_ step: ManeuverPlan.Step) -> Bool {
    guard step.name == nil, step.point > 0, assembly.segments[step.onto].kind != .area else {
      return false
    }
    return !way(of: step.onto).isParkingAisle || way(of: step.point - 1).isParkingAisle
  }
}
