/// How many parameters of functions have no label, read from the text of their declarations.
enum UnlabeledParameters {
  /// A count for each function and initializer in some lines of code.
  static func counts(in code: [String]) -> [Int] {
    let text = code.joined(separator: "\n")
    return text.matches(of: /\b(?:func|init)\b[^\n({}]*\(/).map {
      parameters(text[$0.range.upperBound...]).count { $0.starts(with: /_\s+\w+\s*:/) }
    }
  }

  /// What stands between commas up to the parenthesis that ends the list.
  private static func parameters(_ text: Substring) -> [Substring] {
    var parameters: [Substring] = []
    var (start, depth) = (text.startIndex, 0)
    for index in text.indices {
      switch text[index] {
      case "(", "[", "{": depth += 1
      case ")", "]", "}": depth -= 1
      default: break
      }
      if depth < 0 || (depth == 0 && text[index] == ",") {
        parameters.append(text[start..<index].drop(while: \.isWhitespace))
        start = text.index(after: index)
      }
      if depth < 0 { break }
    }
    return parameters
  }
}
