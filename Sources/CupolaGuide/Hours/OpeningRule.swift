internal import CupolaSupport

struct OpeningRule: Hashable, Sendable {
  enum Separator: Hashable, Sendable {
    /// `;`: replaces the previous rules on its days, unless it is a closing rule.
    case normal
    /// `,`: adds to the previous rules.
    case additional
  }

  enum Kind: Hashable, Sendable { case open, closed, unknown }

  /// Minutes from midnight of the rule's day; the end may be on the next day.
  struct Span: Hashable, Sendable {
    /// The start, 0..<1440.
    let start: Int
    /// The end, above `start` and at most 2880.
    let end: Int
    /// Whether the place may stay open longer (`+`).
    let hasOpenEnd: Bool
  }

  var separator = Separator.normal
  var days = DaySelector()
  /// The times; empty means the whole day.
  var spans: [Span] = []
  var kind = Kind.open

  var times: [Span] { spans.isEmpty ? [Span(start: 0, end: 1440, hasOpenEnd: false)] : spans }
}

/// The days on which a rule applies. Empty members do not restrict the days.
struct DaySelector: Hashable, Sendable {
  var years: [ClosedRange<Int>] = []
  var dates: [DateRange] = []
  var weeks: [WeekRange] = []
  var weekdays: [WeekdayRange] = []
  var isPublicHoliday = false
  var isSchoolHoliday = false
  /// Whether a day must match both a holiday and a weekday (`PH Mo-Fr`) instead of either.
  var needsBoth = false

  /// A range of days, which may wrap around the end of the year.
  enum DateRange: Hashable, Sendable {
    /// Every year. Each day is stored as its month times 100 plus the day of the month.
    case yearly(first: Int, last: Int)
    /// An inclusive range of dates.
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
    /// 0 (Monday) to 6; before `first` if the range wraps.
    let last: Int
    /// The occurrences in the month: 1 to 5, or -1 to -5 counted from its end; empty means all.
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
