internal import CupolaGuide

// 1. Take the points where people enter an area, and the corners they go round.
// 2. Test for each pair whether the straight line between them stays inside.
// 3. Return the lines, within a budget for the whole map.

/// Straight lines over an open area, from which shortest ways across it can be made: between points where ways meet it
/// and corners that are to be gone round (the visibility graph of Lozano-Pérez & Wesley 1979).
///
/// All tests are exact, because points are whole numbers.
struct AreaCrossing {
  private typealias Point = SIMD2<Int>

  /// Empty for an area that is too large.
  private let rings: [[Point]]
  private var nodes: [(number: Int, place: Point)] = []

  /// Candidates, and candidates squared times walls, beyond which an area is only gone round.
  private static let (mostNodes, mostTests) = (400, 60_000_000)
  /// The box around an area in squared ten-millionths of a degree, beyond which products of coordinates would not fit:
  /// about a tenth of the Earth.
  private static let mostGround = 1 << 59

  /// - Parameters:
  ///   - rings: numbers of points; the outer ring first.
  ///   - portals: points of the rings, or inside, from which people come.
  init(_ rings: [[Int]], portals: Set<Int>, points: [MapPoint]) {
    let outline = (rings.first ?? []).map { points[$0] }
    // Across the date line longitudes are counted on from the first point.
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
    // The area is on the left of each ring.
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

  /// Pairs of points that see each other; `nil` where the area is too large, or has too many corners to look.
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

  /// Whether the straight line between two points stays in the area; not where it passes another corner, because then
  /// there are two shorter ones.
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
    // Nothing is crossed: all of it is inside, outside or on a wall, as its middle is.
    return covers(twice: a &+ b)
  }

  /// Whether the area, its walls included, holds half of a point: inside of the outer ring and of no hole. A wall that
  /// two rings have is not of it.
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

  /// Whether a ring goes round half of a point; `nil` where that is on it.
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

  /// More than 0 where `c` is to the left of the way from `a` to `b`.
  private static func side(_ a: Point, _ b: Point, _ c: Point) -> Int {
    (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x)
  }

  /// Whether a point on the line through two others is between them, and none of them.
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

  /// Twice the area; more than 0 when the ring goes counterclockwise. That of a ring which goes round and round may be
  /// wrong.
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
