/// Perceptual hashes of some photos or of their middles, sorted: enough to find a copy of a photo that was
/// saved again, made smaller or mirrored, or with its middle one that was cropped.
///
/// A hash has 256 bits, as 64 hexadecimal digits. In JSON they are one text without anything between
/// them.
package struct PhotoHashes: Equatable, Sendable {
  private static let length = 64
  private let texts: HexadecimalTexts

  /// One a photo; equal files have equal hashes.
  package var values: [String] { texts.values }

  /// Hashes in hexadecimal.
  package init(_ values: [String]) {
    texts = HexadecimalTexts(values.sorted(), length: Self.length)
  }
}

extension PhotoHashes: Codable {
  /// Reads the hashes' digits, one hash after the other.
  package init(from decoder: any Decoder) throws {
    texts = try HexadecimalTexts(from: decoder, length: Self.length)
  }

  /// Writes the hashes' digits, one hash after the other.
  package func encode(to encoder: any Encoder) throws {
    try texts.encode(to: encoder)
  }
}
