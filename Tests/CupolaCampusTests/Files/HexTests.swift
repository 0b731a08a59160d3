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
