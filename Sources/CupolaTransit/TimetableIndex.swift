internal import CupolaGuide
internal import CupolaSupport

// 1. Number the stops, routes and trips, and set up the service days and the clock.
// 2. Group departures, lines and platforms by stop, and find the earliest and latest time.
// 3. Store the groups of each kind in a single array.

/// Lookup tables for queries; they are built when a timetable is decoded.
package struct TimetableIndex: Sendable {
  /// A departure of a trip without a frequency.
  struct Timed: Sendable {
    var time: Int32
    var trip: Int32
    /// The position of the call in its pattern.
    var position: Int32
  }

  /// A departure of a trip with a frequency.
  struct Frequent: Sendable {
    /// An index in `TimetableTables.frequencies`.
    var row: Int32
    var position: Int32
  }

  let stops: [TransitStop]
  let routes: [TransitRoute]
  let stopNumbers: [String: Int]
  let routeNumbers: [String: Int]
  let tripNumbers: [String: Int]
  let services: ServiceTable
  let clock: ServiceClock
  /// The departures from each stop, sorted by time, then by trip.
  let timed: Grouped<Timed>
  let frequent: Grouped<Frequent>
  let lines: TimetableLines
  /// The platforms and other child stops of each station.
  let platforms: Grouped<Int32>
  /// The number of each stop's station, or -1 if it has none; for a station, its own number.
  let stations: [Int]
  let times: ClosedRange<Int>
  /// The rules for transfers from each stop; if several rules apply to a pair of stops, the last one wins.
  let transfers: [Int: [(to: Int, seconds: Int?)]]
  let entrances: Grouped<TransitFeed.Entrance>

  /// Fails if a time zone is unknown, or if agencies have different time zones.
  package static func make(_ tables: TimetableTables) -> Result<TimetableIndex, TimeZoneError> {
    let services = ServiceTable(tables.services.map { ServiceDays($0) })
    return clock(of: tables, span: services.span).map {
      TimetableIndex(tables, services: services, clock: $0)
    }
  }

  package struct TimeZoneError: Error { package let text: String }

  private static func clock(
    of tables: TimetableTables, span: ClosedRange<Int>?
  ) -> Result<ServiceClock, TimeZoneError> {
    var found: ServiceClock?
    var last: String?
    for agency in tables.agencies where agency.timeZone != last {
      guard let clock = ServiceClock(timeZone: agency.timeZone, days: span) else {
        return .failure(TimeZoneError(text: "unknown time zone \(agency.timeZone)"))
      }
      // Time zones with different names may be identical.
      if let found, !found.agrees(with: clock) {
        return .failure(
          TimeZoneError(
            text: "agencies in two time zones: \(found.timeZone) and \(agency.timeZone)"))
      }
      (found, last) = (found ?? clock, agency.timeZone)
    }
    guard let found else { return .failure(TimeZoneError(text: "no agency has a time zone")) }
    return .success(found)
  }

  private init(_ tables: TimetableTables, services: ServiceTable, clock: ServiceClock) {
    (self.services, self.clock) = (services, clock)
    stops = tables.stops.map { stop in
      TransitStop(stop, in: stop.parent.map { tables.stops[Int($0)] })
    }
    routes = tables.routes.map { route in
      let agency = Int(route.agency)
      return TransitRoute(
        route, agency: tables.agencies.indices.contains(agency) ? tables.agencies[agency] : nil)
    }
    stopNumbers = Self.numbers(tables.stops.map(\.id))
    routeNumbers = Self.numbers(tables.routes.map(\.id))
    tripNumbers = Self.numbers(tables.trips.map(\.id))
    timed = Self.timed(tables)
    frequent = Self.frequent(tables)
    lines = TimetableLines(tables)
    platforms = Grouped(groups: tables.stops.count) { add in
      for (number, stop) in tables.stops.enumerated() {
        if let parent = stop.parent { add(Int(parent), Int32(number)) }
      }
    }
    stations = tables.stops.enumerated().map { number, stop in
      stop.parent.map { Int($0) } ?? (stop.locationType == 1 ? number : -1)
    }
    times = Self.times(tables)
    transfers = Self.transfers(tables, platforms)
    entrances = Grouped(groups: tables.stops.count) { add in
      for entrance in tables.entrances { add(Int(entrance.stop), entrance) }
    }
  }

  /// The limit for pairs of platforms, so that a few rules between large stations cannot exhaust memory. Later rules
  /// between stations do not apply to their platforms.
  private static let mostPairs = 2_000_000

  /// Applies rules between stations to their platforms. Rules between platforms take precedence.
  private static func transfers(
    _ tables: TimetableTables, _ platforms: Grouped<Int32>
  ) -> [Int: [(to: Int, seconds: Int?)]] {
    func places(_ stop: Int32, _ isExpanded: Bool) -> [Int] {
      [Int(stop)] + (isExpanded ? platforms[Int(stop)].map { Int($0) } : [])
    }
    var rules: [Int: [(to: Int, seconds: Int?, rank: Int)]] = [:]
    var pairs = 0
    for transfer in tables.transfers {
      pairs += (1 + platforms[Int(transfer.from)].count) * (1 + platforms[Int(transfer.to)].count)
      let isExpanded = pairs <= mostPairs
      for (first, from) in places(transfer.from, isExpanded).enumerated() {
        for (second, to) in places(transfer.to, isExpanded).enumerated() {
          let seconds = transfer.seconds < 0 ? nil : Int(transfer.seconds)
          let rank = (first == 0 ? 1 : 0) + (second == 0 ? 1 : 0)
          rules[from, default: []].append((to, seconds, rank))
        }
      }
    }
    return rules.mapValues { rules in
      rules.enumerated().sorted { ($0.element.rank, $0.offset) < ($1.element.rank, $1.offset) }
        .map { ($0.element.to, $0.element.seconds) }
    }
  }

  /// Maps identifiers to numbers; for duplicates, to the first number.
  private static func numbers(_ ids: [String]) -> [String: Int] {
    Dictionary(zip(ids, ids.indices), uniquingKeysWith: { first, _ in first })
  }
}

