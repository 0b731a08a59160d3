import Cupola
import Testing

@testable import CupolaGuide
@testable import CupolaGuideBuilder
@testable import CupolaSupport
@testable import CupolaTransit

@Suite("Departure boards") struct DepartureBoardTests {
  private static func table() throws -> Timetable {
    var maker = try TimetableMaker.campus()
    maker.feed.info.version = "v1"
    for hour in [8, 9, 23] {
      maker.trip(
        "t\(hour)", headsign: "Downtown", [(0, "\(hour):00"), (1, "\(hour):10"), (2, "\(hour):20")])
    }
    maker.trip("night", [(0, "24:10"), (1, "24:20")])
    maker.trip("f", [(2, "0:00"), (1, "0:10"), (0, "0:20")])
    maker.frequency(4, "6:00-22:00", headway: 600)
    return try TimetableBuilder.timetable(maker.feed)
  }

  private func board(
    _ now: Double, version: String? = "v1", of table: Timetable? = nil, _ entities: TestMessage...
  ) throws -> DepartureBoard {
    let table = try table ?? Self.table()
    var header = TestMessage().with(1, "2.0").with(3, Int(now) - 20)
    if let version { header = header.with(4, version) }
    var feed = TestMessage().with(1, header)
    for entity in entities {
      feed = feed.with(2, TestMessage().with(1, "e").with(raw: entity.bytes))
    }
    return DepartureBoard(
      table, RealtimeState([try RealtimeFeed(bytes: feed.bytes)], of: table, at: now))
  }

  private func trip(_ id: String, _ date: String? = nil) -> TestMessage {
    let trip = TestMessage().with(1, id)
    return date.map { trip.with(3, $0) } ?? trip
  }

  private func late(_ sequence: Int, _ seconds: Int) -> TestMessage {
    TestMessage().with(1, sequence).with(3, TestMessage().with(1, seconds))
  }

  private func words(_ board: DepartureBoard, _ now: Double, limit: Int = 2) -> [String] {
    board.departures(at: ["A"], from: now, limit: limit).map { board.words(for: $0, now: now) }
  }

  @Test("Shows late, early, on-time, canceled and scheduled departures")
  func states() throws {
    let now = try moment("2026-05-04T08:56")
    #expect(words(try board(now), now, limit: 1) == ["55 Downtown in 4 min, scheduled"])
    let on = try board(now, TestMessage.update(trip("t9"), late(1, 20)))
    #expect(words(on, now, limit: 1) == ["55 Downtown in 4 min, on time"])
    let slow = try board(now, TestMessage.update(trip("t9", "20260504"), late(1, 150)))
    #expect(words(slow, now, limit: 1) == ["55 Downtown in 6 min, 2 min late"])
    let early = try board(now, TestMessage.update(trip("t9"), late(1, -120)))
    #expect(words(early, now, limit: 1) == ["55 Downtown in 2 min, 2 min early"])
    let gone = try board(now, TestMessage.update(trip("t9").with(4, 3)))
    #expect(words(gone, now, limit: 1) == ["55 Downtown in 4 min, canceled"])
    let skips = try board(now, TestMessage.update(trip("t9"), TestMessage().with(1, 1).with(5, 1)))
    #expect(words(skips, now, limit: 1) == ["55 Downtown in 4 min, does not stop"])
  }

  @Test("Wheelchair access comes from the vehicle, else the schedule")
  func wheelchairs() throws {
    var maker = try TimetableMaker.campus()
    maker.trip("no", [(0, "9:00"), (1, "9:10")])
    maker.feed.trips[0].wheelchair = 2
    let table = try TimetableBuilder.timetable(maker.feed)
    let now = try moment("2026-05-04T08:56")
    func fits(_ entity: TestMessage) throws -> Bool? {
      try board(now, of: table, entity).departures(at: ["A"], from: now, limit: 1)
        .first?.departure.isWheelchairAccessible
    }
    let told: [(Int, Bool?)] = [(0, false), (1, nil), (2, true), (3, false), (9, false)]
    for (number, expected) in told {
      let bus = TestMessage().with(4, number)
      let update = TestMessage().with(1, trip("no")).with(2, late(1, 60)).with(3, bus)
      #expect(try fits(TestMessage().with(3, update)) == expected)
      let place = TestMessage().with(1, trip("no")).with(8, bus)
      #expect(try fits(TestMessage().with(4, place)) == expected)
    }
    let times = ["A", "B"].map { stop in
      TestMessage().with(4, stop).with(3, TestMessage().with(2, Int(now) + 60))
    }
    let added = TestMessage().with(1, trip("new", "20260504").with(4, 1).with(5, "55"))
    let whole = added.with(2, times[0]).with(2, times[1]).with(3, TestMessage().with(4, 2))
    #expect(try fits(TestMessage().with(3, whole)) == true)
  }

