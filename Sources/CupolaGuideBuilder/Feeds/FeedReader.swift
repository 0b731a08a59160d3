internal import CupolaGuide
internal import CupolaSupport
internal import CupolaTransit

// 1. Read the files of a feed; files that others refer to are read first.
// 2. Keep the trips that stop within reach, with all their stops, and renumber everything.
// 3. Read the transfers, the entrances of stations and, if a language is requested, the translations.

/// Reads schedules in the General Transit Feed Specification (https://gtfs.org/documentation/schedule/reference).
///
/// Keeps the stops within reach, the trips that stop there with all their stops, and everything that these refer to.
/// Invalid rows are skipped and reported; defaults are those of the specification. Memory use is proportional to the
/// data that is kept, plus all identifiers.
enum FeedReader {
  struct Result: Equatable, Sendable {
    let feed: TransitFeed
    let faults: [FeedFault]
  }

  /// - Parameter language: The language of names and headsigns; `nil` uses the feed's own texts.
  static func read(
    _ path: String, language: String? = nil, keeps: (MapPoint) -> Bool
  ) throws(GuideError) -> Result {
    try read(FeedSource(path), language: language, keeps: keeps)
  }

  static func read(
    _ source: FeedSource, language: String? = nil, keeps: (MapPoint) -> Bool
  ) throws(GuideError) -> Result {
    let input = FeedInput(source)
    let agencies = try FeedAgencies(input)
    let stops = try FeedStops(input)
    let isNear = stops.near(keeps)
    let routes = try FeedRoutes(input, agencies: agencies)
    let services = try FeedServices(input)
    let trips = try FeedTrips(input, routes: routes, services: services)
    let calls = try FeedCalls(input, stops: stops, trips: trips, isNear: isNear)
    var assembly = FeedAssembly(stops: stops, trips: trips, isNear: isNear)
    assembly.add(calls, input.faults)
    assembly.add(routes: routes, services: services, agencies: agencies)
    assembly.feed.frequencies =
      try FeedFrequencies(input, trips: trips, numbers: assembly.tripNumbers).rows
    assembly.feed.transfers = try FeedTransfers.rows(input, stops, assembly.stopNumbers)
    assembly.feed.entrances = try FeedPathways(input, stops)
      .entrances(assembly.stopNumbers, input.faults)
    if let language {
      try FeedTranslations(input, language: language).apply(to: &assembly.feed)
    }
    assembly.feed.info = try FeedInfoReader.read(input)
    return Result(feed: assembly.feed, faults: input.faults.faults)
  }
}

struct FeedAssembly {
  var feed = TransitFeed()
  /// The new number of each trip row in the feed; -1 if the trip is not kept.
  private(set) var tripNumbers: [Int32]
  /// The new number of each stop row in the feed; -1 if the stop is not kept.
  private(set) var stopNumbers: [Int32] = []

  private let stops: FeedStops
  private let trips: FeedTrips
  private var isKept: [Bool]

  init(stops: FeedStops, trips: FeedTrips, isNear: [Bool]) {
    (self.stops, self.trips, isKept) = (stops, trips, isNear)
    tripNumbers = Array(repeating: -1, count: trips.rows.count)
  }

  mutating func add(_ calls: FeedCalls, _ faults: FeedFaults) {
    let times = FeedTimes(stops: stops, faults: faults)
    feed.stopTimes.reserveCapacity(calls.rows.count)
    feed.stopHeadsigns = calls.stopHeadsigns
    for (row, place) in calls.places.enumerated() where !place.isEmpty {
      let id = trips.ids.text(Int32(truncatingIfNeeded: row))
      let settled = times.settled(calls.rows[place], of: id)
      if !settled.isEmpty { add(settled, ofRow: row) }
    }
    addStops()
  }