// MARK: - Departures by stop

extension TimetableIndex {
  private static func timed(_ tables: TimetableTables) -> Grouped<Timed> {
    var grouped = Grouped<Timed>(groups: tables.stops.count) { add in
      var row = 0
      for (number, trip) in tables.trips.enumerated() {
        while row < tables.frequencies.count, tables.frequencies[row].trip < number { row += 1 }
        if row < tables.frequencies.count, tables.frequencies[row].trip == number { continue }
        let profile = tables.profiles[Int(trip.profile)]
        let calls = tables.patterns[Int(profile.pattern)].calls
        // Passengers cannot board at the last stop.
        for place in calls.dropLast() where tables.calls[place].canBoard {
          let position = place - calls.lowerBound
          let time = trip.start + tables.times[profile.times + position].departure
          add(
            Int(tables.calls[place].stop),
            Timed(time: time, trip: Int32(number), position: Int32(position)))
        }
      }
    }
    grouped.sortGroups { ($0.time, $0.trip, $0.position) < ($1.time, $1.trip, $1.position) }
    return grouped
  }

  private static func frequent(_ tables: TimetableTables) -> Grouped<Frequent> {
    Grouped(groups: tables.stops.count) { add in
      for (row, frequency) in tables.frequencies.enumerated() {
        let calls = tables.pattern(ofTrip: Int(frequency.trip)).calls
        for place in calls.dropLast() where tables.calls[place].canBoard {
          add(
            Int(tables.calls[place].stop),
            Frequent(row: Int32(row), position: Int32(place - calls.lowerBound)))
        }
      }
    }
  }

  private static func times(_ tables: TimetableTables) -> ClosedRange<Int> {
    // Compute the smallest and largest offset of each profile, in seconds after the start.
    let spans = tables.profiles.map { profile in
      let count = tables.patterns[Int(profile.pattern)].calls.count
      let times = tables.times[profile.times..<profile.times + count]
      let low = times.map { Int(min($0.arrival, $0.departure)) }.min() ?? 0
      return (low, times.map { Int(max($0.arrival, $0.departure)) }.max() ?? 0)
    }
    var (smallest, largest) = (0, 0)
    for trip in tables.trips {
      let (low, high) = spans[Int(trip.profile)]
      smallest = min(smallest, Int(trip.start) + low)
      largest = max(largest, Int(trip.start) + high)
    }
    for row in tables.frequencies {
      let (low, high) = spans[Int(tables.trips[Int(row.trip)].profile)]
      smallest = min(smallest, Int(row.times.lowerBound) + low)
      largest = max(largest, Int(row.times.upperBound) + high)
    }
    return smallest...largest
  }
}

/// Variable-length groups of elements, stored in a single array.
struct Grouped<Element: Sendable>: Sendable {
  private var starts: [Int32]
  private var elements: [Element]

  /// Creates the groups.
  ///
  /// `visit` calls its argument with each group and element. It runs twice and must use the same order both times.
  init(groups: Int, visit: ((Int, Element) -> Void) -> Void) {
    var starts = [Int32](repeating: 0, count: groups + 1)
    var filler: Element?
    visit { group, element in
      starts[group + 1] += 1
      filler = element
    }
    for group in 0..<groups { starts[group + 1] += starts[group] }
    var elements: [Element] = []
    if let filler {
      elements = Array(repeating: filler, count: Int(starts[groups]))
      var next = starts
      visit { group, element in
        elements[Int(next[group])] = element
        next[group] += 1
      }
    }
    (self.starts, self.elements) = (starts, elements)
  }

  subscript(_ group: Int) -> ArraySlice<Element> {
    elements[Int(starts[group])..<Int(starts[group + 1])]
  }

  mutating func sortGroups(by areInOrder: (Element, Element) -> Bool) {
    for group in 0..<starts.count - 1 {
      elements[Int(starts[group])..<Int(starts[group + 1])].sort(by: areInOrder)
    }
  }
}
