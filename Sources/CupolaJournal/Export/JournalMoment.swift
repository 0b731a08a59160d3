internal import CupolaGuide
internal import CupolaSupport

/// Moments of a journal as exports have them.
package enum JournalMoment {
  /// RFC 3339 in UTC with milliseconds: `2026-11-23T14:30:05.250Z`; of times before 1970 and after 9999 the nearest
  /// moment between, of what is no time the first.
  static func text(_ seconds: Double) -> String {
    let bounds = JournalLimits.times
    let known = min(max(bounds.lowerBound, seconds), bounds.upperBound)
    let milliseconds = Int(saturating: (known * 1000).rounded(.down))
    let (second, rest) = (milliseconds / 1000, milliseconds % 1000)
    let day = second / 86400
    let clock = [second / 3600 % 24, second / 60 % 60, second % 60]
      .map { Digits.padded($0, to: 2) }.joined(separator: ":")
    let fraction = rest == 0 ? "" : "." + Digits.padded(rest, to: 3)
    return (LocalDate(dayNumber: day)?.description ?? "1970-01-01") + "T" + clock + fraction + "Z"
  }

  /// Reads RFC 3339, with any offset.
  package static func seconds(_ text: String) -> Double? {
    let bytes = Array(text.utf8)
    guard bytes.count >= 20, bytes.count <= 40, let date = date(bytes),
      let clock = clock(bytes[11...])
    else { return nil }
    guard [UInt8(ascii: "T"), UInt8(ascii: "t"), UInt8(ascii: " ")].contains(bytes[10]) else {
      return nil
    }
    var place = 19
    var fraction = 0.0
    if bytes[place] == UInt8(ascii: ".") {
      let digits = bytes[(place + 1)...].prefix(while: Digits.isDigit)
      guard (1...15).contains(digits.count), let value = Double("0." + (String(digits) ?? ""))
      else {
        return nil
      }
      (fraction, place) = (value, place + 1 + digits.count)
    }
    guard let offset = offset(bytes[place...]) else { return nil }
    return Double(date.dayNumber * 86400 + clock - offset) + fraction
  }

  private static func date(_ bytes: [UInt8]) -> LocalDate? {
    guard bytes[4] == UInt8(ascii: "-"), bytes[7] == UInt8(ascii: "-"),
      let year = number(bytes[0..<4]), let month = number(bytes[5..<7]),
      let day = number(bytes[8..<10])
    else { return nil }
    return LocalDate(year: year, month: month, day: day)
  }

  /// Seconds of `14:30:05`.
  private static func clock(_ bytes: ArraySlice<UInt8>) -> Int? {
    let start = bytes.startIndex
    guard bytes[start + 2] == UInt8(ascii: ":"), bytes[start + 5] == UInt8(ascii: ":"),
      let hour = number(bytes[start..<(start + 2)]), hour < 24,
      let minute = number(bytes[(start + 3)..<(start + 5)]), minute < 60,
      // A leap second is the last one before it.
      let second = number(bytes[(start + 6)..<(start + 8)]), second <= 60
    else { return nil }
    return hour * 3600 + minute * 60 + min(second, 59)
  }

  /// Seconds of `Z` or `+01:00`.
  private static func offset(_ bytes: ArraySlice<UInt8>) -> Int? {
    guard let first = bytes.first else { return nil }
    if bytes.count == 1, first == UInt8(ascii: "Z") || first == UInt8(ascii: "z") { return 0 }
    let start = bytes.startIndex
    guard bytes.count == 6, bytes[start + 3] == UInt8(ascii: ":"),
      let hour = number(bytes[(start + 1)..<(start + 3)]), hour < 24,
      let minute = number(bytes[(start + 4)..<(start + 6)]), minute < 60
    else { return nil }
    let seconds = hour * 3600 + minute * 60
    return first == UInt8(ascii: "+") ? seconds : first == UInt8(ascii: "-") ? -seconds : nil
  }

  private static func number(_ digits: ArraySlice<UInt8>) -> Int? {
    guard digits.allSatisfy(Digits.isDigit) else { return nil }
    return digits.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
  }
}

extension String {
  /// `nil` for bytes that are no UTF-8.
  fileprivate init?(_ bytes: ArraySlice<UInt8>) { self.init(validating: bytes, as: UTF8.self) }
}
