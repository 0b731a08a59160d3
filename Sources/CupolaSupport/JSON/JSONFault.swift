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
