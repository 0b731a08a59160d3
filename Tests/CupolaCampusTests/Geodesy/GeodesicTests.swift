import Testing

@testable import CupolaCampus

@Suite("Geodesic") struct GeodesicTests {
  /// A way of `Scripts/goldens/geodesic.py`.
  struct Way: Decodable, Sendable {
    let kind: String
    let start: Position
    let end: Position
    let metres: Double
    let azimuth: Double?
    let finalAzimuth: Double?

    init(from decoder: any Decoder) throws {
      var values = try decoder.unkeyedContainer()
      func place() throws -> Position {
        try #require(
          Position(
            latitude: try values.decode(Double.self), longitude: try values.decode(Double.self)))
      }
      kind = try values.decode(String.self)
      start = try place()
      end = try place()
      metres = try values.decode(Double.self)
      azimuth = try values.decodeIfPresent(Double.self)
      finalAzimuth = try values.decodeIfPresent(Double.self)
    }
  }

  static func ways() throws -> [Way] { try Fixtures.json("geodesic.json") }

  /// How far apart two directions lie, in degrees.
  static func angle(_ a: Double, _ b: Double) -> Double {
    (a - b).remainder(dividingBy: 360).magnitude
  }

  /// 10 nm sideways at the end, which is much where ways meet again: at opposite places.
  static func allowedAngle(_ way: Way) -> Double {
    let arc = min(way.metres, max(20_003_931 - way.metres, 30))
    return 1e-10 + 1e-8 / max(arc, 1e-4) * 180 / .pi
  }

  @Test("Distances are those of GeographicLib, and of 40 digits where they are short")
  func distances() throws {
    let ways = try Self.ways()
    #expect(ways.count > 800)
    for way in ways {
      let geodesic = Geodesic(from: way.start, to: way.end)
      // A short way is right to its last digits, a long one to nanometres.
      let allowed = way.metres < 10 ? 1e-12 * way.metres : 3e-8
      #expect((geodesic.distance - way.metres).magnitude <= allowed, "\(way)")
    }
  }

  @Test("Directions are those of GeographicLib")
  func azimuths() throws {
    for way in try Self.ways() {
      guard let azimuth = way.azimuth, let finalAzimuth = way.finalAzimuth else { continue }
      let geodesic = Geodesic(from: way.start, to: way.end)
      let allowed = Self.allowedAngle(way)
      #expect(Self.angle(geodesic.azimuth, azimuth) <= allowed, "\(way)")
      #expect(Self.angle(geodesic.finalAzimuth, finalAzimuth) <= allowed, "\(way)")
      #expect((0..<360).contains(geodesic.azimuth) && (0..<360).contains(geodesic.finalAzimuth))
    }
  }

  @Test("Going the distance in the direction leads to the end")
  func destinations() throws {
    for way in try Self.ways() {
      let geodesic = Geodesic(from: way.start, to: way.end)
      let end = way.start.destination(azimuth: geodesic.azimuth, distance: geodesic.distance)
      #expect(Geodesic(from: end, to: way.end).distance < 3e-8, "\(way)")
      let back = way.end.destination(
        azimuth: geodesic.finalAzimuth, distance: -geodesic.distance)
      #expect(Geodesic(from: back, to: way.start).distance < 3e-8, "\(way)")
    }
  }

  @Test("There and back again is the same way, in the opposite directions")
  func reversed() throws {
    for way in try Self.ways() where way.azimuth != nil {
      let there = Geodesic(from: way.start, to: way.end)
      let back = Geodesic(from: way.end, to: way.start)
      #expect((there.distance - back.distance).magnitude <= 1e-14 * there.distance)
      #expect(Self.angle(back.azimuth, there.finalAzimuth + 180) <= Self.allowedAngle(way))
      #expect(Self.angle(back.finalAzimuth, there.azimuth + 180) <= Self.allowedAngle(way))
    }
  }

  @Test("From a place to itself there is no way")
  func nowhere() throws {
    for (latitude, longitude) in [(0.0, 0.0), (90, 20), (-90, 180), (48, -180), (-12.5, 77)] {
      let place = try #require(Position(latitude: latitude, longitude: longitude))
      let geodesic = Geodesic(from: place, to: place)
      #expect(geodesic.distance == 0 && geodesic.azimuth == 0 && geodesic.finalAzimuth == 0)
      let end = place.destination(azimuth: 123, distance: 0)
      #expect(Geodesic(from: place, to: end).distance < 2e-9)
    }
    let east = try #require(Position(latitude: 10, longitude: 180))
    let west = try #require(Position(latitude: 10, longitude: -180))
    #expect(Geodesic(from: east, to: west).distance == 0)
  }

  @Test("The Earth's girth: a quarter of the equator and of a meridian")
  func quarters() throws {
    let origin = try #require(Position(latitude: 0, longitude: 0))
    let pole = try #require(Position(latitude: 90, longitude: 0))
    let east = try #require(Position(latitude: 0, longitude: 90))
    #expect((Geodesic(from: origin, to: pole).distance - 10_001_965.729312).magnitude < 1e-5)
    #expect((Geodesic(from: origin, to: east).distance - 10_018_754.171394).magnitude < 1e-5)
    #expect(Geodesic(from: origin, to: east).azimuth == 90)
    #expect(Geodesic(from: pole, to: east).azimuth == 90)
    #expect(Geodesic(from: origin, to: pole).azimuth == 0)
  }
}
