import Cupola
import Testing
@testable import CupolaCampus

@Suite("Polygon") struct PolygonTests {
  typealias Place = (x: Double, y: Double)

  static func polygon(_ rings: [[Place]]) -> Polygon {
    Polygon(
      rings: rings.map { ring in
        (ring + ring.prefix(1)).map { Polygon.Vertex(longitude: $0.x, latitude: $0.y) }
      })
  }

  static func contains(_ polygon: Polygon, _ x: Double, _ y: Double) throws -> Bool {
    polygon.contains(try #require(Position(latitude: y, longitude: x)))
  }

  static let square: [Place] = [(0, 0), (8, 0), (8, 8), (0, 8)]
  static let hole: [Place] = [(2, 2), (6, 2), (6, 6), (2, 6)]

  @Test(
    "A square with a hole, for both ring orientations",
    arguments: [
      (1, 1, true), (7, 7, true), (4, 1, true), (4, 4, false), (3, 5, false), (-1, 4, false),
      (9, 4, false), (4, -1, false), (4, 9, false), (-1, 0, false), (-1, 2, false), (9, 8, false),
      // The boundary including that of the hole, and every vertex.
      (0, 4, true), (8, 4, true), (4, 0, true), (4, 8, true), (0, 0, true), (8, 8, true),
      (0, 8, true), (8, 0, true), (2, 4, true), (6, 4, true), (4, 2, true), (4, 6, true),
      (2, 2, true), (6, 6, true), (6, 2, true), (2, 6, true),
    ] as [(Double, Double, Bool)])
  func squareWithHole(x: Double, y: Double, inside: Bool) throws {
    for rings in [
      [Self.square, Self.hole], [Self.square.reversed(), Self.hole],
      [Self.square, Self.hole.reversed()], [Self.square.reversed(), Self.hole.reversed()],
    ] {
      #expect(try Self.contains(Self.polygon(rings), x, y) == inside)
    }
  }

  @Test(
    "Counts vertices on the ray correctly",
    arguments: [
      (0, 0, true), (-4, 0, true), (4, 0, true), (-4.5, 0, false), (4.5, 0, false), (-3, 2, false),
      (-5, 4, false), (0, 4, true), (0, -4, true), (-1, 4, false), (1, -4, false), (2, 2, true),
    ] as [(Double, Double, Bool)])
  func diamond(x: Double, y: Double, inside: Bool) throws {
    let diamond = Self.polygon([[(-4, 0), (0, -4), (4, 0), (0, 4)]])
    #expect(try Self.contains(diamond, x, y) == inside)
  }

  @Test("An area enclosed twice is outside")
  func pentagram() throws {
    let star = Self.polygon([[(0, 10), (6, -8), (-9, 3), (9, 3), (-6, -8)]])
    #expect(try !Self.contains(star, 0, 0))
    #expect(try Self.contains(star, 0, 7))
    #expect(try Self.contains(star, 6, 2))
  }

  @Test("Handles concave outlines")
  func comb() throws {
    let comb = Self.polygon([
      [
        (0, 0), (9, 0), (9, 6), (7, 6), (7, 2), (5, 2), (5, 6), (3, 6), (3, 2), (1, 2), (1, 6),
        (0, 6),
      ]
    ])
    let inside = try (0..<10).map { try Self.contains(comb, Double($0) + 0.5, 4) }
    let expected = [true, false, false, true, true, false, false, true, true, false]
    #expect(inside == expected)
    #expect(try Self.contains(comb, 2, 2) && Self.contains(comb, 6, 1))
  }

  @Test("Triangles contain the positions on the inner side of all edges", arguments: 1...40)
  func triangles(seed: UInt64) throws {
    var generator = SplitMix64(seed: seed)
    func place() -> Place {
      (
        Double(Int.random(in: -6...6, using: &generator)),
        Double(Int.random(in: -6...6, using: &generator))
      )
    }
    let (a, b, c) = (place(), place(), place())
    func side(_ p: Place, _ q: Place, _ r: Place) -> Double {
      (q.x - p.x) * (r.y - p.y) - (q.y - p.y) * (r.x - p.x)
    }
    if side(a, b, c) == 0 { return }
    let triangle = Self.polygon([[a, b, c]])
    for x in -7...7 {
      for y in -7...7 {
        let p: Place = (Double(x), Double(y))
        let sides = [side(a, b, p), side(b, c, p), side(c, a, p)]
        let expected = sides.allSatisfy { $0 >= 0 } || sides.allSatisfy { $0 <= 0 }
        #expect(try Self.contains(triangle, p.x, p.y) == expected)
      }
    }
  }

  @Test(
    "A polygon and a fence of it agree, including antimeridian and poles")
  func alone() throws {
    for ring: [Place] in [
      [(170, -5), (-170, -5), (-175, 5)], [(170, -5), (190, -5), (185, 5)],
      [(-180, 60), (0, 70), (180, 60), (180, 90), (-180, 90)], [(0, 70), (120, 70), (-120, 70)],
    ] {
      let polygon = Self.polygon([ring])
      let fence = Geofence(polygons: [polygon])
      for x in stride(from: -180.0, through: 180, by: 2.5) {
        for y in [-90.0, -5, 0, 5, 65, 75, 90] {
          let place = try #require(Position(latitude: y, longitude: x))
          #expect(polygon.contains(place) == fence.contains(place), "\(x), \(y)")
        }
      }
    }
  }

  @Test("The center is the mean of the outer corners")
  func center() {
    let center = Self.polygon([Self.square, [(0, 0), (1, 0), (1, 1)]]).center
    #expect(center == Polygon.Vertex(longitude: 4, latitude: 4))
    #expect(Polygon(rings: []).center == nil && Polygon(rings: [[]]).center == nil)
  }
}

@Suite("Unwrapped ring") struct UnwrappedRingTests {
  static func ring(_ places: [(Double, Double)]) -> [Polygon.Vertex] {
    (places + places.prefix(1)).map { Polygon.Vertex(longitude: $0.0, latitude: $0.1) }
  }

