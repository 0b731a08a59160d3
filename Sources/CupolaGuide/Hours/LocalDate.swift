internal import CupolaSupport

/// A day of the proleptic Gregorian calendar, in no time zone.
public struct LocalDate: Hashable, Sendable {
  /// Days since 1 January 1970.
  package let dayNumber: Int

  /// The years that dates are of.
  public static let years = GregorianCalendar.years

  /// Fails when there is no such day, or when the year is not one of ``years``.
  public init?(year: Int, month: Int, day: Int) {
    guard GregorianCalendar.has(year: year, month: month, day: day) else { return nil }
    dayNumber = GregorianCalendar.dayNumber(year: year, month: month, day: day)
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
    let first = GregorianCalendar.dayNumber(year: date.year, month: 1, day: 1)
    return (thursday - first) / 7 + 1
  }

  private static let dayNumbers =
    GregorianCalendar.dayNumber(
      year: years.lowerBound, month: 1, day: 1)...GregorianCalendar.dayNumber(
      year: years.upperBound, month: 12, day: 31)

  var parts: (year: Int, month: Int, day: Int) { GregorianCalendar.date(ofDay: dayNumber) }

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
