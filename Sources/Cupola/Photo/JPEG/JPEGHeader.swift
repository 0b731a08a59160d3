/// The frame and the EXIF block of a JPEG file, read from its markers (ITU-T T.81) without decoding.
struct JPEGHeader {
  /// Stored columns and rows, before orientation.
  let width: Int
  let height: Int
  /// Color components: 1 gray, 3 color, 4 CMYK.
  let components: Int
  /// The APP1 payload after `Exif\0\0`; `nil` when there is none.
  let exif: [UInt8]?

  /// - Throws: ``CupolaError/damagedPhoto(_:_:)`` when no frame header is found before the picture data.
  init(of bytes: [UInt8]) throws(CupolaError) {
    var exif: [UInt8]?
    var at = 2
    while let (marker, segment) = Self.segment(in: bytes, at: &at) {
      switch marker {
      case 0xC0...0xC3, 0xC5...0xC7, 0xC9...0xCB, 0xCD...0xCF:
        guard segment.count >= 6 else {
          throw CupolaError.damagedPhoto(.jpeg, "frame header cut short")
        }
        let start = segment.startIndex
        height = Int(segment[start + 1]) << 8 | Int(segment[start + 2])
        width = Int(segment[start + 3]) << 8 | Int(segment[start + 4])
        components = Int(segment[start + 5])
        self.exif = exif
        return
      case 0xE1 where exif == nil && segment.starts(with: Array("Exif\0\0".utf8)):
        exif = Array(segment.dropFirst(6))
      default: break
      }
    }
    throw CupolaError.damagedPhoto(.jpeg, "no frame header before the end of the file")
  }

  /// The next marker and its payload; `nil` at picture data, at the end, or where the file is cut.
  private static func segment(
    in bytes: [UInt8], at position: inout Int
  ) -> (marker: UInt8, payload: ArraySlice<UInt8>)? {
    var at = position
    // Any number of 0xFF may stand before a marker; libjpeg also skips stray bytes.
    while at < bytes.count, bytes[at] != 0xFF { at += 1 }
    while at < bytes.count, bytes[at] == 0xFF { at += 1 }
    guard at + 2 < bytes.count else { return nil }
    let marker = bytes[at]
    if (0xD0...0xD8).contains(marker) || marker == 0x01 || marker == 0x00 {
      position = at + 1
      return (marker, [])
    }
    guard marker != 0xDA, marker != 0xD9 else { return nil }
    let length = Int(bytes[at + 1]) << 8 | Int(bytes[at + 2])
    guard length >= 2, at + 1 + length <= bytes.count else { return nil }
    position = at + 1 + length
    return (marker, bytes[at + 3..<position])
  }
}
