import CupolaTestSupport
import Cupola
import CupolaCampus
import Testing
@testable import CupolaGuide
@testable import CupolaGuideBuilder
@testable import CupolaSupport
@testable import CupolaTransit

@Suite("Timetable coding")
struct TimetableCodingTests {
  private static func full() throws -> TransitFeed {
    var maker = try TimetableMaker.campus()
    maker.feed.info.publisher = "Campus"
    maker.feed.info.version = "2026-1"
    maker.feed.info.start = try TimetableMaker.date(20_260_201)
    maker.feed.info.end = try TimetableMaker.date(20_260_630)
    maker.feed.stops[0].point = MapPoint(latitude: 42.05, longitude: -87.68)
    maker.feed.stops[0].code = "17"
    maker.stop("hub", locationType: 1)
    maker.stop("hub1", in: 3)
    maker.feed.stops[4].platform = "1"
    maker.feed.stops[4].wheelchair = 2
    maker.feed.routes[0].color = "00AAFF"
    maker.trip("10004711", headsign: "Ünïversity", direction: 1, [(0, "8:00"), (4, "8:10")])
    maker.trip("10004712", headsign: "Ünïversity", direction: 1, [(0, "25:00"), (4, "25:10")])
    maker.trip("1000", [(4, "8:00"), (0, "8:10"), (1, "8:20")])
    maker.feed.stopTimes[1].arrival -= 30
    maker.feed.stopTimes[5].pickup = 3
    maker.feed.stopTimes[6].isExact = false
    maker.frequency(2, "6:00-7:00", headway: 600, isExact: true)
    try maker.service(
      "more", weekdays: "1000000", from: 20_260_101, to: 20_261_231, added: [20_260_505],
      removed: [20_260_504, 20_260_511])
    maker.feed.trips[1].service = 1
    maker.feed.trips[1].wheelchair = 1
    maker.feed.stopHeadsigns = ["Depot", "Ünïversity"]
    // The second is the trip's own headsign.
    (maker.feed.stopTimes[0].headsign, maker.feed.stopTimes[2].headsign) = (0, 1)
    maker.feed.transfers = [
      TransitFeed.Transfer(from: 0, to: 4, seconds: 90),
      TransitFeed.Transfer(from: 3, to: 1, seconds: -1),
    ]
    let point = MapPoint(latitudeE7: 420_500_000, longitudeE7: -876_800_000)
    maker.feed.entrances = [point].compactMap(\.self).map {
      TransitFeed.Entrance(stop: 4, point: $0, seconds: 40, stepFreeSeconds: -1)
    }
    return maker.feed
  }

  @Test("Timetables round-trip with the same bytes")
  func roundTrip() throws {
    var random = SplitMix64(seed: 1)
    var feeds = [try Self.full()]
    for _ in 0..<Verification.count(20, of: 100) { feeds.append(try RandomFeed.make(&random).feed) }
    for feed in feeds {
      let table = try TimetableBuilder.timetable(feed)
      let read = try Timetable(bytes: table.bytes)
      #expect(read.tables == table.tables && read.bytes == table.bytes)
      #expect(read.stops == table.stops && read.routes == table.routes)
      #expect(read.dates == table.dates && read.version == table.version)
    }
    let table = try Timetable(bytes: try TimetableBuilder.timetable(Self.full()).bytes)
    #expect(table.version == "2026-1" && table.publisher == "Campus" && table.tripCount == 3)
    #expect(table.dates?.upperBound.description == "2026-06-30")
    #expect(table.stop("A")?.position?.latitude == 42.05 && table.stop("A")?.code == "17")
    #expect(table.route("55")?.color == "00AAFF" && table.route("55")?.kind == .bus)
    #expect(table.tables.transfers.count == 2 && table.tables.entrances.count == 1)
    #expect(table.tables.calls.map(\.headsign).filter { $0 >= 0 }.count == 1)
    let more = try #require(table.index.services.services.first { $0.id == "more" })
    #expect(more.runs(onDay: try TimetableMaker.date(20_260_505).dayNumber))
  }

  @Test("Timetables without transfers and stop headsigns keep the format of older apps")
  func oldFormat() throws {
    var feed = try Self.full()
    #expect(try TimetableBuilder.timetable(feed).bytes.first == 2)
    (feed.transfers, feed.entrances) = ([], [])
    #expect(try TimetableBuilder.timetable(feed).bytes.first == 2)
    feed.stopHeadsigns = []
    #expect(try TimetableBuilder.timetable(feed).bytes.first == 1)
  }

