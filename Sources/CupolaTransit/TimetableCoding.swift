internal import CupolaGuide
internal import CupolaSupport

// 1. Write each table as a row count and its rows, with numbers stored as differences from the previous row.
// 2. Read the tables in the same order, and reject references to missing rows.

/// The binary format of a timetable: each table consists of a row count and delta-encoded rows.
extension TimetableTables {
  /// The format version, stored in the first byte.
  static let version: UInt8 = 1
  /// The version with headsigns of stops, transfers and entrances. It is used only for timetables that contain them, so
  /// that older apps can read all others.
  static let extendedVersion: UInt8 = 2
  /// A flag of calls that are followed by their headsign; not stored in `Call.flags`.
  static let headsignFlag: UInt8 = 32
  /// The maximum number of bytes that an identifier shares with the previous one.
  static let longestPrefix = 255

  private var isExtended: Bool {
    !transfers.isEmpty || !entrances.isEmpty || calls.contains { $0.headsign >= 0 }
  }

  var bytes: [UInt8] {
    var writer = ByteWriter()
    let isExtended = isExtended
    writer.write(byte: isExtended ? Self.extendedVersion : Self.version)
    writer.write(optional: info.publisher)
    writer.write(optional: info.version)
    Self.write(info.start, to: &writer)
    Self.write(info.end, to: &writer)
    write(agenciesAndRoutesTo: &writer)
    write(stopsTo: &writer)
    write(servicesTo: &writer)
    writer.write(count: headsigns.count)
    for headsign in headsigns { writer.write(headsign) }
    write(patternsTo: &writer)
    write(profilesTo: &writer)
    write(tripsTo: &writer)
    write(frequenciesTo: &writer)
    if isExtended { write(transfersTo: &writer) }
    return writer.bytes
  }

  private static func write(_ date: LocalDate?, to writer: inout ByteWriter) {
    // Day numbers start at 1; 0 means no date.
    writer.write(count: date.map { $0.dayNumber + dayOffset } ?? 0)
  }

  /// The offset added to `dayNumber`, so that January 1 of year 1 is stored as 1.
  static let dayOffset = 719_163

  private func write(agenciesAndRoutesTo writer: inout ByteWriter) {
    writer.write(count: agencies.count)
    for agency in agencies {
      for text in [agency.id, agency.name, agency.timeZone] { writer.write(text) }
    }
    writer.write(count: routes.count)
    for route in routes {
      writer.write(route.id)
      writer.write(Int(route.agency))
      writer.write(optional: route.shortName)
      writer.write(optional: route.longName)
      writer.write(Int(route.type))
      writer.write(optional: route.color)
    }
  }

  private func write(stopsTo writer: inout ByteWriter) {
    writer.write(count: stops.count)
    var last = (latitude: 0, longitude: 0)
    for stop in stops {
      let isPlain = stop.locationType == 0 && stop.wheelchair == 0
      writer.write(
        byte: (stop.code == nil ? 0 : 1) | (stop.point == nil ? 0 : 2)
          | (stop.parent == nil ? 0 : 4) | (stop.platform == nil ? 0 : 8) | (isPlain ? 0 : 16))
      writer.write(stop.id)
      writer.write(stop.name)
      if let code = stop.code { writer.write(code) }
      if let point = stop.point { writer.write(point, after: &last) }
      if let parent = stop.parent { writer.write(count: Int(parent)) }
      if let platform = stop.platform { writer.write(platform) }
      if !isPlain {
        writer.write(byte: stop.locationType)
        writer.write(byte: stop.wheelchair)
      }
    }
  }

  private func write(servicesTo writer: inout ByteWriter) {
    writer.write(count: services.count)
    for service in services {
      writer.write(service.id)
      writer.write(byte: service.weekdays)
      Self.write(service.start, to: &writer)
      Self.write(service.end, to: &writer)
      for dates in [service.added, service.removed] {
        writer.write(count: dates.count)
        var last = 0
        for date in dates {
          writer.write(date.dayNumber - last)
          last = date.dayNumber
        }
      }
    }
  }

  private func write(patternsTo writer: inout ByteWriter) {
    writer.write(count: patterns.count)
    for pattern in patterns {
      writer.write(count: Int(pattern.route))
      writer.write(byte: UInt8(truncatingIfNeeded: pattern.direction + 1))
      writer.write(count: pattern.calls.count)
      var last = Call(stop: 0, sequence: 0, flags: 0)
      for call in calls[pattern.calls] {
        writer.write(Int(call.stop) - Int(last.stop))
        writer.write(Int(call.sequence) - Int(last.sequence))
        writer.write(byte: call.flags | (call.headsign < 0 ? 0 : Self.headsignFlag))
        if call.headsign >= 0 { writer.write(count: Int(call.headsign)) }
        last = call
      }
    }
  }

