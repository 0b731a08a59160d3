/// A moment as people and tables read it, the same everywhere: in universal time.
package struct UTCDate: Equatable, Sendable {
  private let seconds: Int

  /// Seconds since the beginning of 1970; what is before the year 1 or after 9999 is no date.
  package init?(secondsSince1970 seconds: Int) {
    guard (-62_135_596_800..<253_402_300_800).contains(seconds) else { return nil }
    self.seconds = seconds
  }

  /// "2026-11-22 13:05 UTC".
  package var text: String { "\(day) \(Self.two(second / 3600)):\(Self.two(second / 60 % 60)) UTC" }

  /// "2026-11-22T13:05:09Z" (ISO 8601).
  package var stamp: String {
    "\(day)T\(Self.two(second / 3600)):\(Self.two(second / 60 % 60)):\(Self.two(second % 60))Z"
  }

  /// Seconds since midnight.
  private var second: Int { seconds - 86_400 * days }

  private var days: Int { (seconds >= 0 ? seconds : seconds - 86_399) / 86_400 }

  /// The day of the Gregorian calendar, counted in eras of 400 years that begin in March, so that a leap day
  /// is the last of its year.
  private var day: String {
    let sinceMarch = days + 719_468
    let era = (sinceMarch >= 0 ? sinceMarch : sinceMarch - 146_096) / 146_097
    let inEra = sinceMarch - 146_097 * era
    let yearOfEra = (inEra - inEra / 1460 + inEra / 36_524 - inEra / 146_096) / 365
    let inYear = inEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let month = (5 * inYear + 2) / 153
    let date = inYear - (153 * month + 2) / 5 + 1
    let number = month < 10 ? month + 3 : month - 9
    let year = String(yearOfEra + 400 * era + (number <= 2 ? 1 : 0))
    let zeros = String(repeating: "0", count: max(0, 4 - year.count))
    return "\(zeros)\(year)-\(Self.two(number))-\(Self.two(date))"
  }

  private static func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
}
