internal import CupolaSupport

extension OpeningHoursReader {
  private static let months = [
    "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
  ]

  /// Reads years and dates: `2026`, `Apr-Oct`, `Dec 24-26`, `2026 Jul 1-2026 Aug 8`.
  mutating func readDates(_ days: inout DaySelector) throws(OpeningHoursProblem) {
    if let range = try readYears() {
      days.years.append(range)
      while takeListComma({ $0.startsYear }) {
        guard let range = try readYears() else { break }
        days.years.append(range)
      }
      skipSpaces()
      guard startsMonth else { return }
      // A year before a date belongs to the date; a range of them restricts it.
      guard days.years.count == 1, range.count == 1 else {
        return try readDateList(&days, year: nil)
      }
      days.years = []
      return try readDateList(&days, year: range.lowerBound)
    }
    guard startsMonth else { return }
    try readDateList(&days, year: nil)
  }

  private var startsMonth: Bool { Self.months.contains(peekLetters()) }

  /// Whether four digits stand here and no time.
  private var startsYear: Bool { digitCount == 4 && peek(4) != ":" }

  private mutating func readYears() throws(OpeningHoursProblem) -> ClosedRange<Int>? {
    guard startsYear, let first = readYear() else { return nil }
    if take("+") { return first...LocalDate.years.upperBound }
    let afterYear = position
    guard takeHyphen() else { return first...first }
    guard startsYear, let last = readYear(), last >= first, peek != "/" else {
      throw problem("a range of years ends with a later year", at: afterYear)
    }
    return first...last
  }

  /// Reads a year; `nil`, and nothing read, where there is none of ``LocalDate/years``.
  private mutating func readYear() -> Int? {
    let start = position
    guard let year = readNumber(digits: 4...4), LocalDate.years.contains(year) else {
      position = start
      return nil
    }
    return year
  }

  private mutating func readDateList(
    _ days: inout DaySelector, year: Int?
  ) throws(OpeningHoursProblem) {
    days.dates.append(try readDateRange(year: year))
    while takeListComma({ $0.startsMonth || $0.startsYear }) {
      // All of them have a year, or none.
      let place = position
      let next = startsYear ? readYear() : nil
      skipSpaces()
      guard (next == nil) == (year == nil), startsMonth else {
        throw problem("write the year before each date of a list, or before none", at: place)
      }
      days.dates.append(try readDateRange(year: next))
    }
    try refuseOffset()
  }

  private mutating func readDateRange(year: Int?) throws(OpeningHoursProblem)
    -> DaySelector.DateRange
  {
    let place = position
    let firstMonth = try readMonth()
    let firstDay = try readDay(of: firstMonth)
    var (lastYear, lastMonth, lastDay) = (year, firstMonth, firstDay)
    let afterFirst = position
    if takeHyphen() {
      if startsYear, year != nil, firstDay != nil {
        lastYear = readYear()
        skipSpaces()
        lastMonth = try readMonth()
        lastDay = try readDay(of: lastMonth)
      } else if startsMonth {
        lastMonth = try readMonth()
        lastDay = try readDay(of: lastMonth)
      } else if firstDay != nil, let number = readDayNumber(of: firstMonth) {
        lastDay = number
      } else {
        throw problem(unreadable(at: afterFirst), at: afterFirst)
      }
      guard (firstDay == nil) == (lastDay == nil) else {
        throw problem("write a day with both months or with none", at: place)
      }
    }
    let first = (month: firstMonth, day: firstDay ?? 1)
    let last = (month: lastMonth, day: lastDay ?? Self.lastDay(of: lastMonth))
    guard let year, let lastYear else {
      return .yearly(
        first: first.month * 100 + first.day, last: last.month * 100 + last.day)
    }
    let lastOfMonth = GregorianCalendar.days(inMonth: last.month, of: lastYear)
    guard let start = LocalDate(year: year, month: first.month, day: first.day),
      let end = LocalDate(
        year: lastYear, month: last.month, day: lastDay ?? lastOfMonth), start <= end
    else { throw problem("no range of dates; write the years of both", at: place) }
    return .fixed(start...end)
  }

  private mutating func readMonth() throws(OpeningHoursProblem) -> Int {
    guard let index = Self.months.firstIndex(of: peekLetters()) else {
      throw problem(unreadable(at: position))
    }
    position += 3
    return index + 1
  }

  /// Reads the day of a month, if one stands here and not a time.
  private mutating func readDay(of month: Int) throws(OpeningHoursProblem) -> Int? {
    var ahead = self
    ahead.skipSpaces()
    let count = ahead.digitCount
    guard (1...2).contains(count), ahead.peek(count) != ":" else { return nil }
    let place = ahead.position
    guard let day = ahead.readDayNumber(of: month) else {
      throw problem("the month has no such day", at: place)
    }
    if ahead.peek == "/" || ahead.peek == "+" {
      throw ahead.problem("only dates and ranges are read")
    }
    self = ahead
    return day
  }

  private mutating func readDayNumber(of month: Int) -> Int? {
    guard let day = readNumber(digits: 1...2), (1...Self.lastDay(of: month)).contains(day) else {
      return nil
    }
    return day
  }

  /// The last day that the month can have.
  private static func lastDay(of month: Int) -> Int {
    GregorianCalendar.days(inMonth: month, of: 2000)
  }
}
