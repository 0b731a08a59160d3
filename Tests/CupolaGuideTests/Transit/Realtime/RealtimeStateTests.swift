import Testing
@testable import CupolaGuide
@testable import CupolaGuideBuilder
@testable import CupolaSupport
@testable import CupolaTransit

@Suite("Realtime state of trips and vehicles") struct RealtimeStateTests {
  private let table: Timetable
  private let state: RealtimeState
  private let now: Double

  init() throws {
    var maker = try TimetableMaker.campus()
    maker.trip("early", [(0, "8:00"), (1, "8:10")])
    maker.trip("late", [(0, "9:00"), (1, "9:10")])
    table = try TimetableBuilder.timetable(maker.feed)
    now = try moment("2026-05-04T08:01")
    let early = TestMessage().with(1, "early").with(3, "20260504")
    let stop = TestMessage().with(4, "A").with(3, TestMessage().with(1, 120))
    func vehicle(_ id: String, _ trip: TestMessage) -> TestMessage {
      let name = TestMessage().with(1, id)
      return TestMessage().with(4, TestMessage().with(1, trip).with(8, name))
    }
    let bytes = TestMessage.feed(
      at: Int(now), TestMessage.update(early, stop), vehicle("bus 7", early),
      vehicle("bus 8", TestMessage().with(1, "late")), vehicle("bus 9", TestMessage()))
    state = RealtimeState([try RealtimeFeed(bytes: bytes)], of: table, at: now)
  }

  private func key(_ id: String, _ date: Int = 20_260_504) throws -> TripInstance.Key {
    TripInstance.Key(tripID: id, serviceDate: try TimetableMaker.date(date))
  }

  @Test("Predicts a trip on its service day only")
  func prediction() throws {
    let trip = try #require(table.instance(try key("early")))
    #expect(state.prediction(for: trip)?.calls.map(\.delay) == [120, 120])
    for other in [try key("early", 20_260_505), try key("late")] {
      #expect(state.prediction(for: try #require(table.instance(other))) == nil)
    }
  }

  @Test("A vehicle belongs to its trip, today if no date is given")
  func vehicles() throws {
    func vehicles(_ key: TripInstance.Key) -> [String?] {
      state.vehicles(of: key, at: now).map(\.id)
    }
    let (early, late) = (try key("early"), try key("late"))
    #expect(vehicles(early) == ["bus 7"] && vehicles(late) == ["bus 8"])
    let (tomorrow, lateTomorrow) = (try key("early", 20_260_505), try key("late", 20_260_505))
    #expect(vehicles(tomorrow).isEmpty && vehicles(lateTomorrow).isEmpty)
  }

  @Test("A duplicated trip has its own prediction and vehicle")
  func copy() throws {
    let properties = TestMessage().with(1, "again").with(2, "20260504").with(3, "8:30:00")
    let late = TestMessage().with(4, "A").with(3, TestMessage().with(1, 60))
    let update = TestMessage().with(1, TestMessage().with(1, "early").with(4, 6)).with(2, late)
      .with(6, properties)
    let again = TestMessage().with(1, "again").with(3, "20260504").with(4, 6)
    let vehicle = TestMessage().with(1, again).with(8, TestMessage().with(1, "bus 3"))
    let bytes = TestMessage.feed(
      at: Int(now), TestMessage().with(3, update), TestMessage().with(4, vehicle))
    let state = RealtimeState([try RealtimeFeed(bytes: bytes)], of: table, at: now)
    let board = DepartureBoard(table, state).departures(at: ["A"], from: now, limit: 1)
    let shown = try #require(board.first).departure.key.trip
    let trip = try #require(state.instance(shown))
    #expect(shown.tripID == "again" && table.instance(shown) == nil)
    #expect(trip.calls.map(\.departure) == [now + 29 * 60, now + 39 * 60])
    #expect(state.prediction(for: trip)?.calls.map(\.delay) == [60, 60])
    #expect(state.vehicles(of: shown, at: now).map(\.id) == ["bus 3"])
    let (other, early) = (try key("again", 20_260_505), try key("early"))
    #expect(state.instance(other) == nil)
    #expect(state.vehicles(of: other, at: now).isEmpty)
    #expect(state.instance(early) == table.instance(early))
  }

