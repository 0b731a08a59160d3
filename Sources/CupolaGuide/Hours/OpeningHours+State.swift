internal import CupolaSupport

// 1. Apply the rules in order to the minutes of a day, including hours after midnight from the previous day.
// 2. Find the span that contains the given time, then search the following days for a change.
// 3. List all changes on several days, for programs without these rules.

extension OpeningHours {
  /// Returns whether the place is open at a local time, and until when.
  ///
  /// Searches at most 366 days.
  public func state(at time: LocalTime, holidays: Holidays = .none) -> OpeningState {
    guard isReadable else { return .unknown }
    let today = segments(of: time.date, holidays)
    guard let now = today.first(where: { $0.end > time.minute }), now.kind != .unknown else {
      return .unknown
    }
    let wanted: (DaySchedule.Span) -> Bool =
      now.kind == .open ? { $0.kind != .open } : { $0.kind == .open }
    var last = now
    for days in 0...Self.horizon {
      guard let date = time.date.adding(days: days) else { break }
      let segments = days == 0 ? today : segments(of: date, holidays)
      for segment in segments where days > 0 || segment.start > time.minute {
        if wanted(segment) {
          // An open end may continue after midnight.
          if now.kind == .open && last.isOpenEnded { return .open(until: nil) }
          let change = LocalTime(date: date, minute: segment.start)
          return now.kind == .open ? .open(until: change) : .closed(opensAt: change)
        }
        last = segment
      }
    }
    return now.kind == .open ? .open(until: nil) : .closed(opensAt: nil)
  }

  /// Returns the state at the start of a day, and all changes on this and the following days. `isOpen` is `nil` while
  /// the state is unknown.
  package func changes(from date: LocalDate, days: Int) -> [(time: LocalTime, isOpen: Bool?)] {
    var changes: [(time: LocalTime, isOpen: Bool?)] = []
    for day in 0..<days {
      guard isReadable, let date = date.adding(days: day) else { break }
      for segment in segments(of: date, .none) {
        let isOpen: Bool? = segment.kind == .unknown ? nil : segment.kind == .open
        guard changes.isEmpty || changes.last?.isOpen != isOpen,
          let time = LocalTime(date: date, minute: segment.start)
        else { continue }
        changes.append((time, isOpen))
      }
    }
    return changes
  }

  private func segments(of date: LocalDate, _ holidays: Holidays) -> [DaySchedule.Span] {
    let quiet: OpeningRule.Kind = asksWhenClosed ? .unknown : .closed
    var segments: [DaySchedule.Span] = []
    var minute = 0
    for var span in schedule(of: date, holidays).spans {
      if span.start > minute {
        segments.append(.init(start: minute, end: span.start, kind: quiet))
      }
      if span.kind == .closed { span.kind = quiet }
      segments.append(span)
      minute = span.end
    }
    if minute < LocalTime.minutesPerDay {
      segments.append(.init(start: minute, end: LocalTime.minutesPerDay, kind: quiet))
    }
    return segments
  }

  private func schedule(of date: LocalDate, _ holidays: Holidays) -> DaySchedule {
    var schedule = DaySchedule()
    var isSaid = false
    let yesterday = date.adding(days: -1)
    for rule in rules {
      let isToday = rule.days.contains(date, holidays)
      var spill: [DaySchedule.Span] = []
      if rule.reachesNextDay, let yesterday, rule.days.contains(yesterday, holidays) {
        spill = rule.spansAfterMidnight
      }
      guard isToday || !spill.isEmpty else { continue }
      if rule.separator == .normal, rule.kind != .closed {
        if isToday {
          schedule = DaySchedule()
        } else if isSaid {
          // If an earlier rule covers this day and a later one the previous night, implementations differ.
          for span in spill { schedule.doubt(span) }
          continue
        }
      }
      if rule.kind != .closed {
        isSaid = true
      } else if isToday, rule.spans.isEmpty {
        isSaid = false
      }
      for span in spill { schedule.lay(span) }
      if isToday { for span in rule.spansBeforeMidnight { schedule.lay(span) } }
    }
    return schedule
  }
}

extension OpeningRule {
  /// The latest time until which an open-ended night may last, in minutes of its first day.
  private static let latestOpenEnd = 30 * 60

  fileprivate var reachesNextDay: Bool {
    spans.contains { $0.end > LocalTime.minutesPerDay || $0.hasOpenEnd }
  }

  fileprivate var spansBeforeMidnight: [DaySchedule.Span] {
    let midnight = LocalTime.minutesPerDay
    // Add doubts first, because known open spans override the uncertainty after another span's open end.
    let doubts = times.filter { $0.hasOpenEnd && $0.end < midnight && kind != .closed }
      .map { DaySchedule.Span(start: $0.end, end: midnight, kind: .unknown) }
    return doubts
      + times.map { span in
        DaySchedule.Span(
          start: span.start, end: min(span.end, midnight), kind: kind,
          isOpenEnded: span.hasOpenEnd && span.end == midnight)
      }
  }

  fileprivate var spansAfterMidnight: [DaySchedule.Span] {
    let midnight = LocalTime.minutesPerDay
    let doubts = times.filter { $0.hasOpenEnd && kind != .closed }.map {
      DaySchedule.Span(
        start: max(0, $0.end - midnight), end: OpeningRule.latestOpenEnd - midnight, kind: .unknown)
    }
    return doubts
      + times.filter { $0.end > midnight }.map {
        DaySchedule.Span(start: 0, end: $0.end - midnight, kind: kind)
      }
  }
}

struct DaySchedule {
  struct Span {
    /// The first minute, 0...1440.
    var start: Int
    /// The end minute, above `start` and at most 1440.
    var end: Int
    var kind: OpeningRule.Kind
    /// Whether the place stays open past the end of the day without a closing time.
    var isOpenEnded = false
  }

  private(set) var spans: [Span] = []

  mutating func lay(_ span: Span) {
    guard span.start < span.end else { return }
    var result: [Span] = []
    result.reserveCapacity(spans.count + 2)
    for old in spans {
      if old.start < span.start {
        var head = old
        head.end = min(old.end, span.start)
        if head.end < old.end { head.isOpenEnded = false }
        result.append(head)
      }
      if old.end > span.end {
        var tail = old
        tail.start = max(old.start, span.end)
        result.append(tail)
      }
    }
    let index = result.firstIndex { $0.start >= span.end } ?? result.count
    result.insert(span, at: index)
    spans = result
  }

  /// Marks a span as unknown except where it is already open.
  mutating func doubt(_ span: Span) {
    let known = spans.filter { $0.kind == .open }
    lay(Span(start: span.start, end: span.end, kind: .unknown))
    for span in known { lay(span) }
  }
}
