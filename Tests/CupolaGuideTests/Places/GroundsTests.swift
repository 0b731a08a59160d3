import Cupola
import CupolaTestSupport
import Foundation
import Testing

@testable import CupolaGuide
@testable import CupolaGuideBuilder

private let northwestern = Repository.root.appending(
  path: "../shared/data/guide/northwestern/overpass.json")

@Suite("Grounds of a map") struct GroundsTests {
  private func square(_ size: Double, at x: Double) -> [(Double, Double)] {
    [(x, 0), (x + size, 0), (x + size, size), (x, size)]
  }

  @Test("The campus is named after the largest university area")
  func largest() {
    var maker = MapMaker()
    maker.building("way/1", "Hall of the University", x: 0...500, y: 0...500)
    maker.area("way/2", square(50, at: 600), ["amenity": "college", "name": "Seminary"])
    maker.area("way/3", square(300, at: 700), ["amenity": "university", "name": "University"])
    maker.area("way/4", square(900, at: 2000), ["amenity": "university"])
    #expect(Grounds.name(of: maker.map) == "University")
    #expect(Grounds.rings(of: maker.map).count == 3)
    maker.area("way/5", square(10, at: 900), ["cupola:role": "boundary", "name": "Campus North"])
    #expect(Grounds.name(of: maker.map) == "Campus North")
    #expect(Grounds.name(of: GuideMap()) == nil && Grounds.rings(of: GuideMap()).isEmpty)
  }

  @Test(
    "Truncated grounds give the name instead of smaller ones")
  func cut() throws {
    let text = """
      {"elements":[
      {"type":"node","id":1,"lat":50,"lon":8},{"type":"node","id":2,"lat":50,"lon":8.001},
      {"type":"node","id":3,"lat":50.001,"lon":8.001},
      {"type":"way","id":4,"nodes":[1,2,3,1],"tags":{"amenity":"university","name":"Seminary"}},
      {"type":"way","id":5,"nodes":[2,1,3,2],"tags":{"building":"yes","name":"Hall"}},
      {"type":"relation","id":6,"members":[{"type":"way","ref":77,"role":"outer"}],
       "tags":{"type":"multipolygon","amenity":"university","name":"University"}}]}
      """
    let folder = try TemporaryFolder()
    let map = try GuideMap(reading: [try folder.write(text, to: "map.json")])
    #expect(map.cutGrounds == "University" && Grounds.name(of: map) == "University")
    #expect(Grounds.rings(of: map).isEmpty)
    let reach = CampusReach(map)
    let far = try #require(MapPoint(latitude: 50.01, longitude: 8))
    #expect(!reach.contains(far, within: 800) && reach.contains(far, within: 1200))
  }

  @Test(
    "A real extract is named after its university",
    .enabled(if: Repository.exists(northwestern), "../shared/data/guide is missing"))
  func real() throws {
    #expect(
      Grounds.name(of: try GuideMap(reading: [northwestern.path])) == "Northwestern University"
    )
  }
}

@Suite("Campus reach") struct CampusReachTests {
  /// Returns whether a point is inside or near an outline, computed without bounding boxes.
  private func slow(
    _ point: MapPoint, _ rings: [[MapPoint]], on plane: MapPlane, within meters: Double
  ) -> Bool {
    rings.contains { ring in
      let points = ring.map { plane.point($0) }
      return BuildingLocator.isInside(point, ring)
        || SegmentDistance.nearest(to: plane.point(point), of: points).distance <= meters
    }
  }

  @Test("Finds the same points within reach as a linear search", arguments: 1...5)
  func matchesReference(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
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
        #expect(reach.contains(place, within: meters) == expected)
        near += expected ? 1 : 0
      }
    }
    #expect((100..<1_000).contains(near))
  }

  @Test("A map without points reaches nothing")
  func empty() throws {
    let place = try #require(MapPoint(latitude: 0, longitude: 0))
    #expect(!CampusReach(GuideMap()).contains(place, within: 1e9))
  }
}
