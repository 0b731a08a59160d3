import CupolaTestSupport
import Cupola
import Testing
@testable import CupolaGuide
@testable import CupolaGuideBuilder
@testable import CupolaSupport
@testable import CupolaTransit

@Suite("Departures")
struct DepartureTests {
  private static func clocks(_ departures: [Departure]) -> [String] {
    departures.compactMap {
      LocalTime(secondsSince1970: $0.time, timeZone: "America/New_York")?.description
    }
  }

  @Test("The last stop and stops without boarding have no departures")
  func ends() throws {
    var maker = try TimetableMaker.campus()
    maker.trip("1", [(0, "8:00"), (1, "8:10"), (2, "8:20")])
    maker.trip("loop", [(0, "9:00"), (1, "9:10"), (0, "9:20")])
    maker.feed.stopTimes[1].pickup = 1
    maker.feed.stopTimes[4].pickup = 2
    let table = try TimetableBuilder.timetable(maker.feed)
    let from = try moment("2026-05-04T00:00")
    #expect(table.departures(at: ["C"], from: from).isEmpty)
    let first = table.departures(at: ["A"], from: from)
    #expect(Self.clocks(first) == ["2026-05-04T08:00", "2026-05-04T09:00"])
    #expect(first.map(\.lastStop.id) == ["C", "A"])
    let second = table.departures(at: ["B"], from: from)
    #expect(second.map(\.key.trip.tripID) == ["loop"])
    #expect(second.map(\.pickup) == [2] && second.map(\.key.sequence) == [6])
    #expect(table.departures(at: ["nowhere"], from: from).isEmpty)
  }

  @Test("Lists trips of earlier service days after midnight")
  func overnight() throws {
    var maker = try TimetableMaker.campus()
    try maker.service("Friday", weekdays: "0000100", from: 20_260_101, to: 20_261_231)
    maker.trip("owl", service: 1, [(0, "24:30"), (1, "25:10")])
    maker.trip("train", service: 1, [(0, "49:00"), (1, "50:00")])
    maker.trip("early", [(0, "0:30"), (1, "0:50")])
    let table = try TimetableBuilder.timetable(maker.feed)
    // 8 May is a Friday.
    let saturday = table.departures(at: ["A"], from: try moment("2026-05-09T00:00"))
    #expect(Self.clocks(saturday) == ["2026-05-09T00:30", "2026-05-09T00:30"])
    #expect(saturday.map(\.key.trip.tripID) == ["early", "owl"])
    #expect(saturday.map(\.key.trip.serviceDate.description) == ["2026-05-09", "2026-05-08"])
    let sunday = table.departures(at: ["A"], from: try moment("2026-05-10T00:31"))
    #expect(Self.clocks(sunday) == ["2026-05-10T01:00", "2026-05-11T00:30"])
    #expect(sunday[0].key.trip.serviceDate.description == "2026-05-08")
  }

