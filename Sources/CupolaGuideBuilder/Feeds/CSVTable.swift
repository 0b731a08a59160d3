internal import CupolaGuide

/// The rows of a file of a feed, whose values are read by column.
struct CSVTable<Column: FeedColumn> {
  private var reader: CSVReader
  /// The number of the field of each column; -1 of a column that is not there.
  private var places: [Int] = Array(repeating: -1, count: Column.names.count)
  private var width = 0

  /// The number of the row's line, from 1.
  var line: Int { reader.line }

  /// What is at hand, in which values have their places.
  var bytes: [UInt8] { reader.bytes }

  /// Reads the header.
  ///
  /// - Parameter path: of the feed, for errors.
  /// - Throws: ``GuideError/badFeed(path:problem:)`` when a required column is missing;
  ///   what the stream throws.
  init(
    _ stream: any ByteStream, of path: String, faults: inout FeedFaults
  ) throws(GuideError) {
    reader = try CSVReader(stream)
    try readHeader(&faults)
    for column in Column.required where places[column.rawValue] < 0 {
      throw .badFeed(
        path: path,
        problem: "\(Column.file.name): no column \(Column.names[column.rawValue])"
          + (isWide ? "; save the file as UTF-8" : "; add it to the file, or ask the publisher"))
    }
  }

  /// Whether the text seems to be UTF-16.
  private var isWide: Bool { reader.bytes.prefix(16).contains { $0 == 0 || $0 == 0xFE } }

  private mutating func readHeader(_ faults: inout FeedFaults) throws(GuideError) {
    guard try next(&faults) else { return }
    width = reader.fields.count
    for (place, field) in reader.fields.enumerated() {
      let name = TextBytes.text(reader.bytes[field])
      guard let column = Column.names.firstIndex(of: name) else { continue }
      if places[column] < 0 {
        places[column] = place
      } else {
        faults.add(.repeatedColumn, in: Column.file, line: line, value: name)
      }
    }
  }

  /// Goes to the next row that is not blank; `false` when there is none.
  ///
  /// - Throws: what the stream throws.
  mutating func next(_ faults: inout FeedFaults) throws(GuideError) -> Bool {
    while true {
      switch try reader.next() {
      case .end: return false
      case .skipped(let problem): faults.add(problem, in: Column.file, line: line)
      case .row:
        if reader.fields.count == 1, reader.fields[0].isEmpty { continue }
        if reader.hasTextAfterQuote { faults.add(.textAfterQuote, in: Column.file, line: line) }
        if width > 0, reader.fields.count > width { checkWidth(&faults) }
        return true
      }
    }
  }

  /// Commas at the end of a row are no fault.
  private func checkWidth(_ faults: inout FeedFaults) {
    guard reader.fields[width...].contains(where: { !$0.isEmpty }) else { return }
    faults.add(.tooManyValues, in: Column.file, line: line)
  }

  /// The place of a value in ``bytes``; empty where it is blank or missing.
  @inline(__always)
  func place(_ column: Column) -> Range<Int> {
    let place = places[column.rawValue]
    return place >= 0 && place < reader.fields.count ? reader.fields[place] : 0..<0
  }
}
