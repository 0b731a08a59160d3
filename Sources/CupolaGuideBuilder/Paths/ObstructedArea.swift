internal import CupolaGuide
internal import CupolaSupport

// 1. Build the lines of sight between the points of an area that cross no barrier, for walking or step-free.
// 2. Split points on barriers into one vertex for each side, and keep the parts that people can enter.

/// The paths on an open area with obstacles.
struct ObstructedArea {
  private typealias Point = SIMD2<Int>

  /// A point of the area on one side of the barriers that meet at it; `side` is `nil` where they do not separate.
  struct Stop: Hashable {
    let point: Int
    let side: Int?
  }

  private let crossing: AreaCrossing
  private let barriers: AreaBarriers
  private let portals: Set<Int>
  private let outlines: Int
  private let rays: [Point: [Point]]
  private let edges: Set<[Point]>

  /// - Parameters:
  ///   - outlines: The number of rings of the area; the others are buildings on it.
  ///   - portals: Points where people enter or leave.
  init(_ crossing: AreaCrossing, _ barriers: AreaBarriers, outlines: Int, portals: Set<Int>) {
    (self.crossing, self.barriers, self.outlines) = (crossing, barriers, outlines)
    self.portals = portals.subtracting(barriers.stepsOnly)
    var rays: [Point: [Point]] = [:]
    let places = Set(crossing.nodes.map(\.place) + crossing.rings.joined())
    for segment in barriers.segments where segment.poke > 1 {
      for place in places where Self.isOn(place, segment.one, segment.other) {
        let ends = [segment.one, segment.other].filter { $0 != place }
        rays[place, default: []] += ends.map { $0 &- place }
      }
    }
    var edges: Set<[Point]> = []
    for ring in crossing.rings {
      for (one, other) in zip(ring, ring.dropFirst() + ring.prefix(1)) {
        edges.insert([one, other])
        if rays[one] != nil { rays[one]?.append(other &- one) }
        if rays[other] != nil { rays[other]?.append(one &- other) }
      }
    }
    self.rays = rays.mapValues(Self.sorted).filter { $0.value.count > 1 }
    self.edges = edges
  }

  /// Returns the paths on the area; `nil` if it is too complex.
  func lines(within budget: inout WorkBudget, of id: String) -> [(Stop, Stop)]? {
    let nodes = crossing.nodes
    let walls = crossing.rings.reduce(0) { $0 + $1.count } + barriers.segments.count
    let tests = nodes.count * nodes.count * walls
    var found: [(Stop, Stop)] = []
    if nodes.count <= AreaCrossing.mostNodes, tests <= AreaCrossing.mostTests {
      guard budget.take(tests: tests, of: id) else { return nil }
      for (index, node) in nodes.enumerated() {
        for other in nodes[(index + 1)...] where crossing.sees(node.place, other.place) {
          found += stops(node, other)
        }
      }
    }
    for ring in crossing.numbers.prefix(outlines) {
      let ends = ring.map { ($0, crossing.place($0)) }
      for (one, other) in zip(ends, ends.dropFirst() + ends.prefix(1)) {
        found += stops((number: one.0, place: one.1), (number: other.0, place: other.1))
      }
    }
    guard budget.take(results: found.count, of: id) else { return nil }
    return reachable(found)
  }

  /// Returns the line between two points if it is not blocked; along a wall or barrier, one for each side.
  private func stops(
    _ one: (number: Int, place: Point), _ other: (number: Int, place: Point)
  ) -> [(Stop, Stop)] {
    let (a, b) = (one.place, other.place)
    guard a != b else { return [] }
    let sides: [Int?] = isAlongWall(a, b) ? [1, -1] : [nil]
    return sides.compactMap { side in
      guard !isBlocked(a, b, side), isFree(a, b, side) else { return nil }
      return (stop(one.number, a, b, side), stop(other.number, b, a, side.map { -$0 }))
    }
  }

  private func isAlongWall(_ a: Point, _ b: Point) -> Bool {
    edges.contains([a, b]) || edges.contains([b, a])
      || barriers.segments.contains { segment in
        segment.poke > 1 && AreaCrossing.side(a, b, segment.one) == 0
          && AreaCrossing.side(a, b, segment.other) == 0
          && Self.isOn(a, segment.one, segment.other) && Self.isOn(b, segment.one, segment.other)
      }
  }

