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
    guard (1...9999).contains(year), (1...12).contains(month), (1...31).contains(day) else {
      return nil
    }
    // Years begin in March, as in ``parts``.
    let marchYear = month > 2 ? year : year - 1
    let leapDays = marchYear / 4 - marchYear / 100 + marchYear / 400
    let inYear = (153 * ((month + 9) % 12) + 2) / 5 + day - 1
    self.init(secondsSince1970: 86_400 * (365 * marchYear + leapDays + inYear - 719_468))
    // What is too many for its month came to lie in the next one.
    guard parts.day == day else { return nil }
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

  /// The day of the Gregorian calendar, counted in eras of 400 years that begin in March, so that a leap day
  /// is the last of its year.
  private var parts: (year: Int, month: Int, day: Int) {
    let sinceMarch = days + 719_468
    let era = (sinceMarch >= 0 ? sinceMarch : sinceMarch - 146_096) / 146_097
    let inEra = sinceMarch - 146_097 * era
    let yearOfEra = (inEra - inEra / 1460 + inEra / 36_524 - inEra / 146_096) / 365
    let inYear = inEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let month = (5 * inYear + 2) / 153
    let date = inYear - (153 * month + 2) / 5 + 1
    let number = month < 10 ? month + 3 : month - 9
    return (yearOfEra + 400 * era + (number <= 2 ? 1 : 0), number, date)
  }

  private var day: String {
    let (number, month, date) = parts
    let year = String(number)
    let zeros = String(repeating: "0", count: max(0, 4 - year.count))
    return "\(zeros)\(year)-\(Self.two(month))-\(Self.two(date))"
  }

  private static func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
}
