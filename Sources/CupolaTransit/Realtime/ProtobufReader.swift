/// Reads the fields of a message of Protocol Buffers (https://protobuf.dev/programming-guides/encoding), whatever the
/// bytes are.
struct ProtobufReader {
  /// What a field holds.
  enum Value: Equatable {
    case varint(UInt64)
    case fixed64(UInt64)
    case fixed32(UInt32)
    /// A text, bytes or another message.
    case bytes(ArraySlice<UInt8>)
  }

  /// The bytes are no message.
  enum Fault: Error, Equatable { case endsEarly, noMessage, tooMany }

  private var rest: ArraySlice<UInt8>

  /// Groups within groups, which nobody has written for years.
  private static let deepestGroup = 50

  init(_ bytes: ArraySlice<UInt8>) { rest = bytes }

  /// The next field; `nil` at the end. Groups are passed over.
  mutating func next() throws(Fault) -> (number: Int, value: Value)? {
    while !rest.isEmpty {
      let (number, type) = try key()
      switch type {
      case 0: return (number, .varint(try varint()))
      case 1: return (number, .fixed64(try fixed(8)))
      case 2: return (number, .bytes(try bytes()))
      case 3: try skipGroup(number)
      case 5: return (number, .fixed32(UInt32(truncatingIfNeeded: try fixed(4))))
      default: throw .noMessage
      }
    }
    return nil
  }

  private mutating func key() throws(Fault) -> (number: Int, type: Int) {
    let key = try varint()
    guard key >> 3 > 0, key >> 3 < 1 << 29 else { throw .noMessage }
    return (Int(key >> 3), Int(key & 7))
  }

  private mutating func varint() throws(Fault) -> UInt64 {
    var value: UInt64 = 0
    for shift in stride(from: UInt64(0), to: 70, by: 7) {
      guard let byte = rest.popFirst() else { throw .endsEarly }
      value |= UInt64(byte & 0x7F) << shift
      if byte < 0x80 { return value }
    }
    throw .noMessage
  }

  private mutating func fixed(_ count: Int) throws(Fault) -> UInt64 {
    guard rest.count >= count else { throw .endsEarly }
    let value = rest.prefix(count).reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    rest = rest.dropFirst(count)
    return value
  }

  private mutating func bytes() throws(Fault) -> ArraySlice<UInt8> {
    let count = try varint()
    guard count <= UInt64(rest.count) else { throw .endsEarly }
    defer { rest = rest.dropFirst(Int(count)) }
    return rest.prefix(Int(count))
  }

  private mutating func skipGroup(_ number: Int) throws(Fault) {
    var open = [number]
    while let innermost = open.last {
      let (number, type) = try key()
      switch type {
      case 0: _ = try varint()
      case 1: _ = try fixed(8)
      case 2: _ = try bytes()
      case 3:
        guard open.count < Self.deepestGroup else { throw .noMessage }
        open.append(number)
      case 4:
        guard number == innermost else { throw .noMessage }
        open.removeLast()
      case 5: _ = try fixed(4)
      default: throw .noMessage
      }
    }
  }
}

extension ProtobufReader.Value {
  /// Of `uint64`, `bool` and enumerations.
  var number: UInt64? { if case .varint(let value) = self { value } else { nil } }
  /// Of `uint32`.
  var uint32: Int? { number.map { Int(UInt32(truncatingIfNeeded: $0)) } }
  /// Of `int32`; protobuf writes negative ones with 64 bits.
  var int32: Int? { number.map { Int(Int32(truncatingIfNeeded: $0)) } }
  /// Of `int64`.
  var int64: Int? { number.map { Int(Int64(bitPattern: $0)) } }
  /// Of `float`.
  var float: Double? {
    if case .fixed32(let bits) = self { Double(Float(bitPattern: bits)) } else { nil }
  }
  /// Of `string`.
  var text: String? { bytes.map { String(decoding: $0, as: UTF8.self) } }
  /// Of another message.
  var bytes: ArraySlice<UInt8>? { if case .bytes(let bytes) = self { bytes } else { nil } }
}
