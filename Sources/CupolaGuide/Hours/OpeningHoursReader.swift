// 1. A value is rules with `;`, `,` or `||` between them.
// 2. A rule is days, times and a kind, each of which may be missing.
// 3. Scalars are looked at ahead, and taken when they fit.

/// Reads the syntax of `opening_hours`
/// (https://wiki.openstreetmap.org/wiki/Key:opening_hours/specification), of which it refuses what it
/// does not know.
///
/// It forgives what can mean one thing only: small letters, hours of one digit, spaces around hyphens
/// and semicolons, a semicolon at the end, a comma between rules without its space.
struct OpeningHoursReader {
  let scalars: [Unicode.Scalar]
  var position = 0

  init(_ text: String) throws(OpeningHoursProblem) {
    guard text.utf8.count <= OpeningHours.longestText else {
      throw OpeningHoursProblem(
        offset: 0, message: "longer than \(OpeningHours.longestText) bytes; write it shorter")
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
      // Nothing between two semicolons, or after the last.
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
      throw problem("a rule ends here; write a semicolon before the next")
    }
    // `Tu, Fr 10:00-12:00`: by the letter open all Tuesday, by intention hardly.
    if rule.spans.isEmpty, rule.kind == .open, !lastRuleNamesItsKind {
      throw problem(
        "no times before this comma; in a list of days write it without a space", at: start)
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

  /// Reads `open`, `off`, a comment and the like; whether there was one.
  private mutating func readKind(_ rule: inout OpeningRule) throws(OpeningHoursProblem) -> Bool {
    let word = peekLetters()
    switch word {
    case "open": rule.kind = .open
    case "off", "closed": rule.kind = .closed
    case "unknown": rule.kind = .unknown
    default:
      guard try readComment() else { return false }
      // A comment alone: neither open nor closed.
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
    throw problem("a comment without its closing quotation mark", at: start)
  }

  /// Reads what stands after the first `|` of `|| "on appointment"`.
  private mutating func readFallback() throws(OpeningHoursProblem) {
    let start = position - 1
    guard take("|") else { throw problem("write || before a last rule", at: start) }
    skipSpaces()
    var rule = OpeningRule()
    let isNamed = try readKind(&rule)
    skipSpaces()
    guard isNamed, rule.kind == .unknown, isAtEnd else {
      throw problem("after || only a comment or unknown is read", at: start)
    }
  }

  /// Says what stands at a place where nothing known stands.
  func unreadable(at start: Int) -> String {
    guard start < scalars.count else { return "nothing stands here; write days and times" }
    let word = scalars[start...].prefix { !" ,;|".unicodeScalars.contains($0) }.prefix(20)
    let text = String(String.UnicodeScalarView(word.isEmpty ? scalars[start...].prefix(1) : word))
    switch text.lowercased().prefix(4) {
    case "sunr", "suns", "dawn", "dusk", "(sun": return "times by the sun are not read"
    case "east": return "easter is not read; write the dates"
    default: return "\"\(text)\" is not read; write days as Mo-Fr, times as 09:00-17:00"
    }
  }

  // MARK: - Times

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

  /// Skips a hyphen and the spaces around it, if one stands here.
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

  /// Skips a word that no letter or digit follows, if it stands here.
  mutating func takeWord(_ word: String) -> Bool {
    let letters = Array(word.unicodeScalars)
    guard scalars[min(position, scalars.count)...].starts(with: letters) else { return false }
    let next = peek(letters.count)
    guard !isDigit(next), !isLetter(next) else { return false }
    position += letters.count
    return true
  }

  /// The ASCII letters from here, in small letters; at most ten.
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

  /// Reads a number of so many digits; `nil`, and nothing read, where there are more or fewer.
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
