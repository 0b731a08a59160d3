/// A place in the bytes of a protocol buffer, moved on by reading.
struct ProtobufCursor {
  private var rest: ArraySlice<UInt8>

  init(_ bytes: ArraySlice<UInt8>) { rest = bytes }

  var isAtEnd: Bool { rest.isEmpty }

  /// The field that begins here.
  mutating func field() throws(ProtobufFault) -> ProtobufReader.Field {
    let tag = try varint()
    guard tag >> 3 <= UInt64(Int.max), ProtobufWireType.fieldNumbers.contains(Int(tag >> 3)),
      let type = ProtobufWireType(rawValue: UInt8(tag & 7))
    else { throw ProtobufFault.badTag(tag) }
    return ProtobufReader.Field(number: Int(tag >> 3), value: try value(of: type))
  }

  private mutating func value(
    of type: ProtobufWireType
  ) throws(ProtobufFault) -> ProtobufReader.Value {
    switch type {
    case .varint: return .varint(try varint())
    case .fixed64: return .fixed64(try fixed(bytes: 8))
    case .fixed32: return .fixed32(UInt32(truncatingIfNeeded: try fixed(bytes: 4)))
    case .lengthDelimited:
      let length = try varint()
      guard length <= UInt64(rest.count) else { throw ProtobufFault.truncated }
      defer { rest = rest.dropFirst(Int(length)) }
      return .bytes(rest.prefix(Int(length)))
    }
  }

  /// Seven bits a byte, the lowest first.
  mutating func varint() throws(ProtobufFault) -> UInt64 {
    var value: UInt64 = 0
    for shift in stride(from: UInt64(0), to: 70, by: 7) {
      guard let byte = rest.popFirst() else { throw ProtobufFault.truncated }
      guard shift < 63 || byte <= 1 else { throw ProtobufFault.badVarint }
      value |= UInt64(byte & 0x7F) << shift
      if byte < 0x80 { return value }
    }
    throw ProtobufFault.badVarint
  }

  /// Four or eight bytes, the lowest first.
  mutating func fixed(bytes count: Int) throws(ProtobufFault) -> UInt64 {
    guard rest.count >= count else { throw ProtobufFault.truncated }
    defer { rest = rest.dropFirst(count) }
    return rest.prefix(count).reversed().reduce(0) { $0 << 8 | UInt64($1) }
  }
}