  private func write(profilesTo writer: inout ByteWriter) {
    writer.write(count: profiles.count)
    for profile in profiles {
      let count = patterns[Int(profile.pattern)].calls.count
      let times = times[profile.times..<profile.times + count]
      let areSame = times.allSatisfy { $0.arrival == $0.departure }
      writer.write(count: Int(profile.pattern))
      writer.write(byte: areSame ? 1 : 0)
      var last = 0
      for time in times {
        if !areSame {
          writer.write(Int(time.arrival) - last)
          last = Int(time.arrival)
        }
        writer.write(Int(time.departure) - last)
        last = Int(time.departure)
      }
    }
  }

  private func write(tripsTo writer: inout ByteWriter) {
    writer.write(count: trips.count)
    var last = Trip(id: "", profile: 0, service: 0, headsign: 0, wheelchair: 0, start: 0)
    for trip in trips {
      let shared = zip(trip.id.utf8, last.id.utf8).prefix(Self.longestPrefix)
        .prefix { $0 == $1 }.count
      writer.write(byte: UInt8(shared))
      writer.write(count: trip.id.utf8.count - shared)
      for byte in trip.id.utf8.dropFirst(shared) { writer.write(byte: byte) }
      writer.write(Int(trip.profile) - Int(last.profile))
      writer.write(Int(trip.service) - Int(last.service))
      writer.write(Int(trip.headsign) - Int(last.headsign))
      writer.write(byte: trip.wheelchair)
      writer.write(Int(trip.start) - Int(last.start))
      last = trip
    }
  }

  private func write(frequenciesTo writer: inout ByteWriter) {
    writer.write(count: frequencies.count)
    for row in frequencies {
      writer.write(count: Int(row.trip))
      writer.write(count: Int(row.times.lowerBound))
      writer.write(count: Int(row.times.upperBound) - Int(row.times.lowerBound))
      writer.write(count: Int(row.headway))
      writer.write(byte: row.isExact ? 1 : 0)
    }
  }

  private func write(transfersTo writer: inout ByteWriter) {
    writer.write(count: transfers.count)
    for row in transfers {
      writer.write(count: Int(row.from))
      writer.write(count: Int(row.to))
      writer.write(Int(row.seconds))
    }
    writer.write(count: entrances.count)
    var last = (latitude: 0, longitude: 0)
    for row in entrances {
      writer.write(count: Int(row.stop))
      writer.write(row.point, after: &last)
      writer.write(count: Int(row.seconds))
      writer.write(Int(row.stepFreeSeconds))
    }
  }
}

/// Decodes the tables of a timetable and rejects references to missing rows.
struct TimetableReader {
  private(set) var tables = TimetableTables()
  private var reader: ByteReader

  typealias Fault = ByteReader.Fault

  init(_ bytes: [UInt8]) throws(Fault) {
    reader = ByteReader(bytes)
    let version = try reader.byte()
    guard [TimetableTables.version, TimetableTables.extendedVersion].contains(version) else {
      throw .badValue("unsupported format version")
    }
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
    if version == TimetableTables.extendedVersion { try readTransfers() }
    guard reader.isAtEnd else { throw .badValue("unexpected data after the timetable") }
    guard !tables.hasTooManyCalls else { throw .badValue("more stop times than supported") }
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
      guard direction <= 2 else { throw .badValue("invalid direction \(direction)") }
      let count = try reader.length(bytesEach: 3)
      let first = tables.calls.count
      var (stop, sequence) = (0, 0)
      for _ in 0..<count {
        stop &+= try reader.integer()
        sequence &+= try reader.integer()
        guard tables.stops.indices.contains(stop), (0...Int(Int32.max)).contains(sequence) else {
          throw .badValue("stop time with an invalid stop or sequence")
        }
        let flags = try reader.byte()
        let hasHeadsign = flags & TimetableTables.headsignFlag != 0
        tables.calls.append(
          TimetableTables.Call(
            stop: Int32(stop), sequence: Int32(sequence),
            flags: flags & ~TimetableTables.headsignFlag,
            headsign: hasHeadsign ? try index(of: tables.headsigns.count, "headsign") : -1))
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
        guard Self.isOffset(early), Self.isOffset(late) else { throw .badValue("invalid time") }
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
      guard shared <= id.count else { throw .badValue("invalid trip identifier") }
      id.removeLast(id.count - shared)
      for _ in 0..<(try reader.length()) { id.append(try reader.byte()) }
      profile &+= try reader.integer()
      service &+= try reader.integer()
      headsign &+= try reader.integer()
      let wheelchair = try reader.byte()
      start &+= try reader.integer()
      guard tables.profiles.indices.contains(profile), tables.services.indices.contains(service),
        headsign == -1 || tables.headsigns.indices.contains(headsign), TimetableTables.isTime(start)
      else { throw .badValue("trip with an invalid reference or start time") }
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
      guard headway > 0, start < end else {
        throw .badValue("frequency with an invalid headway or period")
      }
      if let last = tables.frequencies.last {
        guard (last.trip, Int(last.times.upperBound)) <= (trip, last.trip == trip ? start : .max)
        else { throw .badValue("frequencies out of order") }
      }
      tables.frequencies.append(
        TransitFeed.Frequency(
          trip: trip, times: Int32(start)..<Int32(end), headway: headway, isExact: isExact))
    }
  }

