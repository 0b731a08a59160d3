extension OpeningHoursReader {
  /// Reads `09:00-12:00,13:00-18:00`.
  mutating func readTimes() throws(OpeningHoursProblem) -> [OpeningRule.Span] {
    var spans = [try readTimeSpan()]
    while isTimeAfterComma {
      _ = take(",")
      skipSpaces()
      spans.append(try readTimeSpan())
    }
    return spans
  }

  /// Whether a comma stands here and a time after it, which then belongs to the same days.
  private var isTimeAfterComma: Bool {
    var ahead = self
    guard ahead.take(",") else { return false }
    ahead.skipSpaces()
    return (1...2).contains(ahead.digitCount) && !ahead.startsAlways
  }

  private var startsAlways: Bool {
    var ahead = self
    return ahead.takeWord("24/7")
  }

  private mutating func readTimeSpan() throws(OpeningHoursProblem) -> OpeningRule.Span {
    let place = position
    let start = try readClock(latest: 23 * 60 + 59)
    let midnight = LocalTime.minutesPerDay
    if take("+") { return OpeningRule.Span(start: start, end: midnight, hasOpenEnd: true) }
    guard takeHyphen() else {
      throw problem(
        "a time without an end; write 09:00-17:00, or 09:00+ for an open end", at: place)
    }
    var end = try readClock(latest: 2 * midnight)
    // The same time again is a whole day, an earlier one of the next day.
    if end <= start { end += midnight }
    let hasOpenEnd = take("+")
    if peek == "/" { throw problem("repeated times (/) are not read") }
    return OpeningRule.Span(start: start, end: end, hasOpenEnd: hasOpenEnd)
  }

  private mutating func readClock(latest: Int) throws(OpeningHoursProblem) -> Int {
    let place = position
    guard let hour = readNumber(digits: 1...2) else { throw problem(unreadable(at: place)) }
    guard take(":"), let minute = readNumber(digits: 2...2) else {
      throw problem("a time is hours, a colon and two digits, as 09:30", at: place)
    }
    guard minute < 60, hour * 60 + minute <= latest else {
      throw problem("there is no such time", at: place)
    }
    return hour * 60 + minute
  }
}
