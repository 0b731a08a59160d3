/// One rule of opening hours: on which days, at which times, and what then.
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
