// 1. Find the separator, and split the text into rows with their line numbers (`CSV`).
// 2. Check that all rows have the columns of the header.
// 3. Quote fields for writing (`field`).

/// Comma-separated values with a header row (RFC 4180).
///
/// CSV libraries depend on Foundation, which doubles the startup time, and do not report an error's line.
package struct CSV: Sendable {
  package let header: [String]
  package let rows: [[String]]
  package let lines: [Int]

  /// An error in a table. The problem also states what to do.
  package struct Fault: Error, Equatable {
    package let line: Int
    package let problem: String
  }

  /// - Parameter anySeparator: Whether semicolons and tabs may separate columns, as some spreadsheets write them.
  package init(_ text: [UInt8], anySeparator: Bool = false) throws(Fault) {
    guard let string = String(validating: text, as: UTF8.self) else {
      throw Fault(
        line: 1, problem: "not UTF-8 text; save the table as UTF-8 (Excel: CSV UTF-8)")
    }
    if let zero = text.firstIndex(of: 0) {
      let line = 1 + text[..<zero].count { $0 == UInt8(ascii: "\n") }
      throw Fault(line: line, problem: "contains a zero byte; save the table as UTF-8 text")
    }
    let other = Self.otherSeparator(of: string)
    if !anySeparator, let other {
      throw Fault(
        line: other.line, problem: "columns are separated by \(other.name); use commas")
    }
    var parser = Parser(
      scalars: Array(string.unicodeScalars), separator: other?.separator ?? ",")
    var records = try parser.records()
    guard !records.isEmpty else { throw Fault(line: 1, problem: "the table is empty") }
    header = records.removeFirst().fields.map { Self.trimmed($0) }
    for record in records where record.fields.count != header.count {
      throw Fault(
        line: record.line,
        problem: "\(record.fields.count) fields, but the header has \(header.count)")
    }
    rows = records.map(\.fields)
    lines = records.map(\.line)
  }

  /// Returns the separator, its name and the line of the header if the header has semicolons or tabs, but no commas.
  private static func otherSeparator(
    of text: String
  ) -> (separator: Unicode.Scalar, name: String, line: Int)? {
    let blank = text.prefix { $0.isNewline }
    let header = text.dropFirst(blank.count).prefix { !$0.isNewline }.unicodeScalars
    guard !header.contains(","), let found = header.first(where: { $0 == ";" || $0 == "\t" })
    else { return nil }
    return (found, found == ";" ? "semicolons" : "tabs", 1 + blank.count)
  }

  package func column(_ name: String) -> Int? { header.firstIndex(of: name) }

  private struct Parser {
    let scalars: [Unicode.Scalar]
    let separator: Unicode.Scalar
    var at = 0
    var line = 1

    init(scalars: [Unicode.Scalar], separator: Unicode.Scalar) {
      (self.scalars, self.separator) = (scalars, separator)
      if scalars.first == "\u{FEFF}" { at = 1 }
    }

    mutating func records() throws(Fault) -> [(fields: [String], line: Int)] {
      var records: [(fields: [String], line: Int)] = []
      while at < scalars.count {
        let start = line
        var fields = [try field()]
        while at < scalars.count, scalars[at] == separator {
          at += 1
          fields.append(try field())
        }
        endLine()
        if fields != [""] { records.append((fields, start)) }
      }
      return records
    }

    private mutating func endLine() {
      if at < scalars.count, scalars[at] == "\r" { at += 1 }
      if at < scalars.count, scalars[at] == "\n" { at += 1 }
      line += 1
    }

    private mutating func field() throws(Fault) -> String {
      var text = String.UnicodeScalarView()
      guard at < scalars.count, scalars[at] == "\"" else {
        while at < scalars.count, scalars[at] != separator, scalars[at] != "\n",
          scalars[at] != "\r"
        {
          text.append(scalars[at])
          at += 1
        }
        return String(text)
      }
      let start = line
      at += 1
      while at < scalars.count {
        let scalar = scalars[at]
        at += 1
        if scalar == "\n" { line += 1 }
        if scalar == "\"" {
          guard at < scalars.count, scalars[at] == "\"" else {
            try checkEnd()
            return String(text)
          }
          at += 1
        }
        text.append(scalar)
      }
      throw Fault(line: start, problem: "unclosed quote")
    }

    private func checkEnd() throws(Fault) {
      guard at < scalars.count, ![separator, "\n", "\r"].contains(scalars[at]) else { return }
      throw Fault(line: line, problem: "text after a closing quote")
    }
  }
}

extension CSV {
  package static func text(_ rows: [[String]]) -> String {
    rows.map { $0.map(field).joined(separator: ",") + "\n" }.joined()
  }

  package static func field(_ text: String) -> String {
    let special = text.unicodeScalars.contains { ",\"\r\n".unicodeScalars.contains($0) }
    return special || trimmed(text) != text ? inQuotes(text) : text
  }

  /// Quotes a field; processes scalars, because a quote and a combining accent form a single character.
  package static func inQuotes(_ text: String) -> String {
    let doubled = text.unicodeScalars.map { $0 == "\"" ? "\"\"" : String($0) }
    return "\"" + doubled.joined() + "\""
  }

  /// Returns a text without spaces and tabs at its ends.
  package static func trimmed(_ text: String) -> String {
    let blanks: Set<Character> = [" ", "\t"]
    let start = text.drop { blanks.contains($0) }
    let kept = start.reversed().drop { blanks.contains($0) }
    return String(kept.reversed())
  }
}
