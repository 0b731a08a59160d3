import Cupola
import Foundation
@testable import CupolaGuide
@testable import CupolaGuideBuilder
@testable import CupolaSupport
@testable import CupolaTransit

struct TimetableMaker {
  var feed = TransitFeed()

  init(timeZone: String = "America/New_York") {
    feed.agencies = [TransitFeed.Agency(id: "1", name: "Campus Buses", timeZone: timeZone)]
  }

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

  /// - Parameter weekdays: Seven digits, starting with Monday, such as `1111100`.
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

  mutating func frequency(_ trip: Int32, _ times: String, headway: Int32, isExact: Bool = false) {
    let ends = times.split(separator: "-").map { Self.time(String($0)) }
    feed.frequencies.append(
      TransitFeed.Frequency(
        trip: trip, times: ends[0]..<ends[1], headway: headway, isExact: isExact))
  }

  static func campus() throws -> TimetableMaker {
    var maker = TimetableMaker()
    for id in ["A", "B", "C"] { maker.stop(id) }
    maker.route("55")
    try maker.service("daily", weekdays: "1111111", from: 20_260_101, to: 20_261_231)
    return maker
  }
}

/// Parses a local time, such as `2026-03-08T09:05`, in a time zone.
func moment(_ text: String, _ timeZone: String = "America/New_York") throws -> Double {
  guard let time = LocalTime(text)?.secondsSince1970(timeZone: timeZone) else {
    throw GuideError.unknownPlace(text)
  }
  return time
}

/// Random small feeds with clock changes, exceptions, loops, overtaking and frequencies.
enum RandomFeed {
  /// Time zones and start dates; the clocks may change in the middle of the two weeks after the start.
  static let places = [
    ("America/New_York", 20_260_301), ("America/New_York", 20_261_025),
    ("Europe/Berlin", 20_260_322), ("Europe/Berlin", 20_261_018),
    ("Australia/Lord_Howe", 20_260_329), ("Asia/Kolkata", 20_260_601),
  ]

  static func make(
    _ random: inout SplitMix64, mostTrips: Int = 16
  ) throws -> (feed: TransitFeed, first: LocalDate) {
    let (zone, start) = places[Int.random(in: 0..<places.count, using: &random)]
    let first = try TimetableMaker.date(start)
    var maker = TimetableMaker(timeZone: zone)
    maker.stop("station", locationType: 1)
    for number in 0..<7 {
      maker.stop("s\(number)", in: number < 2 ? 0 : nil)
    }
    for number in 0..<3 { maker.route("r\(number)") }
    for number in 0..<3 { maker.feed.services.append(service(number, first, &random)) }
    let patterns = (0..<4).map { _ in
      (0..<Int.random(in: 1...6, using: &random)).map { _ in
        Int32.random(in: 1...7, using: &random)
      }
    }
    for number in 0..<Int.random(in: 1...mostTrips, using: &random) {
      let kind = Int.random(in: 0..<4, using: &random)
      add(trip: number, of: kind, patterns[kind], to: &maker, &random)
    }
    return (maker.feed, first)
  }

  private static func service(
    _ number: Int, _ first: LocalDate, _ random: inout SplitMix64
  ) -> TransitFeed.Service {
    var service = TransitFeed.Service(id: "c\(number)")
    if number > 0 {
      service.weekdays = UInt8.random(in: 0...127, using: &random)
      service.start = first.adding(days: Int.random(in: 0...4, using: &random))
      service.end = first.adding(days: Int.random(in: 6...13, using: &random))
    }
    let days = (0..<14).shuffled(using: &random)
    service.added = days[..<4].sorted().compactMap { first.adding(days: $0) }
    service.removed = days[4..<6].sorted().compactMap { first.adding(days: $0) }
    return service
  }

  private static func add(
    trip number: Int, of kind: Int, _ pattern: [Int32], to maker: inout TimetableMaker,
    _ random: inout SplitMix64
  ) {
    let first = Int32(maker.feed.stopTimes.count)
    var time = Int32.random(in: 0...26 * 6, using: &random) * 600
    for (place, stop) in pattern.enumerated() {
      time += Int32.random(in: 0...4, using: &random) * 150
      var call = TransitFeed.StopTime(
        stop: stop, arrival: time, departure: time, sequence: Int32(place + 1))
      call.departure += Int32.random(in: 0...3, using: &random) / 2 * 60
      time = call.departure
      // Most trips of the same kind share their calls and overtake each other.
      if number % 4 == 0, Int.random(in: 0..<4, using: &random) == 0 {
        call.pickup = UInt8.random(in: 0...3, using: &random)
        call.dropOff = UInt8.random(in: 0...3, using: &random)
        call.isExact = false
      }
      maker.feed.stopTimes.append(call)
    }
    var trip = TransitFeed.Trip(
      id: "t\(number)", route: Int32(kind % 3),
      service: Int32.random(in: 0..<3, using: &random),
      stopTimes: first..<Int32(maker.feed.stopTimes.count))
    trip.headsign = Bool.random(using: &random) ? "H\(number % 3)" : nil
    trip.direction = kind == 0 ? nil : UInt8(kind % 2)
    maker.feed.trips.append(trip)
    guard Int.random(in: 0..<4, using: &random) == 0 else { return }
    var start = Int32.random(in: 0...20, using: &random) * 3600
    for _ in 0..<2 {
      let end = start + Int32.random(in: 1...4, using: &random) * 1800
      maker.feed.frequencies.append(
        TransitFeed.Frequency(
          trip: Int32(number), times: start..<end,
          headway: Int32.random(in: 1...5, using: &random) * 430,
          isExact: Bool.random(using: &random)))
      start = end + Int32.random(in: 0...1, using: &random) * 3600
    }
  }
}