  @Test("The order of trips does not matter")
  func order() throws {
    var random = SplitMix64(seed: 12)
    for _ in 0..<Verification.count(8, of: 30) {
      var (feed, _) = try RandomFeed.make(&random)
      feed.frequencies = []
      let table = try TimetableBuilder.timetable(feed)
      feed.trips.shuffle(using: &random)
      #expect(try TimetableBuilder.timetable(feed).bytes == table.bytes)
    }
  }

  @Test("Rejects truncated bytes, trailing bytes and other versions")
  func damaged() throws {
    let bytes = try TimetableBuilder.timetable(Self.full()).bytes
    for count in 0..<bytes.count {
      #expect(throws: GuideError.self) { try Timetable(bytes: Array(bytes[..<count])) }
    }
    #expect(
      throws: GuideError.badPart(
        name: "transit.bin", problem: "unexpected data after the timetable")
    ) {
      try Timetable(bytes: bytes + [0])
    }
    #expect(throws: GuideError.badPart(name: "x", problem: "unsupported format version")) {
      try Timetable(bytes: [9] + bytes.dropFirst(), name: "x")
    }
  }

  @Test("Changed bytes give an error or a usable timetable")
  func hostile() throws {
    var random = SplitMix64(seed: 99)
    var feeds = [try Self.full()]
    for _ in 0..<3 { feeds.append(try RandomFeed.make(&random).feed) }
    let sources = try feeds.map { try TimetableBuilder.timetable($0).bytes }
    let rounds = Verification.count(400, of: 2500)
    var readable = 0
    for round in 0..<rounds {
      var bytes = sources[round % sources.count]
      if round % 10 == 0 {
        bytes = (0..<60).map { _ in UInt8.random(in: 0...255, using: &random) }
        bytes[0] = TimetableTables.version
      } else {
        for _ in 0...round % 3 {
          let place = Int.random(in: 0..<bytes.count, using: &random)
          bytes[place] = UInt8.random(in: 0...255, using: &random)
        }
      }
      do throws(GuideError) {
        let table = try Timetable(bytes: bytes)
        readable += 1
        Self.ask(table)
      } catch {
        guard case .badPart = error else {
          Issue.record("\(error)")
          continue
        }
      }
    }
    #expect(readable > rounds / 10)
  }

  private static func ask(_ table: Timetable) {
    let ids = table.stops.map(\.id)
    let from = table.dates.map { table.index.clock.secondsSince1970(0, on: $0.lowerBound) } ?? 0
    let found = table.departures(at: ids, from: from, during: 3 * 86400, limit: 50)
    for one in found { #expect(table.instance(one.key.trip) != nil) }
    for id in ids.prefix(3) { _ = table.routes(at: id) }
    let some = Dictionary(ids.prefix(3).map { ($0, 60.0) }) { a, _ in a }
    let others = Dictionary(ids.suffix(3).map { ($0, 60.0) }) { a, _ in a }
    _ = table.journeys(from: some, to: others, at: from + 28800, during: 3600, limit: 2)
  }

  @Test("Rejects few bytes that claim too many calls")
  func bomb() throws {
    var tables = TimetableTables()
    tables.agencies = [TransitFeed.Agency(id: "", name: "", timeZone: "Europe/Berlin")]
    tables.stops = [TransitFeed.Stop(id: "A", name: "A", point: nil)]
    tables.routes = [TransitFeed.Route(id: "1", type: 3)]
    tables.services = [TransitFeed.Service(id: "1")]
    tables.calls = (0..<3000).map { TimetableTables.Call(stop: 0, sequence: $0, flags: 0) }
    tables.patterns = [TimetableTables.Pattern(route: 0, direction: -1, calls: 0..<3000)]
    tables.times = Array(
      repeating: TimetableTables.CallTimes(arrival: 0, departure: 0), count: 3000)
    tables.profiles = [TimetableTables.Profile(pattern: 0, times: 0)]
    tables.trips = (0..<3000).map {
      TimetableTables.Trip(
        id: "\($0)", profile: 0, service: 0, headsign: -1, wheelchair: 0, start: 0)
    }
    #expect(
      throws: GuideError.badPart(
        name: "transit.bin", problem: "more stop times than supported")
    ) { try Timetable(bytes: tables.bytes) }
  }

  @Test("Rejects feeds with dangling references")
  func wrongFeeds() throws {
    let good = try Self.full()
    let changes: [(inout TransitFeed) -> Void] = [
      { $0.agencies = [] }, { $0.agencies[0].timeZone = "Atlantis/Capital" },
      { $0.agencies.append(.init(id: "2", name: "", timeZone: "Europe/Berlin")) },
      { $0.trips[0].route = 7 }, { $0.trips[0].service = -1 }, { $0.trips[0].id = "1000" },
      { $0.trips[0].stopTimes = 0..<99 }, { $0.trips[0].stopTimes = -1..<2 },
      { $0.stopTimes[0].stop = 99 }, { $0.stopTimes[0].departure = -1 },
      { $0.stopTimes[0].arrival = .max }, { $0.stopTimes[0].sequence = -1 },
      { $0.frequencies[0].trip = 3 }, { $0.frequencies[0].headway = 0 },
      { $0.frequencies[0].times = 0 ..< .max },
    ]
    for change in changes {
      var feed = good
      change(&feed)
      #expect(throws: GuideError.self) { try TimetableBuilder.timetable(feed) }
    }
    var feed = good
    feed.agencies.append(.init(id: "2", name: "", timeZone: "US/Eastern"))
    feed.stops[4].parent = 99
    feed.routes[0].agency = 77
    #expect(try TimetableBuilder.timetable(feed).stop("hub1")?.station == nil)
  }
}