  private mutating func readTransfers() throws(Fault) {
    for _ in 0..<(try reader.length(bytesEach: 3)) {
      let from = try index(of: tables.stops.count, "stop")
      let to = try index(of: tables.stops.count, "stop")
      tables.transfers.append(
        TransitFeed.Transfer(from: from, to: to, seconds: try transferSeconds()))
    }
    var last = (latitude: 0, longitude: 0)
    for _ in 0..<(try reader.length(bytesEach: 5)) {
      let stop = try index(of: tables.stops.count, "stop")
      let point = try reader.point(after: &last)
      let seconds = try number(of: reader.count(limit: TransitFeed.longestTransfer))
      tables.entrances.append(
        TransitFeed.Entrance(
          stop: stop, point: point, seconds: seconds, stepFreeSeconds: try transferSeconds()))
    }
  }

  /// Reads the time of a transfer; -1 if it is not possible.
  private mutating func transferSeconds() throws(Fault) -> Int32 {
    let value = try reader.integer()
    guard (-1...TransitFeed.longestTransfer).contains(value) else {
      throw .badValue("invalid transfer time")
    }
    return Int32(value)
  }

  private mutating func index(of count: Int, _ what: String) throws(Fault) -> Int32 {
    let number = try reader.count()
    guard number < count else { throw .badValue("reference to a missing \(what)") }
    return Int32(number)
  }

  private mutating func number() throws(Fault) -> Int32 { try number(of: reader.integer()) }

  private func number(of value: Int) throws(Fault) -> Int32 {
    guard let number = Int32(exactly: value) else { throw .badValue("number too large: \(value)") }
    return number
  }

  private mutating func date() throws(Fault) -> LocalDate? {
    let number = try reader.count()
    if number == 0 { return nil }
    guard let date = LocalDate(dayNumber: number - TimetableTables.dayOffset) else {
      throw .badValue("invalid date")
    }
    return date
  }

  private mutating func dates() throws(Fault) -> [LocalDate] {
    var dates: [LocalDate] = []
    var day = 0
    for _ in 0..<(try reader.length()) {
      day &+= try reader.integer()
      guard let date = LocalDate(dayNumber: day) else { throw .badValue("invalid date") }
      dates.append(date)
    }
    return dates
  }

  private static func isOffset(_ time: Int) -> Bool {
    (-TimetableTables.longestTime...TimetableTables.longestTime).contains(time)
  }
}

extension Timetable {
  /// The encoded timetable; it does not depend on the order of trips in the feed.
  package var bytes: [UInt8] { tables.bytes }

  /// Decodes a timetable; `name` is the name of the guide part in errors.
  ///
  /// - Throws: ``GuideError/badPart(name:problem:)`` if the bytes are invalid.
  init(bytes: [UInt8], name: String = "transit.bin") throws(GuideError) {
    let tables: TimetableTables
    do throws(ByteReader.Fault) {
      tables = try TimetableReader(bytes).tables
    } catch { throw .badPart(name: name, problem: error.problem) }
    switch TimetableIndex.make(tables) {
    case .success(let index): self.init(tables: tables, index: index)
    case .failure(let problem): throw .badPart(name: name, problem: problem.text)
    }
  }
}
