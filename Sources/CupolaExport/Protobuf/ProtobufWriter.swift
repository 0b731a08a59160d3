/// Writes the wire format of protocol buffers, field by field in the order of the calls.
///
/// Values are written as they are told, zeros too, so that equal calls give equal bytes. What the
/// numbers of the fields mean is the caller's knowledge.
package struct ProtobufWriter {
  /// The message so far.
  package private(set) var bytes: [UInt8] = []

  package init() {}

  /// The message that a closure writes.
  package init(_ body: (inout ProtobufWriter) -> Void) { body(&self) }

  /// A field of type `int32`, `int64`, `uint64` or of an enumeration; negative numbers take ten
  /// bytes.
  package mutating func integer(_ field: Int, _ value: Int) {
    tag(field, .varint)
    varint(UInt64(bitPattern: Int64(value)))
  }

  /// A field of type `bool`.
  package mutating func boolean(_ field: Int, _ value: Bool) { integer(field, value ? 1 : 0) }

  /// A field of type `float`.
  package mutating func float(_ field: Int, _ value: Float) {
    tag(field, .fixed32)
    littleEndian(value.bitPattern)
  }

  /// A field of type `double`.
  package mutating func double(_ field: Int, _ value: Double) {
    tag(field, .fixed64)
    littleEndian(value.bitPattern)
  }

  /// A field of type `bytes`, or a message that is written already.
  package mutating func bytes(_ field: Int, _ value: [UInt8]) {
    tag(field, .lengthDelimited)
    varint(UInt64(value.count))
    bytes += value
  }

  /// A field of type `string`.
  package mutating func string(_ field: Int, _ value: String) { bytes(field, Array(value.utf8)) }

  /// A field that is a message of its own.
  package mutating func message(_ field: Int, _ body: (inout ProtobufWriter) -> Void) {
    bytes(field, ProtobufWriter(body).bytes)
  }

  /// An entry of a field of type `map<string, ...>`: a message of key 1 and value 2, which `body`
  /// writes.
  package mutating func entry(_ field: Int, _ key: String, _ body: (inout ProtobufWriter) -> Void) {
    message(field) { entry in
      entry.string(1, key)
      body(&entry)
    }
  }

  /// A repeated field of whole numbers, packed.
  package mutating func packed(_ field: Int, integers: [Int]) {
    var values = ProtobufWriter()
    for value in integers { values.varint(UInt64(bitPattern: Int64(value))) }
    bytes(field, values.bytes)
  }

  /// A repeated field of type `float`, packed.
  package mutating func packed(_ field: Int, floats: [Float]) {
    tag(field, .lengthDelimited)
    varint(UInt64(4 * floats.count))
    bytes.reserveCapacity(bytes.count + 4 * floats.count)
    for value in floats { littleEndian(value.bitPattern) }
  }

  private mutating func tag(_ field: Int, _ type: ProtobufWireType) {
    precondition(ProtobufWireType.fieldNumbers.contains(field), "field \(field)")
    varint(UInt64(field) << 3 | UInt64(type.rawValue))
  }

  private mutating func varint(_ value: UInt64) {
    var rest = value
    while rest >= 0x80 {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(truncatingIfNeeded: rest))
  }

  private mutating func littleEndian<Value: FixedWidthInteger>(_ value: Value) {
    for byte in 0..<Value.bitWidth / 8 {
      bytes.append(UInt8(truncatingIfNeeded: value >> (8 * byte)))
    }
  }
}
