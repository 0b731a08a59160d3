internal import CupolaGuide

/// Texts of visitors in Markdown (CommonMark 0.31, and the tables, strikethrough, footnotes and formulas of GitHub):
/// none of their characters is markup.
enum MarkdownText {
  /// On one line, without what steers or hides; to stand behind something else.
  static func line(_ text: String) -> String {
    escaped(DrawingText.plain(text, most: 1_000), isStart: false)
  }

  /// Paragraphs with the breaks of their lines.
  static func paragraphs(_ text: String) -> [String] {
    PlainText.paragraphs(text).map {
      $0.map { escaped($0, isStart: true) }.joined(separator: "\\\n")
    }
  }

  /// Without blanks at the ends, which would be code or a break.
  private static func escaped(_ line: String, isStart: Bool) -> String {
    let words = line.split(whereSeparator: { $0 == " " || $0 == "\u{A0}" })
    let scalars = Array(words.joined(separator: " ").unicodeScalars)
    var result = String.UnicodeScalarView()
    let marker = isStart ? listMarker(scalars) : nil
    for (index, scalar) in scalars.enumerated() {
      if always.contains(scalar) || (isStart && index == 0 && atStart.contains(scalar))
        || index == marker
      {
        result.append("\\")
      }
      result.append(scalar)
    }
    return String(result)
  }

  /// Where the point or bracket of `1.` or `1)` is at the start of a line.
  private static func listMarker(_ line: [Unicode.Scalar]) -> Int? {
    let digits = line.prefix { ("0"..."9").contains($0) }.count
    guard (1...9).contains(digits), digits < line.count,
      line[digits] == "." || line[digits] == ")"
    else { return nil }
    return digits
  }

  private static let always = Set("\\`*_[]<>&|~$#^{}".unicodeScalars)
  /// Lists, lines below headings, tables, definitions.
  private static let atStart = Set("-+=:!".unicodeScalars)
}
