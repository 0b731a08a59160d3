import Testing

@testable import CupolaCampus

@Suite("Unwrapped ring") struct UnwrappedRingTests {
  static func ring(_ places: [(Double, Double)]) -> [Polygon.Vertex] {
    (places + places.prefix(1)).map { Polygon.Vertex(longitude: $0.0, latitude: $0.1) }
  }

  static func longitudes(_ places: [(Double, Double)]) throws -> [Double] {
    try UnwrappedRing.points(of: ring(places)).map(\.x)
  }

  @Test("A ring without jumps stays as it is written, beyond 180 degrees as well")
  func asWritten() throws {
    #expect(try Self.longitudes([(10, 0), (20, 0), (20, 5)]) == [10, 20, 20, 10])
    #expect(try Self.longitudes([(170, 0), (190, 0), (190, 5)]) == [170, 190, 190, 170])
    #expect(try Self.longitudes([(-170, 0), (-190, 0), (-190, 5)]) == [-170, -190, -190, -170])
    #expect(try Self.longitudes([(-90, 0), (90, 0), (0, 5)]) == [-90, 90, 0, -90])
    #expect(try UnwrappedRing.points(of: []).isEmpty)
  }

  @Test("A jump over the antimeridian takes the short way, to the east or the west")
  func jumps() throws {
    #expect(try Self.longitudes([(170, 0), (-170, 0), (-170, 5)]) == [170, 190, 190, 170])
    #expect(try Self.longitudes([(-170, 0), (170, 0), (170, 5)]) == [-170, -190, -190, -170])
  }

  @Test("A whole turn is an edge along the map's border")
  func wholeTurn() throws {
    let points = [(-180.0, -70.0), (0, -75), (180, -70), (180, -90), (-180, -90)]
    #expect(try Self.longitudes(points) == [-180, 0, 180, 180, -180, -180])
  }

  @Test("A ring that does not come back is led over the pole that it is nearer to")
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

  @Test("A ring around a pole may begin in a dent, and so reach a little further than once around")
  func dent() throws {
    let points = [(0.0, 70.0), (-10, 75), (120, 70), (-120, 70), (-5, 71)]
    #expect(try Self.longitudes(points) == [0, -10, 120, 240, 355, 360, 360, 0, 0])
  }

  @Test("What has no meaning is refused")
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
    // Twice round, and the same way back.
    let there = [0.0, 120, -120, 0, 120, -120, 0]
    let strip = there.map { ($0, 10.0) } + there.reversed().map { ($0, 20.0) }
    #expect(throws: UnwrappedRing.Failure.tooWide) { try Self.longitudes(strip) }
  }
}
