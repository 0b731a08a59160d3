import CupolaTestSupport
import Foundation
import Testing

@testable import CupolaCampus

@Suite("Heading and position") struct HeadingTests {
  @Test(
    "Degrees are brought onto the compass",
    arguments: [
      (0, 0), (359.5, 359.5), (360, 0), (-90, 270), (725, 5), (-720, 0), (-1e-20, 0),
    ] as [(Double, Double)])
  func compass(degrees: Double, expected: Double) {
    #expect(Heading(degrees: degrees)?.degrees == expected)
  }

  @Test("What is no number is no direction", arguments: [.nan, .infinity, -.infinity] as [Double])
  func invalid(degrees: Double) { #expect(Heading(degrees: degrees) == nil) }

  @Test("A heading is written and read, and nothing else is read as one")
  func headingJSON() throws {
    for reference in [Heading.Reference.trueNorth, .magneticNorth] {
      let heading = try #require(Heading(degrees: 359.75, reference: reference))
      #expect(try throughJSON(heading) == heading)
    }
    for text in [
      #"{"degrees":360,"reference":"true"}"#, #"{"degrees":-1,"reference":"true"}"#,
      #"{"degrees":1e999,"reference":"true"}"#, #"{"degrees":1,"reference":"grid"}"#,
      #"{"reference":"true"}"#,
    ] {
      #expect(throws: DecodingError.self) {
        try JSONDecoder().decode(Heading.self, from: Data(text.utf8))
      }
    }
  }

  @Test("A position beyond the poles or the date line is none")
  func ranges() {
    #expect(Position(latitude: 90, longitude: -180) != nil)
    #expect(Position(latitude: 90.000_001, longitude: 0) == nil)
    #expect(Position(latitude: 0, longitude: 180.000_001) == nil)
    #expect(Position(latitude: .nan, longitude: 0) == nil)
    #expect(Position(latitude: 0, longitude: -.infinity) == nil)
  }

  @Test("An error of position needs a name with its unit")
  func json() throws {
    let position = try #require(Position(latitude: 1.5, longitude: -2.5, horizontalError: 4))
    #expect(
      try jsonText(position) == #"{"horizontal_error_m":4,"latitude":1.5,"longitude":-2.5}"#)
    #expect(try throughJSON(position) == position)
  }
}
