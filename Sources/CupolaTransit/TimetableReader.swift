internal import CupolaGuide
internal import CupolaSupport

/// Reads the tables of a timetable, and finds whatever they name that is not there.
struct TimetableReader {
  private(set) var tables = TimetableTables()
  private var reader: ByteReader

  typealias Fault = ByteReader.Fault

  init(_ bytes: [UInt8]) throws(Fault) {
    reader = ByteReader(bytes)
    guard try reader.byte() == TimetableTables.version else { throw .badValue("another version") }
    tables.info.publisher = try reader.optionalText()
    tables.info.version = try reader.optionalText()
    tables.info.start = try date()
    tables.info.end = try date()
    try readAgenciesAndRoutes()
    try readStops()
    try readServices()
    for _ in 0..<(try reader.length()) { tables.headsigns.append(try reader.text()) }
    try readPatterns()
    try readProfiles()
    try readTrips()
    try readFrequencies()
    guard reader.isAtEnd else { throw .badValue("more than a timetable") }
    guard !tables.hasTooManyCalls else { throw .badValue("more calls than are accepted") }
  }

  private mutating func readAgenciesAndRoutes() throws(Fault) {
    for _ in 0..<(try reader.length(bytesEach: 3)) {
      tables.agencies.append(
        TransitFeed.Agency(
          id: try reader.text(), name: try reader.text(), timeZone: try reader.text()))
    }
    for _ in 0..<(try reader.length(bytesEach: 6)) {
      var route = TransitFeed.Route(id: try reader.text(), type: 0)
      route.agency = try number()
      route.shortName = try reader.optionalText()
      route.longName = try reader.optionalText()
      route.type = try number()
      route.color = try reader.optionalText()
      tables.routes.append(route)
    }
  }

  private mutating func readStops() throws(Fault) {
    let count = try reader.length(bytesEach: 3)
    tables.stops.reserveCapacity(count)
    var last = (latitude: 0, longitude: 0)
    for _ in 0..<count {
      let flags = try reader.byte()
      let (id, name) = (try reader.text(), try reader.text())
      var stop = TransitFeed.Stop(id: id, name: name, point: nil)
      if flags & 1 != 0 { stop.code = try reader.text() }
      if flags & 2 != 0 { stop.point = try reader.point(after: &last) }
      if flags & 4 != 0 { stop.parent = try index(of: count, "stop") }
      if flags & 8 != 0 { stop.platform = try reader.text() }
      if flags & 16 != 0 {
        stop.locationType = try reader.byte()
        stop.wheelchair = try reader.byte()
      }
      tables.stops.append(stop)
    }
  }

  private mutating func readServices() throws(Fault) {
    for _ in 0..<(try reader.length(bytesEach: 6)) {
      var service = TransitFeed.Service(id: try reader.text())
      service.weekdays = try reader.byte()
      service.start = try date()
      service.end = try date()
      service.added = try dates()
      service.removed = try dates()
      tables.services.append(service)
    }
  }

  private mutating func readPatterns() throws(Fault) {
    for _ in 0..<(try reader.length(bytesEach: 3)) {
      let route = try index(of: tables.routes.count, "route")
      let direction = try reader.byte()
      guard direction <= 2 else { throw .badValue("direction \(direction)") }
      let count = try reader.length(bytesEach: 3)
      let first = tables.calls.count
      var (stop, sequence) = (0, 0)
      for _ in 0..<count {
        stop &+= try reader.integer()
        sequence &+= try reader.integer()
        guard tables.stops.indices.contains(stop), (0...Int(Int32.max)).contains(sequence) else {
          throw .badValue("a call at no stop")
        }
        tables.calls.append(
          TimetableTables.Call(
            stop: Int32(stop), sequence: Int32(sequence), flags: try reader.byte()))
      }
      tables.patterns.append(
        TimetableTables.Pattern(
          route: route, direction: Int8(direction) - 1, calls: first..<tables.calls.count))
    }
  }

