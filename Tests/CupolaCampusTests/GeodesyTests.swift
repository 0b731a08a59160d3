import Foundation
import Testing
@testable import CupolaCampus

@Suite("Degrees") struct DegreesTests {
  @Test("Sine and cosine are exact at multiples of 90 degrees")
  func sinCos() {
    for quarter in -8...8 {
      let (sine, cosine) = Degrees.sinCos(Double(quarter) * 90)
      let expected = [(0.0, 1.0), (1, 0), (0, -1), (-1, 0)][(quarter % 4 + 4) % 4]
      #expect(sine == expected.0 && cosine == expected.1)
    }
    for degrees in stride(from: -400.0, through: 400, by: 0.37) {
      let (sine, cosine) = Degrees.sinCos(degrees)
      #expect((sine - sin(degrees * .pi / 180)).magnitude < 2e-15)
      #expect((cosine - cos(degrees * .pi / 180)).magnitude < 2e-15)
    }
    // Halfway between two quadrants, either is correct, but both must agree.
    #expect(Degrees.sinCos(-45).sin == -Degrees.sinCos(45).sin)
    #expect(Degrees.sinCos(135).cos == -Degrees.sinCos(45).cos)
  }

  @Test("The sine of a non-finite angle is NaN", arguments: [Double.nan, .infinity, -.infinity])
  func notFinite(degrees: Double) {
    let (sine, cosine) = Degrees.sinCos(degrees)
    #expect(sine.isNaN && cosine.isNaN)
    #expect(Degrees.sinCos(.greatestFiniteMagnitude).sin.magnitude <= 1)
  }

  @Test("Differences of longitudes are exact across the antimeridian")
  func turn() {
    #expect(Degrees.turn(from: 10, to: 20) == 10 && Degrees.turn(from: 20, to: 10) == -10)
    #expect(Degrees.turn(from: 179, to: -179) == 2 && Degrees.turn(from: -179, to: 179) == -2)
    #expect(Degrees.turn(from: 0, to: 190) == -170)
    #expect(Degrees.turn(from: 180.0.nextDown, to: -180) == 180 - 180.0.nextDown)
  }

  @Test(
    "Azimuths are clockwise from north",
    arguments: [
      (0, 1, 0), (1, 1, 45), (1, 0, 90), (0, -1, 180), (-1, 0, 270), (-1, 1, 315), (0, 0, 0),
      (-1e-300, 1, 0),
    ] as [(Double, Double, Double)])
  func azimuth(east: Double, north: Double, degrees: Double) {
    #expect(Degrees.azimuth(east: east, north: north) == degrees)
  }
}

