// 1. `ByteWriter` writes numbers as LEB128, floats as 4 bytes, and strings prefixed with their length.
// 2. `ByteReader` reads the values in the same order and checks that each length fits in the remaining bytes.

/// Reads values written by ``ByteWriter``. Throws if the bytes are malformed.
package struct ByteReader {
  package enum Fault: Error, Equatable {
    case endsEarly, badValue(String)

    package var problem: String {
      switch self {
      case .endsEarly: "data ends too early"
      case .badValue(let what): what
      }
    }
  }

  private let bytes: [UInt8]
  private var offset = 0

  package init(_ bytes: [UInt8]) { self.bytes = bytes }

  package var isAtEnd: Bool { offset == bytes.count }

  package mutating func byte() throws(Fault) -> UInt8 {
    guard offset < bytes.count else { throw .endsEarly }
    defer { offset += 1 }
    return bytes[offset]
  }

  /// Reads a number from 0 to `limit`.
  package mutating func count(limit: Int = Int(Int32.max)) throws(Fault) -> Int {
    var value: UInt64 = 0
    for shift in stride(from: UInt64(0), to: 63, by: 7) {
      let byte = try byte()
      value |= UInt64(byte & 0x7F) << shift
      if byte < 0x80 {
        guard value <= UInt64(limit) else {
          throw .badValue("\(value) is over the limit of \(limit)")
        }
        return Int(value)
      }
    }
    throw .badValue("number is too long")
  }

  /// Reads an element count and checks that the remaining bytes can contain that many elements.
  package mutating func length(bytesEach: Int = 1) throws(Fault) -> Int {
    let number = try count()
    guard number <= (bytes.count - offset) / bytesEach else { throw .endsEarly }
    return number
  }

  package mutating func integer() throws(Fault) -> Int {
    let value = try count(limit: .max)
    return (value >> 1) ^ -(value & 1)
  }

  package mutating func float() throws(Fault) -> Float {
    var bits: UInt32 = 0
    for shift in stride(from: UInt32(0), to: 32, by: 8) { bits |= UInt32(try byte()) << shift }
    return Float(bitPattern: bits)
  }

  package mutating func text() throws(Fault) -> String {
    let count = try length()
    defer { offset += count }
    return String(decoding: bytes[offset..<offset + count], as: UTF8.self)
  }

  package mutating func optionalText() throws(Fault) -> String? {
    try byte() == 0 ? nil : try text()
  }
}

/// Writes LEB128 numbers, 4-byte floats and length-prefixed strings. The lowest bit of signed numbers is the sign.
package struct ByteWriter {
  package private(set) var bytes: [UInt8] = []

  package init() {}

  package mutating func write(byte: UInt8) { bytes.append(byte) }

  package mutating func write(count: Int) {
    precondition(count >= 0)
    var rest = UInt64(count)
    while rest >= 0x80 {
      bytes.append(UInt8(rest & 0x7F) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(rest))
  }

  package mutating func write(_ value: Int) {
    write(count: Int(bitPattern: UInt(bitPattern: (value << 1) ^ (value >> 63)) & UInt(Int.max)))
  }

  package mutating func write(_ value: Float) {
    for shift in stride(from: 0, to: 32, by: 8) {
      bytes.append(UInt8(truncatingIfNeeded: value.bitPattern >> UInt32(shift)))
    }
  }

  package mutating func write(_ text: String) {
    write(count: text.utf8.count)
    bytes += text.utf8
  }

  /// Appends an optional string. `nil` and the empty string are encoded differently.
  package mutating func write(optional text: String?) {
    write(byte: text == nil ? 0 : 1)
    if let text { write(text) }
  }
}
