internal import CupolaCampus

/// Constants in the spelling of C99, in the plain part of ASCII.
enum CLiteral {
  /// Whether a literal can hold a text: C99 promises room for 4095 characters, of which a byte takes
  /// up to four.
  static func isPossible(_ text: String) -> Bool {
    text.utf8.count <= 1000 && !text.utf8.contains(0)
  }

  /// A string literal of the text's UTF-8.
  ///
  /// What is no plain ASCII is written in octal: unlike `\x` such escapes end after three digits. `?` is
  /// escaped because of trigraphs.
  static func text(_ text: String) -> String {
    var literal = "\""
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "?"):
        literal += "\\" + String(Unicode.Scalar(byte))
      case 0x20...0x7E: literal += String(Unicode.Scalar(byte))
      default:
        literal += "\\" + Digits.padded(Int(byte), to: 3, radix: 8)
      }
    }
    return literal + "\""
  }

  /// The shortest decimal that is read as the same number.
  static func number(_ value: Double) -> String {
    value.isInfinite ? (value > 0 ? "INFINITY" : "-INFINITY") : "\(value)"
  }

  /// The same of a 32-bit float.
  static func number(_ value: Float) -> String { "\(value)f" }
}
