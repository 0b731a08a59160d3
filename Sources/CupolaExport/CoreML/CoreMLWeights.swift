internal import Cupola

/// weight.bin: the larger constants of the program, each with a record of 64 bytes before it.
///
/// Header: how many there are, and version 2. Record: a mark, the type, the size in bytes and where
/// they begin; the program refers to the record. Everything begins at a multiple of 64 bytes.
struct CoreMLWeights: Equatable {
  /// The types of elements, with the file's numbers for them.
  enum Element: UInt32 {
    case float16 = 1
    case float32 = 2

    var size: Int { self == .float16 ? 2 : 4 }
  }

  private static let alignment = 64
  private static let mark: UInt32 = 0xDEAD_BEEF
  private static let version: UInt32 = 2

  /// The file so far.
  private(set) var bytes: [UInt8]
  /// Where the records stand, and what they say.
  private var records: [Int: (element: Element, range: Range<Int>)] = [:]

  static func == (a: CoreMLWeights, b: CoreMLWeights) -> Bool { a.bytes == b.bytes }

  // MARK: - Writing

  init() {
    bytes = [UInt8](repeating: 0, count: Self.alignment)
    Self.put(Self.version, at: 4, in: &bytes)
  }

  /// Adds a constant; what the program refers to it by.
  mutating func append(_ values: [Float], as element: Element) -> Int {
    while !bytes.count.isMultiple(of: Self.alignment) { bytes.append(0) }
    let record = bytes.count
    let start = record + Self.alignment
    let size = values.count * element.size
    bytes.reserveCapacity(start + size)
    bytes += [UInt8](repeating: 0, count: Self.alignment)
    Self.put(Self.mark, at: record, in: &bytes)
    Self.put(element.rawValue, at: record + 4, in: &bytes)
    Self.put(UInt64(size), at: record + 8, in: &bytes)
    Self.put(UInt64(start), at: record + 16, in: &bytes)
    for value in values {
      switch element {
      case .float16: Self.append(HalfPrecision.bits(of: value), to: &bytes)
      case .float32: Self.append(value.bitPattern, to: &bytes)
      }
    }
    records[record] = (element, start..<start + size)
    Self.put(UInt32(records.count), at: 0, in: &bytes)
    return record
  }

  private static func append<Value: FixedWidthInteger>(_ value: Value, to bytes: inout [UInt8]) {
    for byte in 0..<Value.bitWidth / 8 {
      bytes.append(UInt8(truncatingIfNeeded: value >> (8 * byte)))
    }
  }

  private static func put<Value: FixedWidthInteger>(
    _ value: Value, at offset: Int, in bytes: inout [UInt8]
  ) {
    for byte in 0..<Value.bitWidth / 8 {
      bytes[offset + byte] = UInt8(truncatingIfNeeded: value >> (8 * byte))
    }
  }

  // MARK: - Reading

  /// Reads a file: records must follow each other without gaps or overlaps up to its end.
  ///
  /// - Throws: ``CoreMLFault/badWeights(_:)``.
  init(bytes: [UInt8]) throws(CoreMLFault) {
    self.bytes = bytes
    guard bytes.count >= Self.alignment, Self.number(4, at: 4, in: bytes) == UInt64(Self.version)
    else { throw CoreMLFault.badWeights("it does not begin as version 2 does") }
    let count = Self.number(4, at: 0, in: bytes)
    var next = Self.alignment
    while records.count < count {
      guard next <= bytes.count - Self.alignment else {
        throw CoreMLFault.badWeights(
          "it ends after \(records.count) of \(count) constants; the file was cut")
      }
      let range = try range(ofRecord: next)
      next = (range.upperBound + Self.alignment - 1) / Self.alignment * Self.alignment
    }
    let end = records.values.map(\.range.upperBound).max() ?? Self.alignment
    guard bytes.count == end else {
      throw CoreMLFault.badWeights("\(bytes.count) bytes where \(end) belong")
    }
  }

  /// Reads one record.
  private mutating func range(ofRecord at: Int) throws(CoreMLFault) -> Range<Int> {
    guard Self.number(4, at: at, in: bytes) == UInt64(Self.mark) else {
      throw CoreMLFault.badWeights("no record of a constant at \(at)")
    }
    let type = UInt32(Self.number(4, at: at + 4, in: bytes))
    guard let element = Element(rawValue: type) else {
      throw CoreMLFault.badWeights("a constant of the unknown type \(type) at \(at)")
    }
    let size = Self.number(8, at: at + 8, in: bytes)
    let start = Self.number(8, at: at + 16, in: bytes)
    guard start == UInt64(at + Self.alignment), size <= UInt64(bytes.count) - start,
      size.isMultiple(of: UInt64(element.size))
    else {
      throw CoreMLFault.badWeights("the constant at \(at) lies outside its place")
    }
    let range = Int(start)..<Int(start) + Int(size)
    records[at] = (element, range)
    return range
  }

  /// Where the records stand.
  var offsets: Set<Int> { Set(records.keys) }

  /// The constant that the program refers to by `offset`, with as many values as its type says.
  ///
  /// - Throws: ``CoreMLFault/badWeights(_:)``.
  func values(at offset: Int, as element: Element, count: Int) throws(CoreMLFault) -> [Float] {
    guard let record = records[offset] else {
      throw CoreMLFault.badWeights("no constant begins at \(offset)")
    }
    guard record.element == element, record.range.count == count * element.size else {
      throw CoreMLFault.badWeights(
        "the constant at \(offset) has \(record.range.count) bytes of type "
          + "\(record.element.rawValue), not \(count) values of type \(element.rawValue)")
    }
    let part = bytes.span.extracting(record.range)
    return [Float](capacity: count) { output in
      for index in 0..<count {
        let at = index * element.size
        let low = UInt32(part[at]) | UInt32(part[at + 1]) << 8
        switch element {
        case .float16: output.append(HalfPrecision.value(of: UInt16(low)))
        case .float32:
          let high = UInt32(part[at + 2]) | UInt32(part[at + 3]) << 8
          output.append(Float(bitPattern: low | high << 16))
        }
      }
    }
  }

  private static func number(_ count: Int, at offset: Int, in bytes: [UInt8]) -> UInt64 {
    (0..<count).reversed().reduce(0) { $0 << 8 | UInt64(bytes[offset + $1]) }
  }
}
