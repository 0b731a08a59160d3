import Cupola
import Testing

@testable import CupolaGuide

@Suite("Comma-separated values")
struct CSVReaderTests {
  /// Bytes in portions of a size.
  private struct Portions: ByteStream {
    var rest: ArraySlice<UInt8>
    let size: Int

    mutating func append(to bytes: inout [UInt8]) throws(GuideError) -> Bool {
      if rest.isEmpty { return false }
      bytes += rest.prefix(size)
      rest = rest.dropFirst(size)
      return true
    }
  }

  private func rows(_ text: [UInt8], portion: Int, limit: Int = 1 << 16) throws -> [SlowCSV.Row] {
    var reader = try CSVReader(Portions(rest: text[...], size: portion), limit: limit)
    var rows: [SlowCSV.Row] = []
    while true {
      switch try reader.next() {
      case .row:
        rows.append(
          SlowCSV.Row(line: reader.line, values: reader.fields.map { Array(reader.bytes[$0]) }))
      case .skipped: rows.append(SlowCSV.Row(line: reader.line))
      case .end: return rows
      }
    }
  }

  private func texts(_ text: String) throws -> [[String]] {
    try rows(Array(text.utf8), portion: 7).map { row in
      (row.values ?? []).map { String(decoding: $0, as: UTF8.self) }
    }
  }

  @Test("values, quotation marks, blanks and line ends are as RFC 4180 and GTFS have them")
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

  @Test("a quotation mark that is never closed costs one line")
  func openQuote() throws {
    let rows = try rows(Array("a\n\"b\nc\nd".utf8), portion: 3)
    #expect(rows.map(\.line) == [1, 2, 3, 4])
    #expect(rows.map { $0.values?.count } == [1, nil, 1, 1])
  }

  @Test("rows and lines are those of a plain reader, whatever the bytes and portions")
  func random() throws {
    var random = SplitMix64(seed: 7)
    let letters = Array("aab\"\"\",,\n\r \t".utf8) + [0xC3, 0x00]
    for round in 0..<15_000 {
      let count = Int.random(in: 0...24, using: &random)
      let text = (0..<count).map { _ in letters.randomElement(using: &random) ?? 0 }
      let limit = round % 3 == 0 ? Int.random(in: 1...12, using: &random) : 1 << 16
      let portion = Int.random(in: 1...9, using: &random)
      let found = try rows(text, portion: portion, limit: limit)
      let expected = SlowCSV.rows(of: text, limit: limit)
      guard found == expected else {
        Issue.record(
          "\(String(decoding: text, as: UTF8.self).debugDescription) \(portion) \(limit)")
        return
      }
    }
  }

  @Test("a line longer than memory should take is left out in bounded memory")
  func longLine() throws {
    let text = Array("a\n".utf8) + Array(repeating: 98, count: 3_000_000) + Array("\nc\n".utf8)
    let rows = try rows(text, portion: 50_000)
    #expect(rows.map { $0.values?.count } == [1, nil, 1])
    #expect(rows.map(\.line) == [1, 2, 3])
  }
}
