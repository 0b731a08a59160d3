import Testing

@testable import CupolaGuide

@Suite("Times of service days")
struct ServiceClockTests {
  private static func clock(_ zone: String, cached: Bool = true) throws -> ServiceClock {
    let days = try TimetableMaker.date(20_260_101)...TimetableMaker.date(20_261_231)
    return try #require(ServiceClock(timeZone: zone, days: cached ? days : nil))
  }

  @Test(
    "Days of 23 and 25 hours are counted from noon",
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
    // From noon on, and in the morning behind the change, clocks show the schedule's time.
    #expect(shown(8 * 3600, date) == "\(date)T08:00")
    #expect(shown(17 * 3600 + 300, date) == "\(date)T17:05")
    #expect(shown(25 * 3600, date) == "\(after)T01:00")
    #expect(shown(0, before) == "\(before)T00:00")
    #expect(shown(0, after) == "\(after)T00:00")
    // At midnight they are an hour away from it.
    #expect(shown(0, date) == (hours == 23 ? "\(before)T23:00" : "\(date)T01:00"))
    let noons =
      clock.secondsSince1970(43200, on: date) - clock.secondsSince1970(43200, on: before)
    #expect(noons == Double(hours) * 3600)
    // The last hour of yesterday's service is after the first one of today's when an hour is lost.
    let late = clock.secondsSince1970(24 * 3600, on: before)
    let early = clock.secondsSince1970(0, on: date)
    #expect(late - early == Double(24 - hours) * 3600)
  }

  @Test("Back from a moment to the service day's time, also past 24:00:00")
  func back() throws {
    let clock = try Self.clock("America/New_York")
    for day in [20_260_307, 20_260_308, 20_260_309, 20_261_101] {
      let date = try TimetableMaker.date(day)
      for time in [0, 7200, 86400, 30 * 3600, 75 * 3600] {
        let moment = clock.secondsSince1970(time, on: date)
        #expect(clock.time(atSecondsSince1970: moment, on: date) == Double(time))
      }
    }
  }

  @Test("Days that are not cached are the same, and no zone is made up")
  func cache() throws {
    for zone in ["America/New_York", "Australia/Lord_Howe", "Africa/Casablanca", "Pacific/Apia"] {
      let (cached, plain) = (try Self.clock(zone), try Self.clock(zone, cached: false))
      for number in stride(from: 0, to: 400, by: 1) {
        let date = try #require(try TimetableMaker.date(20_251_215).adding(days: number))
        let noon = try #require(LocalTime(date: date, minute: 720))
        #expect(cached.secondsSince1970(0, on: date) == plain.secondsSince1970(0, on: date))
        #expect(
          cached.secondsSince1970(43200, on: date) == noon.secondsSince1970(timeZone: zone))
      }
    }
    #expect(ServiceClock(timeZone: "Atlantis/Capital") == nil)
  }

  @Test("The service days of a window are all that have a time in it, and no others")
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
