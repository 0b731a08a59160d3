internal import CupolaSupport

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
