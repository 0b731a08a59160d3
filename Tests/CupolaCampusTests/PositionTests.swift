import CupolaTestSupport
import Foundation
import Testing
@testable import CupolaCampus

@Suite("Position") struct PositionTests {
  @Test("Encodes and decodes positions with and without an error")
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
    "Rejects invalid coordinates when decoding",
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
    "Rejects negative and non-finite errors",
    arguments: [-1, -0.001, .nan, .infinity, -.infinity, .signalingNaN] as [Double])
  func invalidError(error: Double) throws {
    #expect(Position(latitude: 1, longitude: 2, horizontalError: error) == nil)
    #expect(Position(latitude: 1, longitude: 2)?.with(horizontalError: error) == nil)
  }

  @Test("Assumes an error of 15 m if it is unknown")
  func assumedError() throws {
    for (error, assumed) in [(nil, 15), (0, 0), (3.5, 3.5), (1e300, 1e300)] as [(Double?, Double)] {
      let position = try #require(Position(latitude: 1, longitude: 2, horizontalError: error))
      #expect(position.horizontalError == error && position.assumedError == assumed)
    }
  }

  @Test("Swaps latitude and longitude if the result is valid")
  func swapped() throws {
    let position = try #require(Position(latitude: 48, longitude: 11))
    #expect(position.swapped == Position(latitude: 11, longitude: 48))
    #expect(try #require(Position(latitude: 48, longitude: 111)).swapped == nil)
  }
}

@Suite("Heading and position") struct HeadingTests {
  @Test(
    "Normalizes degrees",
    arguments: [
      (0, 0), (359.5, 359.5), (360, 0), (-90, 270), (725, 5), (-720, 0), (-1e-20, 0),
    ] as [(Double, Double)])
  func compass(degrees: Double, expected: Double) {
    #expect(Heading(degrees: degrees)?.degrees == expected)
  }

  @Test(
    "Rejects degrees that are not finite", arguments: [.nan, .infinity, -.infinity] as [Double])
  func invalid(degrees: Double) { #expect(Heading(degrees: degrees) == nil) }

  @Test("Encodes and decodes headings and rejects invalid ones")
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

  @Test("Moving beyond a pole or the antimeridian returns nil")
  func ranges() {
    #expect(Position(latitude: 90, longitude: -180) != nil)
    #expect(Position(latitude: 90.000_001, longitude: 0) == nil)
    #expect(Position(latitude: 0, longitude: 180.000_001) == nil)
    #expect(Position(latitude: .nan, longitude: 0) == nil)
    #expect(Position(latitude: 0, longitude: -.infinity) == nil)
  }

  @Test("The error is encoded under a name with its unit")
  func json() throws {
    let position = try #require(Position(latitude: 1.5, longitude: -2.5, horizontalError: 4))
    #expect(
      try jsonText(position) == #"{"horizontal_error_m":4,"latitude":1.5,"longitude":-2.5}"#)
    #expect(try throughJSON(position) == position)
  }
}
