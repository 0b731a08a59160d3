public import CupolaGuide

/// Times of a schedule as moments: GTFS counts seconds from noon minus 12 hours of the service day.
///
/// That is midnight except on days of clock change, where it is an hour before or after it; so no
/// time of a day of 23 or 25 hours is missing or there twice (GTFS reference, "Time").
public struct ServiceClock: Equatable, Sendable {
  /// An identifier of the IANA database.
  public let timeZone: String
  private let firstDay: Int
  /// Seconds ahead of UTC at noon of the days from the first.
  private let offsets: [Int32]

  /// More are looked up when they are asked for.
  private static let mostDays = 4000

  /// Fails when the system does not know the time zone.
  ///
  /// - Parameters:
  ///   - timeZone: such as `Europe/Berlin`.
  ///   - days: those that are asked for often.
  public init?(timeZone: String, days: ClosedRange<LocalDate>? = nil) {
    let first = days?.lowerBound.dayNumber ?? 0
    let end = days.map { min($0.upperBound.dayNumber + 1, first + Self.mostDays) } ?? 0
    guard
      let offsets = LocalTime.offsetsAtNoon(ofDays: first..<max(first, end), timeZone: timeZone)
    else { return nil }
    (self.timeZone, firstDay, self.offsets) = (timeZone, first, offsets)
  }

  /// Seconds since 1970 of a time of a service day.
  ///
  /// - Parameters:
  ///   - time: seconds since noon minus 12 hours, which may be more than a day.
  ///   - date: the service day.
  public func secondsSince1970(_ time: Int, on date: LocalDate) -> Double {
    Double(start(ofDay: date.dayNumber)) + Double(time)
  }

  /// Seconds since noon minus 12 hours of a service day; less than 0 before it.
  public func time(atSecondsSince1970 seconds: Double, on date: LocalDate) -> Double {
    seconds - Double(start(ofDay: date.dayNumber))
  }

  /// Noon minus 12 hours in seconds since 1970.
  ///
  /// - Parameter day: a number as ``LocalDate/dayNumber``.
  func start(ofDay day: Int) -> Int {
    let place = day - firstDay
    if offsets.indices.contains(place) { return day * 86400 - Int(offsets[place]) }
    // The zone was known when this was made.
    let offset = LocalTime.offsetsAtNoon(ofDays: day..<day + 1, timeZone: timeZone)?.first ?? 0
    return day * 86400 - Int(offset)
  }

  /// The service days, of some days, of which a time is in a window.
  ///
  /// - Parameters:
  ///   - window: seconds since 1970.
  ///   - times: the smallest and largest time of the schedule.
  func days(in window: Range<Int>, times: ClosedRange<Int>, of days: ClosedRange<Int>) -> [Int] {
    guard !window.isEmpty else { return [] }
    // No zone is a day away from UTC.
    let first = max(Self.day(window.lowerBound - times.upperBound) - 1, days.lowerBound)
    let last = min(Self.day(window.upperBound - times.lowerBound) + 1, days.upperBound)
    guard first <= last else { return [] }
    return (first...last).filter { day in
      let start = start(ofDay: day)
      return start + times.upperBound >= window.lowerBound
        && start + times.lowerBound < window.upperBound
    }
  }

  /// Whether two zones are the same on the days that are asked for often.
  func agrees(with other: ServiceClock) -> Bool {
    timeZone == other.timeZone || (firstDay == other.firstDay && offsets == other.offsets)
  }

  private static func day(_ seconds: Int) -> Int {
    Int((Double(seconds) / 86400).rounded(.down))
  }
}
