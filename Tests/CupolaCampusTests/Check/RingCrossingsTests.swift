import Cupola
import Foundation
import Testing

@testable import CupolaCampus

@Suite("Ring crossings") struct RingCrossingsTests {
  typealias Place = (x: Double, y: Double)

  static func polygon(_ rings: [[Place]]) -> Polygon {
    Polygon(
      rings: rings.map { ring in
        (ring + ring.prefix(1)).map { Polygon.Vertex(longitude: $0.x, latitude: $0.y) }
      })
  }

  static func all(_ polygon: Polygon) -> [RingCrossings.Meeting] {
    var budget = RingCrossings.workLimit
    return RingCrossings.meetings(in: polygon, budget: &budget).meetings
  }

  static func meetings(_ rings: [Place]...) -> [[Int]] {
    all(polygon(rings)).map(\.rings)
  }

  static let square: [Place] = [(0, 0), (8, 0), (8, 8), (0, 8)]

  @Test("Accepts simple rings and holes that touch in a point")
  func right() {
    #expect(Self.meetings(Self.square) == [])
    #expect(Self.meetings(Self.square, [(2, 2), (6, 2), (6, 6)]) == [])
    #expect(Self.meetings(Self.square, [(0, 4), (4, 2), (4, 6)]) == [])
    #expect(Self.meetings(Self.square, [(0, 0), (4, 2), (2, 4)], [(4, 2), (6, 2), (6, 4)]) == [])
    // Vertices along a straight edge, and a repeated vertex.
    #expect(Self.meetings([(0, 0), (4, 0), (4, 0), (8, 0), (8, 8), (0, 8)]) == [])
  }

  @Test("Finds rings that cross, touch or retrace themselves")
  func itself() {
    #expect(Self.meetings([(0, 0), (8, 8), (8, 0), (0, 8)]) == [[1, 1]])
    // A vertex on an edge, and one on a vertex.
    #expect(Self.meetings([(0, 0), (8, 0), (8, 8), (4, 0), (0, 8)]) == [[1, 1]])
    #expect(Self.meetings([(0, 0), (4, 4), (8, 0), (8, 8), (4, 4), (0, 8)]) == [[1, 1]])
    // A spike.
    #expect(Self.meetings([(0, 0), (8, 0), (12, 0), (8, 0), (8, 8)]) == [[1, 1]])
    #expect(Self.meetings([(0, 0), (8, 0), (6, 0), (6, 8)]) == [[1, 1]])
    #expect(Self.meetings([(0, 0), (8, 0), (4, 0)]) == [[1, 1]])
    let bow = Self.all(Self.polygon([[(0, 0), (8, 8), (8, 0), (0, 8)]]))
    #expect(bow.first?.count == 1)
  }

