import Testing
@testable import CupolaGuide
@testable import CupolaGuideBuilder
@testable import CupolaSupport
@testable import CupolaTransit

@Suite("Trip matching by id") struct RealtimeTripTests {
  private let table: Timetable

  init() throws {
    var maker = try TimetableMaker.campus()
    maker.trip("day", [(0, "8:00"), (1, "8:10")])
    maker.trip("night", [(0, "24:10"), (1, "24:20")])
    table = try TimetableBuilder.timetable(maker.feed)
  }

  private func day(
    _ id: String, _ date: String?, start: String? = nil, reported: String? = nil,
    now: String = "2026-05-05T00:05"
  ) throws -> Int? {
    let trip = RealtimeFeed.Trip(id: id, startTime: start, startDate: date)
    let key = RealtimeState.key(
      of: trip, in: table, at: try moment(now), reported: try reported.map { try moment($0) })
    return key.map { $0.serviceDate.parts.day }
  }

  @Test("Dates have eight digits")
  func dates() throws {
    #expect(RealtimeState.date("20261123") == (try TimetableMaker.date(20_261_123)))
    for text in ["", "+2020101", "2020-1-1", "20261131", "00000101", "202611230"] {
      #expect(RealtimeState.date(text) == nil, "\(text)")
    }
  }

  @Test("A date is the service day, also past midnight")
  func serviceDay() throws {
    #expect(try day("day", "20260504") == 4)
    #expect(try day("night", "20260504") == 4)
    #expect(try day("night", "20260504", start: "24:10:00") == 4)
    #expect(try day("night", "20260504", reported: "2026-05-05T00:12") == 4)
  }

  @Test("A time can show that a date is the calendar day")
  func calendarDay() throws {
    #expect(try day("night", "20260505", reported: "2026-05-05T00:12") == 4)
    #expect(try day("night", "20260505", start: "00:10:00") == 4)
    #expect(try day("night", "20260505", reported: "2026-05-06T00:12") == 5)
    #expect(try day("night", "20260505", start: "24:10:00") == 5)
    #expect(try day("day", "20260505", reported: "2026-05-04T08:01") == 5)
  }

  @Test("Without a date, the trip on its way or the nearest one is meant")
  func noDate() throws {
    #expect(try day("night", nil) == 4)
    #expect(try day("day", nil, now: "2026-05-04T21:00") == 5)
    #expect(try day("day", nil, now: "2026-05-04T19:00") == 4)
    // If the message is more than half a day before the departure, the predicted time determines the day.
    #expect(try day("day", nil, reported: "2026-05-05T08:02", now: "2026-05-04T19:00") == 5)
    #expect(try day("day", nil, reported: "2026-05-04T08:12", now: "2026-05-04T21:00") == 4)
    #expect(try day("unknown", "20260504") == nil && day("day", "20261399") == nil)
  }

  @Test("Times must not have signs")
  func signs() {
    #expect(RealtimeState.seconds("25:10:00") == 90_600)
    for text in ["+9:00:00", "09:+5:00", "09:05:-0"] {
      #expect(RealtimeState.seconds(text) == nil, "\(text)")
    }
  }
}

@Suite("Trip matching by route, direction, start and date") struct TripFinderTests {
  private let table: Timetable
  private let now: Double

  init() throws {
    var maker = try TimetableMaker.campus()
    maker.route("7")
    maker.trip("there", direction: 0, [(0, "9:00"), (1, "9:10"), (2, "9:20")])
    maker.trip("back", direction: 1, [(2, "9:00"), (1, "9:10"), (0, "9:20")])
    maker.trip("other", route: 1, direction: 0, [(0, "9:00"), (1, "9:15")])
    maker.trip("night", direction: 0, [(0, "24:10"), (1, "24:20")])
    maker.trip("express", direction: 0, [(0, "10:00"), (2, "10:10")])
    maker.trip("slow", direction: 0, [(0, "10:00"), (1, "10:10"), (2, "10:20")])
    maker.trip("plain", [(0, "11:00"), (1, "11:10")])
    maker.trip("often", direction: 0, [(0, "12:00"), (1, "12:10")])
    maker.frequency(7, "12:00-13:00", headway: 600)
    table = try TimetableBuilder.timetable(maker.feed)
    now = try moment("2026-05-04T08:50")
  }

  private func trip(
    _ route: String? = "55", direction: Int? = 0, start: String? = "9:00:00",
    date: String? = "20260504"
  ) -> TestMessage {
    var trip = TestMessage()
    if let route { trip = trip.with(5, route) }
    if let direction { trip = trip.with(6, direction) }
    if let start { trip = trip.with(2, start) }
    if let date { trip = trip.with(3, date) }
    return trip
  }

