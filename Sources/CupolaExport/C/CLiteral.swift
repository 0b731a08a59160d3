/// Constants in the spelling of C99, in the plain part of ASCII.
enum CLiteral {
  /// More bytes than this are refused: C99 promises string literals of 4095 characters.
  static let textLimit = 1000

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
        let digits = String(byte, radix: 8)
        literal += "\\" + String(repeating: "0", count: 3 - digits.count) + digits
      }
    }
    return literal + "\""
  }

  /// The text of a literal as ``text(_:)`` writes it; `nil` for anything else.
  static func value(ofText literal: String) -> String? {
    let bytes = Array(literal.utf8)
    guard bytes.count >= 2, bytes.first == UInt8(ascii: "\""), bytes.last == UInt8(ascii: "\"")
    else { return nil }
    var text: [UInt8] = []
    var rest = bytes[1..<bytes.count - 1]
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "\\") else {
        text.append(byte)
        continue
      }
      if let escaped = rest.first, "\"\\?".utf8.contains(escaped) {
        text.append(escaped)
        rest = rest.dropFirst()
        continue
      }
      let digits = rest.prefix(3)
      guard digits.count == 3, digits.allSatisfy({ (0x30...0x37).contains($0) }),
        let value = UInt8(String(decoding: digits, as: UTF8.self), radix: 8)
      else { return nil }
      text.append(value)
      rest = rest.dropFirst(3)
    }
    return String(validating: text, as: UTF8.self)
  }

  /// The shortest decimal that is read as the same number.
  static func number(_ value: Double) -> String {
    value.isInfinite ? (value > 0 ? "INFINITY" : "-INFINITY") : "\(value)"
  }

  /// The same of a 32-bit float.
  static func number(_ value: Float) -> String { "\(value)f" }

  /// The number of a literal as ``number(_:)`` writes it; `nil` for anything else.
  static func value(ofDouble literal: String) -> Double? {
    switch literal {
    case "INFINITY": .infinity
    case "-INFINITY": -.infinity
    default: Double(literal).flatMap { $0.isFinite ? $0 : nil }
    }
  }

  /// The same of a 32-bit float.
  static func value(ofFloat literal: String) -> Float? {
    guard literal.last == "f" else { return nil }
    return Float(literal.dropLast()).flatMap { $0.isFinite ? $0 : nil }
  }
}
