import Testing

@testable import CupolaCampus

@Suite("Fence outline") struct FenceOutlineTests {
  typealias Place = PolygonTests.Place

  /// The sum of the lengths of what parts inside from outside, in degrees.
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

  @Test("One polygon is its own outline, holes included")
  func single() {
    #expect(Self.isNear(Self.length([[Self.box(0, 0, 4, 4)]]), 16))
    #expect(Self.isNear(Self.length([[Self.box(0, 0, 4, 4), Self.box(1, 1, 2, 2)]]), 20))
  }

  @Test("A shared wall is no fence, whole or in part")
  func walls() {
    #expect(Self.isNear(Self.length([[Self.box(0, 0, 4, 4)], [Self.box(4, 0, 8, 4)]]), 24))
    #expect(Self.isNear(Self.length([[Self.box(0, 0, 4, 4)], [Self.box(4, 1, 8, 3)]]), 24))
    // Corners that touch remain.
    #expect(Self.isNear(Self.length([[Self.box(0, 0, 4, 4)], [Self.box(4, 4, 8, 8)]]), 32))
  }

  @Test("Of parts that overlap, only the outside counts")
  func overlaps() {
    #expect(Self.isNear(Self.length([[Self.box(0, 0, 4, 4)], [Self.box(2, 2, 6, 6)]]), 24))
    #expect(Self.isNear(Self.length([[Self.box(0, 0, 4, 4)], [Self.box(1, 1, 2, 2)]]), 16))
    #expect(Self.isNear(Self.length([[Self.box(0, 0, 4, 4)], [Self.box(0, 0, 4, 4)]]), 32))
    // A part that fills the hole of another.
    let ring = [Self.box(0, 0, 4, 4), Self.box(1, 1, 2, 2)]
    #expect(Self.isNear(Self.length([ring, [Self.box(1, 1, 2, 2)]]), 16))
  }

  @Test("The cut along the antimeridian is no fence, nor is the way to a pole")
  func seams() {
    #expect(
      Self.isNear(Self.length([[Self.box(178, 0, 180, 4)], [Self.box(-180, 0, -179, 4)]]), 14))
    #expect(Self.isNear(Self.length([[Self.box(-180, 80, 180, 90)]]), 360))
    #expect(Self.isNear(Self.length([[Self.box(-180, -90, 180, 90)]]), 0))
    // Of a wedge that reaches the pole its sides remain.
    #expect(Self.isNear(Self.length([[Self.box(0, 80, 30, 90)]]), 50))
  }

  @Test("What is too much work stays as it is drawn, and asking what is inside is work")
  func workLimit() {
    let teeth = (0..<400).map { (x: Double($0) / 100, y: $0 % 2 == 0 ? 1.0 : 9.0) }
    let comb = [teeth + [(x: 4.0, y: 0.0), (x: 0.0, y: 0.0)]]
    let index = FenceIndex([comb, [Self.box(-1, 4, 5, 6)]].map { PolygonTests.polygon($0) })
    // Hundreds of parts of the walls across the teeth, each with hundreds of teeth to its east.
    #expect(FenceOutline(index).work > 100_000)
    let outline = FenceOutline(index, workLimit: 20_000)
    #expect(outline.work < 25_000)
    // Walls remain that stand within the grounds, but all of the fence is there.
    #expect(FenceOutline(index, workLimit: 0).segments == index.edges.map(\.line))
    let lengths = [FenceOutline(index), outline].map { $0.segments.reduce(0) { $0 + $1.length } }
    #expect(lengths[1] > lengths[0])
  }

  @Test("A scribble stays as it is drawn")
  func scribble() {
    let star: [Place] = [(0, 10), (6, -8), (-9, 3), (9, 3), (-6, -8)]
    let segments = FenceOutline(FenceIndex([PolygonTests.polygon([star])])).segments
    #expect(segments.count == 5)
  }
}
