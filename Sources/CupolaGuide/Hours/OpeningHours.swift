/// When a place is open, from a value of OpenStreetMap's key `opening_hours`.
///
/// Read are days, ranges and lists of them (`Mo-Fr`, `Sa-Tu`, `We[1]`), times and several of them, past
/// midnight too (`22:00-02:00`, `20:00-26:00`), without an end (`17:00+`), `24/7`, months and dates
/// (`Apr-Oct`, `Dec 20-Jan 6`, `2026 Aug 1-15`), years, weeks, `PH` and `SH`, `off`, `closed`,
/// `unknown` and comments, and rules one after the other by `;` and `,`, of which a last one after `||`
/// may say whom to ask. Anything else, such as times by the sun, is not guessed: the text is kept, its
/// ``problem`` says what and where, and every state is ``OpeningState/unknown``.
///
/// As the specification has it, a rule after `;` takes the place of all rules before it on its days,
/// also in the hours after midnight of a night that began the day before; `,` adds. A rule of a comment
/// alone says neither open nor closed. After an open end nobody knows: up to midnight the place counts
/// as open without a closing time (after an end with `+` as unknown), and then as unknown until 06:00.
public struct OpeningHours: Hashable, Sendable {
  /// The value as it stands in the map.
  public let text: String
  /// Why the text cannot be read; `nil` when it can.
  public let problem: OpeningHoursProblem?

  let rules: [OpeningRule]
  /// Whether somebody is to be asked when no rule says open, `|| "on appointment"`.
  let asksWhenClosed: Bool

  /// The days in which changes are searched, the day of the question not counted.
  public static let horizon = 366
  /// The longest text that is read, in bytes of UTF-8; values in OpenStreetMap have 255 characters at
  /// most.
  public static let longestText = 1020
  /// The most rules that are read.
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
  public var isReadable: Bool { problem == nil }
}
