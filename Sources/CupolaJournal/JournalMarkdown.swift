internal import CupolaGuide

/// Exports a journal as Markdown (CommonMark), with links to photos.
package enum JournalMarkdown {
  package static func text(
    of entries: [JournalEntry], title: String, names: JournalNames = JournalNames()
  ) -> String {
    var blocks = ["# " + MarkdownText.line(title)]
    for day in names.days(of: entries) {
      blocks.append("## \(day.date)")
      for entry in day.entries { blocks += self.blocks(of: entry, names) }
    }
    return blocks.joined(separator: "\n\n") + "\n"
  }

  private static func blocks(of entry: JournalEntry, _ names: JournalNames) -> [String] {
    var facts = [names.kind(of: entry)]
    if let place = names.subheading(of: entry) { facts.append(MarkdownText.line(place)) }
    if let rating = entry.rating { facts.append(JournalText.stars(rating)) }
    if let position = entry.position { facts.append(JournalText.degrees(position)) }
    if case .question(let question) = entry.content, let email = question.email {
      facts.append("answer to " + MarkdownText.line(email))
    }
    let clock = names.local(entry)?.clock ?? ""
    var blocks = [
      "### \(clock) \(MarkdownText.line(names.heading(of: entry)))",
      "*\(facts.joined(separator: "; "))*",
    ]
    if let text = JournalText.body(of: entry) { blocks += MarkdownText.paragraphs(text) }
    blocks += entry.photos.map { "![photo](\($0.path))" }
    if case .note(let note) = entry.content, let voice = note.voice {
      blocks.append("[voice](\(voice.path))")
    }
    return blocks
  }
}

/// Escapes visitors' texts for CommonMark 0.31 and GitHub's extensions.
enum MarkdownText {
  /// Returns an escaped line without control characters, to be used after other text on the same line.
  static func line(_ text: String) -> String {
    escaped(DrawingText.plain(text, most: 1_000), isStart: false)
  }

  static func paragraphs(_ text: String) -> [String] {
    PlainText.paragraphs(text).map {
      $0.map { escaped($0, isStart: true) }.joined(separator: "\\\n")
    }
  }

  /// Removes leading and trailing spaces, which would mean code or a line break.
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

  /// The index of the `.` or `)` after a list number at the start of a line.
  private static func listMarker(_ line: [Unicode.Scalar]) -> Int? {
    let digits = line.prefix { ("0"..."9").contains($0) }.count
    guard (1...9).contains(digits), digits < line.count,
      line[digits] == "." || line[digits] == ")"
    else { return nil }
    return digits
  }

  private static let always = Set("\\`*_[]<>&|~$#^{}".unicodeScalars)
  /// Characters that start lists, heading underlines, tables and definitions.
  private static let atStart = Set("-+=:!".unicodeScalars)
}

/// Splits visitors' texts into lines and paragraphs.
enum PlainText {
  /// Returns the lines of a text, with tabs replaced by spaces and control characters by U+FFFD.
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

  /// Returns the paragraphs (separated by blank lines), each as a list of nonempty lines.
  static func paragraphs(_ text: String) -> [[String]] {
    lines(text).split { line in line.allSatisfy { $0 == " " || $0 == "\u{A0}" } }.map(Array.init)
  }
}
