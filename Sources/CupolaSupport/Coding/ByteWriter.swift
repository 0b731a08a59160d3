/// Writes numbers and texts in few bytes: LEB128, with the sign in the lowest bit of what can be less than 0.
package struct ByteWriter {
  package private(set) var bytes: [UInt8] = []

  package init() {}

  package mutating func write(byte: UInt8) { bytes.append(byte) }

  /// A number of 0 or more.
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

  /// `nil` is another text than the empty one.
  package mutating func write(optional text: String?) {
    write(byte: text == nil ? 0 : 1)
    if let text { write(text) }
  }
}
