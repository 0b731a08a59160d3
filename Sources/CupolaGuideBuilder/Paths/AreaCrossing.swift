internal import CupolaGuide

// 1. Collect the entry points of an area and the corners to walk around.
// 2. Return the straight lines between them that stay inside, within a budget.

/// Straight lines across an open area from which shortest paths are built, between entry points and corners (the
/// visibility graph of Lozano-Pérez & Wesley 1979). All tests are exact, because coordinates are integers.
struct AreaCrossing {
  private typealias Point = SIMD2<Int>

  private let rings: [[Point]]
  private var nodes: [(number: Int, place: Point)] = []

  /// The limits for candidates, and for squared candidates times walls. Above them, the area is only walked around.
  private static let (mostNodes, mostTests) = (400, 60_000_000)
  /// The maximum bounding box in squared units of 1e-7 degrees, about a tenth of the Earth, so that products of
  /// coordinates do not overflow.
  private static let mostGround = 1 << 59

  /// - Parameter portals: Points on the rings or inside where people enter.
  init(_ rings: [[Int]], portals: Set<Int>, points: [MapPoint]) {
    let outline = (rings.first ?? []).map { points[$0] }
    // Across the antimeridian, longitudes continue from the first point.
    let origin = MapPoint.isAcrossDateLine(outline) ? outline.first : nil
    func place(_ number: Int) -> Point {
      let point = points[number]
      let x = origin.map { Int($0.longitudeE7) + $0.east(to: point) } ?? Int(point.longitudeE7)
      return [x, Int(point.latitudeE7)]
    }
    guard Self.ground(of: (rings.flatMap(\.self) + portals).map(place)) < Self.mostGround else {
      self.rings = []
      return
    }
    let turned = rings.enumerated().map { index, ring in
      (Self.area(ring.map(place)) > 0) == (index == 0) ? ring : ring.reversed()
    }
    self.rings = turned.map { $0.map(place) }
    var seen: Set<Int> = []
    for (ring, places) in zip(turned, self.rings) {
      for (index, number) in ring.enumerated() {
        let before = places[(index + places.count - 1) % places.count]
        let behind = places[(index + 1) % places.count]
        let isCorner = Self.side(before, places[index], behind) <= 0
        if (isCorner || portals.contains(number)) && seen.insert(number).inserted {
          nodes.append((number, places[index]))
        }
      }
    }
    for number in portals.sorted() where seen.insert(number).inserted {
      nodes.append((number, place(number)))
    }
  }

  /// Returns the pairs of points in sight of each other; `nil` if the area is too large or complex.
  func lines(within budget: inout WorkBudget, of id: String) -> [(Int, Int)]? {
    let walls = rings.reduce(0) { $0 + $1.count }
    guard !rings.isEmpty, nodes.count <= Self.mostNodes else { return nil }
    let tests = nodes.count * nodes.count * walls
    guard tests <= Self.mostTests else { return nil }
    guard budget.take(tests: tests, of: id) else { return nil }
    var lines: [(Int, Int)] = []
    for (index, node) in nodes.enumerated() {
      for other in nodes[(index + 1)...] where sees(node.place, other.place) {
        lines.append((node.number, other.number))
      }
    }
    return budget.take(results: lines.count, of: id) ? lines : nil
  }

  /// Whether the line between two points stays in the area. Lines through another corner are replaced by two lines.
  private func sees(_ a: Point, _ b: Point) -> Bool {
    if a == b { return false }
    for ring in rings {
      var one = ring[ring.count - 1]
      var first = Self.side(a, b, one)
      for other in ring {
        let second = Self.side(a, b, other)
        if second == 0, Self.isBetween(other, a, b) { return false }
        if (first > 0) != (second > 0), first != 0, second != 0 {
          let (third, fourth) = (Self.side(one, other, a), Self.side(one, other, b))
          if (third > 0) != (fourth > 0), third != 0, fourth != 0 { return false }
        }
        (one, first) = (other, second)
      }
    }
    // The line crosses no wall, so its middle decides whether it is inside.
    return covers(twice: a &+ b)
  }

  /// Whether half of a point is in the area, including its walls. A wall shared by two rings is excluded.
  private func covers(twice point: Point) -> Bool {
    var walls = 0
    for (number, ring) in rings.enumerated() {
      if let inside = Self.isInside(ring, twice: point) {
        if inside != (number == 0) { return false }
      } else {
        walls += 1
      }
    }
    return walls < 2
  }

  /// Whether half of a point is inside a ring; `nil` if it is on the ring.
  private static func isInside(_ ring: [Point], twice point: Point) -> Bool? {
    var inside = false
    var one = ring[ring.count - 1] &* 2
    for end in ring {
      let other = end &* 2
      let side = Self.side(one, other, point)
      if side == 0, isBetween(point, one, other) || point == one || point == other { return nil }
      if (one.y > point.y) != (other.y > point.y), (side > 0) == (other.y > one.y) {
        inside.toggle()
      }
      one = other
    }
    return inside
  }

  private static func side(_ a: Point, _ b: Point, _ c: Point) -> Int {
    (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x)
  }

  private static func isBetween(_ point: Point, _ a: Point, _ b: Point) -> Bool {
    point != a && point != b && min(a.x, b.x) <= point.x && point.x <= max(a.x, b.x)
      && min(a.y, b.y) <= point.y && point.y <= max(a.y, b.y)
  }

  private static func ground(of points: [Point]) -> Int {
    guard let first = points.first else { return 0 }
    var (low, high) = (first, first)
    for point in points {
      (low, high) = (pointwiseMin(low, point), pointwiseMax(high, point))
    }
    return (high.x - low.x) * (high.y - low.y)
  }

  /// Returns twice the signed area, positive if counterclockwise. Rings with several turns may give a wrong result.
  private static func area(_ ring: [Point]) -> Int {
    guard let origin = ring.first else { return 0 }
    var sum = 0
    for (one, other) in zip(ring, ring.dropFirst() + ring.prefix(1)) {
      let (a, b) = (one &- origin, other &- origin)
      sum &+= a.x * b.y - a.y * b.x
    }
    return sum
  }
}
