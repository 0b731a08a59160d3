internal import CupolaSupport

/// A code that only who knows a key can make of a message: HMAC-SHA-256 (RFC 2104, FIPS 198-1).
struct HMAC {
  /// Hashes that have taken the key already, so that each message costs no more than it is long.
  private let inner, outer: SHA256

  private static let blockSize = 64

  init(key: [UInt8]) {
    var block = key
    if key.count > Self.blockSize {
      var hash = SHA256()
      hash.update(key)
      block = hash.digest()
    }
    block += [UInt8](repeating: 0, count: Self.blockSize - block.count)
    var (inner, outer) = (SHA256(), SHA256())
    inner.update(block.map { $0 ^ 0x36 })
    outer.update(block.map { $0 ^ 0x5C })
    (self.inner, self.outer) = (inner, outer)
  }

  /// The 32 bytes of the code.
  func code(of message: [UInt8]) -> [UInt8] {
    var (hash, code) = (inner, outer)
    hash.update(message)
    code.update(hash.digest())
    return code.digest()
  }
}
