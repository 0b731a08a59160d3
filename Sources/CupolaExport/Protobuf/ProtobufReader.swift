/// Reads one message of the wire format of protocol buffers.
///
/// It reads one level: a message within is bytes, which the caller reads in turn if its schema has a
/// message there, so that no bytes can make it recurse. Memory is bounded by `limit` fields of a
/// message; strings and bytes are slices of what was given.
package struct ProtobufReader {
  /// One field as it stands in the bytes.
  package struct Field: Equatable {
    package let number: Int
    package let value: Value
  }

  /// The value of a field, as far as its bytes tell.
  package enum Value: Equatable {
    case varint(UInt64)
    case fixed64(UInt64)
    case fixed32(UInt32)
    case bytes(ArraySlice<UInt8>)
  }

  /// In the order of the bytes.
  package let fields: [Field]

  /// Fields that a message may have unless told otherwise.
  package static let usualLimit = 1 << 20

  /// Reads all fields of a message.
  package init(
    _ bytes: ArraySlice<UInt8>, limit: Int = usualLimit
  ) throws(ProtobufFault) {
    var cursor = ProtobufCursor(bytes)
    var fields: [Field] = []
    while !cursor.isAtEnd {
      guard fields.count < limit else { throw ProtobufFault.tooManyFields(limit: limit) }
      fields.append(try cursor.field())
    }
    self.fields = fields
  }

  /// Reads all fields of a message.
  package init(_ bytes: [UInt8], limit: Int = usualLimit) throws(ProtobufFault) {
    try self.init(bytes[...], limit: limit)
  }

  // MARK: - Fields by their numbers

  /// The values of a field, in order.
  package func values(_ number: Int) -> [Value] {
    fields.filter { $0.number == number }.map(\.value)
  }

  /// Numbers of all fields, each once, in ascending order.
  package var numbers: [Int] { Set(fields.map(\.number)).sorted() }

  /// A whole number; the last one counts, `nil` when there is none.
  package func integer(_ number: Int) throws(ProtobufFault) -> Int? {
    try integers(number).last
  }

  /// Whole numbers, packed or not.
  package func integers(_ number: Int) throws(ProtobufFault) -> [Int] {
    var result: [Int] = []
    for value in values(number) {
      switch value {
      case .varint(let value): result.append(Int(truncatingIfNeeded: value))
      case .bytes(let bytes):
        var cursor = ProtobufCursor(bytes)
        while !cursor.isAtEnd { result.append(Int(truncatingIfNeeded: try cursor.varint())) }
      default: throw ProtobufFault.badField(number)
      }
    }
    return result
  }

  /// Numbers of type `float`, packed or not.
  package func floats(_ number: Int) throws(ProtobufFault) -> [Float] {
    var result: [Float] = []
    for value in values(number) {
      switch value {
      case .fixed32(let bits): result.append(Float(bitPattern: bits))
      case .bytes(let bytes):
        guard bytes.count.isMultiple(of: 4) else { throw ProtobufFault.badField(number) }
        var cursor = ProtobufCursor(bytes)
        while !cursor.isAtEnd {
          result.append(Float(bitPattern: UInt32(truncatingIfNeeded: try cursor.fixed(bytes: 4))))
        }
      default: throw ProtobufFault.badField(number)
      }
    }
    return result
  }

  /// The bytes of a field, each time that it stands there.
  package func allBytes(_ number: Int) throws(ProtobufFault) -> [ArraySlice<UInt8>] {
    var result: [ArraySlice<UInt8>] = []
    for value in values(number) {
      guard case .bytes(let bytes) = value else { throw ProtobufFault.badField(number) }
      result.append(bytes)
    }
    return result
  }

  /// The bytes of a field; the last ones count, `nil` when there are none.
  package func bytes(_ number: Int) throws(ProtobufFault) -> ArraySlice<UInt8>? {
    try allBytes(number).last
  }

  /// A text; the last one counts, `nil` when there is none.
  package func string(_ number: Int) throws(ProtobufFault) -> String? { try strings(number).last }

  /// Texts.
  package func strings(_ number: Int) throws(ProtobufFault) -> [String] {
    var result: [String] = []
    for bytes in try allBytes(number) {
      guard let text = String(validating: bytes, as: UTF8.self) else {
        throw ProtobufFault.badText(field: number)
      }
      result.append(text)
    }
    return result
  }

  /// Messages.
  package func messages(_ number: Int) throws(ProtobufFault) -> [ProtobufReader] {
    var result: [ProtobufReader] = []
    for bytes in try allBytes(number) { result.append(try ProtobufReader(bytes)) }
    return result
  }

  /// A message; the last one counts, `nil` when there is none.
  package func message(_ number: Int) throws(ProtobufFault) -> ProtobufReader? {
    guard let bytes = try bytes(number) else { return nil }
    return try ProtobufReader(bytes)
  }

  /// The values of a field of type `map<string, ...>` by their keys: each the message of the entry,
  /// whose field 2 is the value.
  ///
  /// Throws ``ProtobufFault/badField(_:)`` for a key that stands there twice.
  package func entries(_ number: Int) throws(ProtobufFault) -> [String: ProtobufReader] {
    var result: [String: ProtobufReader] = [:]
    for entry in try messages(number) {
      guard result.updateValue(entry, forKey: try entry.string(1) ?? "") == nil else {
        throw ProtobufFault.badField(number)
      }
    }
    return result
  }
}
