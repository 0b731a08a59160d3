import CupolaGuide
import Testing

@Suite("Local dates")
struct LocalDateTests {
  @Test("every day of 9999 years follows the day before it, by the calendar's own rules")
  func calendar() throws {
    var date = try #require(LocalDate(year: 1, month: 1, day: 1))
    // 1 January of the year 1 is a Monday.
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

  @Test("weeks are those of ISO 8601")
  func weeks() {
    let known = [
      (2020, 12, 31, 53), (2021, 1, 3, 53), (2021, 1, 4, 1), (2024, 12, 29, 52), (2024, 12, 30, 1),
      (2026, 1, 1, 1), (2026, 12, 31, 53), (2027, 1, 3, 53), (2008, 12, 28, 52), (2000, 1, 2, 52),
    ]
    for (year, month, day, week) in known {
      #expect(LocalDate(year: year, month: month, day: day)?.week == week)
    }
  }

  @Test("days and times that do not exist are refused")
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
