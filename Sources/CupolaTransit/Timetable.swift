public import CupolaGuide
internal import CupolaSupport

/// The stops, routes and trips of a GTFS schedule, with queries for departures and journeys.
///
/// Absolute times are in seconds since 1970. Times within a service day are as in GTFS.
public struct Timetable: Sendable {
  let tables: TimetableTables
  let index: TimetableIndex

  package init(tables: TimetableTables, index: TimetableIndex) {
    (self.tables, self.index) = (tables, index)
  }

  /// All stops, stations and platforms, in feed order.
  public var stops: [TransitStop] { index.stops }
  /// All routes, in feed order.
  public var routes: [TransitRoute] { index.routes }
  /// The IANA identifier of the time zone.
  public var timeZone: String { index.clock.timeZone }
  /// The publisher of the feed, if specified in the feed.
  package var publisher: String? { tables.info.publisher }
  package var version: String? { tables.info.version }
  package var tripCount: Int { tables.trips.count }

  /// The dates that the schedule covers, or `nil` if it has no services.
  ///
  /// The dates come from `feed_info.txt` or, if missing there, from the services. GTFS allows services on other dates
  /// as well.
  public var dates: ClosedRange<LocalDate>? {
    guard let span = index.services.span else { return nil }
    let first = tables.info.start ?? LocalDate(dayNumber: span.lowerBound)
    let last = tables.info.end ?? LocalDate(dayNumber: span.upperBound)
    guard let first, let last, first <= last else { return nil }
    return first...last
  }

  /// The last date of the services, if all their trips ended before a moment in seconds since 1970.
  ///
  /// Ignores `feed_info.txt`, which can promise a longer validity than the services have.
  package func endDate(before moment: Double) -> LocalDate? {
    guard let last = spansOfUsedServices.map(\.upperBound).max(),
      Double(index.clock.start(ofDay: last) + index.times.upperBound) < moment
    else { return nil }
    return LocalDate(dayNumber: last)
  }

  /// The first date of the services, if none of their trips has started by a moment in seconds since 1970.
  package func startDate(after moment: Double) -> LocalDate? {
    guard let first = spansOfUsedServices.map(\.lowerBound).min(),
      Double(index.clock.start(ofDay: first) + index.times.lowerBound) > moment
    else { return nil }
    return LocalDate(dayNumber: first)
  }

  /// The first and last day of each service that has trips.
  private var spansOfUsedServices: [ClosedRange<Int>] {
    Set(tables.trips.map(\.service)).compactMap { index.services.services[Int($0)].span }
  }

  /// Returns the stop with a `stop_id`.
  public func stop(_ id: String) -> TransitStop? { index.stopNumbers[id].map { index.stops[$0] } }

  /// Returns the route with a `route_id`.
  public func route(_ id: String) -> TransitRoute? {
    index.routeNumbers[id].map { index.routes[$0] }
  }

  func entrances(of stop: String) -> ArraySlice<TransitFeed.Entrance> {
    index.stopNumbers[stop].map { index.entrances[$0] } ?? []
  }

  /// Returns the sorted, distinct numbers of the stops with the given identifiers; a station also adds its platforms.
  func numbers(ofStops ids: some Sequence<String>) -> [Int] {
    var numbers: Set<Int> = []
    for id in ids {
      guard let number = index.stopNumbers[id] else { continue }
      numbers.insert(number)
      numbers.formUnion(index.platforms[number].map { Int($0) })
    }
    return numbers.sorted()
  }

  /// The headsign shown at a call, which may differ from the trip's.
  func headsign(ofTrip trip: Int, at call: TimetableTables.Call? = nil) -> String? {
    let shown = call?.headsign ?? -1
    let number = Int(shown < 0 ? tables.trips[trip].headsign : shown)
    return number < 0 ? nil : tables.headsigns[number]
  }

  func accessibility(ofTrip trip: Int) -> Bool? {
    switch tables.trips[trip].wheelchair {
    case 1: true
    case 2: false
    default: nil
    }
  }

  func precision(of call: TimetableTables.Call, row: Int) -> TransitPrecision {
    if row >= 0, !tables.frequencies[row].isExact {
      return .every(seconds: Int(tables.frequencies[row].headway))
    }
    return call.isExact ? .exact : .approximate
  }
}
