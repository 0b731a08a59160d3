internal import CupolaCampus

/// A moment as people and tables read it, the same everywhere: in universal time.
package struct UTCDate: Equatable, Sendable {
  /// Seconds since the beginning of 1970.
  let seconds: Int

  /// Seconds since the beginning of 1970; what is before the year 1 or after 9999 is no date.
  package init?(secondsSince1970 seconds: Int) {
    guard (-62_135_596_800..<253_402_300_800).contains(seconds) else { return nil }
    self.seconds = seconds
  }

  /// The beginning of a day of the Gregorian calendar; `nil` where it has no such day.
  init?(year: Int, month: Int, day: Int) {
    guard GregorianCalendar.has(year: year, month: month, day: day) else { return nil }
    self.init(
      secondsSince1970: 86_400 * GregorianCalendar.dayNumber(year: year, month: month, day: day))
  }

  /// "2026-11-22 13:05 UTC".
  var text: String { "\(day) \(Self.two(second / 3600)):\(Self.two(second / 60 % 60)) UTC" }

  /// "2026-11-22T13:05:09Z" (ISO 8601).
  var stamp: String {
    "\(day)T\(Self.two(second / 3600)):\(Self.two(second / 60 % 60)):\(Self.two(second % 60))Z"
  }

  /// Seconds since midnight.
  private var second: Int { seconds - 86_400 * days }

  /// Days since the beginning of 1970.
  var days: Int { (seconds >= 0 ? seconds : seconds - 86_399) / 86_400 }

  private var day: String {
    let (year, month, date) = GregorianCalendar.date(ofDay: days)
    return Digits.padded(year, to: 4) + "-" + Self.two(month) + "-" + Self.two(date)
  }

  private static func two(_ number: Int) -> String { Digits.padded(number, to: 2) }
}