  @Test("Lists exact frequencies, or one possible departure per headway")
  func frequencies() throws {
    var maker = try TimetableMaker.campus()
    maker.trip("every", headsign: "Loop", [(0, "0:00"), (1, "0:05"), (2, "0:12")])
    maker.trip("exact", [(0, "6:00"), (1, "6:10"), (2, "6:20")])
    maker.frequency(0, "6:00-7:59:59", headway: 1800)
    maker.frequency(0, "8:00-9:00", headway: 1200)
    maker.frequency(1, "24:00-25:00", headway: 1800, isExact: true)
    let table = try TimetableBuilder.timetable(maker.feed)
    let found = table.departures(at: ["B"], from: try moment("2026-05-04T03:00"))
    let times = ["06:05", "06:35", "07:05", "07:35", "08:05", "08:25", "08:45"]
    #expect(
      Self.clocks(found) == times.map { "2026-05-04T" + $0 }
        + ["2026-05-05T00:10", "2026-05-05T00:40"])
    #expect(found.map(\.precision).prefix(4).allSatisfy { $0 == .every(seconds: 1800) })
    #expect(found[4].precision == .every(seconds: 1200) && found[7].precision == .exact)
    #expect(found[4].precision.words == "every 20 min")
    let starts = found.map(\.key.trip.frequencyStart)
    #expect(starts[0] == 21600 && starts[1] == 23400 && starts[8] == 88200)
    #expect(Set(found.map(\.key)).count == found.count)
  }

  @Test("In overlapping frequencies, the later row applies from its start")
  func overlap() throws {
    var maker = try TimetableMaker.campus()
    maker.trip("x", [(0, "0:00"), (1, "0:05")])
    maker.frequency(0, "6:00-8:00", headway: 1800)
    maker.frequency(0, "7:00-8:00", headway: 3600)
    maker.frequency(0, "7:00-8:00", headway: 1200)
    let found = try TimetableBuilder.timetable(maker.feed)
      .departures(at: ["A"], from: try moment("2026-05-04T03:00"))
    #expect(Set(found.map(\.key)).count == found.count)
    let times = ["06:00", "06:30", "07:00", "07:20", "07:40"]
    #expect(Self.clocks(found) == times.map { "2026-05-04T" + $0 })
  }

  @Test("A station includes its platforms and their inherited values")
  func stations() throws {
    var maker = try TimetableMaker.campus()
    maker.stop("hub", locationType: 1)
    maker.feed.stops[3].wheelchair = 1
    maker.stop("hub1", in: 3)
    maker.stop("hub2", in: 3)
    maker.feed.stops[5].platform = "2"
    maker.feed.stops[5].wheelchair = 2
    maker.trip("1", [(5, "8:00"), (0, "8:10")])
    maker.trip("2", [(4, "7:00"), (0, "7:10")])
    let table = try TimetableBuilder.timetable(maker.feed)
    let found = table.departures(at: ["hub", "hub2"], from: try moment("2026-05-04T00:00"))
    #expect(found.map(\.stop.id) == ["hub1", "hub2"])
    #expect(found.map(\.stop.isWheelchairAccessible) == [true, false])
    #expect(found.map(\.stop.platform) == [nil, "2"] && found[0].stop.station == "hub")
    #expect(table.routes(at: "hub").map(\.id) == ["55"])
    #expect(table.routes(at: "B").isEmpty)
  }

  @Test("Invalid windows and limits give no departures")
  func windows() throws {
    var maker = try TimetableMaker.campus()
    maker.trip("1", [(0, "8:00"), (1, "8:10")])
    let table = try TimetableBuilder.timetable(maker.feed)
    let from = try moment("2026-05-04T08:00")
    #expect(table.departures(at: ["A"], from: from, during: 1).count == 1)
    #expect(table.departures(at: ["A"], from: from + 0.5, during: 1).isEmpty)
    #expect(table.departures(at: ["A"], from: from - 1, during: 1).isEmpty)
    #expect(table.departures(at: ["A"], from: from - 0.5, during: 1).count == 1)
    for odd in [Double.nan, .infinity, -.infinity, 1e300, -1e300] {
      #expect(table.departures(at: ["A"], from: odd).isEmpty)
    }
    #expect(table.departures(at: ["A"], from: from, during: .nan).isEmpty)
    #expect(table.departures(at: ["A"], from: from, during: -5).isEmpty)
    #expect(table.departures(at: ["A"], from: from, limit: -1).isEmpty)
    #expect(table.departures(at: ["A"], from: from, during: .infinity, limit: 3).count == 3)
    #expect(table.departures(at: ["A"], from: from, during: .infinity, limit: .max).count == 242)
  }

  @Test("A departure every second does not fill memory")
  func flood() throws {
    var maker = try TimetableMaker.campus()
    for number in 0..<200 {
      maker.trip("\(number)", [(0, "0:00"), (1, "0:05")])
      maker.frequency(Int32(number), "0:00-99:00", headway: 1)
    }
    let table = try TimetableBuilder.timetable(maker.feed)
    let from = try moment("2026-05-04T08:00")
    let found = table.departures(at: ["A"], from: from, during: .infinity, limit: 1500)
    #expect(found.count == 1500 && found.last?.time == from + 1)
    #expect(Set(found.map(\.key)).count == 1500)
  }

  @Test("Random feeds match a trip-by-trip reference at any limit")
  func matchesReference() throws {
    var random = SplitMix64(seed: 19)
    for _ in 0..<Verification.count(30, of: 150) {
      let (feed, first) = try RandomFeed.make(&random)
      let table = try TimetableBuilder.timetable(feed)
      let slow = try ReferenceTimetable(feed, days: (0..<16).compactMap { first.adding(days: $0) })
      for _ in 0..<10 {
        let stop = feed.stops[Int.random(in: 0..<8, using: &random)].id
        let start = table.index.clock.secondsSince1970(0, on: first)
        let from = start + Double(Int.random(in: -24...16 * 24, using: &random)) * 3600
        let lengths: [Double] = [1, 3600, 86400, 3 * 86400]
        let during = lengths.randomElement(using: &random) ?? 1
        let found = table.departures(at: [stop], from: from, during: during)
        let lines = found.map { one in
          let trip = one.key.trip
          let start = trip.frequencyStart.map { String($0) } ?? "-"
          return "\(trip.tripID) \(trip.serviceDate) \(start) \(one.key.sequence) \(Int(one.time))"
        }
        #expect(Set(lines) == slow.departures(at: stop, from: from, during: during))
        #expect(Set(lines).count == lines.count)
        #expect(found.map(\.time) == found.map(\.time).sorted())
        let limit = Int.random(in: 1...6, using: &random)
        let cut = table.departures(at: [stop], from: from, during: during, limit: limit)
        #expect(cut == Array(found.prefix(limit)))
      }
    }
  }
}

