import Cupola
import Testing
@testable import CupolaCampus

@Suite("Fence index") struct FenceIndexTests {
  @Test("Agrees with a loop over all edges", arguments: 1...40 as ClosedRange<UInt64>)
  func twin(seed: UInt64) throws {
    var generator = SplitMix64(seed: seed)
    let polygons = (0..<Int(seed % 4 + 1)).map { _ in LatticeFence.polygon(using: &generator) }
    let fence = Geofence(polygons: polygons)
    let twin = NaiveFence(polygons: polygons)
    var inside = 0
    for _ in 0..<2000 {
      let x = Double(Int.random(in: -272...272, using: &generator)) / 128
      let y = Double(Int.random(in: -136...136, using: &generator)) / 128
      let place = try #require(Position(latitude: y, longitude: x))
      #expect(fence.contains(place) == twin.contains(x, y), "\(x), \(y)")
      inside += twin.contains(x, y) ? 1 : 0
    }
    #expect(inside > 0 && inside < 2000)
  }

  @Test("Tests few of many tall edges")
  func tallEdges() throws {
    let teeth = (0..<2000).map { (x: Double($0) / 100, y: $0 % 2 == 0 ? 1.0 : 9.0) }
    let comb = PolygonTests.polygon([teeth + [(20, 0), (0, 0)]])
    let fence = Geofence(polygons: [comb])
    let twin = NaiveFence(polygons: [comb])
    for tooth in 0..<500 {
      let (x, y) = (Double(tooth) * 0.04 + 0.0078125, 5.0)
      let place = try #require(Position(latitude: y, longitude: x))
      #expect(fence.contains(place) == twin.contains(x, y))
    }
  }

  @Test("Tests few of many polygons or holes, in any order")
  func anyOrder() throws {
    let squares = (0..<4096).map { number -> [PolygonTests.Place] in
      let place = number * 1597 % 4096
      let (x, y) = (Double(place % 64) / 8, Double(place / 64) / 8)
      return [(x, y), (x + 0.0625, y), (x + 0.0625, y + 0.0625), (x, y + 0.0625)]
    }
    let apart = squares.map { PolygonTests.polygon([$0]) }
    let holes = [PolygonTests.polygon([[(-1, -1), (9, -1), (9, 9), (-1, 9)]] + squares)]
    for polygons in [apart, holes] {
      let index = FenceIndex(polygons)
      var work = 0
      for edge in index.edges { work += index.tree.indices(meeting: edge.line.box) { _ in } }
      // Most are far from each other. In map order, more than a thousand tests would be needed.
      #expect(work < 200 * index.edges.count)
      let twin = NaiveFence(polygons: polygons)
      for step in 0..<400 {
        let (x, y) = (Double(step % 20) * 0.40625 + 0.03125, Double(step / 20) * 0.390625)
        let place = try #require(Position(latitude: y, longitude: x))
        #expect((index.location(of: place) != .outside) == twin.contains(x, y))
      }
    }
  }

  @Test("A fence that is a line or a point contains itself")
  func flat() throws {
    let here = try #require(Position(latitude: 2, longitude: 1))
    let beside = try #require(Position(latitude: 2, longitude: 1.5))
    let above = try #require(Position(latitude: 2.5, longitude: 1))
    let point = Geofence(polygons: [PolygonTests.polygon([[(1, 2), (1, 2), (1, 2)]])])
    #expect(point.contains(here) && !point.contains(beside) && !point.contains(above))
    let line = Geofence(polygons: [PolygonTests.polygon([[(1, 2), (2, 2), (1.25, 2)]])])
    #expect(line.contains(here) && line.contains(beside) && !line.contains(above))
    #expect(line.signedDistance(to: beside) == 0)
  }

  @Test("A position just beyond an edge is outside")
  func lastDigit() throws {
    let fence = Geofence(polygons: [PolygonTests.polygon([[(0, 0), (10, 0), (10, 48), (0, 48)]])])
    for (x, y, inside) in [
      (10, 24, true), (10.0.nextUp, 24, false), (10.0.nextDown, 24, true), (5, 48, true),
      (5, 48.0.nextUp, false), (0, 0, true), (0.0.nextDown, 0, false), (0, 0.0.nextDown, false),
      (0.0.nextUp, 0.0.nextUp, true),
    ] {
      #expect(fence.contains(try #require(Position(latitude: y, longitude: x))) == inside)
    }
  }
}

