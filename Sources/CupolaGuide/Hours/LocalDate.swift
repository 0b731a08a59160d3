/// A day of the proleptic Gregorian calendar, in no time zone.
public struct LocalDate: Hashable, Sendable {
  /// Days since 1 January 1970.
  let dayNumber: Int

  /// The years that dates are of.
  public static let years = 1...9999

  /// Fails when there is no such day, or when the year is not one of ``years``.
  public init?(year: Int, month: Int, day: Int) {
    guard Self.years.contains(year), (1...12).contains(month),
      day >= 1, day <= Self.daysInMonth(month, of: year)
    else { return nil }
    dayNumber = Self.dayNumber(year: year, month: month, day: day)
  }

  /// The day so many days after 1 January 1970; `nil` outside of ``years``.
  package init?(dayNumber: Int) {
    guard Self.dayNumbers.contains(dayNumber) else { return nil }
    self.dayNumber = dayNumber
  }

  /// The year, of ``years``.
  public var year: Int { parts.year }
  /// The month, 1...12.
  public var month: Int { parts.month }
  /// The day of the month, 1...31.
  public var day: Int { parts.day }
  /// The day of the week, 0 (Monday) to 6 (Sunday).
  public var weekday: Int { Self.remainder(dayNumber + 3, 7) }

  /// The day so many days later; `nil` outside of ``years``.
  public func adding(days: Int) -> LocalDate? {
    let (sum, overflow) = dayNumber.addingReportingOverflow(days)
    return overflow ? nil : LocalDate(dayNumber: sum)
  }

  /// The week of the year, 1...53 (ISO 8601).
  package var week: Int {
    // The week belongs to the year of its Thursday.
    let thursday = dayNumber - weekday + 3
    guard let date = LocalDate(dayNumber: thursday) else { return 1 }
    let first = Self.dayNumber(year: date.year, month: 1, day: 1)
    return (thursday - first) / 7 + 1
  }

  /// The number of days of a month, 1...12.
  static func daysInMonth(_ month: Int, of year: Int) -> Int {
    switch month {
    case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }

  private static let dayNumbers =
    dayNumber(
      year: years.lowerBound, month: 1, day: 1)...dayNumber(
      year: years.upperBound, month: 12, day: 31)

  // Years begin in March here: then the leap day is the last of the year.
  private static func dayNumber(year: Int, month: Int, day: Int) -> Int {
    let marchYear = month > 2 ? year : year - 1
    let marchMonth = (month + 9) % 12
    let leapDays = marchYear / 4 - marchYear / 100 + marchYear / 400
    return 365 * marchYear + leapDays + (153 * marchMonth + 2) / 5 + day - 719_469
  }

  var parts: (year: Int, month: Int, day: Int) {
    let days = dayNumber + 719_468
    // An estimate of the year that is at most one too late.
    var year = days * 400 / 146_097 + 1
    func start(_ year: Int) -> Int { 365 * year + year / 4 - year / 100 + year / 400 }
    while start(year) > days { year -= 1 }
    let dayOfYear = days - start(year)
    let month = (5 * dayOfYear + 2) / 153
    let day = dayOfYear - (153 * month + 2) / 5 + 1
    return (month < 10 ? year : year + 1, month < 10 ? month + 3 : month - 9, day)
  }

  private static func remainder(_ value: Int, _ divisor: Int) -> Int {
    let rest = value % divisor
    return rest < 0 ? rest + divisor : rest
  }
}

extension LocalDate: Comparable {
  /// Whether a day is before another.
  public static func < (a: LocalDate, b: LocalDate) -> Bool { a.dayNumber < b.dayNumber }
}

extension LocalDate: CustomStringConvertible {
  /// The date as `2026-03-09` (ISO 8601).
  public var description: String {
    let (year, month, day) = parts
    return Digits.padded(year, to: 4) + "-" + Digits.padded(month, to: 2) + "-"
      + Digits.padded(day, to: 2)
  }
}
