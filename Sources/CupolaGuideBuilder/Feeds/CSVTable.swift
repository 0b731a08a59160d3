internal import CupolaGuide

// 1. Read the header and find the columns.
// 2. Iterate over the rows and read values without creating a `String`.

struct CSVTable<Column: FeedColumn> {
  private var reader: CSVReader
  private let faults: FeedFaults
  private var places: [Int] = Array(repeating: -1, count: Column.names.count)
  private var width = 0

  var line: Int { reader.line }

  var bytes: [UInt8] { reader.bytes }

  init(_ stream: FeedStream, of path: String, _ faults: FeedFaults) throws(GuideError) {
    (reader, self.faults) = (try CSVReader(stream), faults)
    try readHeader()
    for column in Column.required where places[column.rawValue] < 0 {
      throw .badFile(
        path: path,
        problem: "\(Column.file.name): missing column \(Column.names[column.rawValue])"
          + (isWide ? "; save the file as UTF-8" : "; add it to the file, or ask the publisher"))
    }
  }

  private var isWide: Bool { reader.bytes.prefix(16).contains { $0 == 0 || $0 == 0xFE } }

  private mutating func readHeader() throws(GuideError) {
    guard try next() else { return }
    width = reader.fields.count
    for (place, field) in reader.fields.enumerated() {
      let name = TextBytes.text(reader.bytes[field])
      guard let column = Column.names.firstIndex(of: name) else { continue }
      if places[column] < 0 {
        places[column] = place
      } else {
        report(.repeatedColumn, value: name)
      }
    }
  }

  mutating func next() throws(GuideError) -> Bool {
    while true {
      switch try reader.next() {
      case .end: return false
      case .skipped(let problem): report(problem)
      case .row:
        if reader.fields.count == 1, reader.fields[0].isEmpty { continue }
        if reader.hasTextAfterQuote { report(.textAfterQuote) }
        // Trailing commas are not a fault.
        if width > 0, reader.fields.dropFirst(width).contains(where: { !$0.isEmpty }) {
          report(.tooManyValues)
        }
        return true
      }
    }
  }

  func report(_ problem: FeedFaultKind, value: @autoclosure () -> String? = nil) {
    faults.add(problem, in: Column.file, line: line, value: value())
  }

  func report(_ problem: FeedFaultKind, _ column: Column) { report(problem, value: shown(column)) }

  @inline(__always)
  func place(_ column: Column) -> Range<Int> {
    let place = places[column.rawValue]
    return place >= 0 && place < reader.fields.count ? reader.fields[place] : 0..<0
  }
}

protocol FeedColumn: RawRepresentable<Int>, CaseIterable {
  static var file: FeedFile { get }
  static var names: [String] { get }
  static var required: [Self] { get }
}

extension CSVTable {
  func isBlank(_ column: Column) -> Bool { place(column).isEmpty }

  func shown(_ column: Column) -> String { TextBytes.text(bytes[place(column)]) }

  func text(_ column: Column) -> String? {
    let place = place(column)
    if place.isEmpty { return nil }
    checkUTF8(column)
    return TextBytes.text(bytes[place])
  }

  func number(_ column: Column, in table: inout ByteTable) -> (number: Int32, isNew: Bool)? {
    let place = place(column)
    if place.isEmpty { return nil }
    let found = table.add(place, in: bytes)
    if let found, found.isNew { checkUTF8(column) }
    return found
  }

  func addID(_ column: Column, to ids: inout ByteTable) -> Bool {
    guard let id = number(column, in: &ids) else {
      report(.noID)
      return false
    }
    if !id.isNew { report(.repeatedID, column) }
    return id.isNew
  }

  private func checkUTF8(_ column: Column) {
    if !TextBytes.isUTF8(bytes[place(column)]) { report(.notUTF8, column) }
  }

  func number(_ column: Column, in table: ByteTable) -> Int32? {
    let place = place(column)
    return place.isEmpty ? nil : table.number(of: place, in: bytes)
  }

  func choice(_ column: Column, upTo last: Int) -> UInt8? {
    let place = place(column)
    if place.isEmpty { return nil }
    if let value = FeedNumbers.integer(place, in: bytes), (0...last).contains(value) {
      return UInt8(clamping: value)
    }
    report(.badEnum, column)
    return nil
  }

  func integer(_ column: Column) -> Int? { FeedNumbers.integer(place(column), in: bytes) }

  func decimal(_ column: Column) -> Double? { FeedNumbers.number(place(column), in: bytes) }

  func date(_ column: Column) -> LocalDate? {
    let date = FeedNumbers.date(place(column), in: bytes)
    if date == nil { report(.badDate, column) }
    return date
  }

  /// Returns seconds since noon minus 12 hours; `nil` if the field is blank. Invalid times are reported and return
  /// `nil`.
  func time(_ column: Column) -> Int32? {
    let place = place(column)
    if place.isEmpty { return nil }
    let time = FeedNumbers.time(place, in: bytes)
    if time == nil { report(.badTime, column) }
    return time
  }
}

enum FeedNumbers {
  static func integer(_ range: Range<Int>, in bytes: [UInt8]) -> Int? {
    guard let first = range.first else { return nil }
    let isNegative = bytes[first] == UInt8(ascii: "-")
    let hasSign = isNegative || bytes[first] == UInt8(ascii: "+")
    guard let value = digits(first + (hasSign ? 1 : 0)..<range.upperBound, bytes) else {
      return nil
    }
    return isNegative ? -value : value
  }

  static func number(_ range: Range<Int>, in bytes: [UInt8]) -> Double? {
    if range.isEmpty { return nil }
    guard range.count <= 64, bytes[range].allSatisfy(letters.contains) else { return nil }
    let value = Double(String(decoding: bytes[range], as: UTF8.self))
    return value.flatMap { $0.isFinite ? $0 : nil }
  }

  /// Reads `YYYYMMDD`.
  static func date(_ range: Range<Int>, in bytes: [UInt8]) -> LocalDate? {
    guard range.count == 8, let value = digits(range, bytes) else { return nil }
    return LocalDate(year: value / 10_000, month: value / 100 % 100, day: value % 100)
  }

  /// Reads `H:MM:SS` as seconds; the hours have one to three digits and must be less than 168.
  static func time(_ range: Range<Int>, in bytes: [UInt8]) -> Int32? {
    let colon = UInt8(ascii: ":")
    let end = range.upperBound
    guard (7...9).contains(range.count), bytes[end - 3] == colon, bytes[end - 6] == colon,
      let hours = digits(range.lowerBound..<end - 6, bytes),
      let minutes = digits(end - 5..<end - 3, bytes), let seconds = digits(end - 2..<end, bytes),
      hours < 168, minutes < 60, seconds < 60
    else { return nil }
    return Int32(hours * 3600 + minutes * 60 + seconds)
  }

  private static func digits(_ range: Range<Int>, _ bytes: [UInt8]) -> Int? {
    guard (1...18).contains(range.count) else { return nil }
    var value = 0
    for place in range {
      let digit = bytes[place] &- UInt8(ascii: "0")
      guard digit < 10 else { return nil }
      value = value &* 10 &+ Int(digit)
    }
    return value
  }

  private static let letters = Set("0123456789.+-eE".utf8)
}
