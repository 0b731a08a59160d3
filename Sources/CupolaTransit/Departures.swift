internal import CupolaGuide
internal import CupolaSupport

// 1. Define departures, and the keys that match them with realtime data.
// 2. Find the departures from stops within a time window, and format their times.
// 3. Scan the service days, and keep only the first `limit` departures.

/// A scheduled departure of a trip from a stop.
public struct Departure: Equatable, Sendable {
  /// A key that identifies a departure and matches it with realtime data.
  public struct Key: Hashable, Sendable {
    package let trip: TripInstance.Key
    package let sequence: Int
  }

  /// The key of the departure.
  public let key: Key
  /// The route of the trip.
  public let route: TransitRoute
  package let headsign: String?
  package let direction: Int?
  /// The scheduled time in seconds since 1970.
  public let time: Double
  /// How reliable the scheduled time is.
  public let precision: TransitPrecision
  /// The stop or platform.
  public let stop: TransitStop
  /// `pickup_type`: 2 means phone the agency, 3 means ask the driver; otherwise 0.
  package let pickup: Int
  /// Whether the vehicle is wheelchair accessible; `nil` if unknown.
  public internal(set) var isWheelchairAccessible: Bool?
  let lastStop: TransitStop

  /// The headsign, or the name of the last stop if there is no headsign.
  public var destination: String { headsign ?? lastStop.name }

  /// The route and destination, for example `55 Downtown`.
  public var title: String { route.title + " " + destination }
}

extension Timetable {
  /// Returns the departures from stops, sorted by scheduled time.
  ///
  /// Excludes last stops and calls with `pickup_type` 1. A station includes its platforms. For trips with a frequency
  /// but no exact times, the first departure is assumed to be at the start of the period. `during` is in seconds, at
  /// most 400 days.
  package func departures(
    at stops: [String], from: Double, during: Double = 86400, limit: Int = 100_000
  ) -> [Departure] {
    guard let window = Self.window(from: from, during: during), limit > 0 else { return [] }
    var scan = DepartureScan(self, window: window, limit: limit)
    return scan.departures(at: numbers(ofStops: stops)).compactMap { departure($0) }
  }

  static let longestWindow = 400.0 * 86400

  /// The window in whole seconds, or `nil` if it is empty.
  static func window(from: Double, during: Double) -> Range<Int>? {
    guard abs(from) < 1e12, during > 0 else { return nil }
    let end = from + min(during, longestWindow)
    return Int(from.rounded(.up))..<Int(end.rounded(.up))
  }

  private func departure(_ found: DepartureScan.Found) -> Departure? {
    guard let date = LocalDate(dayNumber: Int(found.day)) else { return nil }
    let (trip, place) = (Int(found.trip), Int(found.position))
    let key = TripInstance.Key(
      tripID: tables.trips[trip].id, serviceDate: date,
      frequencyStart: found.row < 0 ? nil : Int(found.start))
    let call = tables.calls[tables.pattern(ofTrip: trip).calls.lowerBound + place]
    return departure(
      of: key, trip, at: place, time: Double(found.moment),
      precision: precision(of: call, row: Int(found.row)))
  }

  /// Returns the departure of a trip from one of its calls; `id` is the trip's identifier in the schedule.
  func departure(of trip: TripInstance, at place: Int, scheduledAs id: String) -> Departure? {
    guard let number = index.tripNumbers[id] else { return nil }
    let call = trip.calls[place]
    return departure(
      of: trip.key, number, at: place, time: call.departure, precision: call.precision)
  }

  private func departure(
    of key: TripInstance.Key, _ trip: Int, at place: Int, time: Double, precision: TransitPrecision
  ) -> Departure {
    let pattern = tables.pattern(ofTrip: trip)
    let call = tables.calls[pattern.calls.lowerBound + place]
    let last = tables.calls[pattern.calls.upperBound - 1]
    return Departure(
      key: Departure.Key(trip: key, sequence: Int(call.sequence)),
      route: index.routes[Int(pattern.route)], headsign: headsign(ofTrip: trip, at: call),
      direction: pattern.direction < 0 ? nil : Int(pattern.direction), time: time,
      precision: precision, stop: index.stops[Int(call.stop)], pickup: Int(call.pickup),
      isWheelchairAccessible: accessibility(ofTrip: trip),
      lastStop: index.stops[Int(last.stop)])
  }
}

