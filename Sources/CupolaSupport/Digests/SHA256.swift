#if canImport(CryptoKit)
  internal import CryptoKit
#else
  internal import CSHA256
#endif

// 1. On Apple platforms, CryptoKit computes the hash. The following steps apply to other platforms.
// 2. `update` splits the bytes into blocks and keeps the remaining bytes for the next call.
// 3. `SHA256State` adds blocks using the processor's SHA instructions if available, otherwise in Swift.
// 4. `digest` pads the remaining bytes, appends the bit count and returns the state as bytes.

/// Incremental SHA-256 (FIPS 180-4).
package struct SHA256: Sendable {
  #if canImport(CryptoKit)
    private var hash = CryptoKit.SHA256()
  #else
    private var state = SHA256State()
    /// Remaining bytes that do not fill a block yet.
    private var rest: [UInt8] = []
    private var count: UInt64 = 0
  #endif

  package init() {}

  package mutating func update(_ bytes: [UInt8]) { update(bytes.span) }

  package mutating func update(_ bytes: Span<UInt8>) {
    #if canImport(CryptoKit)
      unsafe bytes.withUnsafeBytes { unsafe hash.update(bufferPointer: $0) }
    #else
      count &+= UInt64(bytes.count)
      var start = 0
      if !rest.isEmpty {
        start = min(SHA256State.blockSize - rest.count, bytes.count)
        for index in 0..<start { rest.append(bytes[index]) }
        guard rest.count == SHA256State.blockSize else { return }
        let block = rest
        state.add(blocks: block.span)
        rest = []
      }
      let end = bytes.count - (bytes.count - start) % SHA256State.blockSize
      state.add(blocks: bytes.extracting(start..<end))
      for index in end..<bytes.count { rest.append(bytes[index]) }
    #endif
  }

  /// Returns the 32-byte digest of all data so far.
  package func digest() -> [UInt8] {
    #if canImport(CryptoKit)
      return Array(hash.finalize())
    #else
      // Padding: a 1 bit, zeros, and the bit count in the last 8 bytes of a block.
      let zeros = (2 * SHA256State.blockSize - 9 - rest.count) % SHA256State.blockSize
      let bits = (0..<8).map { UInt8(truncatingIfNeeded: (count &* 8) >> (56 - 8 * $0)) }
      let padded = rest + [0x80] + [UInt8](repeating: 0, count: zeros) + bits
      var end = state
      end.add(blocks: padded.span)
      return (0..<8).flatMap { index in
        (0..<4).map { UInt8(truncatingIfNeeded: end.words[index] >> (24 - 8 * $0)) }
      }
    #endif
  }

  /// Returns the digest of all data so far as 64 hexadecimal digits.
  package func hexadecimal() -> String { Hex.text(digest()) }

  package static func hexadecimal(of bytes: [UInt8]) -> String {
    var hash = SHA256()
    hash.update(bytes)
    return hash.hexadecimal()
  }
}

extension StringProtocol {
  /// Whether the text is a SHA-256 digest: 64 lowercase hexadecimal digits.
  package var isSHA256: Bool { utf8.count == 64 && utf8.allSatisfy(Hex.isDigit) }
}

