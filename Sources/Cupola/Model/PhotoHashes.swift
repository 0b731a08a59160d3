/// Perceptual hashes of some photos or of their middles, sorted: enough to find a copy of a photo that was
/// saved again, made smaller or mirrored, or with its middle one that was cropped.
///
/// A hash has 256 bits, as 64 hexadecimal digits. In JSON they are one text without anything between
/// them.
package struct PhotoHashes: Equatable, Sendable {
  /// One a photo; equal files have equal hashes.
  package let values: [String]

  private static let length = 64

  /// Hashes in hexadecimal.
  package init(_ values: [String]) {
    precondition(values.allSatisfy { $0.utf8.count == Self.length }, "a hash is of 64 digits")
    self.values = values.sorted()
  }
}

extension PhotoHashes: Codable {
  /// Reads the hashes' digits, one hash after the other.
  package init(from decoder: any Decoder) throws {
    values = try HexadecimalTexts.decode(from: decoder, length: Self.length)
  }

  /// Writes the hashes' digits, one hash after the other.
  package func encode(to encoder: any Encoder) throws {
    try HexadecimalTexts.encode(values, to: encoder)
  }
}
