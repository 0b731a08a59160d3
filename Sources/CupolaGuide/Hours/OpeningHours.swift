internal import CupolaSupport

// 1. Parse the text into rules with `OpeningHoursReader`, or store the problem.
// 2. Describe the state at a time in English, and detect nights that a later rule truncates.

/// Opening hours of a place, from a value of OpenStreetMap's key `opening_hours`.
///
/// Supports days with ranges and lists (`Mo-Fr`, `Sa-Tu`, `We[1]`); one or more times, including past midnight
/// (`22:00-02:00`, `20:00-26:00`) and open-ended (`17:00+`); `24/7`; months and dates (`Apr-Oct`, `Dec 20-Jan 6`, `2026
/// Aug 1-15`); years and weeks; `PH`, `SH`, `off`, `closed`, `unknown` and comments; and rules separated by `;` and
/// `,`. A last rule after `
///
/// ` may name a contact. Other values, such as times relative to sunrise, are kept as text, and their state is
/// ``OpeningState/unknown``.
///
/// As in the specification, a rule after `;` replaces all previous rules on its days, including the hours after
/// midnight of the previous night; a rule after `,` adds to them. The state of a rule that is only a comment is
/// unknown. An open end counts as open until midnight (or as unknown, if it follows an end time with `+`), then as
/// unknown until 06:00.
public struct OpeningHours: Hashable, Sendable {
  /// The value as written on the map.
  public let text: String
  package let problem: OpeningHoursProblem?

  let rules: [OpeningRule]
  /// Whether a fallback such as `|| "on appointment"` applies when no rule is open.
  let asksWhenClosed: Bool

  /// The number of days searched for a change, after the given day.
  static let horizon = 366
  /// The maximum length of a value in UTF-8 bytes. OpenStreetMap allows 255 characters.
  static let longestText = 1020
  static let mostRules = 64

  /// Parses a value. Values that cannot be parsed are kept as text.
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

  package var isReadable: Bool { problem == nil }
}

package struct OpeningHoursProblem: Error, Hashable, CustomStringConvertible, Sendable {
  /// The number of Unicode scalars before the problem.
  package let offset: Int
  package let message: String

  package var description: String { "character \(offset + 1): \(message)" }
}

/// Whether a place is open, and until when.
public enum OpeningState: Hashable, Sendable {
  /// Open until the given time; `nil` if the closing time is unknown or more than 366 days away.
  case open(until: LocalTime?)
  /// Closed until the given time; `nil` if the place never opens, or opens more than 366 days later.
  case closed(opensAt: LocalTime?)
  /// The text does not specify the state.
  case unknown
}

/// The dates of `PH` and `SH` in opening hours.
///
/// The app provides the dates, because no calendar of holidays is built in. All other days count as normal days. With
/// ``none``, rules for holidays never apply, and sentences add that holidays are not known.
public struct Holidays: Hashable, Sendable {
  let publicHolidays: Set<LocalDate>
  let schoolHolidays: Set<LocalDate>

  /// Creates holidays from dates.
  public init(publicHolidays: Set<LocalDate>, schoolHolidays: Set<LocalDate> = []) {
    self.publicHolidays = publicHolidays
    self.schoolHolidays = schoolHolidays
  }

  /// No holiday dates.
  public static let none = Holidays(publicHolidays: [])
}

extension OpeningHours {
  /// Returns the state at a local time in English, such as `closed, opens Monday 09:00`.
  ///
  /// If the state is unknown, returns `hours: ` followed by the text on one line. If the text mentions holidays and no
  /// dates are given, the sentence says this: `open now, until 17:00 (public holidays not known)`.
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

  /// Returns the holidays that the rules mention but whose dates are unknown, such as `public holidays`.
  package func missing(of holidays: Holidays = .none) -> String? {
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
    // Midnight belongs to the preceding day, and a night belongs to its evening.
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
  /// Advice for a valid text that probably does not mean what was intended; `nil` if there is none.
  ///
  /// This applies to nights that a rule after `;` truncates at midnight, because the hours after midnight belong to the
  /// next day, and to cases in which implementations differ.
  package var advice: String? {
    guard cutsNights else { return nil }
    return "a rule after a semicolon cuts the previous night at midnight; separate the rules "
      + "with commas, such as Fr-Sa 18:00-02:00, Su 18:00-23:00"
  }

  private var cutsNights: Bool {
    // A leap year that starts on a Monday includes every kind of day that rules distinguish, such as February 29 and
    // week 53.
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
    // A rule that also covers the next day keeps its own night.
    guard !rulesOfDay.contains(night) else { return false }
    return rulesOfDay.contains { other in
      let later = rules[max(other, night)]
      return other != night && later.separator == .normal && rules[other].kind == .open
    }
  }
}
