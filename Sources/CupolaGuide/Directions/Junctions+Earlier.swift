internal import CupolaCampus

// 1. List the ways that users pass before a turn and could take for it.
// 2. Find the last one, and a street with a name of its own, to describe the turn by them.

extension Junctions {
  /// The ways on the side of a turn that users pass after the instruction before it.
  struct Earlier: Equatable {
    /// The last one, if it is near and users could take it for the turn.
    var last: Passed?
    /// The number of ways that have the same noun as the way after the turn, and no other name.
    var count = 0
    /// Whether users would count the same ways: each of them leads clearly to this side.
    var isCountable = true
    /// Whether `last` is one of those that are counted.
    var countsLast = false
    /// The number of ways without a name before `last` that have its noun, if it has no name either; `nil` if users could
    /// count them differently.
    var likeLast: Int? = 0
    /// The distance of the instruction from the turn in meters.
    var meters = 0.0
    /// The distances of the counted ways from the turn in meters, nearest first.
    var distances: [Double] = []
    /// The last street with a name of its own, on either side.
    var named: Passed?

    struct Passed: Equatable {
      var name: String
      var isToRight: Bool
      /// The distance from the turn in meters.
      var meters: Double
    }

    /// Whether users who take another one of these ways for the last one find no way after the same distance.
    var isLastDistinct: Bool {
      distances.dropFirst().allSatisfy { distance in
        let end = distance - (last?.meters ?? 0)
        return distances.allSatisfy { $0 >= distance || ($0 - end).magnitude > Self.inexact }
      }
    }

    /// Users do not see whether they have walked this number of meters more or less.
    private static let inexact = 10.0
  }

  /// Returns the ways that users could take for a turn; `nil` if there are none.
  func earlier(before step: ManeuverPlan.Step, after earlier: Int) -> Earlier? {
    let segments = assembly.segments
    let own = search.graph.ways[assembly.way(of: step.onto)]
    // Users cannot tell several branches of the street that they are on apart by name or number.
    let isStaying = StreetName.share(step.name, segments[step.point - 1].name)
    // A way at a right angle is not one to bear to, and only a narrow fork is one at which to keep to a side.
    let isSlight = step.kind == .slightLeft || step.kind == .slightRight
    let angles = step.isFork ? Self.narrow : Self.wide
    // Drivers who look for a name do not take the other lanes of a divided street for it.
    let seen = step.name == nil ? search.visible : search.seen
    let left = earlier > 0 ? segments[earlier - 1].name : nil
    var (found, meters, isAtCrossing) = (Earlier(), 0.0, false)
    // The noun of `last` if it has no name.
    var noun: String?
    found.isCountable = !isSlight && !isStaying
    for point in stride(from: step.point - 1, to: earlier, by: -1) {
      meters += segments[point].meters
      // The last ways that count are those at the end of a crossing.
      guard Self.isLine(segments[point].kind), !isAtCrossing else { break }
      isAtCrossing = segments[point - 1].kind == .crossing
      guard isAtCrossing ? meters <= Self.near : Self.isLine(segments[point - 1].kind) else {
        break
      }
      let all = branches(at: point, seen)
      let ways = all.filter {
        (own.kind == .crossing ? $0.way.kind == .crossing : Self.isLine($0.way.kind))
          && ($0.turn > 0) == step.isToRight
          && (!isAtCrossing || $0.way.kind == .path)
          && angles.contains($0.turn.magnitude)
          && (!isSlight || ($0.turn - step.turn).magnitude < Self.similar)
          && (step.name == nil || StreetName.share(step.name, $0.way.name))
      }
      let alike = ways.filter { $0.way.noun == own.noun }
      found.count += alike.count
      found.distances += alike.map { _ in meters }
      if found.named == nil { found.named = named(at: point, before: step, meters) }
      if let noun {
        let like = ways.filter { $0.way.name == nil && $0.way.noun == noun }
        let isClear = like.allSatisfy { Self.clear.contains($0.turn.magnitude) && !$0.isStub }
        found.likeLast = isClear ? found.likeLast.map { $0 + like.count } : nil
      }
      let side = all.count { ($0.turn > 0) == step.isToRight }
      // The other roadway of the street that users have just left belongs to the same junction.
      let isSameStreet = alike.contains { StreetName.share(left, $0.way.name) }
      if side > alike.count || isSameStreet
        || alike.contains(where: { !Self.clear.contains($0.turn.magnitude) || $0.isStub })
      {
        found.isCountable = false
      }
      guard found.last == nil, meters <= Self.near, !isStaying else { continue }
      let near = step.isFork && step.name == nil ? ways + otherForks(all, before: step) : ways
      guard let last = near.first(where: { isComparable($0.way, to: assembly.way(of: step.onto)) })
      else { continue }
      let isBranch = StreetName.share(last.way.name, segments[point].name)
      found.last = Earlier.Passed(
        name: (isBranch ? "a branch of " : "") + (last.way.name ?? last.way.indefinite),
        isToRight: last.turn > 0, meters: meters)
      found.countsLast = alike.contains { $0.bearing == last.bearing }
      noun = last.way.name == nil ? last.way.noun : nil
    }
    return found.last == nil && found.count == 0 ? nil : found
  }

  /// Returns the branches at a point where users could keep to the side of a later fork: those to this side, and those
  /// that fork off to the other side, so that the route itself keeps to this one.
  private func otherForks(_ branches: [Branch], before step: ManeuverPlan.Step) -> [Branch] {
    branches.filter {
      let most = ($0.turn > 0) == step.isToRight ? Self.clear.upperBound : Self.ahead
      return Self.isLine($0.way.kind) && (Self.narrow.lowerBound...most).contains($0.turn.magnitude)
    }
  }

  /// Returns a street at a point that has another name than the route before and after a turn.
  private func named(
    at point: Int, before step: ManeuverPlan.Step, _ meters: Double
  ) -> Earlier.Passed? {
    let others = [step.name, assembly.segments[point].name, assembly.segments[point - 1].name]
    return branches(at: point).lazy.compactMap { branch -> Earlier.Passed? in
      guard let name = branch.way.name, Self.isLine(branch.way.kind),
        Self.clear.contains(branch.turn.magnitude),
        !others.contains(where: { StreetName.share($0, name) })
      else { return nil }
      return Earlier.Passed(name: name, isToRight: branch.turn > 0, meters: meters)
    }.first
  }
}
