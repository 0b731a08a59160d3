#if canImport(CryptoKit)
  internal import CryptoKit
#endif

/// SHA-256 (FIPS 180-4) of bytes that may come in parts.
package struct SHA256: Sendable {
  #if canImport(CryptoKit)
    private var hash = CryptoKit.SHA256()
  #else
    private var state = SHA256State()
    /// What does not fill a block yet.
    private var rest: [UInt8] = []
    private var count: UInt64 = 0
  #endif

  /// The hash of nothing.
  package init() {}

  /// Adds bytes to those hashed so far.
  package mutating func update(_ bytes: [UInt8]) { update(bytes.span) }

  /// Adds bytes to those hashed so far.
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

  /// The 32 bytes of the digest of all bytes so far.
  package func digest() -> [UInt8] {
    #if canImport(CryptoKit)
      return Array(hash.finalize())
    #else
      // A one bit, zeros, and the number of bits in the last 8 bytes of a block.
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

  /// The digest of all bytes so far as 64 hexadecimal digits.
  package func hexadecimal() -> String { Hex.text(digest()) }

  /// The digest of bytes as 64 hexadecimal digits.
  package static func hexadecimal(of bytes: [UInt8]) -> String {
    var hash = SHA256()
    hash.update(bytes)
    return hash.hexadecimal()
  }
}
