internal import CupolaSupport
// FoundationEssentials has no time zones on Linux.
internal import Foundation

// 1. Convert day numbers to and from year, month and day, and read and write ISO 8601.
// 2. Convert to and from seconds since 1970 with the time zones of Foundation.

/// A day of the proleptic Gregorian calendar without a time zone.
public struct LocalDate: Hashable, Comparable, CustomStringConvertible, Sendable {
  package let dayNumber: Int

  static let years = GregorianCalendar.years

  /// Fails if the day does not exist or the year is not in 1...9999.
  public init?(year: Int, month: Int, day: Int) {
    guard GregorianCalendar.has(year: year, month: month, day: day) else { return nil }
    dayNumber = GregorianCalendar.dayNumber(year: year, month: month, day: day)
  }

  package init?(dayNumber: Int) {
    guard Self.dayNumbers.contains(dayNumber) else { return nil }
    self.dayNumber = dayNumber
  }

  /// The year.
  public var year: Int { parts.year }
  /// The month, 1...12.
  public var month: Int { parts.month }
  /// The day of the month, 1...31.
  public var day: Int { parts.day }
  /// The day of the week, 0 (Monday) to 6 (Sunday).
  package var weekday: Int { ((dayNumber + 3) % 7 + 7) % 7 }

  /// Returns the date after a number of days; `nil` if it is outside ``years``.
  package func adding(days: Int) -> LocalDate? {
    let (sum, overflow) = dayNumber.addingReportingOverflow(days)
    return overflow ? nil : LocalDate(dayNumber: sum)
  }

  /// The week of the year, 1...53 (ISO 8601).
  package var week: Int {
    // A week belongs to the year of its Thursday.
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

  /// Whether a day is before another.
  public static func < (a: LocalDate, b: LocalDate) -> Bool { a.dayNumber < b.dayNumber }

  /// The date as `2026-03-09` (ISO 8601).
  public var description: String {
    let (year, month, day) = parts
    return [(year, 4), (month, 2), (day, 2)].map { Digits.padded($0, to: $1) }
      .joined(separator: "-")
  }
}

/// A date and minute in local time.
public struct LocalTime: Hashable, Comparable, CustomStringConvertible, Sendable {
  /// The day.
  public let date: LocalDate
  /// Minutes since midnight, 0..<1440.
  public let minute: Int

  /// Fails if the minute is outside 0..<1440.
  public init?(date: LocalDate, minute: Int) {
    guard (0..<LocalTime.minutesPerDay).contains(minute) else { return nil }
    self.date = date
    self.minute = minute
  }

  /// Fails if the day or time does not exist.
  public init?(year: Int, month: Int, day: Int, hour: Int = 0, minute: Int = 0) {
    guard let date = LocalDate(year: year, month: month, day: day),
      (0..<24).contains(hour), (0..<60).contains(minute)
    else { return nil }
    (self.date, self.minute) = (date, hour * 60 + minute)
  }

  /// Reads `2026-03-09T09:05`; a space may replace the T.
  public init?(_ text: String) {
    let parts = text.split(
      omittingEmptySubsequences: false, whereSeparator: { $0 == "T" || $0 == " " })
    guard parts.count == 2, parts[0].utf8.count == 10, parts[1].utf8.count == 5 else { return nil }
    let date = parts[0].split(separator: "-").map { Digits.number($0) }
    let clock = parts[1].split(separator: ":").map { Digits.number($0) }
    guard date.count == 3, clock.count == 2, let year = date[0], let month = date[1],
      let day = date[2], let hour = clock[0], let minute = clock[1]
    else { return nil }
    self.init(year: year, month: month, day: day, hour: hour, minute: minute)
  }

  static let minutesPerDay = 1440

  /// The time of day as `09:05`.
  public var clock: String {
    Digits.padded(minute / 60, to: 2) + ":" + Digits.padded(minute % 60, to: 2)
  }

  /// Whether a time is before another.
  public static func < (a: LocalTime, b: LocalTime) -> Bool {
    (a.date, a.minute) < (b.date, b.minute)
  }

  /// The date and time as `2026-03-09T09:05` (ISO 8601).
  public var description: String { date.description + "T" + clock }

  /// Creates the local time in a time zone at a moment.
  ///
  /// Fails if the system does not know the IANA time zone, such as `America/Chicago`, if the moment is not finite, or
  /// if it is outside the supported years.
  public init?(secondsSince1970 seconds: Double, timeZone identifier: String) {
    guard abs(seconds) < 1e12, let zone = TimeZone(identifier: identifier) else { return nil }
    let offset = zone.secondsFromGMT(for: Date(timeIntervalSince1970: seconds))
    let minutes = ((seconds + Double(offset)) / 60).rounded(.down)
    let days = (minutes / Double(LocalTime.minutesPerDay)).rounded(.down)
    guard let date = LocalDate(dayNumber: Int(days)) else { return nil }
    self.init(date: date, minute: Int(minutes) - Int(days) * LocalTime.minutesPerDay)
  }

  /// Returns this local time as seconds since 1970; `nil` if the system does not know the time zone.
  ///
  /// If the local time occurs twice, returns the first occurrence. If the clocks skip it, counts from the change: half
  /// an hour into the skipped hour becomes half an hour after the change.
  package func secondsSince1970(timeZone identifier: String) -> Double? {
    guard let zone = TimeZone(identifier: identifier) else { return nil }
    return Self.moment(showing: Double(date.dayNumber) * 86400 + Double(minute) * 60, in: zone)
  }

  /// Returns the offset from UTC at noon of each day, in seconds; `nil` if the system does not know the time zone.
  package static func offsetsAtNoon(ofDays days: Range<Int>, timeZone identifier: String)
    -> [Int32]?
  {
    guard let zone = TimeZone(identifier: identifier) else { return nil }
    return days.map { day in
      let local = Double(day) * 86400 + 43200
      return Int32(local - moment(showing: local, in: zone))
    }
  }

  /// - Parameter local: The local time, as seconds since 1970 in UTC.
  private static func moment(showing local: Double, in zone: TimeZone) -> Double {
    // One day before and after, the offsets are those before and after the change.
    func offset(at seconds: Double) -> Double {
      Double(zone.secondsFromGMT(for: Date(timeIntervalSince1970: seconds)))
    }
    let before = offset(at: local - 86400)
    let after = offset(at: local + 86400)
    let first = local - max(before, after)
    // In a skipped hour, neither candidate matches; use the offset before the change.
    for candidate in [first, local - min(before, after)]
    where candidate + offset(at: candidate) == local {
      return candidate
    }
    return local - before
  }

  /// Returns the current local time.
  ///
  /// - Parameter timeZone: The identifier; `nil` uses the device's time zone.
  public static func now(in timeZone: String? = nil) -> LocalTime? {
    LocalTime(
      secondsSince1970: secondsSince1970Now, timeZone: timeZone ?? deviceTimeZone)
  }

  package static var deviceTimeZone: String { TimeZone.current.identifier }

  /// The current seconds since 1970.
  public static var secondsSince1970Now: Double { Date().timeIntervalSince1970 }
}