@Suite("Trip instances")
struct TripInstanceTests {
  @Test("Every departure is a call of its trip instance")
  func keys() throws {
    var random = SplitMix64(seed: 7)
    for _ in 0..<Verification.count(10, of: 40) {
      let (feed, first) = try RandomFeed.make(&random)
      let table = try TimetableBuilder.timetable(feed)
      let from = table.index.clock.secondsSince1970(0, on: first)
      for one in table.departures(at: table.stops.map(\.id), from: from, during: 15 * 86400) {
        let instance = try #require(table.instance(one.key.trip))
        let call = try #require(instance.calls.first { $0.sequence == one.key.sequence })
        #expect(call.departure == one.time && call.stopID == one.stop.id && call.canBoard)
        #expect(call.precision == one.precision && instance.key == one.key.trip)
        #expect(instance.route == one.route)
        #expect(instance.calls.last?.canBoard == false && instance.calls[0].canAlight == false)
      }
    }
  }

  @Test("Instances exist only for trips and starts that run")
  func starts() throws {
    var maker = try TimetableMaker.campus()
    maker.trip("daily", [(0, "8:00"), (1, "8:10")])
    maker.trip("every", [(0, "0:00"), (1, "0:05")])
    maker.trip("exact", [(0, "0:00"), (1, "0:05")])
    maker.frequency(1, "6:00-7:00", headway: 600)
    maker.frequency(2, "6:00-7:00", headway: 600, isExact: true)
    let table = try TimetableBuilder.timetable(maker.feed)
    let day = try TimetableMaker.date(20_260_504)
    func has(_ trip: String, _ start: Int?, _ date: LocalDate) -> Bool {
      let key = TripInstance.Key(tripID: trip, serviceDate: date, frequencyStart: start)
      return table.instance(key) != nil
    }
    #expect(has("daily", nil, day) && has("daily", 28800, day))
    #expect(!has("daily", nil, try TimetableMaker.date(20_270_504)) && !has("no", nil, day))
    #expect(has("every", 21600, day) && has("every", 21700, day) && !has("every", 25200, day))
    #expect(has("exact", 22200, day) && !has("exact", 21700, day) && !has("exact", nil, day))
    let key = TripInstance.Key(tripID: "every", serviceDate: day, frequencyStart: 21700)
    let instance = try #require(table.instance(key))
    #expect(instance.headway == 600)
    #expect(instance.calls[1].arrival == (try moment("2026-05-04T06:06")) + 40)
    #expect(table.runsByFrequency("every") && !table.runsByFrequency("daily"))
    #expect(table.hasTrip("daily") && !table.hasTrip("no"))
  }
}
