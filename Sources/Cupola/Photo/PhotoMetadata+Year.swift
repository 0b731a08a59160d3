extension PhotoMetadata {
  /// When the photo was taken as a year and its part, such as 2026.5 for 2 July 2026 at noon; `nil`
  /// when ``captureTime`` is no date of the Gregorian calendar.
  ///
  /// Hours are left out: a declination changes by some 0.001 degrees in a day.
  public var decimalYear: Double? {
    let parts = captureTime?.prefix { $0 != " " }.split(separator: ":").map { Int($0) } ?? []
    guard parts.count == 3, let year = parts[0], let month = parts[1], let day = parts[2],
      (1583...9999).contains(year), (1...12).contains(month)
    else { return nil }
    let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
    let lengths = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
    guard (1...lengths[month - 1]).contains(day) else { return nil }
    let before = lengths.prefix(month - 1).reduce(0, +) + day - 1
    return Double(year) + Double(before) / (isLeap ? 366 : 365)
  }
}
