public import CupolaGuide
internal import CupolaSupport

/// A schedule of public transport that can be asked: what departs from a stop, and what leads from stops to stops.
///
/// Moments are seconds since 1970; dates and times of a service day are those of GTFS.
public struct Timetable: Sendable {
  let tables: TimetableTables
  let index: TimetableIndex

  package init(tables: TimetableTables, index: TimetableIndex) {
    (self.tables, self.index) = (tables, index)
  }

  /// All stops, stations and platforms, in the feed's order.
  public var stops: [TransitStop] { index.stops }
  /// All routes, in the feed's order.
  public var routes: [TransitRoute] { index.routes }
  /// The time zone of the schedule, an identifier of the IANA database.
  public var timeZone: String { index.clock.timeZone }
  /// Who publishes the schedule; `nil` when it does not say.
  public var publisher: String? { tables.info.publisher }
  /// `feed_version`, to be compared with what realtime data say.
  package var version: String? { tables.info.version }
  package var tripCount: Int { tables.trips.count }

  /// The dates for which the schedule speaks: those of `feed_info.txt`, else those of its services.
  ///
  /// Services may run on other dates too; GTFS calls that advice. `nil` when nothing runs.
  public var dates: ClosedRange<LocalDate>? {
    guard let span = index.services.span else { return nil }
    let first = tables.info.start ?? LocalDate(dayNumber: span.lowerBound)
    let last = tables.info.end ?? LocalDate(dayNumber: span.upperBound)
    guard let first, let last, first <= last else { return nil }
    return first...last
  }

  /// A stop by its `stop_id`.
  public func stop(_ id: String) -> TransitStop? { index.stopNumbers[id].map { index.stops[$0] } }

  /// A route by its `route_id`.
  public func route(_ id: String) -> TransitRoute? {
    index.routeNumbers[id].map { index.routes[$0] }
  }

  /// The numbers of stops by their identifiers, with the platforms of stations; sorted, each once.
  func numbers(ofStops ids: some Sequence<String>) -> [Int] {
    var numbers: Set<Int> = []
    for id in ids {
      guard let number = index.stopNumbers[id] else { continue }
      numbers.insert(number)
      numbers.formUnion(index.platforms[number].map { Int($0) })
    }
    return numbers.sorted()
  }

  func headsign(ofTrip trip: Int) -> String? {
    let number = Int(tables.trips[trip].headsign)
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
