internal import CupolaSupport

// 1. Read dates, weeks, days of the week and holidays, with ranges and lists.
// 2. Reject unsupported syntax with its position.

extension OpeningHoursReader {
  private static let weekdays = ["mo", "tu", "we", "th", "fr", "sa", "su"]

  mutating func readDays() throws(OpeningHoursProblem) -> DaySelector {
    var days = DaySelector()
    try readDates(&days)
    if peekLetters() == "week" {
      position += 4
      try readWeeks(&days)
    }
    skipSpaces()
    // Accept an optional colon for readability: `Jun-Aug: Mo-Fr 09:00-17:00`.
    if !days.isEmpty, take(":") { skipSpaces() }
    try readWeekdays(&days)
    return days
  }

  private mutating func readWeeks(_ days: inout DaySelector) throws(OpeningHoursProblem) {
    skipSpaces()
    repeat {
      let place = position
      guard let first = readNumber(digits: 1...2) else { throw problem("expected a week number") }
      var last = first
      var step = 1
      if takeHyphen() {
        guard let number = readNumber(digits: 1...2) else {
          throw problem("expected a week number")
        }
        last = number
        if take("/") { step = readNumber(digits: 1...2) ?? 0 }
      }
      guard first >= 1, first <= last, last <= 53, step >= 1 else {
        throw problem("expected weeks from 1 to 53", at: place)
      }
      days.weeks.append(.init(weeks: first...last, step: step))
    } while takeListComma { reader in reader.isDigit(reader.peek) && reader.peek(1) != ":" }
  }

  private mutating func readWeekdays(_ days: inout DaySelector) throws(OpeningHoursProblem) {
    var isFirst = true
    while true {
      let word = peekLetters()
      if word == "ph" || word == "sh" {
        if days.needsBoth { throw problem("write holidays before weekdays") }
        position += 2
        if word == "ph" { days.isPublicHoliday = true } else { days.isSchoolHoliday = true }
        try refuseOffset()
      } else if Self.weekdays.contains(word) {
        days.weekdays.append(try readWeekdayRange(inMonthList: days.dates.count > 1))
      } else if isFirst {
        return
      } else {
        throw problem(unreadable(at: position))
      }
      isFirst = false
      if takeListComma({ _ in true }) { continue }
      guard try takeBoth(&days) else { return }
    }
  }

  /// Skips the space between holidays and weekdays if both follow; a day must then match both.
  private mutating func takeBoth(_ days: inout DaySelector) throws(OpeningHoursProblem) -> Bool {
    var ahead = self
    ahead.skipSpaces()
    let word = ahead.peekLetters()
    let isHoliday = word == "ph" || word == "sh"
    guard isHoliday || Self.weekdays.contains(word) else { return false }
    guard !isHoliday, days.weekdays.isEmpty, !days.needsBoth else {
      throw ahead.problem("write a comma between days, a semicolon between rules")
    }
    days.needsBoth = true
    self = ahead
    return true
  }

  private mutating func readWeekdayRange(inMonthList: Bool) throws(OpeningHoursProblem)
    -> DaySelector.WeekdayRange
  {
    guard let first = readWeekday() else { throw problem(unreadable(at: position)) }
    var range = DaySelector.WeekdayRange(first: first, last: first)
    if takeHyphen() {
      guard let last = readWeekday() else { throw problem(unreadable(at: position)) }
      range = DaySelector.WeekdayRange(first: first, last: last)
      if peek == "[" { throw problem("brackets are allowed only after a single day") }
    } else if take("[") {
      // This is ambiguous: `Mar,Jan Su[1]` may mean two months, or March and one day in January.
      if inMonthList { throw problem("write a separate rule for each month", at: position - 1) }
      range.positions = try readPositions()
    }
    try refuseOffset()
    return range
  }

  private mutating func readWeekday() -> Int? {
    guard let weekday = Self.weekdays.firstIndex(of: peekLetters()) else { return nil }
    position += 2
    return weekday
  }

  /// Reads `1,3]`, `1-2]` or `-1]`.
  private mutating func readPositions() throws(OpeningHoursProblem) -> [Int] {
    var positions: [Int] = []
    repeat {
      let place = position
      let sign = take("-") ? -1 : 1
      guard let first = readNumber(digits: 1...1), (1...5).contains(first) else {
        throw problem("expected 1 to 5, or -1 to -5 from the end of the month", at: place)
      }
      var last = first
      if sign > 0, take("-") {
        guard let number = readNumber(digits: 1...1), (first...5).contains(number) else {
          throw problem("expected 1 to 5", at: place)
        }
        last = number
      }
      positions += (first...last).map { $0 * sign }
    } while take(",") && positions.count < 10
    guard take("]") else { throw problem("missing closing bracket; write Mo[1]") }
    return positions
  }

  /// Rejects offsets, such as `Mo[1] +1 day`.
  func refuseOffset() throws(OpeningHoursProblem) {
    var ahead = self
    ahead.skipSpaces()
    if ahead.peek == "+" || ahead.peek == "-", ahead.isDigit(ahead.peek(1)) {
      throw ahead.problem("day offsets are not supported")
    }
  }

  /// Skips a comma that continues the same list and has no space after it.
  mutating func takeListComma(_ continues: (OpeningHoursReader) -> Bool) -> Bool {
    var ahead = self
    guard ahead.take(","), !ahead.isAtEnd, ahead.peek != " ", continues(ahead) else { return false }
    self = ahead
    return true
  }

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
      // A single year before a date is part of the date; a range of years restricts the date.
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

  private var startsYear: Bool { digitCount == 4 && peek(4) != ":" }

  private mutating func readYears() throws(OpeningHoursProblem) -> ClosedRange<Int>? {
    guard startsYear, let first = readYear() else { return nil }
    if take("+") { return first...LocalDate.years.upperBound }
    let afterYear = position
    guard takeHyphen() else { return first...first }
    guard startsYear, let last = readYear(), last >= first, peek != "/" else {
      throw problem("the end of a year range must not precede its start", at: afterYear)
    }
    return first...last
  }

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
      let place = position
      let next = startsYear ? readYear() : nil
      skipSpaces()
      guard (next == nil) == (year == nil), startsMonth else {
        throw problem(
          "write the year before every date in the list, or omit it everywhere", at: place)
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
        throw problem("write a day in both dates, or in neither", at: place)
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
    else { throw problem("invalid date range; write both years", at: place) }
    return .fixed(start...end)
  }

  private mutating func readMonth() throws(OpeningHoursProblem) -> Int {
    guard let index = Self.months.firstIndex(of: peekLetters()) else {
      throw problem(unreadable(at: position))
    }
    position += 3
    return index + 1
  }

  private mutating func readDay(of month: Int) throws(OpeningHoursProblem) -> Int? {
    var ahead = self
    ahead.skipSpaces()
    let count = ahead.digitCount
    guard (1...2).contains(count), ahead.peek(count) != ":" else { return nil }
    let place = ahead.position
    guard let day = ahead.readDayNumber(of: month) else {
      throw problem("day does not exist in this month", at: place)
    }
    if ahead.peek == "/" || ahead.peek == "+" {
      throw ahead.problem("only dates and date ranges are supported")
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

  private static func lastDay(of month: Int) -> Int {
    GregorianCalendar.days(inMonth: month, of: 2000)
  }
}