@Suite("Geodesic") struct GeodesicTests {
  /// A geodesic from `Scripts/goldens/geodesic.py`.
  struct Way: Decodable, Sendable {
    let kind: String
    let start: Position
    let end: Position
    let meters: Double
    let azimuth: Double?

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
      meters = try values.decode(Double.self)
      azimuth = try values.decodeIfPresent(Double.self)
    }
  }

  static func ways() throws -> [Way] { try Fixtures.json("geodesic.json") }

  /// The difference of two directions in degrees.
  static func angle(_ a: Double, _ b: Double) -> Double {
    (a - b).remainder(dividingBy: 360).magnitude
  }

  /// The allowed error in meters. The error of an arc grows with the fifth power of its length.
  static func allowedError(_ meters: Double) -> Double {
    let power = meters * meters * meters * meters * meters
    return meters < 1e7 ? 1e-8 + 2e-32 * power : 0.003 * meters
  }

  /// The allowed error in degrees: 10 nm sideways, and the difference between normal section and
  /// geodesic.
  static func allowedAngle(_ meters: Double) -> Double {
    1e-8 / max(meters, 1e-9) * 180 / .pi + 1.1e-15 * meters * meters
  }

  @Test("Distances agree with GeographicLib within the documented errors")
  func distances() throws {
    let ways = try Self.ways()
    #expect(ways.count > 800)
    for way in ways {
      let distance = Geodesic(from: way.start, to: way.end).distance
      #expect((distance - way.meters).magnitude <= Self.allowedError(way.meters), "\(way)")
    }
    // 1 cm at 100 km.
    #expect(Self.allowedError(100_000) < 1e-6 && Self.allowedError(1_000_000) < 0.021)
  }

  @Test("Directions agree with GeographicLib within the documented errors")
  func azimuths() throws {
    for way in try Self.ways() {
      guard let azimuth = way.azimuth, way.meters < 1e7 else { continue }
      let geodesic = Geodesic(from: way.start, to: way.end)
      #expect(Self.angle(geodesic.azimuth, azimuth) <= Self.allowedAngle(way.meters), "\(way)")
    }
  }

  @Test("Antipodal positions have a distance and an azimuth")
  func opposite() throws {
    for (latitude, longitude) in [(0.0, 0.0), (90, 20), (-90, 180), (48, -180), (-12.5, 77)] {
      let start = try #require(Position(latitude: latitude, longitude: longitude))
      for shift in [0, 1e-12, 1e-9, 1e-3, 0.5] {
        let end = try #require(
          Position(
            latitude: -latitude, longitude: (longitude + 180 + shift).remainder(dividingBy: 360)))
        let way = Geodesic(from: start, to: end)
        #expect((way.distance - 20_004_000).magnitude < 0.005 * way.distance)
        #expect((0..<360).contains(way.azimuth))
      }
    }
  }

  @Test("The destination reaches the end of a geodesic")
  func destinations() throws {
    var count = 0
    for way in try Self.ways() where way.meters < 200_000 {
      count += 1
      let geodesic = Geodesic(from: way.start, to: way.end)
      let end = way.start.destination(azimuth: geodesic.azimuth, distance: geodesic.distance)
      let back = end.destination(
        azimuth: Geodesic(from: end, to: way.start).azimuth + 180,
        distance: -geodesic.distance)
      // 2 cm at 100 km, and less nearby.
      let allowed = 1e-8 + 2e-17 * way.meters * way.meters * way.meters
      #expect(Geodesic(from: end, to: way.end).distance < allowed, "\(way)")
      #expect(Geodesic(from: back, to: way.start).distance < allowed, "\(way)")
    }
    #expect(count > 150)
  }

  @Test("The destination keeps the position error")
  func destinationError() throws {
    let start = try #require(Position(latitude: 50, longitude: 8, horizontalError: 7))
    #expect(start.destination(azimuth: 10, distance: 100).horizontalError == 7)
  }

  @Test("The reverse path has the same length and opposite direction")
  func reversed() throws {
    for way in try Self.ways() {
      let there = Geodesic(from: way.start, to: way.end)
      let back = Geodesic(from: way.end, to: way.start)
      #expect((there.distance - back.distance).magnitude <= 1e-13 * there.distance)
      guard way.meters < 100, way.start.latitude.magnitude < 80 else { continue }
      #expect(
        Self.angle(back.azimuth, there.azimuth + 180) <= 0.01 + Self.allowedAngle(way.meters))
    }
  }

  @Test("The distance to the same position is 0")
  func nowhere() throws {
    for (latitude, longitude) in [(0.0, 0.0), (90, 20), (-90, 180), (48, -180), (-12.5, 77)] {
      let place = try #require(Position(latitude: latitude, longitude: longitude))
      let geodesic = Geodesic(from: place, to: place)
      #expect(geodesic.distance == 0 && geodesic.azimuth == 0)
      let end = place.destination(azimuth: 123, distance: 0)
      #expect(Geodesic(from: place, to: end).distance < 2e-9)
    }
    let east = try #require(Position(latitude: 10, longitude: 180))
    let west = try #require(Position(latitude: 10, longitude: -180))
    #expect(Geodesic(from: east, to: west).distance == 0)
    // A pole is a single point for all longitudes.
    let pole = try #require(Position(latitude: 90, longitude: 0))
    let same = try #require(Position(latitude: 90, longitude: 77))
    #expect(Geodesic(from: pole, to: same).distance == 0)
  }

  @Test("The smallest steps have a distance")
  func tiny() throws {
    let origin = try #require(Position(latitude: 0, longitude: 0))
    for degrees in [Double.leastNonzeroMagnitude, 1e-300, 1e-160, 1e-100, 1e-20, 1e-14] {
      let step = try #require(Position(latitude: 0, longitude: degrees))
      let meters = Geodesic(from: origin, to: step).distance
      #expect((meters - 111_319.49 * degrees).magnitude < 1e-8)
    }
  }

  @Test("A quarter of the equator and of a meridian")
  func quarters() throws {
    let origin = try #require(Position(latitude: 0, longitude: 0))
    let pole = try #require(Position(latitude: 90, longitude: 0))
    let east = try #require(Position(latitude: 0, longitude: 90))
    #expect((Geodesic(from: origin, to: pole).distance - 10_001_965.729312).magnitude < 2e3)
    #expect((Geodesic(from: origin, to: east).distance - 10_018_754.171394).magnitude < 1e-5)
    #expect(Geodesic(from: origin, to: east).azimuth == 90)
    #expect(Geodesic(from: pole, to: east).azimuth == 90)
    #expect(Geodesic(from: origin, to: pole).azimuth == 0)
  }
}
