/// Any JSON value, for properties that are kept without being interpreted.
public enum JSONValue: Equatable, Sendable {
  case null
  case boolean(Bool)
  case integer(Int)
  /// An integer too large for `Int`.
  case unsigned(UInt64)
  case number(Double)
  case string(String)
  case array([JSONValue])
  case object([String: JSONValue])

  /// A string unchanged, or a number formatted as a string; `nil` for other values.
  public var text: String? {
    switch self {
    case .string(let text): text
    case .integer(let value): String(value)
    case .unsigned(let value): String(value)
    case .number(let value): String(value)
    default: nil
    }
  }

  /// A number's value; `nil` for other values.
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
  /// Decodes any value with up to 128 levels of nesting.
  public init(from decoder: any Decoder) throws {
    guard decoder.codingPath.count <= JSONReader.Limits().depth else {
      throw DecodingError.dataCorrupted(
        DecodingError.Context(codingPath: decoder.codingPath, debugDescription: "nested too deeply")
      )
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

  /// Encodes the value without a wrapper.
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

/// An error in JSON data, and its location. Long numbers and names are shortened.
public struct JSONFault: Error, Equatable, Sendable {
  /// The kinds of errors.
  public enum Kind: Equatable, Sendable {
    /// The text ends within a value.
    case endsEarly
    /// An unexpected character where a value, comma or bracket is required.
    case unexpected(found: String, wanted: String)
    /// Text after the end of the value.
    case trailingText
    /// An invalid number.
    case badNumber(String)
    /// A number outside the range of `Double`.
    case numberOutOfRange(String)
    /// An invalid escape sequence in a string.
    case badEscape
    /// A line break or other control character in a string.
    case controlCharacter
    /// A duplicate name in an object.
    case duplicateKey(String)
    /// Invalid UTF-8.
    case notUTF8
    /// The text is in UTF-16 or UTF-32.
    case wideCharacters
    /// Lists or objects nested deeper than `limit`.
    case tooDeep(limit: Int)
    /// More than `limit` values.
    case tooManyValues(limit: Int)
  }

  /// The kind of error.
  public let kind: Kind
  /// The line number, starting at 1.
  public let line: Int
  /// The character number in the line, starting at 1.
  public let column: Int
}

extension JSONFault {
  /// A one-line message that describes where and what the problem is, and how to fix it.
  package var message: String {
    let what =
      switch kind {
      case .endsEarly: "unexpected end of text; the file is incomplete: copy it again"
      case .unexpected(let found, let wanted): "expected \(wanted), found \(found)"
      case .trailingText: "unexpected text after the end; remove it"
      case .badNumber(let text): "invalid number \(text); write it like -12.5"
      case .numberOutOfRange(let text): "number \(text) is too large"
      case .badEscape: "invalid escape sequence; write \\\\ for a backslash"
      case .controlCharacter: "line break or control character in a string; write \\n"
      case .duplicateKey(let key): "duplicate name \"\(key)\" in an object; remove one"
      case .notUTF8: "invalid UTF-8; save the file as UTF-8"
      case .wideCharacters: "text is UTF-16 or UTF-32; save it as UTF-8"
      case .tooDeep(let limit): "lists or objects nested more than \(limit) levels deep"
      case .tooManyValues(let limit):
        "more than \(limit) values; remove unneeded features and simplify long outlines"
      }
    return "line \(line), column \(column): \(what)"
  }
}
