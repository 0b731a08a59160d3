import Testing

@testable import CupolaCampus

@Suite("Hexadecimal digits") struct HexTests {
  @Test("Every byte is two small digits, and they are that byte")
  func all() {
    let bytes = Array(UInt8.min...UInt8.max)
    let text = Hex.text(bytes)
    #expect(text.utf8.count == 512 && text.hasPrefix("000102") && text.hasSuffix("fdfeff"))
    #expect(Hex.bytes(text) == bytes && Hex.bytes("") == [])
  }

  @Test(
    "A number is sixteen digits, whose bytes it is",
    arguments: [0, 0xAB, 0x0123_4567_89AB_CDEF, .max] as [UInt64])
  func number(number: UInt64) {
    let text = Hex.text(number)
    #expect(text.utf8.count == 16 && UInt64(text, radix: 16) == number)
    #expect(Hex.bytes(text)?.reduce(0) { $0 << 8 | UInt64($1) } == number)
  }

  @Test("Other texts are no bytes", arguments: ["0", "0g", "AB", "+1", " 1", "0x", "٠٠", "é"])
  func others(text: String) {
    #expect(Hex.bytes(text) == nil)
  }

  @Test("A SHA-256 is 64 small digits")
  func digests() {
    let digest = Hex.text([UInt8](repeating: 0xAF, count: 32))
    #expect(digest.isSHA256 && SHA256.hexadecimal(of: []).isSHA256)
    for other in [digest + "0", String(digest.dropFirst()), digest.uppercased(), ""] {
      #expect(!other.isSHA256, "\(other)")
    }
  }
}
