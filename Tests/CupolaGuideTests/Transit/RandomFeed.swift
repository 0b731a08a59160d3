import Cupola

@testable import CupolaGuide

/// Small feeds with everything in them: clock changes, exceptions, loops, overtaking, frequencies.
enum RandomFeed {
  /// Days with a clock change in the middle of the two weeks from there.
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
    // Few different values, so that equal times are common.
    var time = Int32.random(in: 0...26 * 6, using: &random) * 600
    for (place, stop) in pattern.enumerated() {
      time += Int32.random(in: 0...4, using: &random) * 150
      var call = TransitFeed.StopTime(
        stop: stop, arrival: time, departure: time, sequence: Int32(place + 1))
      call.departure += Int32.random(in: 0...3, using: &random) / 2 * 60
      time = call.departure
      // Most trips of a kind share their calls, and overtake one another.
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
