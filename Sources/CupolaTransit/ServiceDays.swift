internal import CupolaGuide
internal import CupolaSupport

// 1. The days of one service: weekdays between two dates, with exceptions.
// 2. A table of all services, with one bit for each service and day.
// 3. A clock that turns times of a schedule into moments; days of clock change are correct.

/// The dates on which the trips of a service run: weekdays between two dates, with exceptions.
struct ServiceDays: Equatable, Sendable {
  /// `service_id`.
  let id: String
  /// Monday is the lowest bit.
  private let weekdays: UInt8
  /// Numbers of days; `nil` when only exceptions say when it runs.
  private let regular: ClosedRange<Int>?
  private let added: [Int]
  private let removed: [Int]

  init(_ service: TransitFeed.Service) {
    (id, weekdays) = (service.id, service.weekdays & 0x7F)
    if let start = service.start, let end = service.end, start <= end, weekdays != 0 {
      regular = start.dayNumber...end.dayNumber
    } else {
      regular = nil
    }
    added = service.added.map(\.dayNumber).sorted()
    removed = service.removed.map(\.dayNumber).sorted()
  }

  var span: ClosedRange<Int>? {
    let firsts = [regular?.lowerBound, added.first].compactMap(\.self)
    let lasts = [regular?.upperBound, added.last].compactMap(\.self)
    guard let first = firsts.min(), let last = lasts.max() else { return nil }
    return first...last
  }

  /// Whether trips of the service start on a day.
  ///
  /// A date that is both added and removed, which GTFS forbids, is none: no bus is better not promised.
  func runs(onDay day: Int) -> Bool {
    if Self.contains(removed, day) { return false }
    if let regular, regular.contains(day), weekdays & 1 << Self.weekday(day) != 0 { return true }
    return Self.contains(added, day)
  }

  private static func weekday(_ day: Int) -> UInt8 {
    // Day 0, 1 January 1970, was a Thursday.
    let rest = (day + 3) % 7
    return UInt8(rest < 0 ? rest + 7 : rest)
  }

  private static func contains(_ days: [Int], _ day: Int) -> Bool {
    let place = days.indices.bisection { days[$0] >= day }
    return place < days.count && days[place] == day
  }
}

/// Which services run on which days, looked up once for all days of a schedule.
struct ServiceTable: Equatable, Sendable {
  let services: [ServiceDays]
  /// All days on which a service may run.
  let span: ClosedRange<Int>?
  /// A bit for each service and day, day after day; empty where that were too many.
  private let bits: [UInt64]

  private static let mostBits = 1 << 20

  init(_ services: [ServiceDays]) {
    self.services = services
    let spans = services.compactMap(\.span)
    let first = spans.map(\.lowerBound).min()
    let last = spans.map(\.upperBound).max()
    guard let first, let last else {
      (span, bits) = (nil, [])
      return
    }
    span = first...last
    let (count, overflow) = services.count.multipliedReportingOverflow(by: last - first + 1)
    guard !overflow, count <= Self.mostBits else {
      bits = []
      return
    }
    var bits = [UInt64](repeating: 0, count: count / 64 + 1)
    for (number, service) in services.enumerated() {
      guard let span = service.span else { continue }
      for day in span where service.runs(onDay: day) {
        let place = (day - first) * services.count + number
        bits[place >> 6] |= 1 << UInt64(place & 63)
      }
    }
    self.bits = bits
  }

  func runs(_ service: Int, onDay day: Int) -> Bool {
    guard let span, span.contains(day) else { return false }
    if bits.isEmpty { return services[service].runs(onDay: day) }
    let place = (day - span.lowerBound) * services.count + service
    return bits[place >> 6] & 1 << UInt64(place & 63) != 0
  }
}

/// Times of a schedule as moments: GTFS counts seconds from noon minus 12 hours of the service day.
///
/// That is midnight except on days of clock change, where it is an hour before or after it; so no
/// time of a day of 23 or 25 hours is missing or there twice (GTFS reference, "Time").
struct ServiceClock: Equatable, Sendable {
  /// An identifier of the IANA database.
  let timeZone: String
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
  init?(timeZone: String, days: ClosedRange<Int>? = nil) {
    let first = days?.lowerBound ?? 0
    let end = days.map { min($0.upperBound + 1, first + Self.mostDays) } ?? 0
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
  func secondsSince1970(_ time: Int, on date: LocalDate) -> Double {
    Double(start(ofDay: date.dayNumber)) + Double(time)
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
