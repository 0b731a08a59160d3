/// Makes keys of what people can type: PBKDF2 with HMAC-SHA-256 (RFC 8018, section 5.2).
enum PBKDF2 {
  /// So many bytes of a password.
  ///
  /// - Parameter iterations: 1 or more; the time grows with them.
  static func key(
    password: [UInt8], salt: [UInt8], iterations: Int, count: Int = 32
  ) -> [UInt8] {
    precondition(iterations > 0 && count > 0 && count <= 1 << 20, "\(iterations), \(count)")
    let hmac = HMAC(key: password)
    var key: [UInt8] = []
    var number: UInt32 = 0
    while key.count < count {
      number += 1
      let index = (0..<4).map { UInt8(truncatingIfNeeded: number >> (24 - 8 * $0)) }
      var code = hmac.code(of: salt + index)
      var block = code
      for _ in 1..<max(iterations, 1) {
        code = hmac.code(of: code)
        for byte in block.indices { block[byte] ^= code[byte] }
      }
      key += block
    }
    return Array(key.prefix(count))
  }
}
