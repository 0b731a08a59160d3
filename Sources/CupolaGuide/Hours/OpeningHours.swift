internal import CupolaSupport

// 1. `OpeningHoursReader` reads the text into rules, or the problem is kept.
// 2. `sentence` puts the state at a time into English.
// 3. `advice` looks for nights that a later rule ends at midnight.

/// When a place is open, from a value of OpenStreetMap's key `opening_hours`.
///
/// Read are days, ranges and lists of them (`Mo-Fr`, `Sa-Tu`, `We[1]`), times and several of them, past
/// midnight too (`22:00-02:00`, `20:00-26:00`), without an end (`17:00+`), `24/7`, months and dates
/// (`Apr-Oct`, `Dec 20-Jan 6`, `2026 Aug 1-15`), years, weeks, `PH` and `SH`, `off`, `closed`,
/// `unknown` and comments, and rules one after the other by `;` and `,`, of which a last one after `||`
/// may say whom to ask. Anything else, such as times by the sun, is not guessed: the text is kept, and every
/// state is ``OpeningState/unknown``.
///
/// As the specification has it, a rule after `;` takes the place of all rules before it on its days,
/// also in the hours after midnight of a night that began the day before; `,` adds. A rule of a comment
/// alone says neither open nor closed. After an open end nobody knows: up to midnight the place counts
/// as open without a closing time (after an end with `+` as unknown), and then as unknown until 06:00.
public struct OpeningHours: Hashable, Sendable {
  /// The value as it stands in the map.
  public let text: String
  /// Why the text cannot be read; `nil` when it can.
  package let problem: OpeningHoursProblem?

  let rules: [OpeningRule]
  /// Whether somebody is to be asked when no rule says open, `|| "on appointment"`.
  let asksWhenClosed: Bool

  /// The days in which changes are searched, the day of the question not counted.
  static let horizon = 366
  /// The longest text that is read, in bytes of UTF-8; values in OpenStreetMap have 255 characters at
  /// most.
  static let longestText = 1020
  static let mostRules = 64

  /// Reads a value, whatever it is.
  public init(_ text: String) {
    self.text = text
    do {
      var reader = try OpeningHoursReader(text)
      let value = try reader.readValue()
      (rules, asksWhenClosed, problem) = (value.rules, value.asksWhenClosed, nil)
    } catch {
      (rules, asksWhenClosed, problem) = ([], false, error)
    }
  }

  /// Whether the text is read exactly.
  package var isReadable: Bool { problem == nil }
}

/// Why opening hours cannot be read, and where.
package struct OpeningHoursProblem: Error, Hashable, CustomStringConvertible, Sendable {
  /// Unicode scalars before the place of the problem.
  package let offset: Int
  /// What is wrong and what to write instead, in one line.
  package let message: String

  /// The place, counted from 1, and the message.
  package var description: String { "character \(offset + 1): \(message)" }
}

/// Whether a place is open, and until when that stays so.
public enum OpeningState: Hashable, Sendable {
  /// It is open, until that time; `nil` when its closing is not given, or more than
  /// 366 days away.
  case open(until: LocalTime?)
  /// It is closed, and the next time it is known to be open; `nil` when that is more than
  /// 366 days away or never.
  case closed(opensAt: LocalTime?)
  /// Nobody can say from the text.
  case unknown
}

/// The holidays of a place, which `PH` and `SH` in opening hours stand for.
///
/// No calendar of holidays is built in: who has one hands it over. A day outside of these dates is no
/// holiday, so with ``none`` what the text says of holidays never applies, and sentences say that they are not known.
public struct Holidays: Hashable, Sendable {
  /// The public holidays, `PH`.
  let publicHolidays: Set<LocalDate>
  /// The days of school holidays, `SH`.
  let schoolHolidays: Set<LocalDate>

  /// Holidays of the given dates.
  public init(publicHolidays: Set<LocalDate>, schoolHolidays: Set<LocalDate> = []) {
    self.publicHolidays = publicHolidays
    self.schoolHolidays = schoolHolidays
  }

  /// No holidays at all.
  public static let none = Holidays(publicHolidays: [])
}

