import Cupola
import Testing

@testable import CupolaGuide
@testable import CupolaGuideBuilder
@testable import CupolaSupport
@testable import CupolaTransit

@Suite("Transit journeys")
struct JourneyTests {
  @Test("Finds direct and changing journeys that are Pareto-optimal")
  func pareto() throws {
    var maker = try TimetableMaker.campus()
    maker.route("express")
    maker.trip("slow", [(0, "8:00"), (2, "9:00")])
    maker.trip("first", [(0, "8:05"), (1, "8:15")])
    maker.trip("second", route: 1, headsign: "C fast", [(1, "8:16"), (2, "8:30")])
    let table = try TimetableBuilder.timetable(maker.feed)
    let found = table.journeys(
      from: ["A": 120], to: ["C": 59.5], at: try moment("2026-05-04T07:30"), during: 7200)
    #expect(found.map(\.changes) == [1, 0])
    #expect(found[0].leave == (try moment("2026-05-04T08:03")))
    #expect(found[0].arrive == (try moment("2026-05-04T08:31")))
    #expect(found[0].legs.map(\.trip.tripID) == ["first", "second"])
    #expect(found[0].legs.map(\.destination) == ["Stop B", "C fast"])
    #expect(found[0].legs[1].from.id == "B" && found[0].legs[1].fromSequence == 1)
    #expect(found[0].changeSeconds == 60 && found[0].egressSeconds == 60)
    #expect(found[1].seconds == 3600 + 180)
    let hurried = table.journeys(
      from: ["A": 120], to: ["C": 60], at: try moment("2026-05-04T07:30"), during: 7200,
      leastChange: 61)
    #expect(hurried.map(\.changes) == [0])
    let late = table.journeys(
      from: ["A": 120], to: ["C": 60], at: try moment("2026-05-04T08:03") + 0.5, during: 7200)
    #expect(late.isEmpty)
  }

  @Test("Changes to a vehicle that overtakes an earlier one")
  func overtaking() throws {
    var maker = try TimetableMaker.campus()
    maker.trip("in", [(0, "8:00"), (1, "8:10")])
    maker.trip("slow", [(1, "8:15"), (2, "9:00")])
    maker.trip("fast", [(1, "8:20"), (2, "8:40")])
    let table = try TimetableBuilder.timetable(maker.feed)
    let found = table.journeys(
      from: ["A": 0], to: ["C": 0], at: try moment("2026-05-04T07:30"), during: 7200)
    #expect(found.map { $0.legs[1].trip.tripID } == ["fast"])
  }

  @Test("Changes between platforms and along walks")
  func walking() throws {
    var maker = try TimetableMaker.campus()
    maker.stop("hub", locationType: 1)
    maker.stop("hub1", in: 3)
    maker.stop("hub2", in: 3)
    maker.trip("in", [(0, "8:00"), (4, "8:10")])
    maker.trip("out", [(5, "8:12"), (2, "8:30")])
    maker.trip("near", [(1, "8:13"), (2, "8:20")])
    let table = try TimetableBuilder.timetable(maker.feed)
    let at = try moment("2026-05-04T07:30")
    let plain = table.journeys(from: ["A": 0], to: ["C": 0], at: at, during: 7200)
    #expect(plain.map { $0.legs[1].trip.tripID } == ["out"])
    let walked = table.journeys(from: ["A": 0], to: ["C": 0], at: at, during: 7200) { stop in
      stop == "hub1" ? ["B": 180, "nowhere": 1] : [:]
    }
    #expect(walked.map { $0.legs[1].trip.tripID } == ["near"] && walked[0].changeSeconds == 180)
    let slow = table.journeys(from: ["A": 0], to: ["C": 0], at: at, during: 7200) { stop in
      stop == "hub1" ? ["B": 181, "hub2": .nan] : [:]
    }
    #expect(slow.map { $0.legs[1].trip.tripID } == ["out"])
    let across = table.journeys(from: ["A": 0], to: ["C": 0], at: at, during: 7200) { _ in
      ["hub2": 121]
    }
    #expect(across.isEmpty)
  }