  private mutating func add(_ calls: [FeedCall], ofRow row: Int) {
    let start = Int32(clamping: feed.stopTimes.count)
    for call in calls {
      isKept[Int(call.stop)] = true
      var time = TransitFeed.StopTime(
        stop: call.stop, arrival: call.arrival, departure: call.departure,
        sequence: call.sequence)
      (time.pickup, time.dropOff, time.isExact) = (call.pickup, call.dropOff, call.isExact)
      time.headsign = call.headsign
      feed.stopTimes.append(time)
    }
    var trip = trips.trip(row)
    trip.stopTimes = start..<Int32(clamping: feed.stopTimes.count)
    tripNumbers[row] = Int32(clamping: feed.trips.count)
    feed.trips.append(trip)
  }

  private mutating func addStops() {
    for row in isKept.indices where isKept[row] {
      var parent = stops.rows[row].parent
      while parent >= 0, !isKept[Int(parent)] {
        isKept[Int(parent)] = true
        parent = stops.rows[Int(parent)].parent
      }
    }
    let numbers = Self.numbers(isKept)
    stopNumbers = numbers
    for row in isKept.indices where isKept[row] {
      var stop = stops.stop(row)
      let parent = stops.rows[row].parent
      stop.parent = parent < 0 ? nil : numbers[Int(parent)]
      feed.stops.append(stop)
    }
    for index in feed.stopTimes.indices {
      feed.stopTimes[index].stop = numbers[Int(feed.stopTimes[index].stop)]
    }
  }

  mutating func add(routes: FeedRoutes, services: FeedServices, agencies: FeedAgencies) {
    var hasRoute = [Bool](repeating: false, count: routes.rows.count)
    var hasService = [Bool](repeating: false, count: services.rows.count)
    var hasAgency = [Bool](repeating: false, count: agencies.rows.count)
    for trip in feed.trips {
      hasRoute[Int(trip.route)] = true
      hasService[Int(trip.service)] = true
    }
    for (row, route) in routes.rows.enumerated() where hasRoute[row] {
      hasAgency[Int(route.agency)] = true
    }
    feed.agencies = zip(agencies.rows, hasAgency).filter(\.1).map(\.0)
    feed.services = zip(services.rows, hasService).filter(\.1).map(\.0)
    feed.routes = zip(routes.rows, hasRoute).filter(\.1).map(\.0)
    let agencyNumbers = Self.numbers(hasAgency)
    for index in feed.routes.indices {
      feed.routes[index].agency = agencyNumbers[Int(feed.routes[index].agency)]
    }
    let (routeNumbers, serviceNumbers) = (Self.numbers(hasRoute), Self.numbers(hasService))
    for index in feed.trips.indices {
      feed.trips[index].route = routeNumbers[Int(feed.trips[index].route)]
      feed.trips[index].service = serviceNumbers[Int(feed.trips[index].service)]
    }
  }

  private static func numbers(_ isKept: [Bool]) -> [Int32] {
    var next: Int32 = 0
    return isKept.map { kept in
      guard kept else { return -1 }
      next += 1
      return next - 1
    }
  }
}

enum FeedInfoReader {
  enum Column: Int, FeedColumn {
    case publisher, version, start, end

    static let file = FeedFile.feedInfo
    static let names = ["feed_publisher_name", "feed_version", "feed_start_date", "feed_end_date"]
    static let required: [Column] = []
  }

  static func read(_ input: FeedInput) throws(GuideError) -> TransitFeed.Info {
    var info = TransitFeed.Info()
    guard var table = try input.table(of: Column.self) else { return info }
    var count = 0
    while try table.next() {
      count += 1
      if count == 1 {
        info = row(of: table)
      } else {
        table.report(.manyRows)
      }
    }
    return info
  }

  private static func row(of table: CSVTable<Column>) -> TransitFeed.Info {
    var info = TransitFeed.Info()
    info.publisher = table.text(.publisher)
    info.version = table.text(.version)
    if !table.isBlank(.start) { info.start = table.date(.start) }
    if !table.isBlank(.end) { info.end = table.date(.end) }
    if let start = info.start, let end = info.end, end < start {
      table.report(.datesBackward)
      (info.start, info.end) = (nil, nil)
    }
    return info
  }
}
