// FoundationEssentials alone knows no time zones on Linux.
internal import Foundation

extension LocalTime {
  /// What the clocks of a time zone show at a moment.
  ///
  /// Fails when the system does not know the time zone, by an identifier of the IANA database such
  /// as `America/Chicago`, or when the moment is not finite or outside of ``LocalDate/years``.
  public init?(secondsSince1970 seconds: Double, timeZone identifier: String) {
    guard abs(seconds) < 1e12, let zone = TimeZone(identifier: identifier) else { return nil }
    let offset = zone.secondsFromGMT(for: Date(timeIntervalSince1970: seconds))
    let minutes = ((seconds + Double(offset)) / 60).rounded(.down)
    let days = (minutes / Double(LocalTime.minutesPerDay)).rounded(.down)
    guard let date = LocalDate(dayNumber: Int(days)) else { return nil }
    self.init(date: date, minute: Int(minutes) - Int(days) * LocalTime.minutesPerDay)
  }

  /// The seconds since 1970 at which the clocks of a time zone show this; `nil` when the system
  /// does not know the zone.
  ///
  /// Of a time that clocks show twice, the first. A time that they skip counts from the change: half
  /// an hour after a skipped hour began is half an hour after the change.
  public func secondsSince1970(timeZone identifier: String) -> Double? {
    guard let zone = TimeZone(identifier: identifier) else { return nil }
    return Self.moment(showing: Double(date.dayNumber) * 86400 + Double(minute) * 60, in: zone)
  }

  /// By how many seconds the clocks of a time zone are ahead of UTC at noon of each day; `nil` when the
  /// system does not know the zone.
  ///
  /// - Parameter days: numbers as ``LocalDate/dayNumber``.
  package static func offsetsAtNoon(ofDays days: Range<Int>, timeZone identifier: String)
    -> [Int32]?
  {
    guard let zone = TimeZone(identifier: identifier) else { return nil }
    return days.map { day in
      let local = Double(day) * 86400 + 43200
      return Int32(local - moment(showing: local, in: zone))
    }
  }

  /// - Parameter local: seconds since 1970 if the clocks showed UTC.
  private static func moment(showing local: Double, in zone: TimeZone) -> Double {
    // A day before and after, no change is near: the offsets before and after it.
    func offset(at seconds: Double) -> Double {
      Double(zone.secondsFromGMT(for: Date(timeIntervalSince1970: seconds)))
    }
    let before = offset(at: local - 86400)
    let after = offset(at: local + 86400)
    let first = local - max(before, after)
    // In a skipped hour neither candidate shows this time; the offset before the change leads on.
    for candidate in [first, local - min(before, after)]
    where candidate + offset(at: candidate) == local {
      return candidate
    }
    return local - before
  }

  /// What the clocks of a time zone show now.
  ///
  /// - Parameter timeZone: an identifier; `nil` is the device's own.
  public static func now(in timeZone: String? = nil) -> LocalTime? {
    LocalTime(
      secondsSince1970: secondsSince1970Now, timeZone: timeZone ?? deviceTimeZone)
  }

  /// The identifier of the device's time zone.
  package static var deviceTimeZone: String { TimeZone.current.identifier }

  /// The seconds since 1970 by the device's clock.
  public static var secondsSince1970Now: Double { Date().timeIntervalSince1970 }
}