  /// Whether a barrier is in the way. A line along a barrier is only on its left (1) or right (-1) side.
  private func isBlocked(_ a: Point, _ b: Point, _ side: Int?) -> Bool {
    barriers.segments.contains { segment in
      let first = AreaCrossing.side(a, b, segment.one)
      let second = AreaCrossing.side(a, b, segment.other)
      for (end, place, rest) in [(first, segment.one, second), (second, segment.other, first)]
      where end == 0 && AreaCrossing.isBetween(place, a, b) {
        if side == nil || rest == 0 || rest.signum() == side { return true }
      }
      guard (first > 0) != (second > 0), first != 0, second != 0 else { return false }
      let third = AreaCrossing.side(segment.one, segment.other, a)
      let fourth = AreaCrossing.side(segment.one, segment.other, b)
      guard (third > 0) != (fourth > 0), third != 0, fourth != 0 else { return false }
      guard let side, first.signum() != side else { return true }
      // A barrier that reaches the wall from the other side extends slightly past it, which blocks nothing here.
      let fraction = Double(first) / (Double(first) - Double(second))
      return fraction < segment.poke
    }
  }

  /// Whether the middle of a line, or a point just beside it, is on the area and not in an obstacle.
  private func isFree(_ a: Point, _ b: Point, _ side: Int?) -> Bool {
    let (one, other) = (barriers.frame.meters(a), barriers.frame.meters(b))
    let way = other - one
    guard way.length > 0 else { return false }
    let left: SIMD2<Double> = [-way.y, way.x]
    let place = (one + other) / 2 + left * (Double(side ?? 0) * 0.04 / way.length)
    if side != nil, !barriers.frame.covers(place) { return false }
    return !barriers.solids.contains { [$0].enclose(place) }
  }

  private func stop(_ number: Int, _ place: Point, _ next: Point, _ side: Int?) -> Stop {
    if portals.contains(number) { return Stop(point: number, side: nil) }
    guard let rays = rays[place] else {
      return Stop(point: number, side: barriers.stepsOnly.contains(number) ? 0 : nil)
    }
    let way = next &- place
    let index = rays.lastIndex { !Self.isBefore(way, $0) } ?? rays.count - 1
    let isOnRay = !Self.isBefore(way, rays[index]) && !Self.isBefore(rays[index], way)
    let sector = isOnRay && side == -1 ? (index + rays.count - 1) % rays.count : index
    return Stop(point: number, side: sector)
  }

  /// Returns the paths that are connected to a portal, or all paths if there is no portal, as in a closed courtyard.
  private func reachable(_ lines: [(Stop, Stop)]) -> [(Stop, Stop)] {
    var numbers: [Stop: Int] = [:]
    var stops: [Stop] = []
    func number(_ stop: Stop) -> Int {
      if let known = numbers[stop] { return known }
      numbers[stop] = stops.count
      stops.append(stop)
      return stops.count - 1
    }
    var seen: Set<Set<Int>> = []
    let pairs = lines.map { (number($0.0), number($0.1)) }.filter {
      $0.0 != $0.1 && seen.insert([$0.0, $0.1]).inserted
    }
    var groups = DisjointSets(count: stops.count)
    for (one, other) in pairs { groups.join(one, other) }
    let entered = Set(
      stops.indices.filter { portals.contains(stops[$0].point) }.map { groups.root(of: $0) })
    return pairs.filter { entered.isEmpty || entered.contains(groups.root(of: $0.0)) }
      .map { (stops[$0.0], stops[$0.1]) }
  }

  // MARK: - Directions

  private static func isOn(_ place: Point, _ one: Point, _ other: Point) -> Bool {
    place == one || place == other
      || AreaCrossing.side(one, other, place) == 0 && AreaCrossing.isBetween(place, one, other)
  }

  /// Sorts directions counterclockwise from east and removes repeated ones.
  private static func sorted(_ rays: [Point]) -> [Point] {
    var result: [Point] = []
    for ray in rays.sorted(by: isBefore) {
      if let last = result.last, !isBefore(last, ray) { continue }
      result.append(ray)
    }
    return result
  }

  private static func isBefore(_ one: Point, _ other: Point) -> Bool {
    func isLower(_ way: Point) -> Bool { way.y < 0 || way.y == 0 && way.x < 0 }
    if isLower(one) != isLower(other) { return !isLower(one) }
    return one.x * other.y - one.y * other.x > 0
  }
}