  @Test("Transfers of the feed wait, take their minimum time or are forbidden")
  func feedTransfers() throws {
    var maker = try TimetableMaker.campus()
    maker.stop("hub", locationType: 1)
    maker.stop("hub1", in: 3)
    maker.stop("hub2", in: 3)
    maker.trip("in", [(0, "8:00"), (4, "8:10")])
    maker.trip("soon", [(5, "8:10:30"), (2, "8:30")])
    maker.trip("later", [(5, "8:14"), (2, "8:40")])
    func second(_ rules: (from: Int32, to: Int32, seconds: Int32)...) throws -> [String] {
      var feed = maker.feed
      feed.transfers = rules.map {
        TransitFeed.Transfer(from: $0.from, to: $0.to, seconds: $0.seconds)
      }
      return try TimetableBuilder.timetable(feed).journeys(
        from: ["A": 0], to: ["C": 0], at: try moment("2026-05-04T07:30"), during: 7200
      ).map { $0.legs[1].trip.tripID }
    }
    #expect(try second() == ["later"])
    // A guaranteed transfer: the second vehicle waits.
    #expect(try second((4, 5, 0)) == ["soon"])
    #expect(try second((4, 5, 240)) == ["later"])
    #expect(try second((4, 5, 241)).isEmpty)
    #expect(try second((4, 5, -1)).isEmpty && second((3, 3, -1)).isEmpty)
    // A rule between platforms takes precedence over one between stations, in any order.
    #expect(try second((4, 5, 0), (3, 3, -1)) == ["soon"])
    #expect(try second((3, 3, 0), (4, 5, -1)).isEmpty)
    // The opposite direction has its own rules.
    #expect(try second((5, 4, -1)) == ["later"])
  }

  @Test("Walks to a platform lead through an entrance of its station")
  func entrances() throws {
    var map = MapMaker()
    map.line("way/1", [(0, 0), (100, 0)], ["highway": "footway"])
    var maker = try TimetableMaker.campus()
    func point(_ x: Double) throws -> MapPoint {
      let (latitude, longitude) = MapMaker.place(x, 0)
      return try #require(MapPoint(latitude: latitude, longitude: longitude))
    }
    maker.feed.stops[0].point = try point(50)
    maker.trip("1", [(0, "8:00"), (1, "8:10")])
    maker.feed.entrances = [
      TransitFeed.Entrance(stop: 0, point: try point(0), seconds: 40, stepFreeSeconds: -1),
      TransitFeed.Entrance(stop: 0, point: try point(100), seconds: 10, stepFreeSeconds: 70),
    ]
    let guide = try Self.guide(map.guide.graph, maker.feed)
    let here = try TestCampus.end(0, 0)
    let walk = try #require(guide.stops(near: here).first)
    #expect((walk.seconds - 40).magnitude < 0.5)
    // The step-free way leads through the other entrance, 100 m at 4 km/h.
    let stepFree = try #require(guide.stops(near: here, by: .stepFree).first)
    #expect((stepFree.seconds - 160).magnitude < 0.5)
  }

