import Cupola
import Testing

@testable import CupolaExport

/// ``CTable``.
@Suite("C tables") struct CTableTests {
  static func tensor(_ count: Int) -> SafeTensors.Tensor {
    SafeTensors.Tensor(
      type: "I8", shape: [count],
      bytes: (0..<count).map { UInt8(truncatingIfNeeded: 37 * $0 + 200) })
  }

  @Test("A table in full")
  func spelling() {
    var text: [UInt8] = []
    CTable.append(Self.tensor(9), named: "a.b", to: &text)
    #expect(
      String(decoding: text, as: UTF8.self) == """
        CUPOLA_TABLE(a_b, I8, 1, 9) = {{
        0xcba6815c3712edc8,0x00000000000000f0
        }};

        """)
  }

  @Test("Bytes come back, whatever their number", arguments: Array(1...90))
  func roundTrip(count: Int) {
    var text: [UInt8] = []
    let tensor = Self.tensor(count)
    CTable.append(tensor, named: "t", to: &text)
    let words = text.dropFirst(CTable.opening("t", tensor).utf8.count)
      .dropLast(CTable.closing.utf8.count)
    #expect(CTable.bytes(words, count: count) == tensor.bytes)
    #expect(CTable.bytes(words, count: count + 8) == nil)
    #expect(CTable.bytes(words, count: 1 << 60) == nil)
    if count > 8 { #expect(CTable.bytes(words, count: count - 8) == nil) }
  }

  @Test(
    "What is no word is refused",
    arguments: [
      "", "0x", "0x00", "0x00000000000000001", "0xG000000000000000", "1x0000000000000000 ",
      "0x0000000000000100", "xx0000000000000000",
    ])
  func malformed(text: String) { #expect(CTable.bytes(Array(text.utf8)[...], count: 1) == nil) }
}
