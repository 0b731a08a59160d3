import Cupola
import Testing

@testable import CupolaGuide

@Suite("Numbers of feeds")
struct FeedNumbersTests {
  private func read<Value>(
    _ text: String, _ reader: (Range<Int>, [UInt8]) -> Value?
  ) -> Value? {
    // Between other bytes, which must not be read.
    let bytes = Array("9\(text)9".utf8)
    return reader(1..<bytes.count - 1, bytes)
  }

  @Test(
    "times are read, past 24 hours too",
    arguments: [
      ("0:00:00", 0), ("6:05:09", 21_909), ("23:59:59", 86_399), ("24:00:00", 86_400),
      ("25:35:00", 92_100), ("100:00:01", 360_001), ("167:59:59", 604_799),
    ])
  func times(text: String, seconds: Int32) {
    #expect(read(text, FeedNumbers.time) == seconds)
  }

  @Test(
    "what is no time is none",
    arguments: [
      "999:99:99", "168:00:00", "1:60:00", "1:00:60", "12:00", "1:2:3", ":00:00", "", "-1:00:00",
      "1a:00:00", "12-00-00", "0012:00:00", "12:00:0x", "٣:00:00",
    ])
  func noTimes(text: String) {
    #expect(read(text, FeedNumbers.time) == nil)
  }

  @Test("numbers are those of the standard library")
  func numbers() {
    var random = SplitMix64(seed: 3)
    for _ in 0..<20_000 {
      let value = Double.random(in: -180...180, using: &random)
      let digits = Int.random(in: 0...18, using: &random)
      let text = String(String(value).prefix(digits))
      #expect(read(text, FeedNumbers.number) == Double(text))
    }
    for text in ["1e3", "-0", "+5", ".5", "5.", "1.7976931348623157e308", "12345678901234567890"] {
      #expect(read(text, FeedNumbers.number) == Double(text))
    }
    for text in ["nan", "NaN", "inf", "1e999", "0x10", "1,5", "", "-", ".", "1 2", "--1"] {
      #expect(read(text, FeedNumbers.number) == nil)
    }
  }

  @Test("whole numbers and dates are checked")
  func wholes() {
    #expect(read("-999", FeedNumbers.integer) == -999)
    #expect(read("+07", FeedNumbers.integer) == 7)
    for text in ["", "-", "1.0", "12345678901234567890", "1e3", "0x1"] {
      #expect(read(text, FeedNumbers.integer) == nil)
    }
    #expect(read("20240229", FeedNumbers.date) == LocalDate(year: 2024, month: 2, day: 29))
    for text in ["20230229", "2024-2-9", "00000000", "240229", "202402290", "2024022x"] {
      #expect(read(text, FeedNumbers.date) == nil)
    }
  }
}
