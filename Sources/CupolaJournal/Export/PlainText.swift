/// What visitors wrote over several lines, for documents that people read.
enum PlainText {
  /// Its lines, whatever ends them; tabulators are blanks, what is no character of a text stands as U+FFFD.
  static func lines(_ text: String) -> [String] {
    var lines: [String] = []
    var line = String.UnicodeScalarView()
    var isAfterReturn = false
    for scalar in text.unicodeScalars {
      defer { isAfterReturn = scalar == "\r" }
      switch scalar {
      case "\n" where isAfterReturn: continue
      case "\n", "\r", "\u{B}", "\u{C}", "\u{85}", "\u{2028}", "\u{2029}":
        lines.append(String(line))
        line = String.UnicodeScalarView()
      case "\t": line.append(" ")
      case "\u{0}"..<" ", "\u{7F}"..."\u{9F}": line.append("\u{FFFD}")
      case _ where scalar.properties.isNoncharacterCodePoint: line.append("\u{FFFD}")
      default: line.append(scalar)
      }
    }
    lines.append(String(line))
    return lines
  }

  /// Its paragraphs as lines, none of which is empty: blank lines part them.
  static func paragraphs(_ text: String) -> [[String]] {
    lines(text).split { line in line.allSatisfy { $0 == " " || $0 == "\u{A0}" } }.map(Array.init)
  }
}
