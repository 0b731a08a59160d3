/// The chunks of a PNG file (ISO/IEC 15948, 5.3).
enum PNGChunks {
  /// The TIFF block of the chunk `eXIf`, which may stand before or behind the picture.
  static func exif(in bytes: [UInt8]) -> [UInt8]? {
    var at = 8
    while at + 12 <= bytes.count {
      let size = bytes[at..<at + 4].bigEndian
      guard size <= bytes.count - at - 12 else { return nil }
      if bytes[at + 4..<at + 8].elementsEqual("eXIf".utf8) {
        return Array(bytes[at + 8..<at + 8 + size])
      }
      at += 12 + size
    }
    return nil
  }
}
