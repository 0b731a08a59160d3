import Cupola
import CupolaTestSupport
import Testing

@testable import CupolaGuide
@testable import CupolaGuideBuilder

@Suite("CSV reader")
struct CSVReaderTests {
  private func rows(_ text: [UInt8], portion: Int, limit: Int = 1 << 16) throws -> [ReferenceCSV
    .Row]
  {
    let stream = FeedStream(0..<text.count, portion: portion) { Array(text[$0]) }
    var reader = try CSVReader(stream, limit: limit)
    var rows: [ReferenceCSV.Row] = []
    while true {
      switch try reader.next() {
      case .row:
        rows.append(
          ReferenceCSV.Row(line: reader.line, values: reader.fields.map { Array(reader.bytes[$0]) })
        )
      case .skipped: rows.append(ReferenceCSV.Row(line: reader.line))
      case .end: return rows
      }
    }
  }

  private func texts(_ text: String) throws -> [[String]] {
    try rows(Array(text.utf8), portion: 7).map { row in
      (row.values ?? []).map { String(decoding: $0, as: UTF8.self) }
    }
  }

  @Test("Follows RFC 4180 and GTFS for quotes, blanks and line ends")
  func values() throws {
    #expect(try texts("a,b\r\n1,2\n") == [["a", "b"], ["1", "2"]])
    #expect(try texts("\u{FEFF}a, b ,\tc") == [["a", "b", "c"]])
    #expect(try texts("\"a,\"\"b\"\"\nc\",d") == [["a,\"b\"\nc", "d"]])
    #expect(try texts("a,,\n,\n") == [["a", "", ""], ["", ""]])
    #expect(try texts("a\rb\r\rc") == [["a"], ["b"], [""], ["c"]])
    #expect(try texts(" \"a \" ,b\"c\"d") == [["a", "b\"c\"d"]])
    #expect(try texts("\"a\"b \"c\",d") == [["ab \"c\"", "d"]])
    #expect(try texts("") == [])
    #expect(try texts("\"\"") == [[""]])
  }

  @Test("An unclosed quotation mark loses only one line")
  func openQuote() throws {
    let rows = try rows(Array("a\n\"b\nc\nd".utf8), portion: 3)
    #expect(rows.map(\.line) == [1, 2, 3, 4])
    #expect(rows.map { $0.values?.count } == [1, nil, 1, 1])
  }

  @Test("Random rows match a simple reader in any portions")
  func random() throws {
    var random = SplitMix64(seed: 7)
    let letters = Array("aab\"\"\",,\n\r \t".utf8) + [0xC3, 0x00]
    for round in 0..<(Verification.isFull ? 15_000 : 3_000) {
      let count = Int.random(in: 0...24, using: &random)
      let text = (0..<count).map { _ in letters.randomElement(using: &random) ?? 0 }
      let limit = round % 3 == 0 ? Int.random(in: 1...12, using: &random) : 1 << 16
      let portion = Int.random(in: 1...9, using: &random)
      let found = try rows(text, portion: portion, limit: limit)
      let expected = ReferenceCSV.rows(of: text, limit: limit)
      guard found == expected else {
        Issue.record(
          "\(String(decoding: text, as: UTF8.self).debugDescription) \(portion) \(limit)")
        return
      }
    }
  }

  @Test("Skips a very long line in bounded memory")
  func longLine() throws {
    let text = Array("a\n".utf8) + Array(repeating: 98, count: 500_000) + Array("\nc\n".utf8)
    let rows = try rows(text, portion: 50_000)
    #expect(rows.map { $0.values?.count } == [1, nil, 1])
    #expect(rows.map(\.line) == [1, 2, 3])
  }
}

@Suite("Numbers in feeds")
struct FeedNumbersTests {
  private func read<Value>(
    _ text: String, _ reader: (Range<Int>, [UInt8]) -> Value?
  ) -> Value? {
    let bytes = Array("9\(text)9".utf8)
    return reader(1..<bytes.count - 1, bytes)
  }

