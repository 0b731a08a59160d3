/// How a field's bytes tell their own length; the groups of old, 3 and 4, are no part of it.
enum ProtobufWireType: UInt8 {
  case varint = 0
  case fixed64 = 1
  case lengthDelimited = 2
  case fixed32 = 5

  /// The numbers that fields may have.
  static let fieldNumbers = 1..<1 << 29
}
