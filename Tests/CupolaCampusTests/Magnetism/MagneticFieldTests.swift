import Foundation
import Testing

@testable import CupolaCampus

@Suite("MagneticField") struct MagneticFieldTests {
  /// The output of `Scripts/goldens/magnetic.py`.
  struct Golden: Decodable {
    let published: [[Double]]
    let exact: [[Double]]
    let earlier: [[Double]]
  }

  static func place(_ latitude: Double, _ longitude: Double) throws -> Position {
    try #require(Position(latitude: latitude, longitude: longitude))
  }

  static func angle(_ a: Double, _ b: Double) -> Double {
    (a - b).remainder(dividingBy: 360).magnitude
  }

  @Test("Agrees with the values published by NOAA and BGS")
  func published() throws {
    let golden: Golden = try Fixtures.json("magnetic.json")
    #expect(golden.published.count == 100)
    for row in golden.published {
      let field = MagneticField(at: try Self.place(row[2], row[3]), height: row[1], year: row[0])
      // They are rounded to 0.01 degrees and 1 nT.
      #expect(Self.angle(field.declination, row[4]) < 0.0051, "\(row)")
      let inclination = atan2(field.down, field.horizontalIntensity) * 180 / .pi
      #expect(Self.angle(inclination, row[5]) < 0.0051, "\(row)")
      let parts = [field.horizontalIntensity, field.north, field.east, field.down]
      for (part, expected) in zip(parts, row[6...]) {
        #expect((part - expected).magnitude < 0.51, "\(row)")
      }
    }
  }

  @Test("Agrees with NOAA's program at random positions")
  func exact() throws {
    let golden: Golden = try Fixtures.json("magnetic.json")
    #expect(golden.exact.count == 100)
    for row in golden.exact {
      let field = MagneticField(at: try Self.place(row[2], row[3]), height: row[1], year: row[0])
      for (part, expected) in zip([field.north, field.east, field.down], row[4...]) {
        #expect((part - expected).magnitude < 1e-3, "\(row)")
      }
    }
  }

  @Test("Earlier years are accurate to the documented error")
  func earlier() throws {
    let golden: Golden = try Fixtures.json("magnetic.json")
    var errors: [Double] = []
    for row in golden.earlier {
      let field = MagneticField(at: try Self.place(row[1], row[2]), year: row[0])
      errors.append(Self.angle(field.declination, row[3]))
    }
    errors.sort()
    #expect(errors.count > 700)
    #expect(errors[errors.count - 1] < 1.2)
    #expect(errors[errors.count / 2] < 0.15)
    #expect(errors[errors.count - 1] > 0.1, "other models must differ")
  }

  @Test("The field is constant outside of 2015 to 2035")
  func clamped() throws {
    let place = try Self.place(48.3, 10.9)
    let oldest = MagneticField(at: place, year: 2015)
    #expect(MagneticField(at: place, year: 1990) == oldest)
    #expect(MagneticField(at: place, year: 2016) != oldest)
    #expect(MagneticField(at: place, year: 2100) == MagneticField(at: place, year: 2035))
    #expect(MagneticField(at: place, year: 2034) != MagneticField(at: place, year: 2035))
  }

  @Test("The field is continuous across poles and antimeridian")
  func continuous() throws {
    for (latitude, near) in [(90.0, 89.9999999), (-90, -89.9999999)] {
      for longitude in stride(from: -180.0, through: 180, by: 45) {
        let pole = MagneticField(at: try Self.place(latitude, longitude), year: 2026)
        let beside = MagneticField(at: try Self.place(near, longitude), year: 2026)
        #expect((pole.north - beside.north).magnitude < 1e-3)
        #expect((pole.east - beside.east).magnitude < 1e-3)
        #expect((pole.down - beside.down).magnitude < 1e-3)
      }
    }
    let east = MagneticField(at: try Self.place(10, 180), year: 2026)
    let west = MagneticField(at: try Self.place(10, -180), year: 2026)
    #expect((east.declination - west.declination).magnitude < 1e-9)
  }

  @Test("The declination error increases toward the magnetic poles")
  func declinationError() throws {
    let munich = MagneticField(at: try Self.place(48.1, 11.6), year: 2026)
    #expect((0.26..<0.45).contains(munich.declinationError))
    let arctic = MagneticField(at: try Self.place(85.8, 139), year: 2026)
    #expect(arctic.horizontalIntensity < 2000 && arctic.declinationError > 2.5)
  }
}

@Suite("Heading relative to true north") struct HeadingTrueNorthTests {
  @Test("Corrects magnetic headings by the declination")
  func turned() throws {
    // The published declination is 10.24 degrees east at 86 km, and similar on the ground.
    let place = try #require(Position(latitude: -11, longitude: 167))
    for degrees in [0.0, 100, 355] {
      let heading = try #require(Heading(degrees: degrees, reference: .magneticNorth))
      let north = heading.trueNorth(at: place, year: 2026.5)
      #expect(north.reference == .trueNorth)
      let turn = (north.degrees - degrees).remainder(dividingBy: 360)
      #expect((turn - 10.24).magnitude < 0.1)
      let declination = MagneticField(at: place, year: 2026.5).declination
      #expect((turn - declination).magnitude < 1e-9)
      let exact = try #require(Heading(degrees: degrees))
      #expect(exact.trueNorth(at: place, year: 2026.5) == exact)
    }
  }
}
