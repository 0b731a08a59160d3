// 1. `VisibleText` replaces control and direction characters with their code points.
// 2. `WrappedText` measures text in terminal columns and breaks lines at spaces. `lines` also breaks long words.

/// Makes names from files safe to display in messages.
package enum VisibleText {
  /// Returns one line, in which line breaks, control characters and direction characters are replaced with `\u{N}`.
  package static func line(_ text: String) -> String {
    guard text.unicodeScalars.contains(where: isUnsafe) else { return text }
    return text.unicodeScalars.map { isUnsafe($0) ? number($0) : String($0) }.joined()
  }

  package static func lines(_ text: String) -> String {
    text.split(separator: "\n", omittingEmptySubsequences: false).map { line(String($0)) }
      .joined(separator: "\n")
  }

  /// Escapes unsafe characters in JSON as `\uXXXX`. They can only occur in strings.
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
    // These two characters join emoji and letters in Persian and Indian scripts, and are harmless.
    case .format: scalar != "\u{200C}" && scalar != "\u{200D}"
    case .control, .lineSeparator, .paragraphSeparator: true
    default: false
    }
  }
}

package enum WrappedText {
  /// Wraps text at spaces. A word longer than `room` columns is placed on its own line.
  package static func words(_ text: String, to room: Int) -> [String] {
    var lines: [(text: String, width: Int)] = []
    for word in text.split(separator: " ").map(String.init) {
      let width = width(word)
      if let last = lines.indices.last, lines[last].width + 1 + width <= room {
        lines[last].text += " " + word
        lines[last].width += 1 + width
      } else {
        lines.append((word, width))
      }
    }
    return lines.map(\.text)
  }

  /// Wraps long lines. Continuation lines align with a table's second column, or are indented by 2 more columns.
  package static func folded(_ text: String, to columns: Int) -> String {
    text.split(separator: "\n", omittingEmptySubsequences: false).flatMap { line -> [String] in
      guard width(line) > columns, var cut = lastBlank(of: line, within: columns) else {
        return [String(line)]
      }
      let more = String(repeating: " ", count: indent(below: line, columns))
      let room = max(1, columns - more.count)
      // If the next word, such as a digest, is too long even for the next line, keep it on this line.
      let next = line[cut...].drop { $0 == " " }.prefix { $0 != " " }
      if width(next) > room { cut = next.endIndex }
      let rest = words(String(line[cut...]), to: room)
      return [String(line[..<cut])] + rest.map { more + $0 }
    }.joined(separator: "\n")
  }

  /// The last space after a word that ends within the given columns.
  private static func lastBlank(of line: Substring, within columns: Int) -> Substring.Index? {
    var (place, sawWord, blank) = (0, false, Substring.Index?.none)
    for index in line.indices where place <= columns {
      if line[index] != " " { sawWord = true } else if sawWord { blank = index }
      place += width(line[index])
    }
    return blank
  }

  private static func indent(below line: Substring, _ columns: Int) -> Int {
    let blanks = line.prefix { $0 == " " }.count
    guard let gap = line.dropFirst(blanks).firstRange(of: "  ") else { return blanks + 2 }
    let column = width(line[..<gap.lowerBound]) + line[gap.lowerBound...].prefix { $0 == " " }.count
    return column <= columns / 2 ? column : blanks + 2
  }

  /// Wraps text at 80 columns and breaks long words. `first` replaces the first line's indentation.
  package static func lines(_ text: String, indent: Int = 0, first: String? = nil) -> [String] {
    let blanks = String(repeating: " ", count: indent)
    let room = max(80 - indent, 2)
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

  /// Returns a string's longest prefix that fits in the given columns.
  package static func beginning(of text: String, columns: Int) -> String {
    var room = columns
    return String(
      text.prefix { character in
        room -= width(character)
        return room >= 0
      })
  }

  package static func width(_ text: some StringProtocol) -> Int {
    text.reduce(0) { $0 + width($1) }
  }

  /// A character's width in columns: 2 for ideographs, kana, hangul and emoji; 0 for combining marks.
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

  /// Blocks of wide characters (simplified from Unicode's East Asian Width).
  private static let wide: [ClosedRange<UInt32>] = [
    0x1100...0x115F, 0x2E80...0x303E, 0x3041...0xA4CF, 0xA960...0xA97F, 0xAC00...0xD7A3,
    0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1F300...0x1F64F,
    0x1F900...0x1F9FF, 0x20000...0x3FFFD,
  ]
}
