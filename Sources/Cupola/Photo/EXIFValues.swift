internal import CupolaCampus

// Interpret EXIF values in the forms that cameras and programs write:
// 1. `EXIFMeaning` converts coordinates and headings.
// 2. `EXIFTime` accepts EXIF and ISO 8601, with or without seconds, fraction, time zone, and time of day.
// 3. `TimeScanner` reads the numbers and separators of a time.

/// The meaning of EXIF values, however they are written. NaN stands for unknown.
enum EXIFMeaning {
  enum Axis: String {
    case latitude = "NORTH SOUTH"
    case longitude = "EAST WEST"
  }

  /// Converts degrees, minutes, and seconds, of which the last can be missing, to a signed number; NaN if unknown, and
  /// `nil` if they do not have exactly one meaning.
  static func coordinate(_ parts: [Double], _ reference: String?, _ axis: Axis) -> Double? {
    guard let degrees = degrees(parts) else { return nil }
    guard !degrees.isNaN, degrees != 0 else { return degrees }
    let name = reference?.uppercased() ?? ""
    let sides = axis.rawValue.split(separator: " ").map { $0 == name || $0.prefix(1) == name }
    if sides[1] { return -abs(degrees) }
    // Only a negative number names its side without a reference, and it contradicts north and east.
    let isClear = degrees > 0 ? sides[0] : name.isEmpty
    return isClear ? degrees : nil
  }

  private static func degrees(_ parts: [Double]) -> Double? {
    guard (1...3).contains(parts.count) else { return nil }
    let known = parts.prefix { !$0.isNaN }
    guard let last = known.last else { return .nan }
    guard known.allSatisfy(\.isFinite) else { return nil }
    // Whole degrees or minutes are too coarse if the next part is unknown; a fraction includes it.
    guard known.count == parts.count || last != last.rounded() else { return .nan }
    let isNegative = known.first { $0 != 0 }.map { $0 < 0 } ?? false
    guard isNegative || known.allSatisfy({ $0 >= 0 }) else { return nil }
    let sizes = known.map(abs) + [0, 0]
    let sum = sizes[0] + sizes[1] / 60 + sizes[2] / 3600
    // Round to a centimeter, because the sum has rounding errors, such as -86.23899999999999.
    let degrees = (sum * 1e7).rounded() / 1e7
    return isNegative ? -degrees : degrees
  }

  /// Phones without a GPS fix write 0, 0.
  static func isUnknown(_ latitude: Double, _ longitude: Double) -> Bool {
    latitude.isNaN || longitude.isNaN || latitude == 0 && longitude == 0
  }

  /// No position is exact, so 0 means unknown.
  static func isUnknown(error: Double) -> Bool { error.isNaN || error == 0 }

  /// Returns a heading of -180 to 360 degrees; `nil` for others.
  static func heading(_ degrees: Double, _ reference: String?) -> Heading? {
    guard (-180...360).contains(degrees) else { return nil }
    let isMagnetic = reference?.uppercased().hasPrefix("M") == true
    return Heading(
      degrees: degrees < 0 ? degrees + 360 : degrees,
      reference: isMagnetic ? .magneticNorth : .trueNorth)
  }
}

/// A capture time in local time, from EXIF or ISO 8601 text that has exactly one meaning.
package struct EXIFTime: Equatable, Sendable {
  /// The time as `YYYY:MM:DD HH:MM:SS`, or as `YYYY:MM:DD` if the time of day is unknown.
  package let text: String
  /// The time zone in the text, such as `+02:00`; `nil` if missing.
  package let offset: String?
  /// Days since January 1, 1970.
  package let day: Int
  /// The time of day in seconds; `nil` if unknown.
  package let secondOfDay: Int?

  /// Parses a text such as `2026:05:01 10:00:00`, `2026-05-01T10:00:00.5+02:00`, or `2026:05:01 10:00`.
  package init?(_ text: String) {
    var scanner = TimeScanner(text)
    guard let (year, month, date) = scanner.date(),
      GregorianCalendar.has(year: year, month: month, day: date)
    else { return nil }
    day = GregorianCalendar.dayNumber(year: year, month: month, day: date)
    let days =
      Digits.padded(year, to: 4) + ":" + Digits.padded(month, to: 2) + ":"
      + Digits.padded(date, to: 2)
    guard !scanner.isAtEnd else {
      (self.text, offset, secondOfDay) = (days, nil, nil)
      return
    }
    guard let clock = scanner.clock(), let zone = scanner.zone() else { return nil }
    let parts = [clock.hour, clock.minute, clock.second].map { Digits.padded($0, to: 2) }
    self.text = days + " " + parts.joined(separator: ":")
    offset = zone.isEmpty ? nil : zone
    secondOfDay = 3600 * clock.hour + 60 * clock.minute + clock.second
  }

  /// Returns whether a text is one of EXIF's forms of an unknown time: blanks or zeros between separators.
  static func isUnknown(_ text: String) -> Bool {
    text.utf8.allSatisfy { " :-/.0TZ+".utf8.contains($0) }
  }
}