  private func late(_ stop: String, sequence: Int? = nil) -> TestMessage {
    let late = TestMessage().with(4, stop).with(3, TestMessage().with(1, 120))
    return sequence.map { late.with(1, $0) } ?? late
  }

  private func state(_ entities: TestMessage...) throws -> RealtimeState {
    var feed = TestMessage().with(1, TestMessage().with(1, "2.0").with(3, Int(now)))
    for entity in entities {
      feed = feed.with(2, TestMessage().with(1, "e").with(raw: entity.bytes))
    }
    return RealtimeState([try RealtimeFeed(bytes: feed.bytes)], of: table, at: now)
  }

  /// Returns the ID of the trip that an update matches.
  private func found(_ trip: TestMessage) throws -> String? {
    let state = try state(TestMessage.update(trip, late("A"), late("B")))
    #expect(state.updates.count + state.unknownTrips == 1)
    return state.updates.keys.first?.tripID
  }

  @Test("Matches the scheduled trip with all four values")
  func fits() throws {
    #expect(try found(trip()) == "there" && found(trip(direction: 1)) == "back")
    #expect(try found(trip("7")) == "other")
    #expect(try found(trip(start: "24:10:00")) == "night")
    #expect(try found(trip().with(1, "")) == "there")
    #expect(try found(trip().with(4, 3)) == "there")
  }

  @Test("A missing or unmatched value makes the trip unknown")
  func unknown() throws {
    #expect(try found(trip(nil)) == nil && found(trip(direction: nil)) == nil)
    #expect(try found(trip(start: nil)) == nil && found(trip(date: nil)) == nil)
    #expect(try found(trip("8")) == nil && found(trip(start: "9:01:00")) == nil)
    #expect(try found(trip(date: "20270504")) == nil && found(trip(direction: -1)) == nil)
    // The first trip has no direction, and the second one has a frequency. An unknown trip ID is not replaced.
    #expect(try found(trip(start: "11:00:00")) == nil && found(trip(start: "12:00:00")) == nil)
    #expect(try found(trip().with(1, "nobody")) == nil)
  }

  @Test("Two trips with the same start are ambiguous")
  func ambiguous() throws {
    #expect(try found(trip(start: "10:00:00")) == nil)
  }

  @Test("An added trip does not match a scheduled trip")
  func added() throws {
    for relationship in [1, 8] {
      let added = trip().with(4, relationship)
      let state = try state(TestMessage.update(added, late("A"), late("B")))
      #expect(state.updates.isEmpty && state.added.count == 1)
    }
  }

  @Test("The board matches stops by id, not by foreign sequences")
  func board() throws {
    let state = try state(TestMessage.update(trip(), late("B", sequence: 1)))
    let board = DepartureBoard(table, state)
    func words(_ stop: String) -> String? {
      board.departures(at: [stop], from: now).first { $0.departure.key.trip.tripID == "there" }
        .map { board.words(for: $0, now: now) }
    }
    #expect(words("A") == "55 Stop C in 10 min, scheduled")
    #expect(words("B") == "55 Stop C in 22 min, 2 min late")
  }

  @Test("A stop sequence selects a call of a loop")
  func ring() throws {
    var maker = try TimetableMaker.campus()
    maker.trip("ring", direction: 0, [(0, "9:00"), (1, "9:10"), (0, "9:20"), (2, "9:30")])
    let ring = try TimetableBuilder.timetable(maker.feed)
    let bytes = TestMessage.feed(
      at: Int(now), TestMessage.update(trip(), late("A", sequence: 11)))
    let state = RealtimeState([try RealtimeFeed(bytes: bytes)], of: ring, at: now)
    let key = try #require(state.updates.keys.first)
    let delays = state.prediction(for: try #require(ring.instance(key)))?.calls.map(\.delay)
    #expect(delays == [nil, nil, 120, 120])
  }

  @Test("Vehicles and alerts match trips in the same way")
  func others() throws {
    let vehicle = TestMessage().with(
      4, TestMessage().with(1, trip()).with(8, TestMessage().with(1, "bus 3")))
    let alert = TestMessage().with(5, TestMessage().with(5, TestMessage().with(4, trip())))
    let state = try state(vehicle, alert)
    let date = try TimetableMaker.date(20_260_504)
    let there = TripInstance.Key(tripID: "there", serviceDate: date)
    let back = TripInstance.Key(tripID: "back", serviceDate: date)
    #expect(state.vehicles(of: there, at: now).map(\.id) == ["bus 3"])
    #expect(state.vehicles(of: back, at: now).isEmpty)
    #expect(state.alerts(stops: [], routes: ["55"], trips: [there], at: now).count == 1)
    #expect(state.alerts(stops: [], routes: ["55"], trips: [back], at: now).isEmpty)
  }
}
