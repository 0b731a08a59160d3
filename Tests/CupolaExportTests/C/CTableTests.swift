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

  @Test("Words hold the bytes, the first lowest, whatever their number", arguments: Array(1...90))
  func words(count: Int) {
    var text: [UInt8] = []
    let tensor = Self.tensor(count)
    CTable.append(tensor, named: "t", to: &text)
    let lines = String(decoding: text, as: UTF8.self).split(separator: "\n").dropFirst().dropLast()
    let words = lines.flatMap { $0.split(separator: ",") }.map {
      UInt64($0.dropFirst(2), radix: 16)
    }
    let bytes = words.flatMap { ($0 ?? 0).littleEndianBytes }
    #expect(Array(bytes.prefix(count)) == tensor.bytes)
    #expect(bytes.count == (count + 7) / 8 * 8 && bytes.dropFirst(count).allSatisfy { $0 == 0 })
  }
}
