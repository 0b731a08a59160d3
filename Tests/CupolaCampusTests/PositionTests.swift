import CupolaTestSupport
import Foundation
import Testing
@testable import CupolaCampus

@Suite("Position") struct PositionTests {
  @Test("Is written and read with its error, and without one")
  func roundTrip() throws {
    for error in [nil, 0, 12.5] as [Double?] {
      let position = try #require(
        Position(latitude: -33.5, longitude: 151.25, horizontalError: error))
      #expect(try throughJSON(position) == position)
    }
    let position = try #require(Position(latitude: 1, longitude: 2, horizontalError: 3))
    #expect(try jsonText(position) == #"{"horizontal_error_m":3,"latitude":1,"longitude":2}"#)
  }

  @Test(
    "What is no place is not read as one",
    arguments: [
      #"{"latitude":91,"longitude":0}"#, #"{"latitude":0,"longitude":-181}"#,
      #"{"latitude":0}"#, #"{"latitude":"0","longitude":0}"#,
      #"{"latitude":1,"longitude":2,"horizontal_error_m":-1}"#,
      #"{"latitude":1,"longitude":2,"horizontal_error_m":1e999}"#,
      #"{"latitude":1,"longitude":2,"horizontal_error_m":"3"}"#,
    ])
  func refused(text: String) {
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode(Position.self, from: Data(text.utf8))
    }
  }

  @Test(
    "An error that is negative or no number makes no position: phones mark so what means nothing",
    arguments: [-1, -0.001, .nan, .infinity, -.infinity, .signalingNaN] as [Double])
  func invalidError(error: Double) throws {
    #expect(Position(latitude: 1, longitude: 2, horizontalError: error) == nil)
    #expect(Position(latitude: 1, longitude: 2)?.with(horizontalError: error) == nil)
  }

  @Test("An error that nobody said is taken to be 15 m, a known one is kept")
  func assumedError() throws {
    for (error, assumed) in [(nil, 15), (0, 0), (3.5, 3.5), (1e300, 1e300)] as [(Double?, Double)] {
      let position = try #require(Position(latitude: 1, longitude: 2, horizontalError: error))
      #expect(position.horizontalError == error && position.assumedError == assumed)
    }
  }

  @Test("Exchanging latitude and longitude gives a place where there is one")
  func swapped() throws {
    let position = try #require(Position(latitude: 48, longitude: 11))
    #expect(position.swapped == Position(latitude: 11, longitude: 48))
    #expect(try #require(Position(latitude: 48, longitude: 111)).swapped == nil)
  }
}

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
