import Cupola
import Testing

@testable import CupolaGuide

@Suite("What is within reach of the grounds") struct CampusReachTests {
  /// Whether a point is inside of an outline, or so near to one: without any box.
  private func slow(
    _ point: MapPoint, _ rings: [[MapPoint]], on plane: MapPlane, within meters: Double
  ) -> Bool {
    rings.contains { ring in
      let points = ring.map { plane.point($0) }
      return BuildingLocator.isInside(point, ring)
        || SegmentDistance.nearest(to: plane.point(point), of: points).distance <= meters
    }
  }

  @Test("Points are within reach of the outlines that a loop over all finds", arguments: 1...5)
  func twin(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    // Over the date line, too.
    let west = seed == 5 ? 179.999 : 8
    func point(_ range: ClosedRange<Double>) throws -> MapPoint {
      let (x, y) = (
        Double.random(in: range, using: &random), Double.random(in: range, using: &random)
      )
      let longitude = (west + x).remainder(dividingBy: 360)
      return try #require(MapPoint(latitude: 50 + y, longitude: longitude))
    }
    var maker = MapMaker()
    var rings: [[MapPoint]] = []
    for number in 0..<12 {
      let ring = try (0..<4).map { _ in try point(0...0.01) }
      rings.append(ring)
      maker.area("way/\(number)", ring, ["building": "yes"])
    }
    let reach = CampusReach(maker.map)
    let plane = MapPlane(around: maker.map.points.first)
    var near = 0
    for _ in 0..<400 {
      let place = try point(-0.01...0.02)
      for meters in [0, 150, 800.0] {
        let expected = slow(place, rings, on: plane, within: meters)
        #expect(reach.holds(place, within: meters) == expected)
        near += expected ? 1 : 0
      }
    }
    #expect((100..<1_000).contains(near))
  }

  @Test("A map without points reaches nowhere")
  func empty() throws {
    let place = try #require(MapPoint(latitude: 0, longitude: 0))
    #expect(!CampusReach(GuideMap()).holds(place, within: 1e9))
  }
}
