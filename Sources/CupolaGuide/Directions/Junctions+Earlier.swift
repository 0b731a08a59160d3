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
    /// The distances of the ways with this noun from the turn in meters, nearest first.
    var distances: [Double] = []
    /// The last way with this noun, however far away, if all users see that it leads to this side.
    var lastLike: Passed?
    /// The last street with a name of its own, on either side.
    var named: Passed?
    /// The number of counted ways behind `named`; `nil` if users could count them differently.
    var countBehindNamed: Int?

    struct Passed: Equatable {
      var name: String
      var isToRight: Bool
      /// Whether the way is a path; with the name of a street, it is the sidewalk.
      var isPath = false
      /// Whether the way is a street that leads to both sides.
      var isCrossed = false
      /// The distance from the turn in meters.
      var meters: Double
    }

    /// Whether users who take another one of these ways for the last one find no way after the same distance.
    func isDistinct(_ last: Passed) -> Bool {
      // Users who cannot count see at least which way is nearest.
      let isCounted = isCountable || countBehindNamed != nil
      let least = isCounted ? Self.inexact : min(Self.inexact, last.meters)
      let inexact = max(least, last.meters * Self.inexactPart)
      return distances.filter { $0 >= last.meters }.allSatisfy { distance in
        let end = distance - last.meters
        return distances.allSatisfy { $0 >= distance || ($0 - end).magnitude > inexact }
      }
    }

    /// Users do not see whether they have walked this number of meters, or this part of a distance, more or less.
    private static let (inexact, inexactPart) = (10.0, 0.25)
  }

  /// Returns the ways that users could take for a turn; `nil` if there are none.
  func earlier(before step: ManeuverPlan.Step, after last: ManeuverPlan.Step) -> Earlier? {
    let (segments, earlier) = (assembly.segments, last.end)
    let left = earlier > 0 ? segments[earlier - 1].name : nil
    // Users cannot tell several branches of the street that they are on apart by name or number.
    let isStaying = StreetName.share(step.name, segments[step.point - 1].name)
    var (found, meters, isAtCrossing) = (Earlier(), 0.0, false)
    found.isCountable = !step.isSlight && !isStaying
    var passed: [Passing] = []
    for point in stride(from: step.point - 1, to: earlier, by: -1) {
      meters += segments[point].meters
      // The last ways that count are those at the end of a crossing.
      guard Self.isLine(segments[point].kind), !isAtCrossing else { break }
      isAtCrossing = segments[point - 1].kind == .crossing
      guard isAtCrossing ? meters <= Self.near : Self.isLine(segments[point - 1].kind) else {
        break
      }
      let here = passing(point, meters, before: step, isAtCrossing: isAtCrossing)
      if found.named == nil, let named = named(at: point, before: step, meters) {
        found.named = named
        found.countBehindNamed = found.isCountable ? found.count : nil
      }
      found.count += here.alike.count
      // The other roadway of the street that users have just left belongs to the same junction.
      let isSameStreet = here.alike.contains { StreetName.share(left, $0.way.name) }
      if found.distances.isEmpty, step.name == nil, let like = here.like.first, like.isClear,
        !isSameStreet
      {
        found.lastLike = described(like, here)
      }
      found.distances += here.like.map { _ in meters }
      if here.side.count > here.alike.count || isSameStreet || !here.alike.allSatisfy(\.isClear) {
        found.isCountable = false
      }
      passed.append(here)
      if found.last == nil, meters <= Self.near, !isStaying, let way = self.last(here, before: step)
      {
        found.last = way.passed
        found.countsLast = here.alike.contains { $0.bearing == way.branch.bearing }
      }
    }
    count(&found, passed, before: step)
    if last.kind == .crossing, let way = found.last, way.isPath,
      StreetName.share(way.name, last.name)
    {
      found.last?.name = "the sidewalk of \(way.name)"
    }
    return found.last == nil && found.count == 0 ? nil : found
  }

  /// The ways at a point that users pass before a turn.
  private struct Passing {
    let point: Int
    let meters: Double
    /// All ways, and those to the side of the turn.
    let all, side: [Branch]
    /// Those that users could take for the turn, and those that also have the noun of the way after it.
    let ways, alike: [Branch]
    /// Those that have this noun at any angle.
    let like: [Branch]
  }

  private func passing(
    _ point: Int, _ meters: Double, before step: ManeuverPlan.Step, isAtCrossing: Bool
  ) -> Passing {
    let own = search.graph.ways[assembly.way(of: step.onto)]
    // A way at a right angle is not one to bear to, and only a narrow fork is one at which to keep to a side.
    let angles = step.isFork ? Self.narrow : Self.wide
    // Drivers who look for a name do not take the other lanes of a divided street for it.
    let all = branches(at: point, step.name == nil ? search.visible : search.seen)
    let side = all.filter { ($0.turn > 0) == step.isToRight }
    let ways = side.filter {
      (own.kind == .crossing ? $0.way.kind == .crossing : Self.isLine($0.way.kind))
        && (!isAtCrossing || $0.way.kind == .path)
        && angles.contains($0.turn.magnitude)
        && (!step.isSlight || ($0.turn - step.turn).magnitude < Self.similar)
        && (step.name == nil || StreetName.share(step.name, $0.way.name))
    }
    let alike = ways.filter { $0.way.noun == own.noun }
    let like = side.filter {
      $0.way.kind == own.kind && $0.way.noun == own.noun && Self.wide.contains($0.turn.magnitude)
        && (step.name == nil || StreetName.share(step.name, $0.way.name))
    }
    return Passing(
      point: point, meters: meters, all: all, side: side, ways: ways, alike: alike,
      like: step.isFork ? alike : like)
  }

  /// Returns a way that users could take for the turn although it may have another noun.
  private func last(
    _ passing: Passing, before step: ManeuverPlan.Step
  ) -> (passed: Earlier.Passed, branch: Branch)? {
    let forks = step.isFork && step.name == nil ? otherForks(passing.all, before: step) : []
    let own = assembly.way(of: step.onto)
    guard let last = (passing.ways + forks).first(where: { isComparable($0.way, to: own) }) else {
      return nil
    }
    return (described(last, passing), last)
  }

  private func described(_ branch: Branch, _ passing: Passing) -> Earlier.Passed {
    let isBranch = StreetName.share(branch.way.name, assembly.segments[passing.point].name)
    return Earlier.Passed(
      name: (isBranch ? "a branch of " : "") + (branch.way.name ?? branch.way.indefinite),
      isToRight: branch.turn > 0, isPath: branch.way.kind == .path,
      isCrossed: !isBranch && isCrossed(branch, at: passing.point), meters: passing.meters)
  }

  /// Whether a street with a name also leads to the other side.
  private func isCrossed(_ branch: Branch, at point: Int) -> Bool {
    branch.way.kind == .street
      && branches(at: point, search.visible).contains {
        $0.turn * branch.turn < 0 && Self.wide.contains($0.turn.magnitude)
          && StreetName.share($0.way.name, branch.way.name)
      }
  }

  /// Counts the ways that users call the same as the last one, whatever their angles, and states the distance of the
  /// nearest of them.
  private func count(_ found: inout Earlier, _ passed: [Passing], before step: ManeuverPlan.Step) {
    guard let last = found.last else { return }
    let angles = step.isFork ? Self.narrow : Self.wide
    let like = passed.map { here in
      here.all.filter {
        $0.way.name == nil && $0.way.indefinite == last.name && Self.isLine($0.way.kind)
          && ($0.turn > 0) == last.isToRight && angles.contains($0.turn.magnitude)
      }
    }
    guard let nearest = like.firstIndex(where: { !$0.isEmpty }) else { return }
    found.last?.meters = passed[nearest].meters
    let others = like[(nearest + 1)...].joined()
    found.likeLast = others.allSatisfy(\.isClear) ? others.count : nil
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
      return Earlier.Passed(
        name: name, isToRight: branch.turn > 0, isCrossed: isCrossed(branch, at: point),
        meters: meters)
    }.first
  }
}
