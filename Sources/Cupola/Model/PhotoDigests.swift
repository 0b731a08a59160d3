/// Short digests of some photos, sorted: enough to find a photo again, and little to store.
///
/// A short digest is the first 8 bytes of the SHA-256 of the file, as 16 hexadecimal digits. In JSON
/// they are one text without anything between them.
public struct PhotoDigests: Equatable, Sendable {
  /// One a photo; equal files have equal digests.
  public let values: [String]

  private static let length = 16

  /// Shortens digests in hexadecimal.
  public init(sha256 digests: [String]) {
    values = digests.map { String($0.prefix(Self.length)) }.sorted()
  }
}

extension PhotoDigests: Codable {
  /// Reads the digests' digits, one digest after the other.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let digits = Array(try container.decode(String.self).utf8)
    let digitsOfHex = Set("0123456789abcdef".utf8)
    guard digits.count.isMultiple(of: Self.length), digits.allSatisfy(digitsOfHex.contains) else {
      throw DecodingError.dataCorruptedError(
        in: container, debugDescription: "not digests of \(Self.length) hexadecimal digits")
    }
    values = stride(from: 0, to: digits.count, by: Self.length).map { start in
      String(decoding: digits[start..<start + Self.length], as: UTF8.self)
    }
  }

  /// Writes the digests' digits, one digest after the other.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(values.joined())
  }
}