  @Test("Shortens a long feed version")
  func longVersion() throws {
    var maker = try TimetableMaker.campus()
    maker.feed.info.version = "v1"
    let table = try TimetableBuilder.timetable(maker.feed)
    let version = String(repeating: "v", count: 100_000)
    let feed = try RealtimeFeed(bytes: TestMessage.feed(at: Int(now), version: version))
    let notice = try #require(RealtimeState([feed], of: table, at: now).versionNotice)
    #expect(notice.utf8.count < 300)
  }

  @Test("An added trip has its vehicle")
  func added() throws {
    func call(_ stop: String, _ minutes: Int) -> TestMessage {
      TestMessage().with(4, stop).with(3, TestMessage().with(2, Int(now) + 60 * minutes))
    }
    let extra = TestMessage().with(1, "extra").with(5, "55").with(4, 1)
    let vehicle = TestMessage().with(1, extra).with(8, TestMessage().with(1, "bus 5"))
    let bytes = TestMessage.feed(
      at: Int(now), TestMessage.update(extra, call("A", 2), call("B", 9)),
      TestMessage().with(4, vehicle))
    let state = RealtimeState([try RealtimeFeed(bytes: bytes)], of: table, at: now)
    let board = DepartureBoard(table, state).departures(at: ["A"], from: now, limit: 1)
    let shown = try #require(board.first).departure.key.trip
    #expect(shown.tripID == "extra")
    #expect(state.vehicles(of: shown, at: now).map(\.id) == ["bus 5"])
  }
}

@Suite("Alerts at stops") struct RealtimeAlertTests {
  private let table: Timetable
  private let now: Double

  init() throws {
    var maker = try TimetableMaker.campus()
    maker.stop("hub", locationType: 1)
    maker.stop("hub1", in: 3)
    maker.stop("hub2", in: 3)
    maker.trip("t9", [(4, "9:00"), (1, "9:10")])
    maker.trip("t10", [(5, "10:00"), (1, "10:10")])
    maker.trip("f", [(0, "0:00"), (1, "0:10")])
    maker.frequency(2, "9:00-10:00", headway: 600, isExact: true)
    maker.route("7")
    maker.trip("there", route: 1, direction: 0, [(0, "9:00"), (1, "9:10"), (2, "9:20")])
    maker.trip("back", route: 1, direction: 1, [(2, "9:00"), (1, "9:10"), (0, "9:20")])
    table = try TimetableBuilder.timetable(maker.feed)
    now = try moment("2026-05-04T08:56")
  }

  /// Returns whether an alert about `subject` is shown at a stop.
  private func isShown(_ subject: TestMessage, at stop: String) throws -> Bool {
    let text = TestMessage().with(1, TestMessage().with(1, "Mind the gap"))
    let alert = TestMessage().with(5, TestMessage().with(5, subject).with(10, text))
    let feed = try RealtimeFeed(bytes: TestMessage.feed(at: Int(now), alert))
    let board = DepartureBoard(table, RealtimeState([feed], of: table, at: now))
    return board.notices(at: [stop], now: now) == ["Mind the gap"]
  }

  @Test("Shows alerts of a platform at its station and vice versa")
  func stations() throws {
    func stop(_ id: String) -> TestMessage { TestMessage().with(5, id) }
    for place in ["hub", "hub1"] {
      #expect(try isShown(stop("hub1"), at: place) && isShown(stop("hub"), at: place))
    }
    #expect(try !isShown(stop("hub2"), at: "hub1") && !isShown(stop("hub"), at: "A"))
    #expect(try isShown(stop("A"), at: "A") && !isShown(stop("A"), at: "hub"))
  }

  @Test("Shows the description of an alert with an empty header")
  func emptyHeader() throws {
    func text(_ text: String) -> TestMessage { TestMessage().with(1, TestMessage().with(1, text)) }
    let subject = TestMessage().with(5, TestMessage().with(5, "A")).with(10, text(" "))
    let alerts = [subject.with(11, text("Mind the gap")), subject]
    let feed = try RealtimeFeed(
      bytes: TestMessage.feed(
        at: Int(now), TestMessage().with(5, alerts[0]), TestMessage().with(5, alerts[1])))
    let board = DepartureBoard(table, RealtimeState([feed], of: table, at: now))
    #expect(board.notices(at: ["A"], now: now) == ["Mind the gap"])
  }