  private mutating func readProfiles() throws(Fault) {
    for _ in 0..<(try reader.length(bytesEach: 2)) {
      let pattern = try index(of: tables.patterns.count, "pattern")
      let areSame = try reader.byte() != 0
      let first = tables.times.count
      var last = 0
      for _ in tables.patterns[Int(pattern)].calls {
        if !areSame { last &+= try reader.integer() }
        let arrival = last
        last &+= try reader.integer()
        let (early, late) = (areSame ? last : arrival, last)
        guard Self.isOffset(early), Self.isOffset(late) else { throw .badValue("a time") }
        tables.times.append(
          TimetableTables.CallTimes(arrival: Int32(early), departure: Int32(late)))
      }
      tables.profiles.append(TimetableTables.Profile(pattern: pattern, times: first))
    }
  }
}

// MARK: - Trips

extension TimetableReader {
  private mutating func readTrips() throws(Fault) {
    let count = try reader.length(bytesEach: 7)
    tables.trips.reserveCapacity(count)
    var id: [UInt8] = []
    var (profile, service, headsign, start) = (0, 0, 0, 0)
    for _ in 0..<count {
      let shared = Int(try reader.byte())
      guard shared <= id.count else { throw .badValue("an identifier") }
      id.removeLast(id.count - shared)
      for _ in 0..<(try reader.length()) { id.append(try reader.byte()) }
      profile &+= try reader.integer()
      service &+= try reader.integer()
      headsign &+= try reader.integer()
      let wheelchair = try reader.byte()
      start &+= try reader.integer()
      guard tables.profiles.indices.contains(profile), tables.services.indices.contains(service),
        headsign == -1 || tables.headsigns.indices.contains(headsign), TimetableTables.isTime(start)
      else { throw .badValue("a trip of nothing") }
      tables.trips.append(
        TimetableTables.Trip(
          id: String(decoding: id, as: UTF8.self), profile: Int32(profile),
          service: Int32(service), headsign: Int32(headsign), wheelchair: wheelchair,
          start: Int32(start)))
    }
  }

  private mutating func readFrequencies() throws(Fault) {
    for _ in 0..<(try reader.length(bytesEach: 5)) {
      let trip = try index(of: tables.trips.count, "trip")
      let start = try reader.count(limit: TimetableTables.longestTime)
      let end = start + (try reader.count(limit: TimetableTables.longestTime - start))
      let headway = try number(of: reader.count())
      let isExact = try reader.byte() != 0
      guard headway > 0, start < end else { throw .badValue("a frequency of nothing") }
      if let last = tables.frequencies.last {
        guard (last.trip, Int(last.times.upperBound)) <= (trip, last.trip == trip ? start : .max)
        else { throw .badValue("frequencies without order") }
      }
      tables.frequencies.append(
        TransitFeed.Frequency(
          trip: trip, times: Int32(start)..<Int32(end), headway: headway, isExact: isExact))
    }
  }

  // MARK: - Values

  private mutating func index(of count: Int, _ what: String) throws(Fault) -> Int32 {
    let number = try reader.count()
    guard number < count else { throw .badValue("a \(what) that is not there") }
    return Int32(number)
  }

  private mutating func number() throws(Fault) -> Int32 { try number(of: reader.integer()) }

  private func number(of value: Int) throws(Fault) -> Int32 {
    guard let number = Int32(exactly: value) else { throw .badValue("\(value) is too large") }
    return number
  }

  private mutating func date() throws(Fault) -> LocalDate? {
    let number = try reader.count()
    if number == 0 { return nil }
    guard let date = LocalDate(dayNumber: number - TimetableTables.dayOffset) else {
      throw .badValue("a day")
    }
    return date
  }

  private mutating func dates() throws(Fault) -> [LocalDate] {
    var dates: [LocalDate] = []
    var day = 0
    for _ in 0..<(try reader.length()) {
      day &+= try reader.integer()
      guard let date = LocalDate(dayNumber: day) else { throw .badValue("a day") }
      dates.append(date)
    }
    return dates
  }

  private static func isOffset(_ time: Int) -> Bool {
    (-TimetableTables.longestTime...TimetableTables.longestTime).contains(time)
  }
}
