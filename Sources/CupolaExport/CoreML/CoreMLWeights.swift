/// weight.bin: the larger constants of the program, each with a record of 64 bytes before it.
///
/// Header: how many there are, and version 2. Record: a mark, the type, the size in bytes and where
/// they begin; the program refers to the record. Everything begins at a multiple of 64 bytes.
struct CoreMLWeights {
  /// The types of elements, with the file's numbers for them.
  enum Element: UInt32 {
    case float16 = 1
    case float32 = 2
  }

  private static let alignment = 64
  private static let mark: UInt32 = 0xDEAD_BEEF
  private static let version: UInt32 = 2

  /// The file so far.
  private(set) var bytes: [UInt8]
  private var count: UInt32 = 0

  init() {
    bytes = [UInt8](repeating: 0, count: Self.alignment)
    put(Self.version, at: 4)
  }

  /// Adds a constant; what the program refers to it by.
  mutating func append(_ values: [UInt8], as element: Element) -> Int {
    while !bytes.count.isMultiple(of: Self.alignment) { bytes.append(0) }
    let record = bytes.count
    let start = record + Self.alignment
    bytes.reserveCapacity(start + values.count)
    bytes += [UInt8](repeating: 0, count: Self.alignment)
    put(Self.mark, at: record)
    put(element.rawValue, at: record + 4)
    put(UInt64(values.count), at: record + 8)
    put(UInt64(start), at: record + 16)
    bytes += values
    count += 1
    put(count, at: 0)
    return record
  }

  private mutating func put(_ value: some FixedWidthInteger & UnsignedInteger, at offset: Int) {
    let own = value.littleEndianBytes
    bytes.replaceSubrange(offset..<offset + own.count, with: own)
  }
}