  @Test("Step-free journeys use accessible vehicles and stops only")
  func stepFree() throws {
    var maker = try TimetableMaker.campus()
    maker.trip("steps", [(0, "8:00"), (1, "8:10"), (2, "8:20")])
    maker.trip("level", [(0, "8:30"), (1, "8:40"), (2, "8:50")])
    maker.trip("often", [(0, "0:00"), (2, "0:05")])
    maker.frequency(2, "8:00-8:30", headway: 60)
    (maker.feed.trips[0].wheelchair, maker.feed.trips[2].wheelchair) = (2, 2)
    let at = try moment("2026-05-04T07:30")
    func trips(to stop: String, stepFree: Bool) throws -> [String] {
      try TimetableBuilder.timetable(maker.feed).journeys(
        from: ["A": 0], to: [stop: 0], at: at, during: 7200, stepFree: stepFree
      ).map { $0.legs[0].trip.tripID }
    }
    #expect(try trips(to: "B", stepFree: false) == ["steps", "level"])
    #expect(try trips(to: "B", stepFree: true) == ["level"])
    #expect(try trips(to: "C", stepFree: true) == ["level"])
    maker.feed.stops[1].wheelchair = 2
    #expect(try trips(to: "B", stepFree: true).isEmpty)
    #expect(try trips(to: "C", stepFree: true) == ["level"])
    #expect(try trips(to: "B", stepFree: false) == ["steps", "level"])
  }

  @Test("Step-free changes take longer and need accessible vehicles")
  func stepFreeChanges() throws {
    var maker = TimetableMaker(timeZone: "Europe/Berlin")
    // The distant stops are 230 m apart, which takes 216 s on foot and 269 s step-free.
    for (id, x, y) in [("P", -200.0, 0.0), ("A", 5000, 0), ("B", 5000, 230), ("Z", 400, 0)] {
      let (latitude, longitude) = MapMaker.place(x, y)
      let point = MapPoint(latitude: latitude, longitude: longitude)
      maker.feed.stops.append(TransitFeed.Stop(id: id, name: id, point: point))
    }
    maker.route("R")
    try maker.service("daily", weekdays: "1111111", from: 20_260_101, to: 20_261_231)
    maker.trip("first", [(0, "10:00:00"), (1, "10:00:30")])
    let at = try moment("2026-11-23T09:50", "Europe/Berlin")
    func changes(_ mode: TravelMode, _ maker: TimetableMaker) throws -> [Double] {
      let guide = try Self.guide(TestCampus(flawed: false).guide.graph, maker.feed)
      return guide.journeys(
        from: try TestCampus.end(-190, 0), to: try TestCampus.end(390, 0), at: at, limit: 1,
        by: mode
      ).map(\.changeSeconds)
    }
    var soon = maker
    soon.trip("second", [(2, "10:04:10"), (3, "10:04:30")])
    #expect(try changes(.walk, soon) == [216])
    #expect(try changes(.stepFree, soon).isEmpty)
    maker.trip("second", [(2, "10:05:10"), (3, "10:05:30")])
    #expect(try changes(.stepFree, maker) == [269])
    maker.feed.trips[1].wheelchair = 2
    #expect(try changes(.stepFree, maker).isEmpty)
    #expect(try changes(.walk, maker) == [216])
  }

  @Test("Changes from a trip of yesterday's service day to today's")
  func overnight() throws {
    var maker = try TimetableMaker.campus()
    maker.trip("owl", [(0, "24:40"), (1, "24:55")])
    maker.trip("lark", [(1, "1:05"), (2, "1:20")])
    let table = try TimetableBuilder.timetable(maker.feed)
    let found = table.journeys(
      from: ["A": 0], to: ["C": 0], at: try moment("2026-05-09T00:20"), during: 7200)
    let legs = try #require(found.first?.legs)
    #expect(legs.map(\.trip.serviceDate.description) == ["2026-05-08", "2026-05-09"])
    #expect(found.count == 1)
    #expect(found[0].arrive == (try moment("2026-05-09T01:20")))
  }

