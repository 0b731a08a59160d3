internal import CupolaSupport

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
