import CupolaTestSupport
import Cupola
import Testing
@testable import CupolaGuide
@testable import CupolaGuideBuilder
@testable import CupolaSupport
@testable import CupolaTransit

@Suite("Service days")
struct ServiceDaysTests {
  private static func days(
    _ weekdays: String, _ from: Int, _ to: Int, added: [Int] = [], removed: [Int] = []
  ) throws -> ServiceDays {
    var maker = TimetableMaker()
    try maker.service(
      "s", weekdays: weekdays, from: from, to: to, added: added, removed: removed)
    return ServiceDays(maker.feed.services[0])
  }

  @Test("A holiday replaces weekday service with Sunday service")
  func holiday() throws {
    // Thanksgiving 2026 is on Thursday, November 26.
    let weekday = try Self.days("1111100", 20_261_101, 20_261_231, removed: [20_261_126])
    let sunday = try Self.days("0000001", 20_261_101, 20_261_231, added: [20_261_126])
    let thursday = try TimetableMaker.date(20_261_126).dayNumber
    #expect(!weekday.runs(onDay: thursday) && sunday.runs(onDay: thursday))
    let friday = try TimetableMaker.date(20_261_127).dayNumber
    #expect(weekday.runs(onDay: friday) && !sunday.runs(onDay: friday))
    #expect(!weekday.runs(onDay: try TimetableMaker.date(20_261_128).dayNumber))
    #expect(sunday.runs(onDay: try TimetableMaker.date(20_261_129).dayNumber))
  }

  @Test("The first and last dates are included")
  func ends() throws {
    let days = try Self.days("1111111", 20_261_101, 20_261_130, added: [20_261_225])
    #expect(days.runs(onDay: try TimetableMaker.date(20_261_101).dayNumber))
    #expect(days.runs(onDay: try TimetableMaker.date(20_261_130).dayNumber))
    #expect(!days.runs(onDay: try TimetableMaker.date(20_261_031).dayNumber))
    #expect(!days.runs(onDay: try TimetableMaker.date(20_261_201).dayNumber))
    #expect(days.runs(onDay: try TimetableMaker.date(20_261_225).dayNumber))
    #expect(days.span?.lowerBound == (try TimetableMaker.date(20_261_101).dayNumber))
    #expect(days.span?.upperBound == (try TimetableMaker.date(20_261_225).dayNumber))
  }

  @Test("Handles services with exceptions only and without days")
  func unusualServices() throws {
    var only = TransitFeed.Service(id: "x")
    only.added = [try TimetableMaker.date(20_261_126)]
    #expect(ServiceDays(only).runs(onDay: try TimetableMaker.date(20_261_126).dayNumber))
    #expect(!ServiceDays(only).runs(onDay: try TimetableMaker.date(20_261_127).dayNumber))
    let turned = try Self.days("1111111", 20_261_130, 20_261_101)
    #expect(turned.span == nil)
    #expect(!turned.runs(onDay: try TimetableMaker.date(20_261_115).dayNumber))
    #expect(try Self.days("0000000", 20_261_101, 20_261_130).span == nil)
  }

  @Test("The service table agrees with each service")
  func table() throws {
    var random = SplitMix64(seed: 4)
    for _ in 0..<Verification.count(8, of: 30) {
      let (feed, first) = try RandomFeed.make(&random)
      let services = feed.services.map { ServiceDays($0) }
      let table = ServiceTable(services)
      for day in first.dayNumber - 3...first.dayNumber + 20 {
        for (number, service) in services.enumerated() {
          #expect(table.runs(number, onDay: day) == service.runs(onDay: day))
        }
      }
    }
    let long = try Self.days("1000000", 10_101, 99_991_231)
    let table = ServiceTable([long, long, long])
    #expect(table.runs(1, onDay: try TimetableMaker.date(20_261_123).dayNumber))
    #expect(!table.runs(1, onDay: try TimetableMaker.date(20_261_124).dayNumber))
  }
}

@Suite("Service clock")
struct ServiceClockTests {
  private static func clock(_ zone: String, cached: Bool = true) throws -> ServiceClock {
    let days =
      try TimetableMaker.date(20_260_101).dayNumber...TimetableMaker.date(20_261_231).dayNumber
    return try #require(ServiceClock(timeZone: zone, days: cached ? days : nil))
  }

  @Test(
    "Counts days of 23 and 25 hours from noon",
    arguments: [
      ("America/New_York", 20_260_308, 23), ("America/New_York", 20_261_101, 25),
      ("Europe/Berlin", 20_260_329, 23), ("Europe/Berlin", 20_261_025, 25),
    ])
  func changes(zone: String, day: Int, hours: Int) throws {
    let clock = try Self.clock(zone)
    let date = try TimetableMaker.date(day)
    let before = try #require(date.adding(days: -1))
    let after = try #require(date.adding(days: 1))
    func shown(_ time: Int, _ date: LocalDate) -> String? {
      LocalTime(secondsSince1970: clock.secondsSince1970(time, on: date), timeZone: zone)?
        .description
    }
    #expect(shown(8 * 3600, date) == "\(date)T08:00")
    #expect(shown(17 * 3600 + 300, date) == "\(date)T17:05")
    #expect(shown(25 * 3600, date) == "\(after)T01:00")
    #expect(shown(0, before) == "\(before)T00:00")
    #expect(shown(0, after) == "\(after)T00:00")
    #expect(shown(0, date) == (hours == 23 ? "\(before)T23:00" : "\(date)T01:00"))
    let noons =
      clock.secondsSince1970(43200, on: date) - clock.secondsSince1970(43200, on: before)
    #expect(noons == Double(hours) * 3600)
    // If the day is one hour shorter, yesterday's 24:00 is later than today's 0:00.
    let late = clock.secondsSince1970(24 * 3600, on: before)
    let early = clock.secondsSince1970(0, on: date)
    #expect(late - early == Double(24 - hours) * 3600)
  }

  @Test("Uncached days are equal; unknown zones are rejected")
  func cache() throws {
    for zone in ["America/New_York", "Australia/Lord_Howe", "Africa/Casablanca", "Pacific/Apia"] {
      let (cached, plain) = (try Self.clock(zone), try Self.clock(zone, cached: false))
      for number in stride(from: 0, to: 400, by: Verification.count(5, of: 1)) {
        let date = try #require(try TimetableMaker.date(20_251_215).adding(days: number))
        let noon = try #require(LocalTime(date: date, minute: 720))
        #expect(cached.secondsSince1970(0, on: date) == plain.secondsSince1970(0, on: date))
        #expect(
          cached.secondsSince1970(43200, on: date) == noon.secondsSince1970(timeZone: zone))
      }
    }
    #expect(ServiceClock(timeZone: "Atlantis/Capital") == nil)
  }

  @Test("Returns exactly the service days with times in a window")
  func days() throws {
    let clock = try Self.clock("America/New_York")
    let first = try TimetableMaker.date(20_260_301).dayNumber
    let all = first...first + 20
    for hour in 0..<24 * 18 {
      let from = Int(try moment("2026-03-02T00:00")) + hour * 3600
      for (largest, length) in [(86399, 3600), (30 * 3600, 1), (75 * 3600, 86400)] {
        let window = from..<from + length
        let days = clock.days(in: window, times: 0...largest, of: all)
        let expected = all.filter { day in
          let start = clock.start(ofDay: day)
          return (start...start + largest).overlaps(window)
        }
        #expect(days == expected)
      }
    }
    #expect(clock.days(in: 5..<5, times: 0...1, of: all).isEmpty)
  }
}