extension Timetable {
  /// Formats a time relative to now, with minutes rounded down: `now`, `in 4 min`, `at 17:05`, `tomorrow at 17:05`.
  package func words(until moment: Double, now: Double) -> String {
    let wait = moment - now
    if wait >= 0, wait < 60 { return "now" }
    if wait >= 60, wait <= 3600 { return "in \(Int(wait / 60)) min" }
    // A vehicle that departed less than a minute ago may still be at the stop.
    if wait < 0, wait > -60 { return "now" }
    if wait <= -60, wait >= -3600 { return "\(Int(-wait / 60)) min ago" }
    guard let then = LocalTime(secondsSince1970: moment, timeZone: timeZone),
      let today = LocalTime(secondsSince1970: now, timeZone: timeZone)
    else { return "at an unknown time" }
    if then.date == today.date { return "at \(then.clock)" }
    if then.date == today.date.adding(days: 1) { return "tomorrow at \(then.clock)" }
    return "on \(then.date) at \(then.clock)"
  }

}

/// Collects the first departures in a time window, sorted, with limited memory.
struct DepartureScan {
  struct Found {
    var moment: Int
    var trip: Int32
    var position: Int32
    var day: Int32
    /// The row in the frequencies; -1 for trips without a frequency.
    var row: Int32
    var start: Int32

    /// Compares by time, then by trip; no two departures compare as equal.
    static func < (a: Found, b: Found) -> Bool {
      a.moment != b.moment
        ? a.moment < b.moment
        : (a.trip, a.position, a.day, a.start) < (b.trip, b.position, b.day, b.start)
    }
  }

  private let tables: TimetableTables
  private let index: TimetableIndex
  private let window: Range<Int>
  private let limit: Int
  private let room: Int
  /// Departures after this time do not need to be collected.
  private var last: Int
  private var found: [Found] = []

  init(_ timetable: Timetable, window: Range<Int>, limit: Int) {
    (tables, index) = (timetable.tables, timetable.index)
    (self.window, self.limit) = (window, limit)
    room = limit < 1 << 30 ? max(2 * limit, 1024) : .max
    last = .max
  }

  mutating func departures(at stops: [Int]) -> [Found] {
    guard let span = index.services.span else { return [] }
    for day in index.clock.days(in: window, times: index.times, of: span) {
      let start = index.clock.start(ofDay: day)
      if start + index.times.lowerBound > last { break }
      for stop in stops {
        addTimed(at: stop, on: day, start)
        addFrequent(at: stop, on: day, start)
      }
    }
    shorten()
    return found
  }

  private mutating func addTimed(at stop: Int, on day: Int, _ start: Int) {
    let timed = index.timed[stop]
    let first = timed.indices.bisection { start + Int(timed[$0].time) >= window.lowerBound }
    for entry in timed[first...] {
      let moment = start + Int(entry.time)
      if moment >= window.upperBound || moment > last { return }
      if index.services.runs(Int(tables.trips[Int(entry.trip)].service), onDay: day) {
        add(
          Found(
            moment: moment, trip: entry.trip, position: entry.position, day: Int32(day), row: -1,
            start: 0))
      }
    }
  }

  private mutating func addFrequent(at stop: Int, on day: Int, _ start: Int) {
    for entry in index.frequent[stop] {
      let row = tables.frequencies[Int(entry.row)]
      let trip = tables.trips[Int(row.trip)]
      guard index.services.runs(Int(trip.service), onDay: day) else { continue }
      let profile = tables.profiles[Int(trip.profile)]
      let after = start + Int(tables.times[profile.times + Int(entry.position)].departure)
      var run = row.start(ofRun: row.runs(before: window.lowerBound - after))
      while run < row.times.upperBound {
        if after + run >= window.upperBound || after + run > last { break }
        add(
          Found(
            moment: after + run, trip: row.trip, position: entry.position, day: Int32(day),
            row: entry.row, start: Int32(run)))
        run += Int(row.headway)
      }
    }
  }

  private mutating func add(_ one: Found) {
    found.append(one)
    if found.count >= room { shorten() }
  }

  private mutating func shorten() {
    found.sort(by: <)
    guard found.count >= limit else { return }
    found.removeLast(found.count - limit)
    last = found.last?.moment ?? last
  }
}
