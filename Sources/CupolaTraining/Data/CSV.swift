internal import CupolaCampus

/// Comma-separated values as RFC 4180 describes them, with a header row.
///
/// Our own because the libraries for it bring in all of Foundation, which doubles the start-up time
/// of every command, and do not tell the line of a fault.
struct CSV {
  /// Column names.
  let header: [String]
  /// The records, as many fields each as the header has.
  let rows: [[String]]
  /// The line in the file where each row begins, from 1.
  let lines: [Int]

  /// - Throws: ``TrainingError/badTable(path:line:problem:)``.
  init(_ text: [UInt8], path: String) throws(TrainingError) {
    guard let string = String(validating: text, as: UTF8.self) else {
      throw TrainingError.badTable(
        path: path, line: 1, problem: "it is not UTF-8 text; save it as such (Excel: CSV UTF-8)")
    }
    if let zero = text.firstIndex(of: 0) {
      let line = 1 + text[..<zero].count { $0 == UInt8(ascii: "\n") }
      throw TrainingError.badTable(
        path: path, line: line, problem: "a byte of zero; save the table as UTF-8 text")
    }
    try Self.checkSeparator(of: string, path)
    var parser = Parser(scalars: Array(string.unicodeScalars))
    var records = try parser.records(path)
    guard !records.isEmpty else {
      throw TrainingError.badTable(path: path, line: 1, problem: "it is empty")
    }
    header = records.removeFirst().fields.map { $0.trimmed }
    for record in records where record.fields.count != header.count {
      throw TrainingError.badTable(
        path: path, line: record.line,
        problem: "\(record.fields.count) fields where the header has \(header.count)")
    }
    rows = records.map(\.fields)
    lines = records.map(\.line)
  }

  /// Refuses what spreadsheets of some languages write, before it is taken for one column.
  private static func checkSeparator(of text: String, _ path: String) throws(TrainingError) {
    let blank = text.prefix { $0.isNewline }
    let header = text.dropFirst(blank.count).prefix { !$0.isNewline }
    let names: [Character: String] = [";": "semicolons", "\t": "tabs"]
    guard !header.contains(","), let found = header.lazy.compactMap({ names[$0] }).first else {
      return
    }
    throw TrainingError.badTable(
      path: path, line: 1 + blank.count, problem: "\(found) between columns; write commas")
  }

  /// Where a column is; `nil` when there is none of that name.
  func column(_ name: String) -> Int? { header.firstIndex(of: name) }

  private struct Parser {
    let scalars: [Unicode.Scalar]
    var at = 0
    var line = 1

    init(scalars: [Unicode.Scalar]) {
      self.scalars = scalars
      if scalars.first == "\u{FEFF}" { at = 1 }
    }

    mutating func records(_ path: String) throws(TrainingError) -> [(fields: [String], line: Int)] {
      var records: [(fields: [String], line: Int)] = []
      while at < scalars.count {
        let start = line
        var fields = [try field(path)]
        while at < scalars.count, scalars[at] == "," {
          at += 1
          fields.append(try field(path))
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

    private mutating func field(_ path: String) throws(TrainingError) -> String {
      var text = String.UnicodeScalarView()
      guard at < scalars.count, scalars[at] == "\"" else {
        while at < scalars.count, scalars[at] != ",", scalars[at] != "\n", scalars[at] != "\r" {
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
            try checkEnd(path)
            return String(text)
          }
          at += 1
        }
        text.append(scalar)
      }
      throw TrainingError.badTable(path: path, line: start, problem: "a quote is never closed")
    }

    /// A closing quote ends the field.
    private func checkEnd(_ path: String) throws(TrainingError) {
      guard at < scalars.count, ![",", "\n", "\r"].contains(scalars[at]) else { return }
      throw TrainingError.badTable(path: path, line: line, problem: "text after a closing quote")
    }
  }
}

extension CSV {
  /// A field as a table has it: in quotes where it must be.
  static func field(_ text: String) -> String {
    let special = text.unicodeScalars.contains { ",\"\r\n".unicodeScalars.contains($0) }
    return special || text.trimmed != text ? inQuotes(text) : text
  }

  /// A field in quotes, by scalars: a quote and an accent behind it are one character.
  static func inQuotes(_ text: String) -> String {
    let doubled = text.unicodeScalars.map { $0 == "\"" ? "\"\"" : String($0) }
    return "\"" + doubled.joined() + "\""
  }
}

extension String {
  /// Without blanks at either end.
  var trimmed: String {
    let blanks: Set<Character> = [" ", "\t"]
    let start = drop { blanks.contains($0) }
    let kept = start.reversed().drop { blanks.contains($0) }
    return String(kept.reversed())
  }
}
