/// A ZIP archive of uncompressed files behind other bytes, as TFLite models carry their labels.
///
/// PKWARE APPNOTE 6.3: local headers and contents, then the central directory, then its end. Places
/// count from the beginning of the whole file. Time stamps are the earliest that the format has.
enum StoredZip {
  /// One file of the archive.
  struct Entry {
    /// Its path.
    let name: String
    /// What it holds.
    let contents: [UInt8]
  }

  private static let localHeader: UInt32 = 0x0403_4B50
  private static let centralHeader: UInt32 = 0x0201_4B50
  private static let end: UInt32 = 0x0605_4B50
  /// 1 January 1980, midnight.
  private static let date: UInt32 = 0x0021_0000
  /// Names are UTF-8.
  private static let flags: UInt16 = 1 << 11

  /// Puts an archive behind what is there.
  static func append(_ entries: [Entry], to bytes: inout [UInt8]) {
    var directory: [UInt8] = []
    for entry in entries {
      let start = UInt32(bytes.count)
      let common = header(of: entry)
      bytes += localHeader.littleEndianBytes + common + UInt16(0).littleEndianBytes
      bytes += Array(entry.name.utf8)
      bytes += entry.contents
      directory += centralHeader.littleEndianBytes + UInt16(20).littleEndianBytes + common
      // No extra field, no comment, first disk, no attributes.
      directory += [UInt8](repeating: 0, count: 12)
      directory += start.littleEndianBytes + Array(entry.name.utf8)
    }
    let start = UInt32(bytes.count)
    let count = UInt16(entries.count).littleEndianBytes
    bytes += directory + end.littleEndianBytes + [0, 0, 0, 0] + count + count
    bytes += UInt32(directory.count).littleEndianBytes + start.littleEndianBytes + [0, 0]
  }

  /// What local and central headers share: version, flags, method, time, CRC-32, sizes, name.
  private static func header(of entry: Entry) -> [UInt8] {
    let size = UInt32(entry.contents.count).littleEndianBytes
    return UInt16(20).littleEndianBytes + flags.littleEndianBytes + [0, 0]
      + date.littleEndianBytes + CRC32.of(entry.contents[...]).littleEndianBytes + size + size
      + UInt16(entry.name.utf8.count).littleEndianBytes
  }
}