  @Test("Finds rings that cross or share an edge")
  func eachOther() {
    #expect(Self.meetings(Self.square, [(4, 4), (12, 4), (12, 6)]) == [[1, 2]])
    #expect(Self.meetings(Self.square, [(0, 2), (0, 6), (4, 4)]) == [[1, 2]])
    #expect(
      Self.meetings(Self.square, [(1, 1), (4, 1), (4, 4)], [(3, 0.5), (5, 2), (3, 3)]) == [[2, 3]])
  }

  @Test("Locates crossings across the antimeridian")
  func antimeridian() {
    #expect(Self.meetings([(178, 0), (-178, 4), (-178, 0), (178, 4)]) == [[1, 1]])
    #expect(Self.meetings([(178, 0), (-178, 0), (-178, 4), (178, 4)]) == [])
  }

  @Test("Finds the same crossings as a brute-force search", arguments: 1...40)
  func twin(seed: UInt64) {
    var generator = SplitMix64(seed: seed)
    let ring: [Place] = (0..<Int.random(in: 3...9, using: &generator)).map { _ in
      (
        Double(Int.random(in: 0...6, using: &generator)),
        Double(Int.random(in: 0...6, using: &generator))
      )
    }
    let count = Self.all(Self.polygon([ring])).reduce(0) { $0 + $1.count }
    #expect(count == NaiveCrossings.count(ring))
  }

  @Test("Stops counting at the limit")
  func scribble() {
    var generator = SplitMix64(seed: 5)
    let ring: [Place] = (0..<3000).map { _ in
      (Double.random(in: 0...1, using: &generator), Double.random(in: 0...1, using: &generator))
    }
    let meetings = Self.all(Self.polygon([ring]))
    #expect(meetings.map(\.count) == [RingCrossings.limit])
  }

  @Test("Checks a comb with 100,000 teeth quickly")
  func comb() {
    let teeth: [Place] = (0..<100_000).map { (Double($0) / 1000, $0 % 2 == 0 ? 1 : 9) }
    #expect(Self.meetings(teeth + [(100, 0), (0, 0)]) == [])
  }

  /// Valid rings whose axis-aligned boxes overlap.
  static let slantedRings: [[Place]] = [zigzag(8000), spiral(2000, at: 1) + inwards(2000)]

  private static func zigzag(_ corners: Int) -> [Place] {
    let teeth: [Place] = (0..<corners).map { corner in
      let x = Double(corner) / 1000
      return corner % 2 == 0 ? (x, 1) : (x + 40, 41)
    }
    return teeth + [(48, 0), (0, 0)]
  }

  private static func inwards(_ corners: Int) -> [Place] { spiral(corners, at: 0.9).reversed() }

  /// A spiral of slanted squares; below a share of 1, a spiral inside of it.
  private static func spiral(_ corners: Int, at share: Double) -> [Place] {
    (0..<corners).map { corner in
      let radius = (4 + Double(corner)) / 200 * (1 - (1 - share) / (4 + Double(corner)))
      let side: Place = [(1, 0.3), (-0.3, 1), (-1, -0.3), (0.3, -1)][corner % 4]
      return (radius * side.x, radius * side.y)
    }
  }

  @Test(
    "Nearby slanted edges need little work", arguments: slantedRings)
  func slanted(ring: [Place]) {
    var budget = RingCrossings.workLimit
    let (meetings, isWhole) = RingCrossings.meetings(in: Self.polygon([ring]), budget: &budget)
    #expect(meetings == [] && isWhole)
    // Testing all pairs would take thousands of tests per edge.
    #expect(RingCrossings.workLimit - budget < 400 * ring.count)
  }

  @Test("Checks holes that touch in one point until the budget ends")
  func budget() {
    let holes: [[Place]] = (0..<400).map { hole in
      let (start, end) = (Double(hole) / 200, (Double(hole) + 0.5) / 200)
      return [(0, 0), (cos(start), sin(start)), (cos(end), sin(end))]
    }
    let outline: [Place] = [(-2, -2), (2, -2), (2, 2), (-2, 2)]
    let crossing: [Place] = [(1.5, 1.5), (3, 1.5), (3, 1.7)]
    let polygon = Self.polygon([outline, crossing] + holes)
    var budget = RingCrossings.workLimit
    #expect(RingCrossings.meetings(in: polygon, budget: &budget).isWhole)
    let work = RingCrossings.workLimit - budget
    #expect(work > 400 * 400)
    budget = work / 2
    let part = RingCrossings.meetings(in: polygon, budget: &budget)
    #expect(!part.isWhole && part.meetings.map(\.rings) == [[1, 2]] && budget <= 0)
    // The budget is used up.
    #expect(!RingCrossings.meetings(in: Self.polygon([Self.square]), budget: &budget).isWhole)
  }
}

/// Compares all pairs of edges using integers.
enum NaiveCrossings {
  typealias Place = RingCrossingsTests.Place

  static func count(_ ring: [Place]) -> Int {
    var corners: [Place] = []
    for place in ring where corners.last.map({ $0 != place }) ?? true { corners.append(place) }
    while corners.count > 1, corners[0] == corners[corners.count - 1] { corners.removeLast() }
    let number = corners.count
    if number < 2 { return 0 }
    let edges = (0..<number).map { (corners[$0], corners[($0 + 1) % number]) }
    var count = 0
    for i in 0..<number {
      for j in (i + 1)..<max(number, i + 1) {
        let neighbors = j == i + 1 || i == 0 && j == number - 1
        let shared = overlap(edges[i], edges[j])
        if neighbors ? shared : shared || meet(edges[i], edges[j]) { count += 1 }
      }
    }
    return count
  }

  private static func area(_ a: Place, _ b: Place, _ c: Place) -> Double {
    (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x)
  }

  private static func holds(_ edge: (Place, Place), _ c: Place) -> Bool {
    let (a, b) = edge
    return area(a, b, c) == 0 && min(a.x, b.x) <= c.x && c.x <= max(a.x, b.x)
      && min(a.y, b.y) <= c.y && c.y <= max(a.y, b.y)
  }

  private static func meet(_ e: (Place, Place), _ f: (Place, Place)) -> Bool {
    if holds(e, f.0) || holds(e, f.1) || holds(f, e.0) || holds(f, e.1) { return true }
    return area(e.0, e.1, f.0) * area(e.0, e.1, f.1) < 0
      && area(f.0, f.1, e.0) * area(f.0, f.1, e.1) < 0
  }

  private static func overlap(_ e: (Place, Place), _ f: (Place, Place)) -> Bool {
    guard area(e.0, e.1, f.0) == 0, area(e.0, e.1, f.1) == 0 else { return false }
    let ends = [e.0, e.1].filter { holds(f, $0) } + [f.0, f.1].filter { holds(e, $0) }
    return ends.contains { $0 != ends[0] }
  }
}
