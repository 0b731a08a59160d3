import CupolaTestSupport
import Testing

@testable import CupolaCampus

@Suite("Panorama") struct PanoramaTests {
  private static let origin = Position(latitude: 41.7, longitude: -86.24)

  /// Houses of 40 m so many meters north and east of the origin.
  private static func outlines(_ houses: [(east: Double, north: Double)]) throws
    -> [BuildingOutline?]
  {
    let origin = try #require(origin)
    let features = houses.enumerated().map { number, house in
      let corners = [(-20.0, -20.0), (20, -20), (20, 20), (-20, 20), (-20, -20)].map {
        east, north in
        let width = LocalPlane.metersPerDegree * Degrees.sinCos(origin.latitude).cos
        return "[\(origin.longitude + (house.east + east) / width),"
          + "\(origin.latitude + (house.north + north) / LocalPlane.metersPerDegree)]"
      }
      return GeoJSONText.feature(
        #"{"role":"building","id":"house\#(number)"}"#,
        GeoJSONText.polygon("[[\(corners.joined(separator: ","))]]"))
    }
    let grounds = GeoJSONText.boundary("[\(GeoJSONText.square(-86.24, 41.7, halfSide: 0.1))]")
    let campus = try Campus(geoJSON: GeoJSONText.collection([grounds] + features))
    return campus.buildings.map(BuildingOutline.init)
  }

  private static func shares(
    _ houses: [(east: Double, north: Double)], toward heading: Double?, error: Double = 5,
    deviation: Double = 20
  ) throws -> [Double] {
    Panorama(of: try outlines(houses), from: try #require(origin), error: error)
      .shares(toward: heading, deviation: deviation, uniformShare: 0.2)
  }

  @Test("A nearer building hides the one behind it")
  func occlusion() throws {
    let shares = try Self.shares([(0, 60), (0, 200)], toward: 0)
    #expect(shares[0] > 0.4 && shares[1] < 0.01)
    let beside = try Self.shares([(200, 60), (0, 200)], toward: 0)
    #expect(beside[1] > 0.1)
  }

  @Test("What lies behind the camera takes little of the view")
  func behind() throws {
    let shares = try Self.shares([(0, 60), (0, -60)], toward: 0)
    #expect(shares[0] > 10 * shares[1] && shares[1] > 0)
    let turned = try Self.shares([(0, 60), (0, -60)], toward: 180)
    #expect((turned[1] - shares[0]).magnitude < 0.05)
  }

  @Test("A building is behind the camera when all of it is, wherever the position is")
  func isBehind() throws {
    let south = try #require(try Self.outlines([(0, -60)])[0])
    func isBehind(_ heading: Double, error: Double = 5) throws -> Bool {
      south.isBehind(try #require(Self.origin), error: error, toward: heading)
    }
    #expect(try isBehind(0) && isBehind(45) && isBehind(315))
    // Its nearest corner is 40 m south: a heading of 70 degrees sees its eastern end.
    #expect(try !isBehind(70) && !isBehind(180) && !isBehind(90))
    #expect(try isBehind(0, error: 39) && !isBehind(0, error: 41))
  }

  @Test("A compass off by 40 degrees and a position off by 50 m rule out nothing")
  func errors() throws {
    let turned = try Self.shares([(0, 60), (0, -60)], toward: 40)
    #expect(turned[0] > 0.1 && turned[0] > 3 * turned[1])
    let moved = try Self.shares([(50, 60), (0, -300)], toward: 0, error: 50)
    #expect(moved[0] > 0.1 && moved[0] > 5 * moved[1])
  }

  @Test("Without a heading all directions count the same, and shares are at most 1 together")
  func everywhere() throws {
    let shares = try Self.shares([(0, 60), (0, -60), (100, 0)], toward: nil)
    #expect((shares[0] - shares[1]).magnitude < 0.03 && shares[0] > shares[2])
    #expect(shares.reduce(0, +) <= 1 + 1e-12)
    // 40 m wide and 40 m away: 53 degrees of 360.
    #expect((shares[0] - 53.0 / 360).magnitude < 0.04)
  }

  @Test("A narrow view sees less of what is beside")
  func deviation() throws {
    let houses = [(0.0, 80.0), (80.0, 0.0)]
    let narrow = try Self.shares(houses, toward: 0, deviation: 21)
    let wide = try Self.shares(houses, toward: 0, deviation: 40)
    #expect(narrow[0] > wide[0] && narrow[1] < wide[1])
  }

  @Test("At the wall, and a little inside of it by an error, the view is that from outside")
  func wall() throws {
    let shares = try Self.shares([(0, 15), (0, -60)], toward: 180)
    #expect(shares[1] > shares[0])
    let deep = try Self.shares([(0, 0)], toward: 90, error: 0)
    #expect(deep[0] > 0)
  }

  @Test("Far buildings and those without a place are not seen")
  func far() throws {
    var outlines = try Self.outlines([(0, 1200), (0, 60)])
    outlines.append(nil)
    let panorama = Panorama(of: outlines, from: try #require(Self.origin), error: 5)
    let shares = panorama.shares(toward: 0, deviation: 20, uniformShare: 0.2)
    #expect(shares[0] == 0 && shares[1] > 0.3 && shares[2] == 0)
  }
}
