/// Names from files as messages show them.
package enum VisibleText {
  /// The text on one line: what would break the line, steer a terminal or turn the direction of
  /// writing stands there as its number.
  package static func line(_ text: String) -> String {
    text.unicodeScalars.map { scalar in
      switch scalar.properties.generalCategory {
      case .control, .format, .lineSeparator, .paragraphSeparator:
        "\\u{\(String(scalar.value, radix: 16))}"
      default: String(scalar)
      }
    }.joined()
  }
}