  @Test("Invalid requests give no journeys")
  func invalidRequests() throws {
    var maker = try TimetableMaker.campus()
    maker.trip("1", [(0, "8:00"), (2, "9:00")])
    let table = try TimetableBuilder.timetable(maker.feed)
    let at = try moment("2026-05-04T07:30")
    #expect(table.journeys(from: [:], to: ["C": 0], at: at).isEmpty)
    #expect(table.journeys(from: ["A": -1], to: ["C": 0], at: at).isEmpty)
    #expect(table.journeys(from: ["A": .nan], to: ["C": 0], at: at).isEmpty)
    #expect(table.journeys(from: ["A": 0], to: ["C": .infinity], at: at).isEmpty)
    #expect(table.journeys(from: ["A": 0], to: ["C": 0], at: .nan).isEmpty)
    #expect(table.journeys(from: ["A": 0], to: ["C": 0], at: at, limit: 0).isEmpty)
    #expect(table.journeys(from: ["A": 0], to: ["A": 0], at: at).isEmpty)
    #expect(table.journeys(from: ["A": 0], to: ["C": 0], at: at, leastChange: .nan).count == 1)
  }

  @Test("Any journey limit is valid")
  func limits() throws {
    var maker = try TimetableMaker.campus()
    maker.trip("1", [(0, "8:00"), (2, "9:00")])
    let guide = try Self.guide(GuideBuilder(GuideMap()).guide.graph, maker.feed)
    let here = RouteEnd.position(try #require(Position(latitude: 40, longitude: -75)))
    let at = try moment("2026-05-04T07:30")
    for limit in [Int.min, -1, 0, 1, .max] {
      #expect(guide.journeys(from: here, to: here, at: at, limit: limit).isEmpty)
    }
  }

  @Test("Walks to stops off the map in a straight line")
  func offTheMap() throws {
    var map = MapMaker()
    map.line("way/1", [(0, 0), (100, 0)], ["highway": "footway"])
    var maker = try TimetableMaker.campus()
    for (number, east) in [0.0, 5_000, 5_100].enumerated() {
      let (latitude, longitude) = MapMaker.place(east, 0)
      maker.feed.stops[number].point = MapPoint(latitude: latitude, longitude: longitude)
    }
    maker.trip("out", [(0, "8:00"), (1, "8:10")])
    maker.trip("back", [(1, "8:30"), (0, "8:40")])
    let built = map.guide
    let guide = try Self.guide(built.graph, maker.feed)
    let (campus, town) = (try TestCampus.end(50, 0), try TestCampus.end(5_000, 50))
    let at = try moment("2026-05-04T07:30")
    let out = guide.journeys(from: campus, to: town, at: at)
    #expect(out.map { $0.legs.map(\.trip.tripID) } == [["out"]])
    #expect(out.allSatisfy { ($0.egressSeconds - 36).magnitude <= 1 })
    let back = guide.journeys(from: town, to: campus, at: at)
    #expect(back.map { $0.legs.map(\.trip.tripID) } == [["back"]])
    let beyond = try TestCampus.end(5_100, 0)
    #expect(guide.journeys(from: town, to: beyond, at: at).isEmpty)
  }

  @Test("Finds the wanted stop among many nearby ones")
  func wantedStop() throws {
    var maker = try TimetableMaker.campus()
    for number in 0..<90 {
      maker.stop(String(number))
      maker.feed.stops[number + 3].point = MapPoint(
        latitude: 50, longitude: 8 + Double(number) * 1e-5)
    }
    maker.trip("1", [(3, "8:00"), (92, "9:00")])
    let guide = try Self.guide(GuideBuilder(GuideMap()).guide.graph, maker.feed)
    let here = RouteEnd.position(try #require(Position(latitude: 50, longitude: 8)))
    #expect(guide.stops(near: here).count == 60)
    let wanted = guide.stops(near: here, within: 800, by: .walk) { $0.id == "89" }
    #expect(wanted.map(\.stop.id) == ["89"])
  }

  @Test(
    "Random feeds match the best of all pairs of rides",
    arguments: [false, true])
  func matchesReference(stepFree: Bool) throws {
    var random = SplitMix64(seed: 2012)
    var (direct, changed) = (0, 0)
    for _ in 0..<20 {
      var (feed, first) = try RandomFeed.make(&random, mostTrips: 60)
      if stepFree { Self.addSteps(to: &feed) }
      for number in 1..<3 { feed.services[number].weekdays = 127 }
      let table = try TimetableBuilder.timetable(feed)
      let slow = try ReferenceTimetable(feed, days: (0..<16).compactMap { first.adding(days: $0) })
      for _ in 0..<4 {
        let start = table.index.clock.secondsSince1970(0, on: first)
        let at = start + Double(Int.random(in: 0...14 * 24, using: &random)) * 3600
        let (from, to) = (Self.reach(&random), Self.reach(&random))
        let walks = ["s3": Self.reach(&random), "s1": Self.reach(&random)]
        let (changes, lengths): ([Double], [Double]) = ([0, 60, 299.5], [7200, 21600, 50400])
        let change = changes.randomElement(using: &random) ?? 60
        let during = lengths.randomElement(using: &random) ?? 1
        let found = table.journeys(
          from: from, to: to, at: at, during: during, limit: .max, leastChange: change,
          stepFree: stepFree
        ) { walks[$0] ?? [:] }
        let expected = slow.journeys(
          from: from, to: to, at: at, during: during, change: change.rounded(.up),
          stepFree: stepFree, walks: walks)
        #expect(
          found.map {
            ReferenceTimetable.Journey(leave: $0.leave, arrive: $0.arrive, changes: $0.changes)
          } == expected)
        let two = table.journeys(
          from: from, to: to, at: at, during: during, limit: 2, leastChange: change,
          stepFree: stepFree
        ) { walks[$0] ?? [:] }
        #expect(two == Array(found.prefix(2)))
        for one in found { try Self.check(one, in: table) }
        direct += expected.count { $0.changes == 0 }
        changed += expected.count { $0.changes == 1 }
      }
    }
    #expect(direct > (stepFree ? 50 : 200))
    #expect(changed > (stepFree ? 1 : 25))
  }

  private static func guide(_ graph: PathGraph, _ feed: TransitFeed) throws -> TransitGuide {
    try TransitGuide(
      Guide(
        name: "", attribution: nil, timeZone: nil, places: [], graph: graph, ground: [],
        transitBytes: try TimetableBuilder.timetable(feed).bytes))
  }

  private static func addSteps(to feed: inout TransitFeed) {
    for number in feed.trips.indices { feed.trips[number].wheelchair = UInt8(number % 5 % 3) }
    let stops: [UInt8] = [2, 0, 1, 0, 0, 1, 0, 2]
    for (number, wheelchair) in stops.enumerated() { feed.stops[number].wheelchair = wheelchair }
  }

  private static func reach(_ random: inout SplitMix64) -> [String: Double] {
    var reach: [String: Double] = [:]
    for _ in 0..<2 {
      let stop = ["station", "s0", "s1", "s2", "s3", "s4", "s5"].randomElement(using: &random)
      reach[stop ?? "s6"] = Double(Int.random(in: 0...900, using: &random)) / 2
    }
    return reach
  }

  /// Checks that legs match calls of trip instances, and that there is enough time for the transfer.
  private static func check(_ journey: TransitJourney, in table: Timetable) throws {
    var ready = journey.leave + journey.accessSeconds
    #expect((1...2).contains(journey.legs.count))
    for (number, leg) in journey.legs.enumerated() {
      let instance = try #require(table.instance(leg.trip))
      let from = try #require(instance.calls.first { $0.sequence == leg.fromSequence })
      let to = try #require(instance.calls.first { $0.sequence == leg.toSequence })
      #expect(from.canBoard && to.canAlight && leg.fromSequence < leg.toSequence)
      #expect(from.stopID == leg.from.id && to.stopID == leg.to.id)
      #expect(from.departure == leg.departure && to.arrival == leg.arrival)
      #expect(ready <= leg.departure)
      ready = leg.arrival + (number == journey.legs.count - 1 ? 0 : journey.changeSeconds)
    }
    #expect(ready + journey.egressSeconds == journey.arrive)
  }
}
