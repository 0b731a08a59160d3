internal import CupolaCampus

// 1. Find the link from one roadway of an avenue across its median to the other one.
// 2. Decide whether the route goes on there in the same direction, or turns back.

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
    guard segments[point - 1].kind == .street, name != nil, junctions.isSideways(point),
      junctions.goesOn(name, ahead: point)
    else { return nil }
    var (end, meters) = (point, 0.0)
    while end < segments.count, segments[end].kind == .street,
      end == point || !StreetName.share(self.name(from: end), name)
    {
      meters += segments[end].meters
      end += 1
    }
    guard meters <= Junctions.near, end < segments.count, segments[end].kind == .street,
      junctions.goesOn(name, behind: end)
    else { return nil }
    return end
  }
}
