internal import CupolaGuide
internal import CupolaSupport

// 1. A departure and its key, on which realtime data is joined.
// 2. The timetable finds the departures from stops within a window, and puts moments into words.
// 3. A scan over the service days collects the first departures and keeps no more than needed.

/// A vehicle's leaving of a stop, as scheduled.
public struct Departure: Equatable, Sendable {
  /// What tells departures apart, and what realtime is joined on.
  public struct Key: Hashable, Sendable {
    /// The trip on its day.
    package let trip: TripInstance.Key
    /// `stop_sequence`.
    package let sequence: Int
  }

  /// What tells it apart.
  public let key: Key
  /// The line.
  public let route: TransitRoute
  /// What the vehicle's sign says, as the schedule has it.
  package let headsign: String?
  /// `direction_id`: 0 or 1.
  package let direction: Int?
  /// Seconds since 1970.
  public let time: Double
  /// How much the time is worth.
  public let precision: TransitPrecision
  /// The stop or platform.
  public let stop: TransitStop
  /// Whether people must phone the agency (2) or ask the driver (3) to board: `pickup_type`; else 0.
  package let pickup: Int
  /// Whether wheelchairs fit; `nil`: unknown.
  public internal(set) var isWheelchairAccessible: Bool?
  /// The trip's last stop.
  let lastStop: TransitStop

  /// Where it goes: what the sign says, else the last stop's name.
  public var destination: String { headsign ?? lastStop.name }

  /// What to call it, such as `55 Downtown`.
  public var title: String { route.title + " " + destination }
}

extension Timetable {
  /// What departs from stops, in the order of the scheduled moments.
  ///
  /// Nobody boards at a trip's last stop, nor where `pickup_type` is 1. Trips that run by frequency
  /// without exact times depart as if the first one came at the start of the period.
  ///
  /// - Parameters:
  ///   - stops: identifiers; a station stands for its platforms. Unknown ones have no departures.
  ///   - from: seconds since 1970; departures at that moment are among them.
  ///   - during: seconds, no more than 400 days.
  ///   - limit: the most that are given.
  package func departures(
    at stops: [String], from: Double, during: Double = 86400, limit: Int = 100_000
  ) -> [Departure] {
    guard let window = Self.window(from: from, during: during), limit > 0 else { return [] }
    var scan = DepartureScan(self, window: window, limit: limit)
    return scan.departures(at: numbers(ofStops: stops)).compactMap { departure($0) }
  }

  /// Seconds of the longest window that is looked at: 400 days.
  static let longestWindow = 400.0 * 86400

  /// The whole seconds of a window; `nil` when there are none.
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

  /// The departure of a trip on its day at one of its calls.
  ///
  /// - Parameter id: of the trip in the schedule, which a copy has not for its own.
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
      route: index.routes[Int(pattern.route)], headsign: headsign(ofTrip: trip),
      direction: pattern.direction < 0 ? nil : Int(pattern.direction), time: time,
      precision: precision, stop: index.stops[Int(call.stop)], pickup: Int(call.pickup),
      isWheelchairAccessible: accessibility(ofTrip: trip),
      lastStop: index.stops[Int(last.stop)])
  }
}

extension Timetable {
  /// A moment as people say it: `now`, `in 4 min` (whole minutes that are surely left), `at 17:05` when
  /// it is more than 60 minutes away, with `tomorrow` or the date when it is on another day.
  ///
  /// - Parameters:
  ///   - moment: seconds since 1970.
  ///   - now: seconds since 1970.
  package func words(until moment: Double, now: Double) -> String {
    let wait = moment - now
    if wait >= 0, wait < 60 { return "now" }
    if wait >= 60, wait <= 3600 { return "in \(Int(wait / 60)) min" }
    // What left less than a minute ago may still be there.
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

/// Collects the first departures of a window, in their order, without keeping more than needed.
struct DepartureScan {
  /// A departure by numbers.
  struct Found {
    var moment: Int
    var trip: Int32
    var position: Int32
    var day: Int32
    /// Of frequencies; -1 for trips that run once a day.
    var row: Int32
    var start: Int32

    /// Moment, then trip; no two are equal in all.
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
  /// How many are kept before the last ones are dropped.
  private let room: Int
  /// Later ones are not needed.
  private var last: Int
  private var found: [Found] = []

  /// - Parameters:
  ///   - window: seconds since 1970.
  ///   - limit: how many are wanted, 1 or more.
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
