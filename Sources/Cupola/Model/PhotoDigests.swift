/// Short digests of some photos, sorted: enough to find a photo again, and little to store.
///
/// A short digest is the first 8 bytes of the SHA-256 of the file, as 16 hexadecimal digits. In JSON
/// they are one text without anything between them.
package struct PhotoDigests: Equatable, Sendable {
  private static let length = 16
  private let texts: HexadecimalTexts

  /// One a photo; equal files have equal digests.
  package var values: [String] { texts.values }

  /// Shortens digests in hexadecimal.
  package init(sha256 digests: [String]) {
    texts = HexadecimalTexts(
      digests.map { String($0.prefix(Self.length)) }.sorted(), length: Self.length)
  }
}

extension PhotoDigests: Codable {
  /// Reads the digests' digits, one digest after the other.
  package init(from decoder: any Decoder) throws {
    texts = try HexadecimalTexts(from: decoder, length: Self.length)
  }

  /// Writes the digests' digits, one digest after the other.
  package func encode(to encoder: any Encoder) throws {
    try texts.encode(to: encoder)
  }
}
