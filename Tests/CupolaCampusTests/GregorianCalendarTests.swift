import Testing

@testable import CupolaCampus

@Suite("The Gregorian calendar")
struct GregorianCalendarTests {
  @Test("every day of 9999 years follows the day before it, by the calendar's own rules")
  func days() {
    var number = GregorianCalendar.dayNumber(year: 1, month: 1, day: 1)
    #expect(number == -719_162)
    for year in 1...9999 {
      let isLeap = year.isMultiple(of: 4) && !year.isMultiple(of: 100) || year.isMultiple(of: 400)
      let lengths = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
      for (month, length) in zip(1...12, lengths) {
        var isRight = GregorianCalendar.days(inMonth: month, of: year) == length
        for day in 1...length {
          let date = GregorianCalendar.date(ofDay: number)
          if date.year != year || date.month != month || date.day != day { isRight = false }
          if GregorianCalendar.dayNumber(year: year, month: month, day: day) != number {
            isRight = false
          }
          number += 1
        }
        guard isRight else {
          Issue.record("\(year)-\(month)")
          return
        }
      }
    }
    #expect(number == 2_932_897)
  }
}
