internal import CupolaGuide
internal import CupolaTransit

// 1. Assign numbers to the patterns, profiles and headsigns that trips share.
// 2. Add the trips sorted by identifier, and the frequencies without overlaps within a trip.

struct TimetableBuilder {
  private(set) var tables = TimetableTables()
  private let feed: TransitFeed
  private var patternNumbers = Numbering<PatternKey>()
  private var profileNumbers = Numbering<ProfileKey>()
  private var headsignNumbers = Numbering<String>()

  private struct PatternKey: Hashable {
    let route: Int32
    let direction: Int8
    let calls: [TimetableTables.Call]
  }

  private struct ProfileKey: Hashable {
    let pattern: Int32
    let times: [TimetableTables.CallTimes]
  }

  init(_ feed: TransitFeed) throws(GuideError) {
    self.feed = feed
    (tables.info, tables.agencies) = (feed.info, feed.agencies)
    (tables.stops, tables.services) = (feed.stops, feed.services)
    for (number, stop) in feed.stops.enumerated() {
      if let parent = stop.parent, !feed.stops.indices.contains(Int(parent)) {
        tables.stops[number].parent = nil
      }
    }
    tables.routes = feed.routes
    let order = feed.trips.indices.sorted { (feed.trips[$0].id, $0) < (feed.trips[$1].id, $1) }
    var numbers = [Int32](repeating: 0, count: order.count)
    var callCount = 0
    tables.trips.reserveCapacity(order.count)
    for number in order {
      callCount += feed.trips[number].stopTimes.count
      guard callCount <= TimetableTables.mostCalls else {
        throw Self.fault("stop_times.txt", "more than \(TimetableTables.mostCalls) rows")
      }
      numbers[number] = Int32(tables.trips.count)
      try add(feed.trips[number])
    }
    try addFrequencies(tripNumbers: numbers)
    (tables.transfers, tables.entrances) = (feed.transfers, feed.entrances)
    guard !tables.hasTooManyCalls else {
      throw Self.fault("frequencies.txt", "too many rows")
    }
  }

  private mutating func add(_ trip: TransitFeed.Trip) throws(GuideError) {
    let rows = Int(trip.stopTimes.lowerBound)..<Int(trip.stopTimes.upperBound)
    guard tables.trips.last?.id != trip.id else {
      throw Self.fault("trips.txt", "trip \(trip.id) is repeated")
    }
    guard feed.routes.indices.contains(Int(trip.route)),
      feed.services.indices.contains(Int(trip.service)),
      rows.lowerBound >= 0, rows.upperBound <= feed.stopTimes.count
    else { throw Self.fault("trips.txt", "trip \(trip.id) has an unknown route or service") }
    var calls: [TimetableTables.Call] = []
    var times: [TimetableTables.CallTimes] = []
    calls.reserveCapacity(rows.count)
    times.reserveCapacity(rows.count)
    let start = rows.isEmpty ? 0 : feed.stopTimes[rows.lowerBound].departure
    for row in rows {
      let time = feed.stopTimes[row]
      guard feed.stops.indices.contains(Int(time.stop)), time.sequence >= 0,
        TimetableTables.isTime(time.arrival), TimetableTables.isTime(time.departure)
      else {
        throw Self.fault("stop_times.txt", "trip \(trip.id) has an invalid time or stop")
      }
      calls.append(call(time, of: trip))
      times.append(
        TimetableTables.CallTimes(arrival: time.arrival - start, departure: time.departure - start))
    }
    let direction = trip.direction.map { Int8($0 & 1) } ?? -1
    let pattern = self.pattern(PatternKey(route: trip.route, direction: direction, calls: calls))
    tables.trips.append(
      TimetableTables.Trip(
        id: trip.id, profile: profile(ProfileKey(pattern: pattern, times: times)),
        service: trip.service, headsign: headsign(trip.headsign), wheelchair: trip.wheelchair,
        start: start))
  }

  private mutating func call(
    _ time: TransitFeed.StopTime, of trip: TransitFeed.Trip
  ) -> TimetableTables.Call {
    let shown =
      feed.stopHeadsigns.indices.contains(Int(time.headsign))
      ? feed.stopHeadsigns[Int(time.headsign)] : nil
    let pickup = time.pickup > 3 ? 0 : time.pickup
    let dropOff = time.dropOff > 3 ? 0 : time.dropOff
    return TimetableTables.Call(
      stop: time.stop, sequence: time.sequence,
      flags: pickup | dropOff << 2 | (time.isExact ? 16 : 0),
      headsign: shown == trip.headsign ? -1 : headsign(shown))
  }

  private static func fault(_ path: String, _ problem: String) -> GuideError {
    .badFile(path: path, problem: problem)
  }
}

private struct Numbering<Key: Hashable> {
  private var numbers: [Key: Int32] = [:]

  mutating func number(_ key: Key) -> (number: Int32, isNew: Bool) {
    if let number = numbers[key] { return (number, false) }
    let number = Int32(numbers.count)
    numbers[key] = number
    return (number, true)
  }
}

extension TimetableBuilder {
  private mutating func pattern(_ key: PatternKey) -> Int32 {
    let (number, isNew) = patternNumbers.number(key)
    if isNew {
      let first = tables.calls.count
      tables.calls += key.calls
      tables.patterns.append(
        TimetableTables.Pattern(
          route: key.route, direction: key.direction, calls: first..<tables.calls.count))
    }
    return number
  }

  private mutating func profile(_ key: ProfileKey) -> Int32 {
    let (number, isNew) = profileNumbers.number(key)
    if isNew {
      tables.profiles.append(
        TimetableTables.Profile(pattern: key.pattern, times: tables.times.count))
      tables.times += key.times
    }
    return number
  }

  private mutating func headsign(_ text: String?) -> Int32 {
    guard let text else { return -1 }
    let (number, isNew) = headsignNumbers.number(text)
    if isNew { tables.headsigns.append(text) }
    return number
  }

  private mutating func addFrequencies(tripNumbers: [Int32]) throws(GuideError) {
    var rows: [TransitFeed.Frequency] = []
    for var row in feed.frequencies {
      guard tripNumbers.indices.contains(Int(row.trip)), row.headway > 0,
        TimetableTables.isTime(row.times.lowerBound), TimetableTables.isTime(row.times.upperBound)
      else { throw Self.fault("frequencies.txt", "invalid trip, time or headway") }
      row.trip = tripNumbers[Int(row.trip)]
      rows.append(row)
    }
    rows.sort {
      ($0.trip, $0.times.lowerBound, $0.times.upperBound)
        < ($1.trip, $1.times.lowerBound, $1.times.upperBound)
    }
    // GTFS forbids overlapping rows. If rows overlap, use the headway of the later row, so that a trip never starts
    // twice at the same time.
    for row in rows {
      if let last = tables.frequencies.last, last.trip == row.trip {
        let end = min(last.times.upperBound, row.times.lowerBound)
        tables.frequencies[tables.frequencies.count - 1].times = last.times.lowerBound..<end
        if tables.frequencies[tables.frequencies.count - 1].times.isEmpty {
          tables.frequencies.removeLast()
        }
      }
      if !row.times.isEmpty { tables.frequencies.append(row) }
    }
  }

  static func timetable(_ feed: TransitFeed) throws(GuideError) -> Timetable {
    let tables = try TimetableBuilder(feed).tables
    switch TimetableIndex.make(tables) {
    case .success(let index): return Timetable(tables: tables, index: index)
    case .failure(let problem): throw .badFile(path: "agency.txt", problem: problem.text)
    }
  }
}
