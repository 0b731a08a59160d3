/// The chunks of a WebP file (RFC 9649, 2.3).
enum RIFFChunks {
  /// The TIFF block of the chunk `EXIF`.
  static func exif(in bytes: [UInt8]) -> [UInt8]? {
    chunk("EXIF", in: bytes).map(EXIFReader.unmarked)
  }

  /// The color profile.
  static func profile(in bytes: [UInt8]) -> [UInt8]? { chunk("ICCP", in: bytes).map { Array($0) } }

  private static func chunk(_ name: String, in bytes: [UInt8]) -> ArraySlice<UInt8>? {
    var at = 12
    while at + 8 <= bytes.count {
      let size = bytes[at + 4..<at + 8].reversed().bigEndian
      guard size <= bytes.count - at - 8 else { return nil }
      if bytes[at..<at + 4].elementsEqual(name.utf8) { return bytes[at + 8..<at + 8 + size] }
      at += 8 + size + size % 2
    }
    return nil
  }
}
