public import CupolaGuide
internal import CupolaSupport

/// The dates on which the trips of a service run: weekdays between two dates, with exceptions.
public struct ServiceDays: Equatable, Sendable {
  /// `service_id`.
  public let id: String
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

  /// Whether trips of the service start on a date.
  ///
  /// A date that is both added and removed, which GTFS forbids, is none: no bus is better not
  /// promised.
  public func runs(on date: LocalDate) -> Bool { runs(onDay: date.dayNumber) }

  /// The first and last date that may be one of the service; `nil` when there is none.
  public var dates: ClosedRange<LocalDate>? {
    guard let span, let first = LocalDate(dayNumber: span.lowerBound),
      let last = LocalDate(dayNumber: span.upperBound)
    else { return nil }
    return first...last
  }

  var span: ClosedRange<Int>? {
    let firsts = [regular?.lowerBound, added.first].compactMap(\.self)
    let lasts = [regular?.upperBound, added.last].compactMap(\.self)
    guard let first = firsts.min(), let last = lasts.max() else { return nil }
    return first...last
  }

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
