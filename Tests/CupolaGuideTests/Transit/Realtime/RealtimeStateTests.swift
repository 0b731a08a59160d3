import Testing

@testable import CupolaGuide

@Suite("What is known of trips and of their vehicles") struct RealtimeStateTests {
  private let table: Timetable
  private let state: RealtimeState
  private let now: Double

  init() throws {
    var maker = try TimetableMaker.campus()
    maker.trip("early", [(0, "8:00"), (1, "8:10")])
    maker.trip("late", [(0, "9:00"), (1, "9:10")])
    table = try Timetable(maker.feed)
    now = try moment("2026-05-04T08:01")
    let early = MadeMessage().with(1, "early").with(3, "20260504")
    let stop = MadeMessage().with(4, "A").with(3, MadeMessage().with(1, 120))
    func vehicle(_ id: String, _ trip: MadeMessage) -> MadeMessage {
      let name = MadeMessage().with(1, id)
      return MadeMessage().with(4, MadeMessage().with(1, trip).with(8, name))
    }
    let bytes = MadeMessage.feed(
      at: Int(now), MadeMessage.update(early, stop), vehicle("bus 7", early),
      vehicle("bus 8", MadeMessage().with(1, "late")), vehicle("bus 9", MadeMessage()))
    state = RealtimeState([try RealtimeFeed(bytes: bytes)], of: table, at: now)
  }

  private func key(_ id: String, _ date: Int = 20_260_504) throws -> TripInstance.Key {
    TripInstance.Key(tripID: id, serviceDate: try TimetableMaker.date(date))
  }

  @Test("A trip is predicted on its day, and no other")
  func prediction() throws {
    let trip = try #require(table.instance(try key("early")))
    #expect(state.prediction(for: trip)?.calls.map(\.delay) == [120, 120])
    for other in [try key("early", 20_260_505), try key("late")] {
      #expect(state.prediction(for: try #require(table.instance(other))) == nil)
    }
  }

  @Test("A vehicle is that of the trip that it says, today where it says no day")
  func vehicles() throws {
    func vehicles(_ key: TripInstance.Key) -> [String?] {
      state.vehicles(of: key, in: table, at: now).map(\.id)
    }
    let (early, late) = (try key("early"), try key("late"))
    #expect(vehicles(early) == ["bus 7"] && vehicles(late) == ["bus 8"])
    let (tomorrow, lateTomorrow) = (try key("early", 20_260_505), try key("late", 20_260_505))
    #expect(vehicles(tomorrow).isEmpty && vehicles(lateTomorrow).isEmpty)
  }

  @Test("A copy of a trip is a trip with what is known of it and with its vehicle")
  func copy() throws {
    let properties = MadeMessage().with(1, "again").with(2, "20260504").with(3, "8:30:00")
    let late = MadeMessage().with(4, "A").with(3, MadeMessage().with(1, 60))
    let update = MadeMessage().with(1, MadeMessage().with(1, "early").with(4, 6)).with(2, late)
      .with(6, properties)
    let again = MadeMessage().with(1, "again").with(3, "20260504").with(4, 6)
    let vehicle = MadeMessage().with(1, again).with(8, MadeMessage().with(1, "bus 3"))
    let bytes = MadeMessage.feed(
      at: Int(now), MadeMessage().with(3, update), MadeMessage().with(4, vehicle))
    let state = RealtimeState([try RealtimeFeed(bytes: bytes)], of: table, at: now)
    let board = DepartureBoard(table, state).departures(at: ["A"], from: now, limit: 1)
    let shown = try #require(board.first).departure.key.trip
    let trip = try #require(state.instance(shown, in: table))
    #expect(shown.tripID == "again" && table.instance(shown) == nil)
    #expect(trip.calls.map(\.departure) == [now + 29 * 60, now + 39 * 60])
    #expect(state.prediction(for: trip)?.calls.map(\.delay) == [60, 60])
    #expect(state.vehicles(of: shown, in: table, at: now).map(\.id) == ["bus 3"])
    let (other, early) = (try key("again", 20_260_505), try key("early"))
    #expect(state.instance(other, in: table) == nil)
    #expect(state.vehicles(of: other, in: table, at: now).isEmpty)
    #expect(state.instance(early, in: table) == table.instance(early))
  }

  @Test("Of a message's version only the beginning is told")
  func longVersion() throws {
    var maker = try TimetableMaker.campus()
    maker.feed.info.version = "v1"
    let table = try Timetable(maker.feed)
    let version = String(repeating: "v", count: 100_000)
    let feed = try RealtimeFeed(bytes: MadeMessage.feed(at: Int(now), version: version))
    let notice = try #require(RealtimeState([feed], of: table, at: now).versionNotice)
    #expect(notice.utf8.count < 300)
  }

  @Test("An added trip has its vehicle")
  func added() throws {
    func call(_ stop: String, _ minutes: Int) -> MadeMessage {
      MadeMessage().with(4, stop).with(3, MadeMessage().with(2, Int(now) + 60 * minutes))
    }
    let extra = MadeMessage().with(1, "extra").with(5, "55").with(4, 1)
    let vehicle = MadeMessage().with(1, extra).with(8, MadeMessage().with(1, "bus 5"))
    let bytes = MadeMessage.feed(
      at: Int(now), MadeMessage.update(extra, call("A", 2), call("B", 9)),
      MadeMessage().with(4, vehicle))
    let state = RealtimeState([try RealtimeFeed(bytes: bytes)], of: table, at: now)
    let board = DepartureBoard(table, state).departures(at: ["A"], from: now, limit: 1)
    let shown = try #require(board.first).departure.key.trip
    #expect(shown.tripID == "extra")
    #expect(state.vehicles(of: shown, in: table, at: now).map(\.id) == ["bus 5"])
  }
}
