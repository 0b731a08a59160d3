internal import CupolaGuide

extension CSVTable {
  func isBlank(_ column: Column) -> Bool { place(column).isEmpty }

  /// A value as it would be shown in a fault.
  func shown(_ column: Column) -> String { TextBytes.text(bytes[place(column)]) }

  /// A text; `nil` when it is blank.
  func text(_ column: Column, _ faults: inout FeedFaults) -> String? {
    let place = place(column)
    if place.isEmpty { return nil }
    checkUTF8(column, &faults)
    return TextBytes.text(bytes[place])
  }

  /// The number of a text in a table; `nil` when it is blank or there is no room.
  func number(
    _ column: Column, in table: inout ByteTable, _ faults: inout FeedFaults
  ) -> (number: Int32, isNew: Bool)? {
    let place = place(column)
    if place.isEmpty { return nil }
    let found = table.add(place, in: bytes)
    if let found, found.isNew { checkUTF8(column, &faults) }
    return found
  }

  private func checkUTF8(_ column: Column, _ faults: inout FeedFaults) {
    if !TextBytes.isUTF8(bytes[place(column)]) {
      faults.add(.notUTF8, in: Column.file, line: line, value: shown(column))
    }
  }

  /// The number of a text in a table that is not changed; `nil` when it has none.
  func number(_ column: Column, in table: ByteTable) -> Int32? {
    let place = place(column)
    return place.isEmpty ? nil : table.number(of: place, in: bytes)
  }

  /// One of the numbers 0...`last`; `nil` when it is blank, or none of them, which is a fault.
  func choice(_ column: Column, upTo last: Int, _ faults: inout FeedFaults) -> UInt8? {
    let place = place(column)
    if place.isEmpty { return nil }
    if let value = FeedNumbers.integer(place, in: bytes), (0...last).contains(value) {
      return UInt8(clamping: value)
    }
    faults.add(.badEnum, in: Column.file, line: line, value: shown(column))
    return nil
  }

  /// A whole number; `nil` when it is blank or none.
  func integer(_ column: Column) -> Int? { FeedNumbers.integer(place(column), in: bytes) }

  /// A finite number; `nil` when it is blank or none.
  func decimal(_ column: Column) -> Double? { FeedNumbers.number(place(column), in: bytes) }

  /// A day; `nil` when it is blank or none, which is a fault.
  func date(_ column: Column, _ faults: inout FeedFaults) -> LocalDate? {
    let date = FeedNumbers.date(place(column), in: bytes)
    if date == nil { faults.add(.badDate, in: Column.file, line: line, value: shown(column)) }
    return date
  }

  /// Seconds since noon minus 12 hours; `nil` when the value is blank or none, which is a fault.
  func time(_ column: Column, _ faults: inout FeedFaults) -> Int32? {
    let place = place(column)
    if place.isEmpty { return nil }
    let time = FeedNumbers.time(place, in: bytes)
    if time == nil { faults.add(.badTime, in: Column.file, line: line, value: shown(column)) }
    return time
  }
}
