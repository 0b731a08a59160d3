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

  /// Whether the last rule said `open` or `24/7` itself.
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
}
