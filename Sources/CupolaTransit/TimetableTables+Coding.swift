internal import CupolaGuide
internal import CupolaSupport

/// A timetable as bytes: counts, then table by table, numbers as differences to the row before.
extension TimetableTables {
  /// The layout's version, the first byte.
  static let version: UInt8 = 1
  /// How many bytes of an identifier may be those of the one before.
  static let longestPrefix = 255

  var bytes: [UInt8] {
    var writer = ByteWriter()
    writer.write(byte: Self.version)
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
    return writer.bytes
  }

  private static func write(_ date: LocalDate?, to writer: inout ByteWriter) {
    // Days of the calendar are 1 or more; 0 is none.
    writer.write(count: date.map { $0.dayNumber + dayOffset } ?? 0)
  }

  /// Makes the number of 1 January of the year 1 to be 1.
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
        writer.write(byte: call.flags)
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
}
