internal import CupolaGuide
internal import CupolaSupport

// 1. Divide the trips of each pattern and service into lines whose vehicles never overtake each other.
// 2. Add a line for each row of `frequencies.txt`.
// 3. Return the times of each run.

/// Trips grouped into lines, as RAPTOR requires (Delling, Pajor & Werneck 2012).
///
/// The trips in a line have the same service and the same stops, and never overtake each other.
struct TimetableLines: Sendable {
  /// Trips ordered by start time, or the runs of a row of frequencies.
  struct Line: Sendable {
    var pattern: Int32
    var service: Int32
    /// A range in `trips`; empty for a row of frequencies.
    var trips: Range<Int>
    /// An index in `TimetableTables.frequencies`; -1 for trips.
    var row: Int32
  }

  /// A call of a line at a stop.
  struct Place: Sendable {
    var line: Int32
    var position: Int32
  }

  private let tables: TimetableTables
  let lines: [Line]
  let trips: [Int32]
  /// The calls at each stop, ordered by line and position.
  let places: Grouped<Place>

  /// The number of existing lines to try before starting a new line for a trip.
  private static let mostTried = 16

  init(_ tables: TimetableTables) {
    let frequent = Set(tables.frequencies.map(\.trip))
    let order = tables.trips.indices.filter { !frequent.contains(Int32($0)) }.sorted {
      Self.key($0, tables) < Self.key($1, tables)
    }
    var lines: [Line] = []
    var trips: [Int32] = []
    var first = 0
    while first < order.count {
      var end = first + 1
      let (pattern, service, _, _) = Self.key(order[first], tables)
      while end < order.count, Self.key(order[end], tables).0 == pattern,
        Self.key(order[end], tables).1 == service
      { end += 1 }
      for chain in Self.chains(order[first..<end], tables) {
        let start = trips.count
        trips += chain.map { Int32($0) }
        lines.append(Line(pattern: pattern, service: service, trips: start..<trips.count, row: -1))
      }
      first = end
    }
    for (row, frequency) in tables.frequencies.enumerated() {
      let trip = tables.trips[Int(frequency.trip)]
      lines.append(
        Line(
          pattern: tables.profiles[Int(trip.profile)].pattern, service: trip.service, trips: 0..<0,
          row: Int32(row)))
    }
    places = Grouped(groups: tables.stops.count) { add in
      for (number, line) in lines.enumerated() {
        for (position, place) in tables.patterns[Int(line.pattern)].calls.enumerated() {
          add(
            Int(tables.calls[place].stop),
            Place(line: Int32(number), position: Int32(position)))
        }
      }
    }
    (self.tables, self.lines, self.trips) = (tables, lines, trips)
  }

  private static func key(
    _ number: Int, _ tables: TimetableTables
  ) -> (Int32, Int32, Int32, Int) {
    let trip = tables.trips[number]
    return (tables.profiles[Int(trip.profile)].pattern, trip.service, trip.start, number)
  }

  /// Groups trips, sorted by start time, into chains in which no trip overtakes another.
  private static func chains(_ trips: ArraySlice<Int>, _ tables: TimetableTables) -> [[Int]] {
    var chains: [[Int]] = []
    for trip in trips {
      let tried = max(0, chains.count - mostTried)..<chains.count
      let fitting = tried.first { follows(trip, chains[$0][chains[$0].count - 1], tables) }
      if let fitting { chains[fitting].append(trip) } else { chains.append([trip]) }
    }
    return chains
  }

  /// Whether a trip never overtakes another trip with the same pattern.
  private static func follows(_ trip: Int, _ other: Int, _ tables: TimetableTables) -> Bool {
    let (late, early) = (tables.trips[trip], tables.trips[other])
    if late.profile == early.profile { return late.start >= early.start }
    for (a, b) in zip(tables.times(ofTrip: trip), tables.times(ofTrip: other)) {
      if late.start + a.arrival < early.start + b.arrival
        || late.start + a.departure < early.start + b.departure
      {
        return false
      }
    }
    return true
  }
}

extension TimetableLines {
  func service(_ line: Int) -> Int { Int(lines[line].service) }

  func count(ofLine line: Int) -> Int {
    tables.patterns[Int(lines[line].pattern)].calls.count
  }

  func call(_ line: Int, _ position: Int) -> TimetableTables.Call {
    tables.calls[tables.patterns[Int(lines[line].pattern)].calls.lowerBound + position]
  }

  func stop(_ line: Int, _ position: Int) -> Int { Int(call(line, position).stop) }

  func runs(ofLine line: Int) -> Int {
    let line = lines[line]
    if line.row < 0 { return line.trips.count }
    return tables.frequencies[Int(line.row)].runs
  }

  func trip(_ line: Int, _ run: Int) -> Int {
    let line = lines[line]
    if line.row < 0 { return Int(trips[line.trips.lowerBound + run]) }
    return Int(tables.frequencies[Int(line.row)].trip)
  }

  func row(_ line: Int) -> Int { Int(lines[line].row) }

  func start(_ line: Int, _ run: Int) -> Int {
    let number = lines[line].row
    if number < 0 { return Int(tables.trips[trip(line, run)].start) }
    return tables.frequencies[Int(number)].start(ofRun: run)
  }

  /// The arrival in seconds since noon minus 12 hours, like `departure`.
  func arrival(_ line: Int, _ run: Int, _ position: Int) -> Int {
    start(line, run) + Int(times(line, run, position).arrival)
  }

  func departure(_ line: Int, _ run: Int, _ position: Int) -> Int {
    start(line, run) + Int(times(line, run, position).departure)
  }

  private func times(_ line: Int, _ run: Int, _ position: Int) -> TimetableTables.CallTimes {
    let profile = Int(tables.trips[trip(line, run)].profile)
    return tables.times[tables.profiles[profile].times + position]
  }

  /// Returns the first run before `end` that departs at or after `time`.
  ///
  /// If `isStepFree` is true, skips trips that are not wheelchair accessible.
  func firstRun(
    _ line: Int, departingFrom time: Int, at position: Int, before end: Int, isStepFree: Bool
  ) -> Int? {
    let run = (0..<end).bisection { departure(line, $0, position) >= time }
    guard isStepFree else { return run < end ? run : nil }
    // All runs of a row of frequencies belong to the same trip.
    let last = row(line) < 0 ? end : min(end, run + 1)
    return (run..<last).first { tables.trips[trip(line, $0)].wheelchair != 2 }
  }
}
