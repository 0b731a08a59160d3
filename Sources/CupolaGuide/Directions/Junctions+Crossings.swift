internal import CupolaCampus

// 1. Find the ends of a crossing, and the streets under it.
// 2. Decide whether a route crosses a street, or only enters or leaves it in the middle of a crossing.

extension Junctions {
  /// Whether a route enters or leaves a street in the middle of a crossing, and therefore does not cross it.
  func isHalfCrossing(_ point: Int) -> Bool {
    let segments = assembly.segments
    let end = crossingEnd(point)
    var begin = point
    while begin > 0, segments[begin - 1].kind == .crossing, crossingEnd(begin - 1) == end {
      begin -= 1
    }
    let isAlong =
      isAlongStreet(at: begin, segments[..<begin].reversed())
      || isAlongStreet(at: end, Array(segments[end...]))
    return isAlong && !(begin + 1..<max(begin + 1, end)).contains { !streets(at: $0).isEmpty }
  }

  /// Whether a point is in the middle of a street that a route crosses, where nobody turns.
  func isOnRoadway(_ point: Int) -> Bool {
    let isInside = [point - 1, point].allSatisfy { assembly.segments[$0].kind == .crossing }
    return isInside && !streets(at: point).isEmpty
  }

  /// Whether a route turns from one crossing to another one at a corner.
  func isCornerOfCrossings(_ point: Int) -> Bool {
    let isInside = [point - 1, point].allSatisfy { assembly.segments[$0].kind == .crossing }
    return isInside && streets(at: point).isEmpty && angle(at: point) > Self.bend
      && assembly.way(of: point - 1) != assembly.way(of: point)
  }

  /// Whether a route follows a street that begins at a point for some meters.
  private func isAlongStreet(at point: Int, _ segments: [Route.Segment]) -> Bool {
    let ways = streets(at: point)
    let part = segments.prefix { segment in
      segment.kind == .street && ways.contains { $0.name == segment.name }
    }
    return part.reduce(0) { $0 + $1.meters } >= Self.width
  }

  /// Returns the end of a crossing, which is at the latest where the route turns to another one.
  private func crossingEnd(_ point: Int) -> Int {
    var end = point
    while end < assembly.segments.count, assembly.segments[end].kind == .crossing,
      end == point || !isCornerOfCrossings(end)
    {
      end += 1
    }
    return end
  }

  /// Returns the names of the streets that a crossing leads across; `nil` if none has a name.
  func streetsCrossed(from point: Int) -> String? {
    var names: [String] = []
    for name in crossings(from: point).compactMap(\.name)
    where !names.contains(where: { StreetName.share($0, name) }) {
      names.append(name)
    }
    return names.isEmpty ? nil : names.joined(separator: " and ")
  }

  /// Returns "the driveway" if a crossing leads only across driveways; visitors do not call them streets.
  func drivewayCrossed(from point: Int) -> String? {
    let ways = crossings(from: point)
    return !ways.isEmpty && ways.allSatisfy(\.isLocal) ? "the driveway" : nil
  }

  /// Whether a crossing leads only across ways that are not streets on the map, such as bicycle paths.
  func crossesNoStreet(from point: Int) -> Bool { crossings(from: point).isEmpty }

  /// Returns the streets under a crossing, or those at its first end that has some.
  private func crossings(from point: Int) -> [PathGraph.Way] {
    let end = crossingEnd(point)
    guard end > point else { return [] }
    let inside = (point + 1..<end).flatMap { streets(at: $0) }
    return inside.isEmpty
      ? [point, end].lazy.map { streets(at: $0) }.first { !$0.isEmpty } ?? [] : inside
  }

  private func streets(at point: Int) -> [PathGraph.Way] {
    let vertex = assembly.vertices[point]
    guard vertex >= 0 else { return [] }
    return search.leaving[vertex].map { search.graph.ways[search.graph.edges[Int($0) >> 1].way] }
      .filter { $0.kind == .street }
  }
}
