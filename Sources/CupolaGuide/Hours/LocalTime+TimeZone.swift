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
    let local = Double(date.dayNumber) * 86400 + Double(minute) * 60
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
      secondsSince1970: Date().timeIntervalSince1970,
      timeZone: timeZone ?? TimeZone.current.identifier)
  }
}
