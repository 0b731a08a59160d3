@testable import CupolaGuide

/// A small feed, written row by row.
struct TimetableMaker {
  var feed = TransitFeed()

  init(timeZone: String = "America/New_York") {
    feed.agencies = [TransitFeed.Agency(id: "1", name: "Campus Buses", timeZone: timeZone)]
  }

  /// Seconds of a time such as `24:30`.
  static func time(_ text: String) -> Int32 {
    let parts = text.split(separator: ":").map { Int32($0) ?? 0 }
    return parts[0] * 3600 + parts[1] * 60 + (parts.count > 2 ? parts[2] : 0)
  }

  static func date(_ number: Int) throws -> LocalDate {
    guard
      let date = LocalDate(
        year: number / 10000, month: number / 100 % 100, day: number % 100)
    else { throw GuideError.unknownPlace("the day \(number)") }
    return date
  }

  mutating func stop(_ id: String, in station: Int32? = nil, locationType: UInt8 = 0) {
    var stop = TransitFeed.Stop(id: id, name: "Stop " + id, point: nil)
    (stop.parent, stop.locationType) = (station, locationType)
    feed.stops.append(stop)
  }

  mutating func route(_ id: String) {
    var route = TransitFeed.Route(id: id, type: 3)
    route.shortName = id
    feed.routes.append(route)
  }

  /// - Parameter weekdays: Monday first, such as `1111100`.
  mutating func service(
    _ id: String, weekdays: String, from: Int, to: Int, added: [Int] = [], removed: [Int] = []
  ) throws {
    var service = TransitFeed.Service(id: id)
    for (day, bit) in weekdays.enumerated() where bit == "1" { service.weekdays |= 1 << UInt8(day) }
    (service.start, service.end) = (try Self.date(from), try Self.date(to))
    service.added = try added.map(Self.date)
    service.removed = try removed.map(Self.date)
    feed.services.append(service)
  }

  /// - Parameter calls: stops' numbers and departures, such as `0 24:30`.
  mutating func trip(
    _ id: String, route: Int32 = 0, service: Int32 = 0, headsign: String? = nil,
    direction: UInt8? = nil, _ calls: [(Int32, String)]
  ) {
    let first = Int32(feed.stopTimes.count)
    for (place, call) in calls.enumerated() {
      let time = Self.time(call.1)
      feed.stopTimes.append(
        TransitFeed.StopTime(
          stop: call.0, arrival: time, departure: time, sequence: Int32(place * 5 + 1)))
    }
    var trip = TransitFeed.Trip(
      id: id, route: route, service: service, stopTimes: first..<Int32(feed.stopTimes.count))
    (trip.headsign, trip.direction) = (headsign, direction)
    feed.trips.append(trip)
  }

  /// - Parameter times: such as `6:00-22:00`.
  mutating func frequency(_ trip: Int32, _ times: String, headway: Int32, isExact: Bool = false) {
    let ends = times.split(separator: "-").map { Self.time(String($0)) }
    feed.frequencies.append(
      TransitFeed.Frequency(
        trip: trip, times: ends[0]..<ends[1], headway: headway, isExact: isExact))
  }

  /// Three stops, one route, every day of 2026.
  static func campus() throws -> TimetableMaker {
    var maker = TimetableMaker()
    for id in ["A", "B", "C"] { maker.stop(id) }
    maker.route("55")
    try maker.service("daily", weekdays: "1111111", from: 20_260_101, to: 20_261_231)
    return maker
  }
}

/// A moment as `2026-03-08T09:05` in a zone.
func moment(_ text: String, _ timeZone: String = "America/New_York") throws -> Double {
  guard let time = LocalTime(text)?.secondsSince1970(timeZone: timeZone) else {
    throw GuideError.unknownPlace(text)
  }
  return time
}
