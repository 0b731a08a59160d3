// 1. Write each entry with its header (`entry`).
// 2. Write the directory (`end`).

/// Writes a ZIP archive whose entries are stored without compression (PKWARE APPNOTE 6.3). Equal entries give equal bytes.
package struct ZipWriter {
  private var directory: [UInt8] = []
  private var offset: Int
  private var count = 0

  /// - Parameter offset: The number of bytes that precede the archive in its file.
  package init(after offset: Int = 0) { self.offset = offset }

  /// Returns the bytes of an entry.
  package mutating func entry(_ name: String, _ contents: [UInt8]) -> [UInt8] {
    let sum = Inflate.crc32(0, contents[...])
    // Version 2.0, UTF-8 names, stored, January 1, 1980, no extra field.
    let fields =
      Self.bytes(20, 2) + Self.bytes(1 << 11, 2) + Self.bytes(0, 4) + Self.bytes(0x21, 2)
      + Self.bytes(Int(sum), 4) + Self.bytes(contents.count, 4) + Self.bytes(contents.count, 4)
      + Self.bytes(name.utf8.count, 2) + Self.bytes(0, 2)
    // No comment, disk 0, no attributes.
    directory += Self.bytes(0x0201_4B50, 4) + Self.bytes(20, 2) + fields + Self.bytes(0, 10)
    directory += Self.bytes(offset, 4) + name.utf8
    let entry = Self.bytes(0x0403_4B50, 4) + fields + name.utf8 + contents
    offset += entry.count
    count += 1
    return entry
  }

  /// The bytes after the last entry.
  package var end: [UInt8] {
    directory + Self.bytes(0x0605_4B50, 4) + Self.bytes(0, 4) + Self.bytes(count, 2)
      + Self.bytes(count, 2) + Self.bytes(directory.count, 4) + Self.bytes(offset, 4)
      + Self.bytes(0, 2)
  }

  /// Returns a number in little-endian order.
  private static func bytes(_ value: Int, _ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
  }
}
