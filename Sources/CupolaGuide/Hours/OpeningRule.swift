internal import CupolaSupport

struct OpeningRule: Hashable, Sendable {
  /// How a rule meets those before it.
  enum Separator: Hashable, Sendable {
    /// `;`: takes the place of the rules before it on its days, unless it closes.
    case normal
    /// `,`: is laid over the rules before it.
    case additional
  }

  enum Kind: Hashable, Sendable { case open, closed, unknown }

  /// Minutes from midnight of the rule's day; the end may lie on the next day.
  struct Span: Hashable, Sendable {
    /// 0..<1440.
    let start: Int
    /// Above `start`, at most 2880.
    let end: Int
    /// Whether the text says that it may stay open longer, `+`.
    let hasOpenEnd: Bool
  }

  var separator = Separator.normal
  var days = DaySelector()
  /// Empty for the whole day.
  var spans: [Span] = []
  var kind = Kind.open

  /// The spans, that of the whole day included.
  var times: [Span] { spans.isEmpty ? [Span(start: 0, end: 1440, hasOpenEnd: false)] : spans }
}

/// The days that a rule is about: what is empty does not restrict.
struct DaySelector: Hashable, Sendable {
  var years: [ClosedRange<Int>] = []
  var dates: [DateRange] = []
  /// Weeks of the year (ISO 8601).
  var weeks: [WeekRange] = []
  var weekdays: [WeekdayRange] = []
  var isPublicHoliday = false
  var isSchoolHoliday = false
  /// Whether the day must be a holiday and one of the days of the week (`PH Mo-Fr`), not either.
  var needsBoth = false

  /// Days of the year from one to another, over its end when the last is before the first.
  enum DateRange: Hashable, Sendable {
    /// Of every year; a day is its month times 100 plus the day.
    case yearly(first: Int, last: Int)
    /// From a date to a date, both included.
    case fixed(ClosedRange<LocalDate>)

    func contains(_ date: LocalDate, _ dayOfYear: Int) -> Bool {
      switch self {
      case .fixed(let range): range.contains(date)
      case .yearly(let first, let last):
        first <= last
          ? (first...last).contains(dayOfYear) : dayOfYear >= first || dayOfYear <= last
      }
    }
  }

  struct WeekRange: Hashable, Sendable {
    let weeks: ClosedRange<Int>
    let step: Int

    func contains(_ week: Int) -> Bool {
      weeks.contains(week) && (week - weeks.lowerBound) % step == 0
    }
  }

  struct WeekdayRange: Hashable, Sendable {
    /// 0 (Monday) to 6.
    let first: Int
    /// 0 (Monday) to 6; before `first` when the range wraps.
    let last: Int
    /// Which of the month: 1 to 5, or from its end -1 to -5; empty for all.
    var positions: [Int] = []

    func contains(_ weekday: Int, day: Int, of days: Int) -> Bool {
      let isInside =
        first <= last ? (first...last).contains(weekday) : weekday >= first || weekday <= last
      guard isInside, !positions.isEmpty else { return isInside }
      return positions.contains((day - 1) / 7 + 1) || positions.contains(-((days - day) / 7 + 1))
    }
  }

  var isEmpty: Bool { self == DaySelector() }

  func contains(_ date: LocalDate, _ holidays: Holidays) -> Bool {
    let (year, month, day) = date.parts
    guard years.isEmpty || years.contains(where: { $0.contains(year) }) else { return false }
    guard dates.isEmpty || dates.contains(where: { $0.contains(date, month * 100 + day) }) else {
      return false
    }
    guard weeks.isEmpty || weeks.contains(where: { $0.contains(date.week) }) else { return false }
    let namesHolidays = isPublicHoliday || isSchoolHoliday
    guard namesHolidays || !weekdays.isEmpty else { return true }
    let isHoliday =
      isPublicHoliday && holidays.publicHolidays.contains(date)
      || isSchoolHoliday && holidays.schoolHolidays.contains(date)
    let isWeekday = weekdays.contains {
      $0.contains(date.weekday, day: day, of: GregorianCalendar.days(inMonth: month, of: year))
    }
    return needsBoth ? isHoliday && isWeekday : isHoliday || isWeekday
  }
}