@Suite("Stop search") struct TimetableSearchTests {
  @Test(
    "Prefers exact stop names, then all words, then small errors",
    arguments: [
      ("Gate 1", ["1"]), ("gate 10", ["10"]), ("gate", ["1", "10", "1n"]), ("gate 2", []),
      ("7", []), ("q", []), ("mrk", []), ("gaet 1", ["1", "10", "1n"]), ("gate north", ["1n"]),
      ("Market", ["m"]), ("markt squre", ["ms"]), ("market s", ["ms"]),
      ("ms", ["ms"]), ("", []), ("?", []),
    ])
  func meant(text: String, ids: [String]) throws {
    var maker = try TimetableMaker.campus()
    let names = [
      ("1", "Gate 1"), ("10", "Gate 10"), ("1n", "Gate 1 North"), ("m", "Market"),
      ("ms", "Market Square"),
    ]
    for (number, name) in names.enumerated() {
      maker.stop(name.0)
      maker.feed.stops[number + 3].name = name.1
    }
    maker.trip("x", [(0, "8:00"), (1, "8:10")])
    #expect(try TimetableBuilder.timetable(maker.feed).stops(matching: text).map(\.id) == ids)
  }
}

@Suite("Departure words")
struct TimetableWordsTests {
  @Test(
    "Prints whole minutes left, then the time of day",
    arguments: [
      (0.0, "now"), (59, "now"), (-30, "now"), (60, "in 1 min"), (299, "in 4 min"),
      (3600, "in 60 min"), (3601, "at 17:05"), (-120, "2 min ago"), (-7200, "at 14:05"),
      (8 * 3600, "tomorrow at 00:05"), (3 * 86400, "on 2026-05-07 at 16:05"),
      (.nan, "at an unknown time"), (.infinity, "at an unknown time"),
    ])
  func words(wait: Double, words: String) throws {
    let table = try TimetableBuilder.timetable(TimetableMaker.campus().feed)
    let now = try moment("2026-05-04T16:05")
    #expect(table.words(until: now + wait, now: now) == words)
  }

  @Test("Prints a departure as a sentence")
  func sentences() throws {
    var maker = try TimetableMaker.campus()
    maker.trip("1", headsign: "Downtown", [(0, "8:04"), (1, "8:10")])
    maker.trip("2", [(0, "8:10"), (1, "8:20")])
    maker.frequency(1, "8:10-9:00", headway: 600)
    let table = try TimetableBuilder.timetable(maker.feed)
    let now = try moment("2026-05-04T08:00")
    let found = DepartureBoard(table).departures(at: ["A"], from: now, limit: 2)
    let board = DepartureBoard(table)
    #expect(
      found.map { board.words(for: $0, now: now) } == [
        "55 Downtown in 4 min, scheduled", "55 Stop B in 10 min, every 10 min",
      ])
  }
}
