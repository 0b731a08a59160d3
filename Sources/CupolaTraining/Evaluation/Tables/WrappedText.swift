/// Text in lines that a terminal or a picture has room for.
enum WrappedText {
  /// The words of a text in lines of at most so many letters, where words allow it.
  static func words(_ text: String, to room: Int) -> [String] {
    var lines: [String] = []
    for word in text.split(separator: " ") {
      if let last = lines.last, last.count + 1 + word.count <= room {
        lines[lines.count - 1] = last + " " + word
      } else {
        lines.append(String(word))
      }
    }
    return lines
  }

  /// A text whose lines that are too long go on below: below their second column, if they have one, else behind the
  /// blanks that they begin with and two more.
  static func folded(_ text: String, to width: Int) -> String {
    text.split(separator: "\n", omittingEmptySubsequences: false).flatMap { line -> [String] in
      guard line.count > width else { return [String(line)] }
      let more = String(repeating: " ", count: indent(below: line, width: width))
      guard let cut = line.prefix(width + 1).lastIndex(of: " "),
        line[..<cut].contains(where: { $0 != " " })
      else { return [String(line)] }
      let rest = words(String(line[cut...]), to: max(1, width - more.count))
      return [String(line[..<cut])] + rest.map { more + $0 }
    }.joined(separator: "\n")
  }

  private static func indent(below line: Substring, width: Int) -> Int {
    let blanks = line.prefix { $0 == " " }.count
    guard let gap = line.dropFirst(blanks).firstRange(of: "  ") else { return blanks + 2 }
    let column = line[..<gap.lowerBound].count + line[gap.lowerBound...].prefix { $0 == " " }.count
    return column <= width / 2 ? column : blanks + 2
  }
}
