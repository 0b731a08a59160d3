internal import CupolaGuide

/// Numbers, dates and times as GTFS writes them, read from bytes.
enum FeedNumbers {
  /// A whole number with or without a sign; `nil` when it is none or more than an `Int`.
  static func integer(_ range: Range<Int>, in bytes: [UInt8]) -> Int? {
    guard let first = range.first else { return nil }
    let isNegative = bytes[first] == UInt8(ascii: "-")
    let hasSign = isNegative || bytes[first] == UInt8(ascii: "+")
    guard let value = digits(first + (hasSign ? 1 : 0)..<range.upperBound, bytes) else {
      return nil
    }
    return isNegative ? -value : value
  }

  /// A decimal number, in plain notation or with an exponent; `nil` when it is none or not finite.
  static func number(_ range: Range<Int>, in bytes: [UInt8]) -> Double? {
    if range.isEmpty { return nil }
    if let value = plain(range, bytes) { return value }
    guard range.count <= 64, bytes[range].allSatisfy({ isOfNumber($0) }) else { return nil }
    let value = Double(String(decoding: bytes[range], as: UTF8.self))
    return value.flatMap { $0.isFinite ? $0 : nil }
  }

  /// `YYYYMMDD`.
  static func date(_ range: Range<Int>, in bytes: [UInt8]) -> LocalDate? {
    guard range.count == 8, let value = digits(range, bytes) else { return nil }
    return LocalDate(year: value / 10_000, month: value / 100 % 100, day: value % 100)
  }

  /// `H:MM:SS` with one to three digits of hours, below 168 hours, in seconds.
  static func time(_ range: Range<Int>, in bytes: [UInt8]) -> Int32? {
    let colon = UInt8(ascii: ":")
    let end = range.upperBound
    guard (7...9).contains(range.count), bytes[end - 3] == colon, bytes[end - 6] == colon,
      let hours = digits(range.lowerBound..<end - 6, bytes),
      let minutes = digits(end - 5..<end - 3, bytes), let seconds = digits(end - 2..<end, bytes),
      hours < 168, minutes < 60, seconds < 60
    else { return nil }
    return Int32(hours * 3600 + minutes * 60 + seconds)
  }

  /// Digits alone, at least one and at most 18.
  private static func digits(_ range: Range<Int>, _ bytes: [UInt8]) -> Int? {
    guard (1...18).contains(range.count) else { return nil }
    var value = 0
    for place in range {
      let digit = bytes[place] &- UInt8(ascii: "0")
      guard digit < 10 else { return nil }
      value = value &* 10 &+ Int(digit)
    }
    return value
  }

  /// Digits with a point, few enough that one division rounds the value rightly (Clinger 1990).
  private static func plain(_ range: Range<Int>, _ bytes: [UInt8]) -> Double? {
    let isNegative = bytes[range.lowerBound] == UInt8(ascii: "-")
    var value = 0
    var (count, decimals, hasPoint) = (0, 0, false)
    for place in range.dropFirst(isNegative ? 1 : 0) {
      let digit = bytes[place] &- UInt8(ascii: "0")
      if digit < 10 {
        value = value &* 10 &+ Int(digit)
        count += 1
        decimals += hasPoint ? 1 : 0
        guard count <= 15 else { return nil }
      } else if bytes[place] == UInt8(ascii: "."), !hasPoint {
        hasPoint = true
      } else {
        return nil
      }
    }
    guard count > 0 else { return nil }
    let size = Double(value) / powersOfTen[decimals]
    return isNegative ? -size : size
  }

  private static let powersOfTen: [Double] = [
    1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
  ]

  private static func isOfNumber(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "+"),
      UInt8(ascii: "-"), UInt8(ascii: "e"), UInt8(ascii: "E"):
      true
    default: false
    }
  }
}
