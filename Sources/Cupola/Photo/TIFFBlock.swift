// 1. Read the byte order and the offset of the first directory from the header.
// 2. `directory(at:)` reads the entries of a directory within the block.
// 3. `integer`, `text`, `numbers`, and `value` read the values of an entry.

struct TIFFBlock {
  typealias Directory = [UInt16: Entry]

  /// A directory field: its type, value count, and value offset.
  struct Entry {
    let type: UInt16
    let count: Int
    let offset: Int
  }

  private let bytes: [UInt8]
  private let littleEndian: Bool
  private(set) var firstDirectory = 0

  init?(bytes: [UInt8]) {
    guard bytes.count >= 8 else { return nil }
    switch (bytes[0], bytes[1]) {
    case (0x49, 0x49): littleEndian = true
    case (0x4D, 0x4D): littleEndian = false
    default: return nil
    }
    self.bytes = bytes
    guard integer(at: 2, bytes: 2) == 42, let first = integer(at: 4, bytes: 4) else { return nil }
    firstDirectory = first
  }

  /// Returns the entries of the directory at an offset; `nil` if it is outside the block.
  /// If a tag occurs more than once, the first entry is used. Includes entries whose values are outside the block.
  func directory(at offset: Int) -> Directory? {
    guard let count = integer(at: offset, bytes: 2) else { return nil }
    guard offset + 2 + count * 12 <= bytes.count else { return nil }
    var entries = Directory()
    for index in 0..<count {
      let at = offset + 2 + index * 12
      guard
        let tag = integer(at: at, bytes: 2), let type = integer(at: at + 2, bytes: 2),
        let count = integer(at: at + 4, bytes: 4), let size = Self.size(ofType: type)
      else { continue }
      let inline = count * size <= 4
      guard let values = inline ? at + 8 : integer(at: at + 8, bytes: 4),
        entries[UInt16(tag)] == nil
      else { continue }
      entries[UInt16(tag)] = Entry(type: UInt16(type), count: count, offset: values)
    }
    return entries
  }

  /// Returns the stored bytes of a value; `nil` if they are outside the block.
  func value(_ entry: Entry) -> ArraySlice<UInt8>? {
    guard holds(entry), let size = Self.size(ofType: Int(entry.type)) else { return nil }
    return bytes[entry.offset..<entry.offset + entry.count * size]
  }

  var byteOrder: [UInt8] { littleEndian ? [0x49, 0x49] : [0x4D, 0x4D] }

  /// Returns a number in the byte order of the block.
  func field(_ value: Int, bytes count: Int) -> [UInt8] {
    let little = (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    return littleEndian ? little : little.reversed()
  }

  func holds(_ entry: Entry) -> Bool {
    entry.offset + entry.count * (Self.size(ofType: Int(entry.type)) ?? 0) <= bytes.count
  }

  /// Returns the first value if it is a whole number of any numeric type.
  func integer(_ entry: Entry) -> Int? {
    guard entry.count >= 1 else { return nil }
    return number(entry, at: entry.offset).flatMap(Int.init(exactly:))
  }

  /// Returns an ASCII value (also as BYTE, UNDEFINED, or UTF-8) up to the first NUL, trimmed; `nil` if empty.
  func text(_ entry: Entry) -> String? {
    guard [1, 2, 7, 129].contains(entry.type), holds(entry) else { return nil }
    let characters = bytes[entry.offset..<entry.offset + entry.count].prefix { $0 != 0 }
    guard characters.allSatisfy({ $0 >= 0x20 && $0 < 0x7F }) else { return nil }
    let blank = UInt8(ascii: " ")
    let start = characters.firstIndex { $0 != blank } ?? characters.endIndex
    let end = (characters.lastIndex { $0 != blank } ?? characters.startIndex - 1) + 1
    return start < end ? String(decoding: characters[start..<end], as: UTF8.self) : nil
  }

  /// Returns the first 4 values of any numeric type; `nil` if there are none. 0/0, EXIF's unknown value, is NaN.
  ///
  /// Some writers store negative numbers as unsigned RATIONAL. Values above `limit` are read as signed.
  func numbers(_ entry: Entry, limit: Double = .infinity) -> [Double]? {
    guard entry.count > 0, holds(entry) else { return nil }
    var values: [Double] = []
    for index in 0..<min(entry.count, 4) {
      let at = entry.offset + index * (Self.size(ofType: Int(entry.type)) ?? 0)
      guard let value = number(entry, at: at) else { return nil }
      let isSigned = entry.type == 5 && value.isFinite && value > limit
      values.append(isSigned ? rational(at: at, signed: true) ?? value : value)
    }
    return values
  }

  private func number(_ entry: Entry, at offset: Int) -> Double? {
    switch entry.type {
    case 5, 10: return rational(at: offset, signed: entry.type == 10)
    case 11:
      return integer(at: offset, bytes: 4).map { Double(Float(bitPattern: UInt32($0))) }
    case 12:
      guard let high = integer(at: littleEndian ? offset + 4 : offset, bytes: 4),
        let low = integer(at: littleEndian ? offset : offset + 4, bytes: 4)
      else { return nil }
      return Double(bitPattern: UInt64(high) << 32 | UInt64(low))
    case 1, 3, 4, 6, 8, 9, 13:
      let size = Self.size(ofType: Int(entry.type)) ?? 0
      guard let value = integer(at: offset, bytes: size) else { return nil }
      let isNegative = [6, 8, 9].contains(entry.type) && value >> (8 * size - 1) == 1
      return Double(isNegative ? value - 1 << (8 * size) : value)
    default: return nil
    }
  }

  private func rational(at offset: Int, signed: Bool) -> Double? {
    guard let numerator = integer(at: offset, bytes: 4),
      let denominator = integer(at: offset + 4, bytes: 4)
    else { return nil }
    guard signed else { return Double(numerator) / Double(denominator) }
    return Double(Int32(truncatingIfNeeded: numerator))
      / Double(Int32(truncatingIfNeeded: denominator))
  }

  /// Returns an unsigned number of `count` bytes; `nil` if it is outside the block.
  func integer(at offset: Int, bytes count: Int) -> Int? {
    guard offset >= 0, offset <= bytes.count - count else { return nil }
    let field = bytes[offset..<offset + count]
    return littleEndian ? field.reversed().bigEndian : field.bigEndian
  }

  private static func size(ofType type: Int) -> Int? {
    switch type {
    case 1, 2, 6, 7, 129: 1
    case 3, 8: 2
    case 4, 9, 11, 13: 4
    case 5, 10, 12: 8
    default: nil
    }
  }
}

extension Sequence<UInt8> {
  var bigEndian: Int { reduce(0) { $0 << 8 | Int($1) } }
}