@Suite("Fence outline") struct FenceOutlineTests {
  typealias Place = PolygonTests.Place

  /// The total length of the outline in degrees.
  static func length(_ polygons: [[[Place]]]) -> Double {
    let outline = FenceOutline(FenceIndex(polygons.map { PolygonTests.polygon($0) }))
    return outline.segments.reduce(0) { sum, segment in
      let way = segment.end - segment.start
      return sum + (way * way).sum().squareRoot()
    }
  }

  static func box(_ west: Double, _ south: Double, _ east: Double, _ north: Double) -> [Place] {
    [(west, south), (east, south), (east, north), (west, north)]
  }

  static func isNear(_ a: Double, _ b: Double) -> Bool { (a - b).magnitude < 1e-6 }

  @Test("A single polygon is its own outline")
  func single() {
    #expect(Self.isNear(Self.length([[Self.box(0, 0, 4, 4)]]), 16))
    #expect(Self.isNear(Self.length([[Self.box(0, 0, 4, 4), Self.box(1, 1, 2, 2)]]), 20))
  }

  @Test("Removes shared edges")
  func walls() {
    #expect(Self.isNear(Self.length([[Self.box(0, 0, 4, 4)], [Self.box(4, 0, 8, 4)]]), 24))
    #expect(Self.isNear(Self.length([[Self.box(0, 0, 4, 4)], [Self.box(4, 1, 8, 3)]]), 24))
    // Polygons that touch in a corner.
    #expect(Self.isNear(Self.length([[Self.box(0, 0, 4, 4)], [Self.box(4, 4, 8, 8)]]), 32))
  }

  @Test("Removes edges inside overlapping polygons")
  func overlaps() {
    #expect(Self.isNear(Self.length([[Self.box(0, 0, 4, 4)], [Self.box(2, 2, 6, 6)]]), 24))
    #expect(Self.isNear(Self.length([[Self.box(0, 0, 4, 4)], [Self.box(1, 1, 2, 2)]]), 16))
    #expect(Self.isNear(Self.length([[Self.box(0, 0, 4, 4)], [Self.box(0, 0, 4, 4)]]), 32))
    // A polygon that fills the hole of another.
    let ring = [Self.box(0, 0, 4, 4), Self.box(1, 1, 2, 2)]
    #expect(Self.isNear(Self.length([ring, [Self.box(1, 1, 2, 2)]]), 16))
  }

  @Test("Removes cuts along the antimeridian and to a pole")
  func seams() {
    #expect(
      Self.isNear(Self.length([[Self.box(178, 0, 180, 4)], [Self.box(-180, 0, -179, 4)]]), 14))
    #expect(Self.isNear(Self.length([[Self.box(-180, 80, 180, 90)]]), 360))
    #expect(Self.isNear(Self.length([[Self.box(-180, -90, 180, 90)]]), 0))
    // The sides of a wedge that reaches the pole remain.
    #expect(Self.isNear(Self.length([[Self.box(0, 80, 30, 90)]]), 50))
  }

  @Test("Keeps edges unchanged beyond the work limit")
  func workLimit() {
    let teeth = (0..<400).map { (x: Double($0) / 100, y: $0 % 2 == 0 ? 1.0 : 9.0) }
    let comb = [teeth + [(x: 4.0, y: 0.0), (x: 0.0, y: 0.0)]]
    let index = FenceIndex([comb, [Self.box(-1, 4, 5, 6)]].map { PolygonTests.polygon($0) })
    // Hundreds of parts of edges across the teeth, each with hundreds of teeth to its east.
    #expect(FenceOutline(index).work > 100_000)
    let outline = FenceOutline(index, workLimit: 20_000)
    #expect(outline.work < 25_000)
    // Some inner edges remain, but the whole boundary is included.
    #expect(FenceOutline(index, workLimit: 0).segments == index.edges.map(\.line))
    let lengths = [FenceOutline(index), outline].map { $0.segments.reduce(0) { $0 + $1.length } }
    #expect(lengths[1] > lengths[0])
  }

  @Test("Keeps a scribble unchanged")
  func scribble() {
    let star: [Place] = [(0, 10), (6, -8), (-9, 3), (9, 3), (-6, -8)]
    let segments = FenceOutline(FenceIndex([PolygonTests.polygon([star])])).segments
    #expect(segments.count == 5)
  }
}
