internal import CupolaSupport

/// A minute of a day as the clocks of a place show it.
public struct LocalTime: Hashable, Sendable {
  /// The day.
  public let date: LocalDate
  /// Minutes since midnight, 0..<1440.
  public let minute: Int

  /// Fails when the minute is not one of the day.
  public init?(date: LocalDate, minute: Int) {
    guard (0..<LocalTime.minutesPerDay).contains(minute) else { return nil }
    self.date = date
    self.minute = minute
  }

  /// Fails when there is no such day or no such minute of a day.
  public init?(year: Int, month: Int, day: Int, hour: Int = 0, minute: Int = 0) {
    guard let date = LocalDate(year: year, month: month, day: day),
      (0..<24).contains(hour), (0..<60).contains(minute)
    else { return nil }
    self.date = date
    self.minute = hour * 60 + minute
  }

  /// Reads `2026-03-09T09:05`, as ``description`` writes it, or with a blank for the T.
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

  /// The time of the day as `09:05`.
  public var clock: String {
    Digits.padded(minute / 60, to: 2) + ":" + Digits.padded(minute % 60, to: 2)
  }
}

extension LocalTime: Comparable {
  /// Whether a minute is before another.
  public static func < (a: LocalTime, b: LocalTime) -> Bool {
    (a.date, a.minute) < (b.date, b.minute)
  }
}

extension LocalTime: CustomStringConvertible {
  /// The date and time as `2026-03-09T09:05` (ISO 8601).
  public var description: String { date.description + "T" + clock }
}
