/// Bytes as text (RFC 4648, section 4).
enum Base64 {
  static func text(_ bytes: [UInt8]) -> String {
    let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
    var result: [UInt8] = []
    for start in stride(from: 0, to: bytes.count, by: 3) {
      let part = bytes[start...].prefix(3)
      let bits = (0..<3).reduce(UInt32(0)) { bits, index in
        bits << 8 | UInt32(index < part.count ? part[start + index] : 0)
      }
      for index in 0..<4 {
        let letter = letters[Int(bits >> (18 - 6 * UInt32(index)) & 63)]
        result.append(index <= part.count ? letter : UInt8(ascii: "="))
      }
    }
    return String(decoding: result, as: UTF8.self)
  }
}
