/// Walks through the markers of a JPEG file (ITU-T T.81, B.1).
enum JPEGMarkers {
  static let startOfScan: UInt8 = 0xDA
  static let endOfImage: UInt8 = 0xD9

  /// The next marker and its payload; `nil` at picture data, at the end, or where the file is cut.
  static func segment(
    in bytes: [UInt8], at position: inout Int
  ) -> (marker: UInt8, payload: ArraySlice<UInt8>)? {
    guard let next = anySegment(in: bytes, from: position), next.marker != startOfScan else {
      return nil
    }
    position = next.payload.endIndex
    return next
  }

  /// The same, a scan's header too; the picture data begin behind it.
  static func anySegment(
    in bytes: [UInt8], from position: Int
  ) -> (marker: UInt8, payload: ArraySlice<UInt8>)? {
    let at = marker(in: bytes, from: position)
    guard at + 2 < bytes.count else { return nil }
    let marker = bytes[at]
    if (0xD0...0xD8).contains(marker) || marker == 0x01 || marker == 0x00 {
      return (marker, bytes[at + 1..<at + 1])
    }
    guard marker != endOfImage else { return nil }
    let length = Int(bytes[at + 1]) << 8 | Int(bytes[at + 2])
    guard length >= 2, at + 1 + length <= bytes.count else { return nil }
    return (marker, bytes[at + 3..<at + 1 + length])
  }

  /// Whether the next marker is that of the picture's end.
  static func isEnd(in bytes: [UInt8], from position: Int) -> Bool {
    let at = marker(in: bytes, from: position)
    return at < bytes.count && bytes[at] == endOfImage
  }

  /// Where the byte behind the 0xFF of the next marker stands; the end where there is none.
  private static func marker(in bytes: [UInt8], from position: Int) -> Int {
    var at = position
    // Any number of 0xFF may stand before a marker; libjpeg also skips stray bytes.
    while at < bytes.count, bytes[at] != 0xFF { at += 1 }
    while at < bytes.count, bytes[at] == 0xFF { at += 1 }
    return at
  }

  /// Where the next marker behind picture data stands: a 0xFF that is neither data nor a restart.
  static func endOfData(in bytes: Span<UInt8>, from position: Int) -> Int {
    var at = position
    while at + 1 < bytes.count {
      guard bytes[at] == 0xFF else {
        at += 1
        continue
      }
      let next = bytes[at + 1]
      if next != 0, next != 0xFF, !(0xD0...0xD7).contains(next) { return at }
      at += next == 0xFF ? 1 : 2
    }
    return bytes.count
  }
}
