/// Breaks texts into lines of a terminal.
enum WrappedText {
  /// The lines of a text, each with so many blanks before it; words that are longer than a line are broken.
  ///
  /// - Parameters:
  ///   - first: what stands before the first line, instead of blanks.
  ///   - columns: of a line at most.
  static func lines(
    _ text: String, indent: Int = 0, first: String? = nil, columns: Int = 80
  ) -> [String] {
    let blanks = String(repeating: " ", count: indent)
    let room = max(columns - indent, 2)
    var lines: [String] = []
    for paragraph in text.split(separator: "\n", omittingEmptySubsequences: false) {
      var (line, width) = ("", 0)
      for word in paragraph.split(separator: " ").flatMap({ pieces($0, room) }) {
        if width > 0, width + 1 + word.width > room {
          lines.append(line)
          (line, width) = ("", 0)
        }
        line += (width > 0 ? " " : "") + word.text
        width += word.width + (width > 0 ? 1 : 0)
      }
      lines.append(line)
    }
    return lines.enumerated().map { number, line in
      let start = number == 0 ? first ?? blanks : blanks
      return line.isEmpty && number > 0 ? "" : start + line
    }
  }

  /// A word in pieces that fit into a line.
  private static func pieces(_ word: Substring, _ room: Int) -> [(text: String, width: Int)] {
    var pieces: [(text: String, width: Int)] = []
    for character in word {
      let width = width(character)
      if let last = pieces.indices.last, pieces[last].width + width <= room {
        pieces[last].text.append(character)
        pieces[last].width += width
      } else {
        pieces.append((String(character), width))
      }
    }
    return pieces
  }

  /// Columns of a text.
  static func width(_ text: String) -> Int { text.reduce(0) { $0 + width($1) } }

  /// Columns of a character as terminals have them: two for ideographs, kana, hangul and emoji.
  private static func width(_ character: Character) -> Int {
    guard let scalar = character.unicodeScalars.first else { return 0 }
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .format: return 0
    default: break
    }
    let isWide =
      scalar.properties.isEmojiPresentation || wide.contains { $0.contains(scalar.value) }
    return isWide ? 2 : 1
  }

  /// Blocks of wide characters (Unicode's East Asian Width, in large).
  private static let wide: [ClosedRange<UInt32>] = [
    0x1100...0x115F, 0x2E80...0x303E, 0x3041...0xA4CF, 0xA960...0xA97F, 0xAC00...0xD7A3,
    0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1F300...0x1F64F,
    0x1F900...0x1F9FF, 0x20000...0x3FFFD,
  ]
}
