/// Hexadecimal texts of one length, kept and in JSON as one text without anything between them.
struct HexadecimalTexts: Equatable, Sendable {
  /// Digits of each.
  let length: Int
  private let digits: String

  init(_ values: [String], length: Int) {
    precondition(values.allSatisfy { $0.utf8.count == length }, "not of \(length) digits")
    self.length = length
    digits = values.joined()
  }

  init(from decoder: any Decoder, length: Int) throws {
    let container = try decoder.singleValueContainer()
    self.length = length
    digits = try container.decode(String.self)
    guard digits.utf8.count.isMultiple(of: length), digits.utf8.allSatisfy(Hex.isDigit) else {
      throw DecodingError.dataCorruptedError(
        in: container, debugDescription: "not digests of \(length) hexadecimal digits")
    }
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(digits)
  }

  var values: [String] {
    let digits = Array(digits.utf8)
    return stride(from: 0, to: digits.count, by: length).map { start in
      String(decoding: digits[start..<start + length], as: UTF8.self)
    }
  }
}