extension OpeningHours {
  /// The state at a time in English, such as `closed, opens Monday 09:00`.
  ///
  /// Where nothing can be said, `hours: ` and the text of the map, on one line. Where the text speaks of holidays of which
  /// no dates are given, the end says so: `open now, until 17:00 (public holidays not known)`.
  public func sentence(at time: LocalTime, holidays: Holidays = .none) -> String {
    let state = state(at: time, holidays: holidays)
    let said =
      switch state {
      case .open(let end?): "open now, until \(Self.end(end, from: time))"
      case .open(nil): rules.contains(where: \.hasOpenEnd) ? "open now" : "open 24 hours"
      case .closed(let start?): "closed, opens \(Self.start(start, from: time))"
      case .closed(nil): "closed"
      case .unknown: "hours: \(VisibleText.line(text))"
      }
    guard state != .unknown, let missing = missing(of: holidays) else { return said }
    return "\(said) (\(missing) not known)"
  }

  /// The holidays that the text speaks of and of which there are no dates.
  private func missing(of holidays: Holidays) -> String? {
    let isPublic =
      holidays.publicHolidays.isEmpty && rules.contains(where: \.days.isPublicHoliday)
    let isSchool =
      holidays.schoolHolidays.isEmpty && rules.contains(where: \.days.isSchoolHoliday)
    return switch (isPublic, isSchool) {
    case (true, true): "holidays"
    case (true, false): "public holidays"
    case (false, true): "school holidays"
    case (false, false): nil
    }
  }

  private static func end(_ end: LocalTime, from time: LocalTime) -> String {
    // Midnight belongs to the day that ends, and a night to the evening it began.
    guard end.date == time.date.adding(days: 1), end.minute < 12 * 60 else {
      return start(end, from: time)
    }
    return end.minute == 0 ? "24:00" : end.clock
  }

  private static func start(_ start: LocalTime, from time: LocalTime) -> String {
    let days = start.date.dayNumber - time.date.dayNumber
    if days == 0 { return start.clock }
    if days < 7 { return "\(weekdays[start.date.weekday]) \(start.clock)" }
    let (year, month, day) = start.date.parts
    let yearText = year == time.date.year ? "" : " \(year)"
    return "\(day) \(months[month - 1])\(yearText) \(start.clock)"
  }

  private static let weekdays = [
    "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday",
  ]
  private static let months = [
    "January", "February", "March", "April", "May", "June", "July", "August", "September",
    "October", "November", "December",
  ]
}

extension OpeningRule {
  fileprivate var hasOpenEnd: Bool { spans.contains(where: \.hasOpenEnd) }
}

extension OpeningHours {
  /// What to mend in a text that can be read but hardly means what it says; `nil` for nothing.
  ///
  /// Said of nights that a rule after `;` ends at midnight, or about which readers differ: the hours
  /// after midnight belong to the next day, and a rule that is about that day takes their place.
  package var advice: String? {
    guard cutsNights else { return nil }
    return "a rule after a semicolon ends the night before its days at midnight; write commas "
      + "between the rules, as Fr-Sa 18:00-02:00, Su 18:00-23:00"
  }

  private var cutsNights: Bool {
    // A leap year that begins on a Monday has every kind of day.
    guard let first = LocalDate(year: 2024, month: 1, day: 1) else { return false }
    let nights = rules.indices.filter { index in
      rules[index].kind == .open && rules[index].spans.contains { $0.end > LocalTime.minutesPerDay }
    }
    guard !nights.isEmpty else { return false }
    return (1...366).contains { day in
      guard let date = first.adding(days: day), let evening = first.adding(days: day - 1) else {
        return false
      }
      let rulesOfDay = rules.indices.filter { rules[$0].days.contains(date, .none) }
      return nights.contains { night in
        rules[night].days.contains(evening, .none) && isCut(night, by: rulesOfDay)
      }
    }
  }

  private func isCut(_ night: Int, by rulesOfDay: [Int]) -> Bool {
    // The rule itself being about the next day keeps its night.
    guard !rulesOfDay.contains(night) else { return false }
    return rulesOfDay.contains { other in
      let later = rules[max(other, night)]
      return other != night && later.separator == .normal && rules[other].kind == .open
    }
  }
}
