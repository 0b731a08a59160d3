import Testing
@testable import CupolaSupport

@Suite("SHA-256") struct SHA256Tests {
  static let alphabet =
    "abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmn"
    + "hijklmnoijklmnopjklmnopqklmnopqrlmnopqrsmnopqrstnopqrstu"

  @Test(
    "Agrees with the digests published by NIST",
    arguments: [
      ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
      ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
      (
        "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
        "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
      ),
      (alphabet, "cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1"),
      (
        String(repeating: "a", count: 1_000_000),
        "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"
      ),
    ])
  func published(text: String, digest: String) {
    #expect(SHA256.hexadecimal(of: Array(text.utf8)) == digest)
  }

  /// The digest of the digests of 0 to 199 bytes, from Python's hashlib. Covers all paddings.
  @Test("Agrees with another implementation for every length")
  func lengths() {
    var hash = SHA256()
    for length in 0..<200 {
      var part = SHA256()
      part.update((0..<length).map { UInt8(truncatingIfNeeded: 7 * $0) })
      hash.update(part.digest())
    }
    #expect(
      hash.hexadecimal() == "0a716dcd52ebb45d547cf893c2616d1641ae3c122398e759ddeb1d0698a65c1a")
  }

  @Test(
    "Parts of any size give the same digest", arguments: [1, 3, 63, 64, 65, 127, 1000])
  func parts(size: Int) {
    let bytes = (0..<3001).map { UInt8(truncatingIfNeeded: $0 &* $0 >> 3) }
    var hash = SHA256()
    for start in stride(from: 0, to: bytes.count, by: size) {
      hash.update(Array(bytes[start..<min(start + size, bytes.count)]))
      hash.update([])
    }
    #expect(hash.hexadecimal() == SHA256.hexadecimal(of: bytes))
  }

  @Test("Returns intermediate digests")
  func onTheWay() {
    var hash = SHA256()
    hash.update(Array("ab".utf8))
    #expect(hash.hexadecimal() == SHA256.hexadecimal(of: Array("ab".utf8)))
    hash.update(Array("c".utf8))
    #expect(hash.hexadecimal() == SHA256.hexadecimal(of: Array("abc".utf8)))
  }

  #if !canImport(CryptoKit)
    @Test("SHA instructions and Swift agree", arguments: 0..<20)
    func twins(blocks: Int) {
      var generator = SystemRandomNumberGenerator()
      let bytes = (0..<blocks * SHA256State.blockSize).map { _ in
        UInt8(truncatingIfNeeded: generator.next())
      }
      var (first, second) = (SHA256State(), SHA256State())
      for _ in 0..<2 {
        first.add(blocks: bytes.span)
        second.addInSwift(bytes.span)
      }
      #expect(first.words == second.words, "\(bytes)")
    }
  #endif
}

@Suite("Hexadecimal digits") struct HexTests {
  @Test("Formats and parses every byte")
  func all() {
    let bytes = Array(UInt8.min...UInt8.max)
    let text = Hex.text(bytes)
    #expect(text.utf8.count == 512 && text.hasPrefix("000102") && text.hasSuffix("fdfeff"))
    #expect(Hex.bytes(text) == bytes && Hex.bytes("") == [])
  }

  @Test(
    "Formats numbers with 16 digits",
    arguments: [0, 0xAB, 0x0123_4567_89AB_CDEF, .max] as [UInt64])
  func number(number: UInt64) {
    let text = Hex.text(number)
    #expect(text.utf8.count == 16 && UInt64(text, radix: 16) == number)
    #expect(Hex.bytes(text)?.reduce(0) { $0 << 8 | UInt64($1) } == number)
  }

  @Test("Rejects other texts", arguments: ["0", "0g", "AB", "+1", " 1", "0x", "٠٠", "é"])
  func others(text: String) {
    #expect(Hex.bytes(text) == nil)
  }

  @Test("Recognizes SHA-256 digests")
  func digests() {
    let digest = Hex.text([UInt8](repeating: 0xAF, count: 32))
    #expect(digest.isSHA256 && SHA256.hexadecimal(of: []).isSHA256)
    for other in [digest + "0", String(digest.dropFirst()), digest.uppercased(), ""] {
      #expect(!other.isSHA256, "\(other)")
    }
  }
}
