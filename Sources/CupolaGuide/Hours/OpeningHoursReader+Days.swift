extension OpeningHoursReader {
  private static let weekdays = ["mo", "tu", "we", "th", "fr", "sa", "su"]

  /// Reads all that says on which days: years, dates, weeks, days of the week and holidays.
  mutating func readDays() throws(OpeningHoursProblem) -> DaySelector {
    var days = DaySelector()
    try readDates(&days)
    if peekLetters() == "week" {
      position += 4
      try readWeeks(&days)
    }
    skipSpaces()
    // For people who read it: `Jun-Aug: Mo-Fr 09:00-17:00`.
    if !days.isEmpty, take(":") { skipSpaces() }
    try readWeekdays(&days)
    return days
  }

  private mutating func readWeeks(_ days: inout DaySelector) throws(OpeningHoursProblem) {
    skipSpaces()
    repeat {
      let place = position
      guard let first = readNumber(digits: 1...2) else { throw problem("a week is a number") }
      var last = first
      var step = 1
      if takeHyphen() {
        guard let number = readNumber(digits: 1...2) else { throw problem("a week is a number") }
        last = number
        if take("/") { step = readNumber(digits: 1...2) ?? 0 }
      }
      guard first >= 1, first <= last, last <= 53, step >= 1 else {
        throw problem("weeks go from 1 to 53", at: place)
      }
      days.weeks.append(.init(weeks: first...last, step: step))
    } while takeListComma { reader in reader.isDigit(reader.peek) && reader.peek(1) != ":" }
  }

  private mutating func readWeekdays(_ days: inout DaySelector) throws(OpeningHoursProblem) {
    var isFirst = true
    while true {
      let word = peekLetters()
      if word == "ph" || word == "sh" {
        if days.needsBoth { throw problem("write holidays before days of the week") }
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

  /// Skips the space between holidays and days of the week, if both follow each other: then a day must
  /// be both.
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
      if peek == "[" { throw problem("a number in brackets stands after a single day") }
    } else if take("[") {
      // `Mar,Jan Su[1]`: of both months, or March and one day of January.
      if inMonthList { throw problem("write a rule for each month", at: position - 1) }
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
        throw problem("which of the month: 1 to 5, or -1 to -5 from its end", at: place)
      }
      var last = first
      if sign > 0, take("-") {
        guard let number = readNumber(digits: 1...1), (first...5).contains(number) else {
          throw problem("which of the month: 1 to 5", at: place)
        }
        last = number
      }
      positions += (first...last).map { $0 * sign }
    } while take(",") && positions.count < 10
    guard take("]") else { throw problem("a bracket is not closed; write Mo[1]") }
    return positions
  }

  /// Refuses `Mo[1] +1 day`.
  func refuseOffset() throws(OpeningHoursProblem) {
    var ahead = self
    ahead.skipSpaces()
    if ahead.peek == "+" || ahead.peek == "-", ahead.isDigit(ahead.peek(1)) {
      throw ahead.problem("so many days before or after are not read")
    }
  }

  /// Skips a comma without a space after it and before more of the same list.
  mutating func takeListComma(_ continues: (OpeningHoursReader) -> Bool) -> Bool {
    var ahead = self
    guard ahead.take(","), !ahead.isAtEnd, ahead.peek != " ", continues(ahead) else { return false }
    self = ahead
    return true
  }
}