  static func longitudes(_ places: [(Double, Double)]) throws -> [Double] {
    try UnwrappedRing.points(of: ring(places)).map(\.x)
  }

  @Test("Keeps a ring without jumps unchanged")
  func asWritten() throws {
    #expect(try Self.longitudes([(10, 0), (20, 0), (20, 5)]) == [10, 20, 20, 10])
    #expect(try Self.longitudes([(170, 0), (190, 0), (190, 5)]) == [170, 190, 190, 170])
    #expect(try Self.longitudes([(-170, 0), (-190, 0), (-190, 5)]) == [-170, -190, -190, -170])
    #expect(try Self.longitudes([(-90, 0), (90, 0), (0, 5)]) == [-90, 90, 0, -90])
    #expect(try UnwrappedRing.points(of: []).isEmpty)
  }

  @Test("Unwraps a jump across the antimeridian")
  func jumps() throws {
    #expect(try Self.longitudes([(170, 0), (-170, 0), (-170, 5)]) == [170, 190, 190, 170])
    #expect(try Self.longitudes([(-170, 0), (170, 0), (170, 5)]) == [-170, -190, -190, -170])
  }

  @Test("A jump of 360 degrees is an edge along the map's border")
  func wholeTurn() throws {
    let points = [(-180.0, -70.0), (0, -75), (180, -70), (180, -90), (-180, -90)]
    #expect(try Self.longitudes(points) == [-180, 0, 180, 180, -180, -180])
  }

  @Test("Extends a ring around a pole to the nearer pole")
  func pole() throws {
    for side in [-1.0, 1] {
      let ring = Self.ring([(0, side * 70), (90, side * 80), (180, side * 70), (-90, side * 75)])
      let points = try UnwrappedRing.points(of: ring)
      #expect(points.map(\.x) == [0, 90, 180, 270, 360, 360, 0, 0])
      #expect(points.suffix(3).map(\.y) == [90 * side, 90 * side, 70 * side])
      let back = try UnwrappedRing.points(of: ring.reversed())
      #expect(back.map(\.x) == [0, -90, -180, -270, -360, -360, 0, 0])
    }
  }

  @Test("Accepts a ring around a pole that spans slightly more than 360 degrees")
  func dent() throws {
    let points = [(0.0, 70.0), (-10, 75), (120, 70), (-120, 70), (-5, 71)]
    #expect(try Self.longitudes(points) == [0, -10, 120, 240, 355, 360, 360, 0, 0])
  }

  @Test("Rejects ambiguous rings")
  func refused() {
    #expect(throws: UnwrappedRing.Failure.mixed(index: 1)) {
      try Self.longitudes([(0, 0), (200, 0), (1, 1)])
    }
    #expect(throws: UnwrappedRing.Failure.tooWide) {
      try Self.longitudes([(-200, 0), (-40, 0), (100, 0), (200, 0), (100, 5), (-40, 5)])
    }
    #expect(throws: UnwrappedRing.Failure.roundWithoutPole) {
      try Self.longitudes([(0, 10), (90, -10), (180, 10), (-90, -10)])
    }
    #expect(throws: UnwrappedRing.Failure.tooWide) {
      try Self.longitudes([(0, 60), (120, 60), (-120, 60), (0, 70), (120, 70), (-120, 70)])
    }
    // Two turns, and one turn back and forth.
    let there = [0.0, 120, -120, 0, 120, -120, 0]
    let strip = there.map { ($0, 10.0) } + there.reversed().map { ($0, 20.0) }
    #expect(throws: UnwrappedRing.Failure.tooWide) { try Self.longitudes(strip) }
  }
}
