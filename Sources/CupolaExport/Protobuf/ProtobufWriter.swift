/// Writes the wire format of protocol buffers, field by field in the order of the calls.
///
/// Values are written as they are told, zeros too, so that equal calls give equal bytes. What the
/// numbers of the fields mean is the caller's knowledge.
struct ProtobufWriter {
  /// The message so far.
  private(set) var bytes: [UInt8] = []

  init() {}

  /// The message that a closure writes.
  init(_ body: (inout ProtobufWriter) -> Void) { body(&self) }

  /// A field of type `int32`, `int64`, `uint64` or of an enumeration; negative numbers take ten
  /// bytes.
  mutating func integer(_ field: Int, _ value: Int) {
    tag(field, wireType: 0)
    varint(UInt64(bitPattern: Int64(value)))
  }

  /// A field of type `bytes`, or a message that is written already.
  mutating func bytes(_ field: Int, _ value: [UInt8]) {
    tag(field, wireType: 2)
    varint(UInt64(value.count))
    bytes += value
  }

  /// A field of type `string`.
  mutating func string(_ field: Int, _ value: String) { bytes(field, Array(value.utf8)) }

  /// Fields that are written already.
  mutating func append(_ fields: ProtobufWriter) { bytes += fields.bytes }

  /// A field that is a message of its own.
  mutating func message(_ field: Int, _ body: (inout ProtobufWriter) -> Void) {
    bytes(field, ProtobufWriter(body).bytes)
  }

  /// An entry of a field of type `map<string, ...>`: a message of key 1 and value 2, which `body`
  /// writes.
  mutating func entry(_ field: Int, _ key: String, _ body: (inout ProtobufWriter) -> Void) {
    message(field) { entry in
      entry.string(1, key)
      body(&entry)
    }
  }

  /// A repeated field of whole numbers, packed.
  mutating func packed(_ field: Int, integers: [Int]) {
    var values = ProtobufWriter()
    for value in integers { values.varint(UInt64(bitPattern: Int64(value))) }
    bytes(field, values.bytes)
  }

  /// A repeated field of type `float`, packed.
  mutating func packed(_ field: Int, floats: [Float]) {
    bytes(field, floats.flatMap(\.bitPattern.littleEndianBytes))
  }

  /// - Parameter wireType: how the field's bytes tell their own length: 0 as a varint, 2 by a length before them.
  private mutating func tag(_ field: Int, wireType: UInt64) {
    precondition((1..<1 << 29).contains(field), "field \(field)")
    varint(UInt64(field) << 3 | wireType)
  }

  private mutating func varint(_ value: UInt64) {
    var rest = value
    while rest >= 0x80 {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(truncatingIfNeeded: rest))
  }
}
