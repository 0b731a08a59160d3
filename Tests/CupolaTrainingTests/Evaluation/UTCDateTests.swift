import Cupola
import Foundation
import Testing

@testable import CupolaTraining

@Suite("Dates")
struct UTCDateTests {
  @Test(
    "are those of the Gregorian calendar",
    arguments: [
      (0, "1970-01-01T00:00:00Z"), (-1, "1969-12-31T23:59:59Z"),
      (951_782_400, "2000-02-29T00:00:00Z"), (951_868_799, "2000-02-29T23:59:59Z"),
      (4_107_542_400, "2100-03-01T00:00:00Z"), (1_795_352_709, "2026-11-22T13:05:09Z"),
      (-62_135_596_800, "0001-01-01T00:00:00Z"), (253_402_300_799, "9999-12-31T23:59:59Z"),
    ])
  func stamps(seconds: Int, expected: String) throws {
    #expect(try #require(UTCDate(secondsSince1970: seconds)).stamp == expected)
  }

  @Test("agree with Foundation's from 1600 to 2400")
  func foundation() throws {
    var generator = SplitMix64(seed: 3)
    for _ in 0..<2000 {
      let seconds = Int.random(in: -11_676_096_000...13_569_465_600, using: &generator)
      let date = Date(timeIntervalSince1970: Double(seconds))
      #expect(UTCDate(secondsSince1970: seconds)?.stamp == date.formatted(.iso8601), "\(seconds)")
    }
  }

  @Test("have years of four digits, or are none")
  func limits() {
    #expect(UTCDate(secondsSince1970: .max) == nil && UTCDate(secondsSince1970: .min) == nil)
    #expect(UTCDate(secondsSince1970: 1_795_352_709)?.text == "2026-11-22 13:05 UTC")
  }
}