  @Test(
    "Parses times, also past 24 hours",
    arguments: [
      ("0:00:00", 0), ("6:05:09", 21_909), ("23:59:59", 86_399), ("24:00:00", 86_400),
      ("25:35:00", 92_100), ("100:00:01", 360_001), ("167:59:59", 604_799),
    ])
  func times(text: String, seconds: Int32) {
    #expect(read(text, FeedNumbers.time) == seconds)
  }

  @Test(
    "Rejects malformed times",
    arguments: [
      "999:99:99", "168:00:00", "1:60:00", "1:00:60", "12:00", "1:2:3", ":00:00", "", "-1:00:00",
      "1a:00:00", "12-00-00", "0012:00:00", "12:00:0x", "٣:00:00",
    ])
  func malformedTimes(text: String) {
    #expect(read(text, FeedNumbers.time) == nil)
  }

  @Test("Numbers match the standard library")
  func numbers() {
    var random = SplitMix64(seed: 3)
    for _ in 0..<(Verification.isFull ? 20_000 : 4_000) {
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

  @Test("Validates integers and dates")
  func integersAndDates() {
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

struct ReferenceCSV {
  struct Row: Equatable {
    var line: Int
    /// The values; `nil` for a skipped line.
    var values: [[UInt8]]?
  }

  /// Lines end with LF, CRLF or CR.
  static func rows(of text: [UInt8], limit: Int) -> [Row] {
    var rest = text.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(text.dropFirst(3)) : text
    var rows: [Row] = []
    var line = 1
    while !rest.isEmpty {
      if let (values, count) = row(rest), count <= limit {
        rows.append(Row(line: line, values: values))
        line += lineEnds(in: Array(rest[..<count]))
        rest.removeFirst(count)
      } else {
        rows.append(Row(line: line))
        line += 1
        let end = rest.firstIndex { $0 == 10 || $0 == 13 } ?? rest.count
        rest.removeFirst(min(rest.count, end + lineEnd(rest, end)))
      }
    }
    return rows
  }

  private static func lineEnd(_ text: [UInt8], _ place: Int) -> Int {
    if place + 1 < text.count, text[place] == 13, text[place + 1] == 10 { return 2 }
    return 1
  }

  private static func lineEnds(in text: [UInt8]) -> Int {
    var count = 0
    var place = 0
    while place < text.count {
      if text[place] == 10 || text[place] == 13 {
        count += 1
        place += lineEnd(text, place)
      } else {
        place += 1
      }
    }
    return text.last == 10 || text.last == 13 ? count : count + 1
  }

  /// Returns the values and the length of the first row, or `nil` if a quotation mark is not closed.
  private static func row(_ text: [UInt8]) -> (values: [[UInt8]], count: Int)? {
    enum State { case before, plain, quoted, after }
    var (values, value): ([[UInt8]], [UInt8]) = ([], [])
    var (state, place) = (State.before, 0)
    while place < text.count {
      let byte = text[place]
      if state == .quoted {
        if byte != 34 {
          value.append(byte)
        } else if place + 1 < text.count, text[place + 1] == 34 {
          value.append(34)
          place += 1
        } else {
          state = .after
        }
      } else if byte == 44 {
        values.append(trimmed(value))
        (value, state) = ([], .before)
      } else if byte == 10 || byte == 13 {
        return (values + [trimmed(value)], place + lineEnd(text, place))
      } else if state == .before, byte == 34 {
        (value, state) = ([], .quoted)
      } else {
        value.append(byte)
        if state == .before, byte != 32, byte != 9 { state = .plain }
      }
      place += 1
    }
    return state == .quoted ? nil : (values + [trimmed(value)], place)
  }

  private static func trimmed(_ value: [UInt8]) -> [UInt8] {
    func isBlank(_ byte: UInt8) -> Bool { byte == 32 || byte == 9 }
    return Array(Array(value.drop(while: isBlank)).reversed().drop(while: isBlank).reversed())
  }
}
