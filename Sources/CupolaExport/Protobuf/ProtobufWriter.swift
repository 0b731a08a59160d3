/// Writes the protocol buffer wire format. Fields are in call order, and zeros are also written.
struct ProtobufWriter {
  private(set) var bytes: [UInt8] = []

  init() {}

  init(_ body: (inout ProtobufWriter) -> Void) { body(&self) }

  /// Writes a field of type `int32`, `int64`, `uint64` or an enumeration. Negative numbers take ten bytes.
  mutating func integer(_ field: Int, _ value: Int) {
    tag(field, wireType: 0)
    varint(UInt64(bitPattern: Int64(value)))
  }

  mutating func bytes(_ field: Int, _ value: [UInt8]) {
    tag(field, wireType: 2)
    varint(UInt64(value.count))
    bytes += value
  }

  mutating func string(_ field: Int, _ value: String) { bytes(field, Array(value.utf8)) }

  mutating func append(_ fields: ProtobufWriter) { bytes += fields.bytes }

  mutating func message(_ field: Int, _ body: (inout ProtobufWriter) -> Void) {
    bytes(field, ProtobufWriter(body).bytes)
  }

  /// Writes an entry in a `map<string, ...>` field. `body` writes the value as field 2.
  mutating func entry(_ field: Int, _ key: String, _ body: (inout ProtobufWriter) -> Void) {
    message(field) { entry in
      entry.string(1, key)
      body(&entry)
    }
  }

  mutating func packed(_ field: Int, integers: [Int]) {
    var values = ProtobufWriter()
    for value in integers { values.varint(UInt64(bitPattern: Int64(value))) }
    bytes(field, values.bytes)
  }

  mutating func packed(_ field: Int, floats: [Float]) {
    bytes(field, floats.flatMap(\.bitPattern.littleEndianBytes))
  }

  /// Writes a field's number and wire type: 0 for varints, 2 for length-delimited values.
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