  @Test("Shows alerts of one trip only where it departs")
  func trips() throws {
    func trip(
      _ id: String, _ date: String? = nil, start: String? = nil, stop: String? = nil
    ) -> TestMessage {
      var trip = TestMessage().with(1, id)
      if let date { trip = trip.with(3, date) }
      if let start { trip = trip.with(2, start) }
      let subject = TestMessage().with(2, "55").with(4, trip)
      return stop.map { subject.with(5, $0) } ?? subject
    }
    #expect(try isShown(trip("t9"), at: "hub1") && isShown(trip("t9", "20260504"), at: "hub"))
    #expect(try !isShown(trip("t9"), at: "hub2") && !isShown(trip("other"), at: "hub"))
    #expect(try !isShown(trip("t9", "20260503"), at: "hub"))
    #expect(try !isShown(trip("t9", "20260507"), at: "hub"))
    #expect(try isShown(trip("f", "20260504", start: "9:20:00"), at: "A"))
    #expect(try !isShown(trip("f", "20260504", start: "9:21:00"), at: "A"))
    #expect(try isShown(trip("t9", stop: "hub1"), at: "hub"))
    #expect(try !isShown(trip("t9", stop: "hub2"), at: "hub1"))
    // The alert's subject is a route, in both of the format's fields.
    #expect(try isShown(TestMessage().with(2, "55"), at: "hub2"))
    #expect(try isShown(TestMessage().with(4, TestMessage().with(5, "55")), at: "hub2"))
    #expect(try isShown(TestMessage().with(4, TestMessage().with(1, "").with(5, "55")), at: "hub2"))
  }

  @Test("Shows alerts of one direction only where it departs")
  func directions() throws {
    func line(_ direction: Int, stop: String? = nil) -> TestMessage {
      let subject = TestMessage().with(2, "7").with(6, direction)
      return stop.map { subject.with(5, $0) } ?? subject
    }
    #expect(
      try isShown(line(0), at: "A") && isShown(line(0), at: "B") && !isShown(line(0), at: "C"))
    #expect(
      try !isShown(line(1), at: "A") && isShown(line(1), at: "B") && isShown(line(1), at: "C"))
    #expect(try isShown(line(1, stop: "C"), at: "C") && !isShown(line(0, stop: "C"), at: "C"))
    // The direction is in the other field, and the route has no directions in the schedule.
    let trips = TestMessage().with(4, TestMessage().with(5, "7").with(6, 0))
    #expect(try isShown(trips, at: "A") && !isShown(trips, at: "C") && !isShown(trips, at: "hub"))
    #expect(try isShown(TestMessage().with(2, "55").with(6, 1), at: "hub"))
  }

  @Test("Shows alerts of a trip given by start time where it departs")
  func starts() throws {
    func trip(_ start: String, direction: Int? = 0) -> TestMessage {
      var trip = TestMessage().with(5, "7").with(2, start).with(3, "20260504")
      if let direction { trip = trip.with(6, direction) }
      return TestMessage().with(2, "7").with(4, trip)
    }
    #expect(try isShown(trip("9:00:00"), at: "A") && !isShown(trip("9:00:00"), at: "C"))
    #expect(try !isShown(trip("9:01:00"), at: "A"))
    #expect(try !isShown(trip("9:00:00", direction: nil), at: "A"))
  }

  @Test("Shows alerts of an agency or route type where its routes call")
  func agencies() throws {
    let (ours, others) = (TestMessage().with(1, "1"), TestMessage().with(1, "2"))
    let (bus, ferry) = (3, 4)
    #expect(try isShown(ours, at: "A") && !isShown(others, at: "A"))
    #expect(try isShown(ours.with(3, bus), at: "A") && !isShown(ours.with(3, ferry), at: "A"))
    #expect(try isShown(TestMessage().with(3, bus), at: "A"))
    #expect(try !isShown(TestMessage().with(3, ferry), at: "A"))
    #expect(try !isShown(others.with(3, bus), at: "A"))
  }
}
