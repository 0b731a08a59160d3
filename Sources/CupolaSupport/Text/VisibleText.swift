/// Names from files as messages show them.
package enum VisibleText {
  /// The text on one line: what would break the line, steer a terminal or turn the direction of
  /// writing stands there as its number.
  package static func line(_ text: String) -> String {
    guard text.unicodeScalars.contains(where: isUnsafe) else { return text }
    return text.unicodeScalars.map { isUnsafe($0) ? number($0) : String($0) }.joined()
  }

  /// The same of several lines.
  package static func lines(_ text: String) -> String {
    text.split(separator: "\n", omittingEmptySubsequences: false).map { line(String($0)) }
      .joined(separator: "\n")
  }

  /// JSON in which such characters, which stand in texts only, are escaped as JSON has it.
  package static func json(_ text: String) -> String {
    guard text.unicodeScalars.contains(where: { $0 != "\n" && isUnsafe($0) }) else { return text }
    return text.unicodeScalars.map { scalar in
      guard scalar != "\n", isUnsafe(scalar) else { return String(scalar) }
      return String(scalar).utf16.map { unit in
        "\\u" + Digits.padded(Int(unit), to: 4, radix: 16)
      }.joined()
    }.joined()
  }

  private static func number(_ scalar: Unicode.Scalar) -> String {
    "\\u{\(String(scalar.value, radix: 16))}"
  }

  private static func isUnsafe(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    // They join emoji, and the letters of Persian and Indian scripts; they steer nothing.
    case .format: scalar != "\u{200C}" && scalar != "\u{200D}"
    case .control, .lineSeparator, .paragraphSeparator: true
    default: false
    }
  }
}
