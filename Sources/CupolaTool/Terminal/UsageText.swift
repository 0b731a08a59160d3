/// Wraps usage lines, which ArgumentParser prints on one line regardless of their length.
enum UsageText {
  private static let titles = ["USAGE: ", "Usage: "]

  /// Returns help or a usage error with its usage line wrapped between arguments.
  static func wrapped(_ text: String, to columns: Int) -> String {
    text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
      guard let title = titles.first(where: line.hasPrefix) else { return String(line) }
      return wrapped(line: line, indent: title.count, to: columns)
    }.joined(separator: "\n")
  }

  private static func wrapped(line: Substring, indent: Int, to columns: Int) -> String {
    var lines: [String] = []
    for argument in arguments(of: line) {
      if let last = lines.last, last.count + 1 + argument.count <= columns {
        lines[lines.count - 1] += " " + argument
      } else {
        lines.append((lines.isEmpty ? "" : String(repeating: " ", count: indent)) + argument)
      }
    }
    return lines.joined(separator: "\n")
  }

  /// Splits a usage line, but keeps options together with their values, and brackets with their contents.
  private static func arguments(of line: Substring) -> [String] {
    var arguments: [String] = []
    var depth = 0
    var isOption = false
    for word in line.split(separator: " ") {
      if depth > 0 || word == "..." || isOption && word.hasPrefix("<") {
        arguments[arguments.count - 1] += " " + word
      } else {
        arguments.append(String(word))
      }
      depth += word.count { $0 == "[" } - word.count { $0 == "]" }
      isOption = word.hasPrefix("-")
    }
    return arguments
  }
}