private struct TimeScanner {
  private var rest: ArraySlice<UInt8>

  init(_ text: String) { rest = Array(Self.separated(text).utf8)[...] }

  /// Inserts separators into the basic form of ISO 8601, such as `20260501T100000`.
  private static func separated(_ text: String) -> String {
    func digits(_ text: Substring) -> Substring { text.prefix { $0.isASCII && $0.isNumber } }
    func pair(_ digits: Substring, _ at: Int) -> Substring { digits.dropFirst(at).prefix(2) }
    let date = digits(text[...])
    guard date.count == 8 else { return text }
    let days = "\(date.prefix(4))-\(pair(date, 4))-\(pair(date, 6))"
    let rest = text.dropFirst(8)
    let clock = digits(rest.dropFirst())
    guard clock.count == 4 || clock.count == 6 else { return days + rest }
    let times = stride(from: 0, to: clock.count, by: 2).map { pair(clock, $0) }
    return days + rest.prefix(1) + times.joined(separator: ":")
      + rest.dropFirst(1 + clock.count)
  }

  /// Whether only blanks and colons remain. EXIF writes blanks for unknown digits.
  var isAtEnd: Bool { rest.allSatisfy { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: ":") } }

  mutating func date() -> (year: Int, month: Int, day: Int)? {
    guard let year = number(digits: 4...4), let separator = take(":-/."),
      let month = number(digits: 1...2), take(":-/.") == separator,
      let day = number(digits: 1...2)
    else { return nil }
    return (year, month, day)
  }

  mutating func clock() -> (hour: Int, minute: Int, second: Int)? {
    guard take("Tt :") != nil, let hour = number(digits: 1...2), take(":") != nil,
      let minute = number(digits: 1...2), hour < 24, minute < 60
    else { return nil }
    guard !isAtEnd, take(":") != nil else { return (hour, minute, 0) }
    guard let second = number(digits: 1...2), second <= 60 else { return nil }
    return (hour, minute, second)
  }

  /// Skips a fraction of a second, and returns the time zone as `+HH:MM`: an empty text if it is missing or has an
  /// unknown offset, `nil` if other text follows.
  mutating func zone() -> String? {
    if take(".,") != nil { rest = rest.drop(while: Digits.isDigit) }
    let text = String(decoding: rest.filter { $0 != UInt8(ascii: " ") }, as: UTF8.self).uppercased()
    guard !isAtEnd else { return "" }
    guard !["Z", "UTC", "GMT"].contains(text) else { return "+00:00" }
    // The name of a time zone such as CEST is not unique, but the local time is clear.
    if (3...5).contains(text.count), text.allSatisfy({ $0.isASCII && $0.isLetter }) { return "" }
    guard ["+", "-", "UTC", "GMT"].contains(where: text.hasPrefix) else { return nil }
    let digits = text.utf8.filter(Digits.isDigit)
    guard let sign = text.first, sign == "+" || sign == "-", [2, 4].contains(digits.count),
      text.utf8.dropFirst().allSatisfy({ Digits.isDigit($0) || $0 == UInt8(ascii: ":") })
    else { return "" }
    let parts = String(decoding: digits, as: UTF8.self) + (digits.count == 2 ? "00" : "")
    return "\(sign)\(parts.prefix(2)):\(parts.suffix(2))"
  }

  private mutating func number(digits count: ClosedRange<Int>) -> Int? {
    rest = rest.drop { $0 == UInt8(ascii: " ") }
    let digits = rest.prefix(while: Digits.isDigit)
    guard count.contains(digits.count) else { return nil }
    rest = rest.dropFirst(digits.count)
    return Digits.number(String(decoding: digits, as: UTF8.self))
  }

  private mutating func take(_ separators: String) -> UInt8? {
    guard let next = rest.first, separators.utf8.contains(next) else { return nil }
    rest = rest.dropFirst()
    return next
  }
}
