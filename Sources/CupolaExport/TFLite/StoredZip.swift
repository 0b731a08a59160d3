/// A ZIP archive of uncompressed files behind other bytes, as TFLite models carry their labels.
///
/// PKWARE APPNOTE 6.3: local headers and contents, then the central directory, then its end. Places
/// count from the beginning of the whole file. Time stamps are the earliest that the format has.
enum StoredZip {
  /// One file of the archive.
  struct Entry: Equatable, Sendable {
    /// Its path.
    let name: String
    /// What it holds.
    let contents: [UInt8]
  }

  /// What is wrong with an archive.
  enum Fault: Error, Equatable {
    /// There is no archive at the end of the bytes.
    case missing
    /// Its directory does not fit the bytes.
    case damaged
    /// A file whose CRC-32 is another than the one written.
    case wrongChecksum(String)

    /// A few words for people.
    var message: String {
      switch self {
      case .missing: "there are none"
      case .damaged: "their archive is damaged"
      case .wrongChecksum(let name): "\(name) is damaged"
      }
    }
  }

  private static let localHeader: UInt32 = 0x0403_4B50
  private static let centralHeader: UInt32 = 0x0201_4B50
  private static let end: UInt32 = 0x0605_4B50
  /// 1 January 1980, midnight.
  private static let date: UInt32 = 0x0021_0000
  /// Names are UTF-8.
  private static let flags: UInt16 = 1 << 11

  /// Archives of more files are refused.
  private static let maximumCount = 16

  // MARK: - Writing

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

  // MARK: - Reading

  /// The files of an archive like those written here, and where it begins.
  static func entries(in bytes: [UInt8]) throws -> (entries: [Entry], start: Int) {
    let endPlace = bytes.count - 22
    guard endPlace >= 0, number(bytes, endPlace, 4) == Int(end) else { throw Fault.missing }
    let count = number(bytes, endPlace + 10, 2)
    let directory = number(bytes, endPlace + 16, 4)
    guard directory + number(bytes, endPlace + 12, 4) == endPlace, count <= maximumCount else {
      throw Fault.damaged
    }
    var place = directory
    var files = directory
    var entries: [Entry] = []
    for index in 0..<count {
      guard place + 46 <= endPlace, number(bytes, place, 4) == Int(centralHeader) else {
        throw Fault.damaged
      }
      let start = number(bytes, place + 42, 4)
      if index == 0 { files = start }
      let nameEnd = place + 46 + number(bytes, place + 28, 2)
      guard nameEnd <= endPlace else { throw Fault.damaged }
      let entry = try entry(in: bytes, at: start, before: directory)
      guard Array(entry.name.utf8) == Array(bytes[(place + 46)..<nameEnd]) else {
        throw Fault.damaged
      }
      entries.append(entry)
      place = nameEnd
    }
    guard place == endPlace else { throw Fault.damaged }
    return (entries, files)
  }

  private static func entry(in bytes: [UInt8], at start: Int, before end: Int) throws -> Entry {
    guard start + 30 <= end, number(bytes, start, 4) == Int(localHeader),
      number(bytes, start + 8, 2) == 0, number(bytes, start + 28, 2) == 0
    else { throw Fault.damaged }
    let size = number(bytes, start + 22, 4)
    let nameEnd = start + 30 + number(bytes, start + 26, 2)
    guard nameEnd + size <= end, number(bytes, start + 18, 4) == size,
      let name = String(validating: bytes[(start + 30)..<nameEnd], as: UTF8.self)
    else { throw Fault.damaged }
    let contents = bytes[nameEnd..<nameEnd + size]
    guard number(bytes, start + 14, 4) == Int(CRC32.of(contents)) else {
      throw Fault.wrongChecksum(name)
    }
    return Entry(name: name, contents: Array(contents))
  }

  /// A little-endian number; the caller knows that it is there.
  private static func number(_ bytes: [UInt8], _ place: Int, _ count: Int) -> Int {
    (0..<count).reduce(0) { $0 | Int(bytes[place + $1]) << (8 * $1) }
  }
}
