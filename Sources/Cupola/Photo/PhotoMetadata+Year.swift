internal import CupolaCampus

extension PhotoMetadata {
  /// When the photo was taken as a year and its part, such as 2026.5 for 2 July 2026 at noon; `nil`
  /// when ``captureTime`` is no date of the Gregorian calendar.
  ///
  /// Hours are left out: a declination changes by some 0.001 degrees in a day.
  public var decimalYear: Double? {
    let parts = captureTime?.prefix { $0 != " " }.split(separator: ":").map { Int($0) } ?? []
    guard parts.count == 3, let year = parts[0], let month = parts[1], let day = parts[2],
      year >= 1583, GregorianCalendar.has(year: year, month: month, day: day)
    else { return nil }
    let first = GregorianCalendar.dayNumber(year: year, month: 1, day: 1)
    let before = GregorianCalendar.dayNumber(year: year, month: month, day: day) - first
    let days = GregorianCalendar.dayNumber(year: year + 1, month: 1, day: 1) - first
    return Double(year) + Double(before) / Double(days)
  }
}
