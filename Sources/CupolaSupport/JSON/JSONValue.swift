// 1. `JSONValue` holds any JSON value and can be decoded and encoded.
// 2. `JSONFault` holds the place of an error in a JSON text and the message about it.

/// Any JSON value, for properties that are kept but not understood.
public enum JSONValue: Equatable, Sendable {
  case null
  case boolean(Bool)
  case integer(Int)
  /// A whole number that is too large for `Int`.
  case unsigned(UInt64)
  case number(Double)
  case string(String)
  case array([JSONValue])
  case object([String: JSONValue])

  /// A string as it is, a number as people write it; `nil` for anything else.
  public var text: String? {
    switch self {
    case .string(let text): text
    case .integer(let value): String(value)
    case .unsigned(let value): String(value)
    case .number(let value): String(value)
    default: nil
    }
  }

  /// A number, whole or not; `nil` for anything else.
  package var double: Double? {
    switch self {
    case .integer(let value): Double(value)
    case .unsigned(let value): Double(value)
    case .number(let value): value
    default: nil
    }
  }
}

extension JSONValue: Codable {
  /// Reads whatever stands there, up to 128 lists or objects deep.
  public init(from decoder: any Decoder) throws {
    guard decoder.codingPath.count <= JSONReader.Limits().depth else {
      throw DecodingError.dataCorrupted(
        DecodingError.Context(codingPath: decoder.codingPath, debugDescription: "nested too deep"))
    }
    let container = try decoder.singleValueContainer()
    if container.decodeNil() {
      self = .null
    } else if let value = try? container.decode(Bool.self) {
      self = .boolean(value)
    } else if let value = try? container.decode(Int.self) {
      self = .integer(value)
    } else if let value = try? container.decode(UInt64.self) {
      self = .unsigned(value)
    } else if let value = try? container.decode(Double.self) {
      self = .number(value)
    } else if let value = try? container.decode(String.self) {
      self = .string(value)
    } else if let value = try? container.decode([JSONValue].self) {
      self = .array(value)
    } else {
      self = .object(try container.decode([String: JSONValue].self))
    }
  }

  /// Writes the value itself.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .null: try container.encodeNil()
    case .boolean(let value): try container.encode(value)
    case .integer(let value): try container.encode(value)
    case .unsigned(let value): try container.encode(value)
    case .number(let value): try container.encode(value)
    case .string(let value): try container.encode(value)
    case .array(let value): try container.encode(value)
    case .object(let value): try container.encode(value)
    }
  }
}

/// What is wrong with a JSON text, and where; of long numbers and names the beginning.
public struct JSONFault: Error, Equatable, Sendable {
  /// What is wrong.
  public enum Kind: Equatable, Sendable {
    /// The text ends in the middle of a value.
    case endsEarly
    /// Something else stands where a value, a comma or a bracket belongs.
    case unexpected(found: String, wanted: String)
    /// More than one value.
    case trailingText
    /// No number, as JSON writes numbers.
    case badNumber(String)
    /// A number beyond what a double can hold.
    case numberOutOfRange(String)
    /// An escape in a string that means nothing.
    case badEscape
    /// A line feed or another control character inside a string.
    case controlCharacter
    /// A name that stands twice in one object, of which readers take one or the other.
    case duplicateKey(String)
    /// Bytes that are no UTF-8.
    case notUTF8
    /// The text is in UTF-16 or UTF-32.
    case wideCharacters
    /// Lists in lists, or objects in objects, deeper than `limit`.
    case tooDeep(limit: Int)
    /// More values than `limit`.
    case tooManyValues(limit: Int)
  }

  /// What is wrong.
  public let kind: Kind
  /// From 1.
  public let line: Int
  /// The character of the line, from 1.
  public let column: Int
}

extension JSONFault {
  /// What is wrong and what to do, in one line.
  package var message: String {
    let what =
      switch kind {
      case .endsEarly: "the text ends too early; the file was cut: copy it again"
      case .unexpected(let found, let wanted): "\(found) where \(wanted) belongs"
      case .trailingText: "more text after the end; remove it"
      case .badNumber(let text): "\(text) is no number; write it like -12.5"
      case .numberOutOfRange(let text): "\(text) is too large a number"
      case .badEscape: "a \\ that escapes nothing; write \\\\ for a backslash"
      case .controlCharacter: "a line break or control character inside a text; write \\n"
      case .duplicateKey(let key): "\"\(key)\" stands twice in one object; remove one"
      case .notUTF8: "bytes that are no UTF-8; save the file as UTF-8"
      case .wideCharacters: "the text is UTF-16 or UTF-32; save it as UTF-8"
      case .tooDeep(let limit): "lists or objects nested more than \(limit) deep"
      case .tooManyValues(let limit):
        "more than \(limit) values; keep what the campus needs, and simplify long outlines"
      }
    return "line \(line), column \(column): \(what)"
  }
}
