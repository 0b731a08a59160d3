internal import CupolaCampus

// 1. Leave out the turns inside the parking lot where a route starts.
// 2. Leave out the turns between a door and the way, at both ends of a route.

extension ManeuverPlan {
  /// Users see a destination that is at most this number of meters from the way.
  private static let visible = 5.0
  /// The length in meters of the way through a parking lot to whose exit a direction leads users.
  private static let longestLot = 300.0
  /// Users do not turn for a shorter distance in meters.
  private static let unseen = 3.0

  /// Removes the turns between the aisles of the parking lot at the start; users see where it ends.
  mutating func leaveLot() {
    let aisles = segments.indices.prefix {
      segments[$0].name == nil && search.graph.ways[assembly.way(of: $0)].isParkingAisle
    }
    let end = aisles.endIndex
    func isInside(_ step: Step) -> Bool {
      Self.isTurn(step.kind) && step.point > 0 && step.point < end
    }
    // Users would leave the lot by the first exit.
    func isAtExit(_ step: Step) -> Bool {
      isInside(step)
        && junctions.branches(at: step.point).contains {
          $0.way.kind == .street && !$0.way.isParkingAisle && $0.turn.magnitude < Junctions.ahead
        }
    }
    guard end < segments.count, meters(0, end) <= Self.longestLot, steps.contains(where: isInside),
      !steps.contains(where: isAtExit)
    else { return }
    steps.removeAll(where: isInside)
    (steps[0].end, steps[0].onto) = (end, end)
    steps[0].name = steps.contains { $0.point == end } ? nil : name(from: end)
  }

  /// Removes the turns of the few meters between a door and the way, which users see: the departure leads along the
  /// way, and the destination is on one side of it.
  mutating func leaveOutEnds() {
    guard segments.count > 1 else { return }
    let last = steps.count - 1
    var begin = bend(near: 0, within: Bearing.reach, Array(1..<segments.count))
    // Where the first way goes on, or another one leads in the same direction, users would not find one without a name.
    if let corner = begin, name(from: corner) == nil, meters(0, corner) >= Self.visible,
      junctions.goesStraightOn(corner) || junctions.hasWayAtStart(toward: corner)
    {
      begin = nil
    }
    // Users who turn again immediately do not walk along the way behind the bend.
    if let corner = begin, let next = steps.first(where: { $0.point > corner }),
      next.turn.magnitude >= Self.straight,
      meters(corner, next.point) < min(Bearing.reach, meters(0, corner))
    {
      begin = nil
    }
    if let begin {
      // A turn can be announced together with a second one, which leads to another way.
      let first = steps.last { Self.isTurn($0.kind) && $0.point <= begin && $0.end > begin }
      let onto = first?.end ?? begin
      steps[0].name = name(from: onto)
      (steps[0].end, steps[0].onto) = (onto, onto)
    }
    let end = bend(
      near: segments.count, within: Self.visible, (((begin ?? 0) + 1)..<segments.count).reversed())
    if let end { steps[last].end = end }
    steps = steps.filter { step in
      let isOutside =
        step.point <= begin ?? 0 || step.point >= end ?? segments.count
        || meters(step.point, segments.count) < Self.unseen && !segments[step.point].isIndoor
      return !isOutside || !Self.isTurn(step.kind)
    }
  }

  /// Returns the bend that is farthest from an end of the route, up to a number of meters.
  private func bend(near end: Int, within most: Double, _ points: [Int]) -> Int? {
    var found: Int?
    for point in points {
      let range = min(end, point)..<max(end, point)
      let isOpen = segments[range].allSatisfy {
        [.street, .path, .area, .link].contains($0.kind) && !$0.isIndoor
      }
      let isAlone = !steps.contains { step in
        !Self.isTurn(step.kind) && step.kind != .depart && step.kind != .arrive
          && (range.contains(step.point) || step.point == point)
      }
      guard isOpen, isAlone, meters(range.lowerBound, range.upperBound) <= most else { break }
      let isUnseen = end == 0 && meters(0, point) < Self.unseen && junctions.bends(point)
      if junctions.isSideways(point) || isUnseen { found = point }
    }
    return found
  }
}