  @Test("The last of several updates of a trip counts")
  func lastUpdate() throws {
    let now = try moment("2026-05-04T08:56")
    let updates = [60, 300].map { TestMessage.update(trip("t9", "20260504"), late(1, $0)) }
    #expect(
      words(try board(now, updates[0], updates[1]), now, limit: 1)
        == ["55 Downtown in 9 min, 5 min late"])
    #expect(
      words(try board(now, updates[1], updates[0]), now, limit: 1)
        == ["55 Downtown in 5 min, 1 min late"])
  }

  @Test("Hides a deleted trip")
  func deleted() throws {
    let now = try moment("2026-05-04T08:56")
    let board = try board(now, TestMessage.update(trip("t9", "20260504").with(4, 7)))
    #expect(words(board, now, limit: 1) == ["55 Downtown at 23:00, scheduled"])
    #expect(board.departures(at: ["A"], from: now, during: 600).isEmpty)
  }

  @Test("Keeps a late departure and hides one that left early")
  func window() throws {
    let now = try moment("2026-05-04T08:05")
    let board = try board(now, TestMessage.update(trip("t8"), late(1, 600)))
    #expect(words(board, now, limit: 1) == ["55 Downtown in 5 min, 10 min late"])
    let left = try self.board(now - 600, TestMessage.update(trip("t8"), late(1, -400)))
    #expect(words(left, now - 360, limit: 1) == ["55 Downtown at 09:00, scheduled"])
  }

  @Test("Keeps a very late departure until the vehicle leaves")
  func veryLate() throws {
    let update = TestMessage.update(trip("t8"), late(1, 4200))
    for (now, left) in [("2026-05-04T08:55", 15), ("2026-05-04T09:05", 5)] {
      let now = try moment(now)
      let found = words(try board(now, update), now, limit: 4)
      #expect(found.contains("55 Downtown in \(left) min, 70 min late"))
    }
    let gone = try moment("2026-05-04T09:11")
    #expect(!words(try board(gone, update), gone).joined().contains("late"))
  }

  @Test("Many recent departures do not displace later ones")
  func busy() throws {
    var maker = try TimetableMaker.campus()
    for number in 0..<700 {
      let time = "7:\(number / 12):\(number % 12 * 5)"
      maker.trip("p\(number)", [(0, time), (1, "9:00")])
    }
    maker.trip("next", [(0, "8:02"), (1, "9:00")])
    let now = try moment("2026-05-04T08:00")
    let board = try board(now, of: TimetableBuilder.timetable(maker.feed))
    #expect(words(board, now, limit: 1) == ["55 Stop B in 2 min, scheduled"])
  }

  @Test(
    "An update without a date applies to the trip on its way")
  func midnight() throws {
    let now = try moment("2026-05-05T00:05")
    let board = try board(now, TestMessage.update(trip("night"), late(1, 120)))
    let first = try #require(board.departures(at: ["A"], from: now, limit: 1).first)
    #expect(first.departure.key.trip.serviceDate == (try TimetableMaker.date(20_260_504)))
    #expect(first.status == .predicted(delay: 120))
  }

  @Test("Vehicles replace nearby frequency departures")
  func frequency() throws {
    let now = try moment("2026-05-04T12:00")
    let run = trip("f").with(2, "12:02:00")
    let time = TestMessage().with(1, 1).with(3, TestMessage().with(2, Int(now) + 180))
    let board = try board(now, TestMessage.update(run, time))
    let found = board.departures(at: ["C"], from: now, during: 1500)
    #expect(found.map { Int($0.time - now) / 60 } == [3, 10, 20])
    #expect(board.words(for: found[0], now: now).hasSuffix("in 3 min, on its way"))
    #expect(board.words(for: found[1], now: now).hasSuffix("in 10 min, every 10 min"))
  }

  @Test("Shows added trips with their route")
  func added() throws {
    let now = try moment("2026-05-04T12:00")
    func call(_ stop: String, _ minutes: Int) -> TestMessage {
      TestMessage().with(4, stop).with(3, TestMessage().with(2, Int(now) + 60 * minutes))
    }
    let extra = TestMessage().with(1, "extra").with(5, "55").with(4, 1)
    let board = try board(now, TestMessage.update(extra, call("A", 2), call("C", 9)))
    #expect(words(board, now, limit: 1) == ["55 Stop C in 2 min, on its way"])
    let beyond = TestMessage.update(extra, call("A", 2), call("B", 5), call("far away", 9))
    #expect(words(try self.board(now, beyond), now, limit: 1) == ["55 Stop B in 2 min, on its way"])
    // The service day is determined by the first time at a stop, even if the preceding stop is skipped.
    let short = TestMessage.update(
      extra, TestMessage().with(4, "B").with(5, 1), call("A", 2), call("C", 9))
    let first = try self.board(now, short).departures(at: ["A"], from: now, limit: 1).first
    #expect(first?.departure.key.trip.serviceDate == (try TimetableMaker.date(20_260_504)))
  }

  @Test("A replaced trip follows its new stops and skips the others")
  func replaced() throws {
    let now = try moment("2026-05-04T08:56")
    func call(_ stop: String, _ minutes: Int, _ relationship: Int = 0) -> TestMessage {
      TestMessage().with(4, stop).with(1, minutes).with(5, relationship)
        .with(3, TestMessage().with(2, Int(now) + 60 * minutes))
    }
    func words(_ stop: String, _ update: TestMessage) throws -> [String] {
      let board = try self.board(now, update)
      return board.departures(at: [stop], from: now, during: 2400)
        .filter { $0.departure.key.trip.tripID != "f" }.map { board.words(for: $0, now: now) }
    }
    let trip = trip("t9", "20260504").with(4, 5)
    // The first update omits stop B and ends at C; the second goes from B to A and skips C.
    let short = TestMessage.update(trip, call("A", 6), call("detour", 12), call("C", 20))
    #expect(try words("A", short) == ["55 Stop C in 6 min, on its way"])
    #expect(try words("B", short) == ["55 Downtown in 14 min, does not stop"])
    #expect(try words("C", short) == [])
    let other = TestMessage.update(trip, call("B", 5), call("A", 9), call("C", 20, 1))
    #expect(try words("B", other) == ["55 Stop A in 5 min, on its way"])
    #expect(try words("A", other) == ["55 Downtown in 4 min, does not stop"])
    let far = TestMessage.update(trip, call("A", 900), call("C", 990))
    #expect(self.words(try board(now, far), now, limit: 1) == ["55 Downtown at 23:00, scheduled"])
    let foreign = TestMessage().with(1, "foreign").with(4, 5).with(5, "55")
    let here = TestMessage.update(foreign, call("far", 1), call("A", 8), call("C", 20))
    #expect(try words("A", here).contains("55 Stop C in 8 min, on its way"))
    let part = TestMessage.update(trip, late(6, 120))
    #expect(try words("A", part) == ["55 Downtown in 4 min, scheduled"])
    #expect(try words("B", part) == ["55 Downtown in 16 min, 2 min late"])
  }

  @Test("New trips can report only a delay or no data")
  func ownSchedule() throws {
    let now = try moment("2026-05-04T12:00")
    func call(_ stop: String, _ minutes: Int, _ late: Int?) -> TestMessage {
      let event = TestMessage().with(4, Int(now) + 60 * minutes)
      return TestMessage().with(4, stop).with(5, late == nil ? 2 : 0)
        .with(3, late.map { event.with(1, $0) } ?? event)
    }
    let new = TestMessage().with(1, "new").with(5, "55").with(4, 8)
    let board = try board(now, TestMessage.update(new, call("A", 2, 180), call("C", 9, 0)))
    #expect(words(board, now, limit: 1) == ["55 Stop C in 5 min, on its way"])
    let silent = try self.board(now, TestMessage.update(new, call("A", 2, nil), call("C", 9, nil)))
    #expect(words(silent, now, limit: 1) == ["55 Stop C in 2 min, scheduled"])
  }

  @Test("A duplicated trip does not change its original")
  func copies() throws {
    let now = try moment("2026-05-04T08:56")
    let copy = TestMessage.update(trip("t9", "20260504").with(4, 6), late(1, 1200))
    let alone = try board(now, copy)
    #expect(words(alone, now, limit: 1) == ["55 Downtown in 4 min, scheduled"])
    let both = try board(now, TestMessage.update(trip("t9", "20260504"), late(1, 0)), copy)
    #expect(words(both, now, limit: 1) == ["55 Downtown in 4 min, on time"])
    #expect(alone.realtime?.unknownTrips == 1 && both.realtime?.unknownTrips == 1)
  }

  @Test("A duplicated trip departs at its own time with its delay")
  func copyAtItsTime() throws {
    let now = try moment("2026-05-04T08:56")
    func copy(_ properties: TestMessage) -> TestMessage {
      TestMessage().with(
        3,
        TestMessage().with(1, trip("t9", "20260501").with(4, 6)).with(2, late(1, 120))
          .with(6, properties))
    }
    let properties = TestMessage().with(1, "t9 again").with(2, "20260504").with(3, "9:05:00")
    let board = try board(now, copy(properties))
    #expect(
      words(board, now) == [
        "55 Downtown in 4 min, scheduled", "55 Downtown in 11 min, 2 min late",
      ])
    #expect(board.realtime?.unknownTrips == 0)
    let there = board.departures(at: ["B"], from: now).filter {
      $0.departure.key.trip.tripID == "t9 again"
    }
    #expect(there.map { Int($0.time - now) / 60 } == [21])
    let taken = TestMessage().with(1, "t8").with(2, "20260504").with(3, "9:05:00")
    #expect(try self.board(now, copy(taken)).realtime?.unknownTrips == 1)
  }

  @Test("Reports old data, other feed versions and alerts")
  func notices() throws {
    let now = try moment("2026-05-04T12:00")
    let alert = TestMessage().with(
      5,
      TestMessage().with(5, TestMessage().with(2, "55"))
        .with(10, TestMessage().with(1, TestMessage().with(1, "Detour\u{7}"))))
    let board = try board(now, version: "v2", alert, TestMessage.update(trip("unknown")))
    #expect(board.realtime?.unknownTrips == 1)
    let fresh = board.notices(at: ["A"], now: now)
    #expect(fresh.count == 2 && fresh[0].contains("v2") && fresh[1].hasPrefix("Detour"))
    #expect(!fresh[1].contains("\u{7}"))
    let old = board.notices(at: ["A"], now: now + 200)
    #expect(old.first == "realtime data is 3 min old")
    #expect(
      board.realtime?.isOld(at: now + 60) == false && board.realtime?.isOld(at: now + 71) == true)
  }

  @Test("Any departure limit is valid")
  func limits() throws {
    let now = try moment("2026-05-04T07:56")
    for board in [try board(now), DepartureBoard(try Self.table())] {
      for limit in [Int.min, -1, 0] {
        #expect(board.departures(at: ["A"], from: now, limit: limit).isEmpty)
      }
      #expect(board.departures(at: ["A"], from: now, during: 600, limit: .max).count == 1)
    }
  }

  @Test("An infinite polling interval fetches once")
  func pollOnce() async throws {
    let poll = RealtimePoll(try Self.table(), every: .infinity)
    let count = Locked(0)
    let task = Task {
      await poll.run {
        []
      } take: { _ in
        count.withLock { $0 += 1 }
      }
    }
    while count.withLock({ $0 }) == 0 { await Task.yield() }
    task.cancel()
    await task.value
    #expect(count.withLock { $0 } == 1)
  }

  @Test("Polling continues after an error and ends with its task")
  func poll() async throws {
    let table = try Self.table()
    let count = Locked(0)
    let poll = RealtimePoll(table, clock: { 1_000_020 }) { seconds in
      #expect(seconds == 30)
      if count.withLock({ $0 }) >= 3 { throw CancellationError() }
    }
    let states = Locked([String]())
    await poll.run {
      let number = count.withLock { value in
        value += 1
        return value
      }
      if number == 2 { throw GuideError.canceled }
      return [TestMessage.feed()]
    } take: { answer in
      states.withLock { all in
        switch answer {
        case .state(let state): all.append("age \(state.age(at: 1_000_020) ?? -1)")
        case .failed(let problem): all.append(problem.isEmpty ? "" : "failed")
        }
      }
    }
    #expect(states.withLock { $0 } == ["age 20.0", "failed", "age 20.0"])
  }
}