#if !canImport(CryptoKit)
  /// The SHA-256 state between blocks. Variable names follow FIPS 180-4, section 6.2.2.
  struct SHA256State: Sendable {
    static let blockSize = 64

    private(set) var words = SIMD8<UInt32>(
      0x6A09_E667, 0xBB67_AE85, 0x3C6E_F372, 0xA54F_F53A,
      0x510E_527F, 0x9B05_688C, 0x1F83_D9AB, 0x5BE0_CD19)

    mutating func add(blocks: Span<UInt8>) {
      if !addByInstructions(blocks) { addInSwift(blocks) }
    }

    /// Adds blocks using SHA instructions. Returns false if the processor does not have them.
    private mutating func addByInstructions(_ blocks: Span<UInt8>) -> Bool {
      unsafe blocks.withUnsafeBufferPointer { bytes in
        guard let start = bytes.baseAddress else { return true }
        return unsafe withUnsafeMutableBytes(of: &words) { words in
          guard let first = unsafe words.bindMemory(to: UInt32.self).baseAddress else {
            return false
          }
          return unsafe csha256_add(first, start, bytes.count / Self.blockSize) != 0
        }
      }
    }

    mutating func addInSwift(_ blocks: Span<UInt8>) {
      let k = Self.constants
      var w = InlineArray<64, UInt32>(repeating: 0)
      for start in stride(from: 0, to: blocks.count, by: Self.blockSize) {
        Self.schedule(blocks.extracting(start..<start &+ Self.blockSize), &w)
        var letters = Letters(words)
        // After eight rounds, every variable is back in its original position, so no copies are needed.
        for turn in 0..<8 {
          let i = 8 &* turn
          letters.round(k[i] &+ w[i])
          letters.round(k[i &+ 1] &+ w[i &+ 1])
          letters.round(k[i &+ 2] &+ w[i &+ 2])
          letters.round(k[i &+ 3] &+ w[i &+ 3])
          letters.round(k[i &+ 4] &+ w[i &+ 4])
          letters.round(k[i &+ 5] &+ w[i &+ 5])
          letters.round(k[i &+ 6] &+ w[i &+ 6])
          letters.round(k[i &+ 7] &+ w[i &+ 7])
        }
        words &+= letters.words
      }
    }

    @inline(__always)
    private static func schedule(_ block: Span<UInt8>, _ w: inout InlineArray<64, UInt32>) {
      for i in 0..<16 {
        let high = UInt32(block[4 &* i]) << 24 | UInt32(block[4 &* i &+ 1]) << 16
        w[i] = high | UInt32(block[4 &* i &+ 2]) << 8 | UInt32(block[4 &* i &+ 3])
      }
      for i in 16..<w.count {
        let (x, y) = (w[i &- 15], w[i &- 2])
        let low = rotated(x, 7) ^ rotated(x, 18) ^ x >> 3
        let high = rotated(y, 17) ^ rotated(y, 19) ^ y >> 10
        w[i] = w[i &- 16] &+ low &+ w[i &- 7] &+ high
      }
    }

    private struct Letters {
      var (a, b, c, d): (UInt32, UInt32, UInt32, UInt32)
      var (e, f, g, h): (UInt32, UInt32, UInt32, UInt32)

      init(_ words: SIMD8<UInt32>) {
        (a, b, c, d) = (words[0], words[1], words[2], words[3])
        (e, f, g, h) = (words[4], words[5], words[6], words[7])
      }

      var words: SIMD8<UInt32> { SIMD8(a, b, c, d, e, f, g, h) }

      @inline(__always)
      mutating func round(_ word: UInt32) {
        let choice = g ^ (e & (f ^ g))
        let majority = (a & b) | (c & (a | b))
        let first = h &+ (rotated(e, 6) ^ rotated(e, 11) ^ rotated(e, 25)) &+ choice &+ word
        let second = (rotated(a, 2) ^ rotated(a, 13) ^ rotated(a, 22)) &+ majority
        (h, g, f, e) = (g, f, e, d &+ first)
        (d, c, b, a) = (c, b, a, first &+ second)
      }
    }

    @inline(__always)
    private static func rotated(_ word: UInt32, _ bits: UInt32) -> UInt32 {
      word >> bits | word << (32 - bits)
    }

    /// The first 32 bits of the fractional parts of the cube roots of the first 64 primes.
    private static let constants: InlineArray<64, UInt32> = [
      0x428A_2F98, 0x7137_4491, 0xB5C0_FBCF, 0xE9B5_DBA5, 0x3956_C25B, 0x59F1_11F1, 0x923F_82A4,
      0xAB1C_5ED5, 0xD807_AA98, 0x1283_5B01, 0x2431_85BE, 0x550C_7DC3, 0x72BE_5D74, 0x80DE_B1FE,
      0x9BDC_06A7, 0xC19B_F174, 0xE49B_69C1, 0xEFBE_4786, 0x0FC1_9DC6, 0x240C_A1CC, 0x2DE9_2C6F,
      0x4A74_84AA, 0x5CB0_A9DC, 0x76F9_88DA, 0x983E_5152, 0xA831_C66D, 0xB003_27C8, 0xBF59_7FC7,
      0xC6E0_0BF3, 0xD5A7_9147, 0x06CA_6351, 0x1429_2967, 0x27B7_0A85, 0x2E1B_2138, 0x4D2C_6DFC,
      0x5338_0D13, 0x650A_7354, 0x766A_0ABB, 0x81C2_C92E, 0x9272_2C85, 0xA2BF_E8A1, 0xA81A_664B,
      0xC24B_8B70, 0xC76C_51A3, 0xD192_E819, 0xD699_0624, 0xF40E_3585, 0x106A_A070, 0x19A4_C116,
      0x1E37_6C08, 0x2748_774C, 0x34B0_BCB5, 0x391C_0CB3, 0x4ED8_AA4A, 0x5B9C_CA4F, 0x682E_6FF3,
      0x748F_82EE, 0x78A5_636F, 0x84C8_7814, 0x8CC7_0208, 0x90BE_FFFA, 0xA450_6CEB, 0xBEF9_A3F7,
      0xC671_78F2,
    ]
  }
#endif
