internal import CupolaGuide
internal import CupolaSupport

// 1. Define the days of a service: weekdays between two dates, with exceptions.
// 2. Store the days of all services in a bit table.
// 3. Convert schedule times to absolute times, including on days when the clocks change.

/// The service days of a `service_id`: weekdays between two dates, with exceptions.
struct ServiceDays: Equatable, Sendable {
  let id: String
  /// The weekdays as bits; bit 0 is Monday.
  private let weekdays: UInt8
  /// The day numbers of the regular period; `nil` if the service is defined only by exceptions.
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

  /// Whether the service runs on a day.
  ///
  /// A date that is both added and removed (which GTFS forbids) counts as removed: it is better to omit a bus that runs
  /// than to list one that does not.
  func runs(onDay day: Int) -> Bool {
    if Self.contains(removed, day) { return false }
    if let regular, regular.contains(day), weekdays & 1 << Self.weekday(day) != 0 { return true }
    return Self.contains(added, day)
  }

  private static func weekday(_ day: Int) -> UInt8 {
    // 1 January 1970 (day 0) was a Thursday.
    let rest = (day + 3) % 7
    return UInt8(rest < 0 ? rest + 7 : rest)
  }

  private static func contains(_ days: [Int], _ day: Int) -> Bool {
    let place = days.indices.bisection { days[$0] >= day }
    return place < days.count && days[place] == day
  }
}

struct ServiceTable: Equatable, Sendable {
  let services: [ServiceDays]
  /// The days between the first and the last one on which a service can run.
  let span: ClosedRange<Int>?
  /// One bit for each day and service, ordered by day; empty if the table would be too large.
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

/// Converts schedule times, which GTFS counts from noon minus 12 hours of the service day.
///
/// This time is midnight, except on days when the clocks change. Every time on a day with 23 or 25 hours therefore
/// exists exactly once (GTFS reference, "Time").
struct ServiceClock: Equatable, Sendable {
  let timeZone: String
  private let firstDay: Int
  /// The UTC offset in seconds at noon of each day, starting with `firstDay`.
  private let offsets: [Int32]

  /// The maximum number of cached days; the offsets of other days are looked up when needed.
  private static let mostDays = 4000

  /// Returns `nil` if the system does not support the time zone; the offsets of `days` are cached.
  init?(timeZone: String, days: ClosedRange<Int>? = nil) {
    let first = days?.lowerBound ?? 0
    let end = days.map { min($0.upperBound + 1, first + Self.mostDays) } ?? 0
    guard
      let offsets = LocalTime.offsetsAtNoon(ofDays: first..<max(first, end), timeZone: timeZone)
    else { return nil }
    (self.timeZone, firstDay, self.offsets) = (timeZone, first, offsets)
  }

  /// Converts seconds since noon minus 12 hours, which can exceed a day, to seconds since 1970.
  func secondsSince1970(_ time: Int, on date: LocalDate) -> Double {
    Double(start(ofDay: date.dayNumber)) + Double(time)
  }

  /// Returns noon minus 12 hours on the day with a ``LocalDate/dayNumber``, in seconds since 1970.
  func start(ofDay day: Int) -> Int {
    let place = day - firstDay
    if offsets.indices.contains(place) { return day * 86400 - Int(offsets[place]) }
    // The initializer has checked the time zone, so the default of 0 is never used.
    let offset = LocalTime.offsetsAtNoon(ofDays: day..<day + 1, timeZone: timeZone)?.first ?? 0
    return day * 86400 - Int(offset)
  }

  /// Returns the service days in `days` that have times in a window of seconds since 1970.
  func days(in window: Range<Int>, times: ClosedRange<Int>, of days: ClosedRange<Int>) -> [Int] {
    guard !window.isEmpty else { return [] }
    // UTC offsets are less than a day.
    let first = max(Self.day(window.lowerBound - times.upperBound) - 1, days.lowerBound)
    let last = min(Self.day(window.upperBound - times.lowerBound) + 1, days.upperBound)
    guard first <= last else { return [] }
    return (first...last).filter { day in
      let start = start(ofDay: day)
      return start + times.upperBound >= window.lowerBound
        && start + times.lowerBound < window.upperBound
    }
  }

  func agrees(with other: ServiceClock) -> Bool {
    timeZone == other.timeZone || (firstDay == other.firstDay && offsets == other.offsets)
  }

  private static func day(_ seconds: Int) -> Int {
    Int((Double(seconds) / 86400).rounded(.down))
  }
}
