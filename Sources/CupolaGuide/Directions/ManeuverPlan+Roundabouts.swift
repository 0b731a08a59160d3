internal import CupolaCampus

// 1. Find the end of a roundabout that a route enters.
// 2. Count its exits for drivers, and measure the turn across it for walkers.

extension ManeuverPlan {
  /// Adds a roundabout that a route enters at a point, and returns the next point after its exit.
  mutating func addRoundabout(at point: Int) -> Int? {
    guard isInRoundabout(point), !isInRoundabout(point - 1) else { return nil }
    var end = point + 1
    while end < segments.count, isInRoundabout(end) { end += 1 }
    let isLeft = end < segments.count
    // A fork right before the roundabout only separates the lanes of the street.
    if !search.hasTurns, let last = steps.last, last.isFork,
      meters(last.point, point) < Junctions.near
    {
      steps.removeLast()
    }
    var step = Step(kind: .roundabout, point: point, name: isLeft ? segments[end].name : nil)
    if !search.hasTurns || isLeft && isDriveway(end) {
      // Walkers look for the direction to take, and drivers cannot tell which driveways count as exits.
      step.turn =
        isLeft
        ? turn(from: point, to: end, within: Self.together)
        : turn(from: point, to: point, until: point + 1)
    } else if isLeft {
      step.exit = 1 + (point + 1..<end).reduce(0) { $0 + exits(at: assembly.vertices[$1]) }
    }
    (step.end, step.onto) = (end, min(end, segments.count - 1))
    steps.append(step)
    return end + 1
  }

  private func isInRoundabout(_ segment: Int) -> Bool {
    search.graph.ways[assembly.way(of: segment)].isRoundabout
  }

  private func isDriveway(_ segment: Int) -> Bool {
    search.graph.ways[assembly.way(of: segment)].isDriveway
  }

  /// The number of streets that leave a roundabout at a vertex.
  private func exits(at vertex: Int) -> Int {
    guard vertex >= 0 else { return 0 }
    return search.leaving[vertex].count { arc in
      let way = search.graph.ways[search.graph.edges[Int(arc) >> 1].way]
      return !way.isRoundabout && !way.isDriveway
    }
  }
}

extension PathGraph.Way {
  /// Whether users would not call the way a street.
  fileprivate var isDriveway: Bool { isParkingAisle || isLocal && name == nil }
}
