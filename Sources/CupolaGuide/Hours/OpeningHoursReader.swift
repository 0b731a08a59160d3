// 1. Split a value into rules at `;`, `,` or `||`.
// 2. Read days, times and a kind for each rule; each is optional.

/// Parses `opening_hours` values (https://wiki.openstreetmap.org/wiki/Key:opening_hours/specification) and rejects
/// unknown syntax.
///
/// Unambiguous deviations are accepted: lowercase names, one-digit hours, spaces around hyphens and semicolons, a
/// trailing semicolon, and a comma between rules without a space.
struct OpeningHoursReader {
  let scalars: [Unicode.Scalar]
  var position = 0

  init(_ text: String) throws(OpeningHoursProblem) {
    guard text.utf8.count <= OpeningHours.longestText else {
      throw OpeningHoursProblem(
        offset: 0, message: "longer than \(OpeningHours.longestText) bytes; shorten it")
    }
    scalars = Array(text.unicodeScalars)
  }

  mutating func readValue() throws(OpeningHoursProblem) -> (
    rules: [OpeningRule], asksWhenClosed: Bool
  ) {
    var rules: [OpeningRule] = []
    var separator = OpeningRule.Separator.normal
    while true {
      skipSpaces()
      // Skip empty rules between semicolons or at the end.
      if separator == .normal, !rules.isEmpty, take(";") { continue }
      if separator == .normal, !rules.isEmpty, isAtEnd { return (rules, false) }
      var rule = try readRule()
      rule.separator = separator
      rules.append(rule)
      guard rules.count <= OpeningHours.mostRules else {
        throw problem("more than \(OpeningHours.mostRules) rules; write fewer")
      }
      skipSpaces()
      if isAtEnd { return (rules, false) }
      if take("|") {
        try readFallback()
        return (rules, true)
      }
      separator = try readSeparator(after: rule)
    }
  }

  private mutating func readSeparator(
    after rule: OpeningRule
  ) throws(OpeningHoursProblem) -> OpeningRule.Separator {
    if take(";") { return .normal }
    let start = position
    guard take(",") else {
      throw problem("expected a semicolon before the next rule")
    }
    // Reject `Tu, Fr 10:00-12:00`: Tuesday would be open all day, which is probably not intended.
    if rule.spans.isEmpty, rule.kind == .open, !lastRuleNamesItsKind {
      throw problem(
        "missing times before the comma; omit the space after it in a list of days", at: start)
    }
    return .additional
  }

  var lastRuleNamesItsKind = false

  private mutating func readRule() throws(OpeningHoursProblem) -> OpeningRule {
    var rule = OpeningRule()
    let start = position
    lastRuleNamesItsKind = false
    if takeWord("24/7") {
      lastRuleNamesItsKind = true
    } else {
      rule.days = try readDays()
      skipSpaces()
      if isDigit(peek) { rule.spans = try readTimes() }
    }
    skipSpaces()
    let isNamed = try readKind(&rule)
    if isNamed { lastRuleNamesItsKind = true }
    guard isNamed || lastRuleNamesItsKind || !rule.days.isEmpty || !rule.spans.isEmpty else {
      throw problem(unreadable(at: start), at: start)
    }
    return rule
  }

  /// Reads `open`, `off`, `unknown` or a comment, and returns whether there was one.
  private mutating func readKind(_ rule: inout OpeningRule) throws(OpeningHoursProblem) -> Bool {
    let word = peekLetters()
    switch word {
    case "open": rule.kind = .open
    case "off", "closed": rule.kind = .closed
    case "unknown": rule.kind = .unknown
    default:
      guard try readComment() else { return false }
      rule.kind = .unknown
      return true
    }
    position += word.count
    skipSpaces()
    _ = try readComment()
    return true
  }

  private mutating func readComment() throws(OpeningHoursProblem) -> Bool {
    let start = position
    guard take("\"") else { return false }
    while !isAtEnd {
      if take("\"") { return true }
      position += 1
    }
    throw problem("missing closing quotation mark of a comment", at: start)
  }

  /// Reads the fallback rule after the first `|`, such as `|| "on appointment"`.
  private mutating func readFallback() throws(OpeningHoursProblem) {
    let start = position - 1
    guard take("|") else { throw problem("write || before a fallback rule", at: start) }
    skipSpaces()
    var rule = OpeningRule()
    let isNamed = try readKind(&rule)
    skipSpaces()
    guard isNamed, rule.kind == .unknown, isAtEnd else {
      throw problem("only a comment or unknown is supported after ||", at: start)
    }
  }

