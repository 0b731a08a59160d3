import CupolaGuide
import Testing

@Suite("Local dates")
struct LocalDateTests {
  @Test("Each day of 9999 years follows the previous one")
  func calendar() throws {
    var date = try #require(LocalDate(year: 1, month: 1, day: 1))
    // 1 January of year 1 is a Monday.
    var (year, month, day, weekday) = (1, 1, 1, 0)
    while year < 10000 {
      guard date.year == year, date.month == month, date.day == day, date.weekday == weekday else {
        Issue.record("\(date) should be \(year)-\(month)-\(day), weekday \(weekday)")
        return
      }
      let isLeap = year.isMultiple(of: 4) && !year.isMultiple(of: 100) || year.isMultiple(of: 400)
      let lengths = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
      (day, weekday) = (day + 1, (weekday + 1) % 7)
      if day > lengths[month - 1] { (month, day) = (month + 1, 1) }
      if month > 12 { (year, month) = (year + 1, 1) }
      guard let next = date.adding(days: 1) else { break }
      date = next
    }
    #expect(date.description == "9999-12-31")
  }

  @Test("Computes ISO 8601 weeks")
  func weeks() {
    let known = [
      (2020, 12, 31, 53), (2021, 1, 3, 53), (2021, 1, 4, 1), (2024, 12, 29, 52), (2024, 12, 30, 1),
      (2026, 1, 1, 1), (2026, 12, 31, 53), (2027, 1, 3, 53), (2008, 12, 28, 52), (2000, 1, 2, 52),
    ]
    for (year, month, day, week) in known {
      #expect(LocalDate(year: year, month: month, day: day)?.week == week)
    }
  }

  @Test("Rejects dates and times that do not exist")
  func refused() throws {
    #expect(LocalDate(year: 2023, month: 2, day: 29) == nil)
    #expect(LocalDate(year: 1900, month: 2, day: 29) == nil)
    #expect(LocalDate(year: 2000, month: 2, day: 29) != nil)
    #expect(LocalDate(year: 0, month: 1, day: 1) == nil)
    #expect(LocalDate(year: .max, month: .min, day: .max) == nil)
    let date = try #require(LocalDate(year: 9999, month: 12, day: 31))
    #expect(date.adding(days: 1) == nil)
    #expect(date.adding(days: .max) == nil)
    #expect(LocalTime(date: date, minute: 1440) == nil)
    #expect(LocalTime(year: 2026, month: 1, day: 1, hour: 24) == nil)
  }
}

@Suite("Local times in time zones")
struct LocalTimeTests {
  @Test("Converts a moment to local times in several zones")
  func clocks() {
    // 2024-07-03T09:46:40Z.
    let moment = 1_720_000_000.0
    let shown = ["America/Chicago", "Europe/Paris", "Asia/Kathmandu", "UTC"]
      .map { LocalTime(secondsSince1970: moment, timeZone: $0)?.description }
    #expect(
      shown == ["2024-07-03T04:46", "2024-07-03T11:46", "2024-07-03T15:31", "2024-07-03T09:46"])
    #expect(LocalTime(secondsSince1970: -1, timeZone: "UTC")?.description == "1969-12-31T23:59")
  }

  @Test("Half hours round-trip except in the repeated hour")
  func roundTrip() throws {
    for zone in ["America/Chicago", "Europe/Paris", "Australia/Lord_Howe", "UTC"] {
      var repeated = 0
      for step in 0..<(2 * 365 * 48) {
        let moment = 1_704_067_200 + Double(step) * 1800
        let time = try #require(LocalTime(secondsSince1970: moment, timeZone: zone))
        let back = try #require(time.secondsSince1970(timeZone: zone))
        guard back != moment else { continue }
        // A repeated time maps to the earlier moment.
        repeated += 1
        #expect(back < moment && LocalTime(secondsSince1970: back, timeZone: zone) == time)
      }
      #expect(repeated == ["UTC": 0, "Australia/Lord_Howe": 2][zone, default: 4])
    }
  }

  @Test("A skipped local time moves to after the change")
  func skipped() throws {
    let time = try #require(LocalTime(year: 2024, month: 3, day: 31, hour: 2, minute: 30))
    let moment = try #require(time.secondsSince1970(timeZone: "Europe/Paris"))
    let shown = LocalTime(secondsSince1970: moment, timeZone: "Europe/Paris")
    #expect(shown?.description == "2024-03-31T03:30")
  }

  @Test("Rejects signs in place of digits")
  func signs() {
    #expect(LocalTime("2026-03-09T09:05")?.description == "2026-03-09T09:05")
    for text in ["2026-+3-09T+9:00", "2026-03-09T+9:05", "+026-03-09T09:05", "2026-03-09T09:-0"] {
      #expect(LocalTime(text) == nil, "\(text)")
    }
  }

  @Test("Rejects unknown zones and moments out of range")
  func refused() throws {
    for zone in ["", "Mars/Olympus", "../../etc/passwd", "Europe/Par\u{0}is"] {
      #expect(LocalTime(secondsSince1970: 0, timeZone: zone) == nil)
    }
    for moment in [Double.nan, .infinity, -.infinity, 1e300, -1e11, 9e11] {
      #expect(LocalTime(secondsSince1970: moment, timeZone: "UTC") == nil)
    }
    let time = try #require(LocalTime(year: 2024, month: 1, day: 1))
    #expect(time.secondsSince1970(timeZone: "Mars/Olympus") == nil)
  }
}
