/// Hexadecimal texts of one length, in JSON one text without anything between them.
enum HexadecimalTexts {
  static func decode(from decoder: any Decoder, length: Int) throws -> [String] {
    let container = try decoder.singleValueContainer()
    let digits = Array(try container.decode(String.self).utf8)
    let digitsOfHex = Set("0123456789abcdef".utf8)
    guard digits.count.isMultiple(of: length), digits.allSatisfy(digitsOfHex.contains) else {
      throw DecodingError.dataCorruptedError(
        in: container, debugDescription: "not digests of \(length) hexadecimal digits")
    }
    return stride(from: 0, to: digits.count, by: length).map { start in
      String(decoding: digits[start..<start + length], as: UTF8.self)
    }
  }

  static func encode(_ values: [String], to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(values.joined())
  }
}