  func unreadable(at start: Int) -> String {
    guard start < scalars.count else { return "unexpected end; write days and times" }
    let word = scalars[start...].prefix { !" ,;|".unicodeScalars.contains($0) }.prefix(20)
    let text = String(String.UnicodeScalarView(word.isEmpty ? scalars[start...].prefix(1) : word))
    switch text.lowercased().prefix(4) {
    case "sunr", "suns", "dawn", "dusk", "(sun":
      return "times relative to sunrise or sunset are not supported"
    case "east": return "easter is not supported; write the dates"
    default: return "\"\(text)\" is not supported; write days as Mo-Fr and times as 09:00-17:00"
    }
  }

  // MARK: - Times

  mutating func readTimes() throws(OpeningHoursProblem) -> [OpeningRule.Span] {
    var spans = [try readTimeSpan()]
    while isTimeAfterComma {
      _ = take(",")
      skipSpaces()
      spans.append(try readTimeSpan())
    }
    return spans
  }

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
        "missing end time; write 09:00-17:00, or 09:00+ for an open end", at: place)
    }
    var end = try readClock(latest: 2 * midnight)
    // Equal times mean a whole day; an end before the start is on the next day.
    if end <= start { end += midnight }
    let hasOpenEnd = take("+")
    if peek == "/" { throw problem("repeated times (/) are not supported") }
    return OpeningRule.Span(start: start, end: end, hasOpenEnd: hasOpenEnd)
  }

  private mutating func readClock(latest: Int) throws(OpeningHoursProblem) -> Int {
    let place = position
    guard let hour = readNumber(digits: 1...2) else { throw problem(unreadable(at: place)) }
    guard take(":"), let minute = readNumber(digits: 2...2) else {
      throw problem("expected a time such as 09:30", at: place)
    }
    guard minute < 60, hour * 60 + minute <= latest else {
      throw problem("time does not exist", at: place)
    }
    return hour * 60 + minute
  }

  // MARK: - Scalars

  var isAtEnd: Bool { position >= scalars.count }
  var peek: Unicode.Scalar? { peek(0) }

  func peek(_ ahead: Int) -> Unicode.Scalar? {
    let index = position + ahead
    return index < scalars.count ? scalars[index] : nil
  }

  func isDigit(_ scalar: Unicode.Scalar?) -> Bool {
    scalar.map { ("0"..."9").contains($0) } ?? false
  }

  private func isLetter(_ scalar: Unicode.Scalar?) -> Bool {
    scalar.map { ("a"..."z").contains($0) || ("A"..."Z").contains($0) } ?? false
  }

  mutating func skipSpaces() {
    while peek == " " || peek == "\t" { position += 1 }
  }

  mutating func take(_ scalar: Unicode.Scalar) -> Bool {
    guard peek == scalar else { return false }
    position += 1
    return true
  }

  mutating func takeHyphen() -> Bool {
    let start = position
    skipSpaces()
    guard take("-") else {
      position = start
      return false
    }
    skipSpaces()
    return true
  }

  mutating func takeWord(_ word: String) -> Bool {
    let letters = Array(word.unicodeScalars)
    guard scalars[min(position, scalars.count)...].starts(with: letters) else { return false }
    let next = peek(letters.count)
    guard !isDigit(next), !isLetter(next) else { return false }
    position += letters.count
    return true
  }

  /// Returns the next ASCII letters in lowercase, at most ten.
  func peekLetters() -> String {
    var letters = String.UnicodeScalarView()
    while letters.count < 10, let scalar = peek(letters.count), isLetter(scalar) {
      letters.append(scalar)
    }
    return String(letters).lowercased()
  }

  var digitCount: Int {
    var count = 0
    while count < 5, isDigit(peek(count)) { count += 1 }
    return count
  }

  mutating func readNumber(digits: ClosedRange<Int>) -> Int? {
    let count = digitCount
    guard digits.contains(count) else { return nil }
    var number = 0
    for _ in 0..<count {
      guard let scalar = peek else { break }
      number = number * 10 + Int(scalar.value) - 0x30
      position += 1
    }
    return number
  }

  func problem(_ message: String, at offset: Int? = nil) -> OpeningHoursProblem {
    OpeningHoursProblem(offset: min(offset ?? position, scalars.count), message: message)
  }
}
