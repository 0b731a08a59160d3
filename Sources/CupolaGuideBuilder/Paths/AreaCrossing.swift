internal import CupolaGuide

// 1. Collect the entry points of an area, and the corners that routes go around.
// 2. Return the straight lines between these points that stay inside the area, within a work budget.

/// The straight lines across an open area, between its entry points and corners, that shortest paths consist of (the
/// visibility graph of Lozano-Pérez & Wesley 1979). All tests are exact, because coordinates are integers.
struct AreaCrossing {
  typealias Point = SIMD2<Int>

  let rings: [[Point]]
  /// The point numbers of the rings, counterclockwise for the outer ring and clockwise for the others.
  let numbers: [[Int]]
  private(set) var nodes: [(number: Int, place: Point)] = []

  private let points: [MapPoint]
  /// The point from which longitudes continue across the antimeridian; `nil` elsewhere.
  private let origin: MapPoint?

  /// The limits for the number of candidates, and for its square times the number of walls. Above them, routes only go
  /// around the area.
  static let (mostNodes, mostTests) = (400, 60_000_000)
  /// The maximum area of the bounding box in squared units of 1e-7 degrees, about a tenth of the Earth, so that
  /// products of coordinates do not overflow.
  static let mostGround = 1 << 59

  /// - Parameter portals: The points, on the rings or inside, where people enter the area.
  init(_ rings: [[Int]], portals: Set<Int>, points: [MapPoint]) {
    let outline = (rings.first ?? []).map { points[$0] }
    // If the area crosses the antimeridian, unwrap longitudes relative to the first point.
    let origin = MapPoint.isAcrossDateLine(outline) ? outline.first : nil
    (self.origin, self.points) = (origin, points)
    func place(_ number: Int) -> Point { Self.place(points[number], from: origin) }
    guard Self.ground(of: (rings.flatMap(\.self) + portals).map(place)) < Self.mostGround else {
      (self.rings, numbers) = ([], [])
      return
    }
    let turned = rings.enumerated().map { index, ring in
      (Self.area(ring.map(place)) > 0) == (index == 0) ? ring : ring.reversed()
    }
    self.rings = turned.map { $0.map(place) }
    numbers = turned
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

  func place(_ number: Int) -> Point { Self.place(points[number], from: origin) }

  private static func place(_ point: MapPoint, from origin: MapPoint?) -> Point {
    let x = origin.map { Int($0.longitudeE7) + $0.east(to: point) } ?? Int(point.longitudeE7)
    return [x, Int(point.latitudeE7)]
  }

  /// Returns the pairs of points between which there is a line of sight; `nil` if the area is too large or complex.
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

  /// Whether the line between two points stays in the area. A line through another corner does not count; it is
  /// replaced by two lines.
  func sees(_ a: Point, _ b: Point) -> Bool {
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

  /// Whether `point / 2` is in the area or on its walls, except on a wall that two rings share.
  /// - Parameter point: The point with both coordinates doubled, so that midpoints are integers.
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

  /// Whether `point / 2` is inside a ring; `nil` if it is on the ring.
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

  static func side(_ a: Point, _ b: Point, _ c: Point) -> Int {
    (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x)
  }

  static func isBetween(_ point: Point, _ a: Point, _ b: Point) -> Bool {
    point != a && point != b && min(a.x, b.x) <= point.x && point.x <= max(a.x, b.x)
      && min(a.y, b.y) <= point.y && point.y <= max(a.y, b.y)
  }

  static func ground(of points: [Point]) -> Int {
    guard let first = points.first else { return 0 }
    var (low, high) = (first, first)
    for point in points {
      (low, high) = (pointwiseMin(low, point), pointwiseMax(high, point))
    }
    return (high.x - low.x) * (high.y - low.y)
  }

  /// Returns twice the signed area; positive if counterclockwise. The result may be wrong for rings that wind around
  /// several times.
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
