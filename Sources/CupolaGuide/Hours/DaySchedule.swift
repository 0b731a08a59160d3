internal import CupolaSupport

/// What the rules say of the minutes of one day.
struct DaySchedule {
  /// Minutes of the day about which something is said.
  struct Span {
    /// 0...1440.
    var start: Int
    /// Above `start`, at most 1440.
    var end: Int
    var kind: OpeningRule.Kind
    /// Whether it is open to the end of the day, and longer, without a closing time.
    var isOpenEnded = false
  }

  /// In order, without overlaps.
  private(set) var spans: [Span] = []

  /// Lays a span over what is there.
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

  /// Says that nobody knows, where it was not said to be open.
  mutating func doubt(_ span: Span) {
    let known = spans.filter { $0.kind == .open }
    lay(Span(start: span.start, end: span.end, kind: .unknown))
    for span in known { lay(span) }
  }
}
