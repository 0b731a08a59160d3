/// Reads what ``ByteWriter`` wrote; whatever the bytes are, it ends with values or an error.
package struct ByteReader {
  /// The bytes are not what a guide holds.
  package enum Fault: Error, Equatable {
    case endsEarly, badValue(String)

    /// What is wrong, as part of a sentence.
    package var problem: String {
      switch self {
      case .endsEarly: "it ends early"
      case .badValue(let what): what
      }
    }
  }

  private let bytes: [UInt8]
  private var place = 0

  package init(_ bytes: [UInt8]) { self.bytes = bytes }

  package var isAtEnd: Bool { place == bytes.count }

  package mutating func byte() throws(Fault) -> UInt8 {
    guard place < bytes.count else { throw .endsEarly }
    defer { place += 1 }
    return bytes[place]
  }

  /// A number of 0 or more, at most `limit`.
  package mutating func count(limit: Int = Int(Int32.max)) throws(Fault) -> Int {
    var value: UInt64 = 0
    for shift in stride(from: UInt64(0), to: 63, by: 7) {
      let byte = try byte()
      value |= UInt64(byte & 0x7F) << shift
      if byte < 0x80 {
        guard value <= UInt64(limit) else { throw .badValue("\(value) is too many") }
        return Int(value)
      }
    }
    throw .badValue("a number without end")
  }

  /// How many of something follow, each of at least `bytes` bytes: no more than there is room for.
  package mutating func length(bytesEach: Int = 1) throws(Fault) -> Int {
    let number = try count()
    guard number <= (bytes.count - place) / bytesEach else { throw .endsEarly }
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
    defer { place += count }
    return String(decoding: bytes[place..<place + count], as: UTF8.self)
  }

  package mutating func optionalText() throws(Fault) -> String? {
    try byte() == 0 ? nil : try text()
  }
}
