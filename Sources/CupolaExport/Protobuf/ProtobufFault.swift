/// What is wrong with bytes that should be a protocol buffer.
package enum ProtobufFault: Error, Equatable, Sendable {
  /// They end within a field.
  case truncated
  /// A number of more than 64 bits.
  case badVarint
  /// A field's number, or its wire type, does not exist.
  case badTag(UInt64)
  /// A message of more fields than are accepted.
  case tooManyFields(limit: Int)
  /// A field of another wire type than its meaning has, or with a value that it cannot have.
  case badField(Int)
  /// A text that is no UTF-8.
  case badText(field: Int)

  /// What is wrong, in a few words.
  package var message: String {
    switch self {
    case .truncated: "its bytes end within a field"
    case .badVarint: "a number of more than 64 bits"
    case .badTag(let tag): "no field has the tag \(tag)"
    case .tooManyFields(let limit): "a message of more than \(limit) fields"
    case .badField(let field): "field \(field) has a value of the wrong kind"
    case .badText(let field): "field \(field) is no UTF-8"
    }
  }
}
