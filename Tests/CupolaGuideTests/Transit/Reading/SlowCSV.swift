/// Rows of comma-separated values read in the plainest way, to be compared with.
struct SlowCSV {
  struct Row: Equatable {
    var line: Int
    /// `nil` of a line that is left out.
    var values: [[UInt8]]?
  }

  /// Lines end with LF, CRLF or CR.
  static func rows(of text: [UInt8], limit: Int) -> [Row] {
    var rest = text.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(text.dropFirst(3)) : text
    var rows: [Row] = []
    var line = 1
    while !rest.isEmpty {
      if let (values, count) = row(rest), count <= limit {
        rows.append(Row(line: line, values: values))
        line += lineEnds(in: Array(rest[..<count]))
        rest.removeFirst(count)
      } else {
        rows.append(Row(line: line))
        line += 1
        let end = rest.firstIndex { $0 == 10 || $0 == 13 } ?? rest.count
        rest.removeFirst(min(rest.count, end + lineEnd(rest, end)))
      }
    }
    return rows
  }

  private static func lineEnd(_ text: [UInt8], _ place: Int) -> Int {
    if place + 1 < text.count, text[place] == 13, text[place + 1] == 10 { return 2 }
    return 1
  }

  private static func lineEnds(in text: [UInt8]) -> Int {
    var count = 0
    var place = 0
    while place < text.count {
      if text[place] == 10 || text[place] == 13 {
        count += 1
        place += lineEnd(text, place)
      } else {
        place += 1
      }
    }
    return text.last == 10 || text.last == 13 ? count : count + 1
  }

  /// The values of the first row and the bytes it takes; `nil` when a quotation mark is not closed.
  private static func row(_ text: [UInt8]) -> (values: [[UInt8]], count: Int)? {
    enum State { case before, plain, quoted, after }
    var (values, value): ([[UInt8]], [UInt8]) = ([], [])
    var (state, place) = (State.before, 0)
    while place < text.count {
      let byte = text[place]
      if state == .quoted {
        if byte != 34 {
          value.append(byte)
        } else if place + 1 < text.count, text[place + 1] == 34 {
          value.append(34)
          place += 1
        } else {
          state = .after
        }
      } else if byte == 44 {
        values.append(trimmed(value))
        (value, state) = ([], .before)
      } else if byte == 10 || byte == 13 {
        return (values + [trimmed(value)], place + lineEnd(text, place))
      } else if state == .before, byte == 34 {
        (value, state) = ([], .quoted)
      } else {
        value.append(byte)
        if state == .before, byte != 32, byte != 9 { state = .plain }
      }
      place += 1
    }
    return state == .quoted ? nil : (values + [trimmed(value)], place)
  }

  private static func trimmed(_ value: [UInt8]) -> [UInt8] {
    func isBlank(_ byte: UInt8) -> Bool { byte == 32 || byte == 9 }
    return Array(Array(value.drop(while: isBlank)).reversed().drop(while: isBlank).reversed())
  }
}
