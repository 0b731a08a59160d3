/// Converts decimal digits in dates, times and file names.
package enum Digits {
  /// Formats a nonnegative number with leading zeros.
  package static func padded(_ number: Int, to width: Int, radix: Int = 10) -> String {
    let text = String(number, radix: radix)
    return String(repeating: "0", count: max(0, width - text.count)) + text
  }

  /// Parses a string that consists of digits only; rejects a sign.
  package static func number(_ text: some StringProtocol) -> Int? {
    text.utf8.allSatisfy(isDigit) ? Int(text) : nil
  }

  package static func isDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
  }

  /// Formats a number with a fixed number of decimal places.
  package static func decimal(_ value: Double, digits: Int) -> String {
    var scale = 1.0
    for _ in 0..<digits { scale *= 10 }
    let scaled = (value * scale).rounded()
    guard scaled.magnitude < 1e15 else { return "\(value)" }
    let (whole, unit) = (Int(scaled.magnitude), Int(scale))
    let sign = scaled < 0 ? "-" : ""
    if digits == 0 { return sign + "\(whole)" }
    return sign + "\(whole / unit)." + padded(whole % unit, to: digits)
  }

  /// The smallest fraction that ``percent(_:)`` does not format as 0.0%.
  package static let leastPercent = 0.0005

  /// Formats a fraction as a percentage with one decimal place.
  package static func percent(_ share: Double) -> String {
    decimal(100 * share, digits: 1) + "%"
  }
}

extension String {
  /// Returns a string's first scalars. Limiting the number of characters would not limit the size.
  package func start(scalars most: Int) -> String {
    String(String.UnicodeScalarView(unicodeScalars.prefix(most)))
  }
}

/// Percent-encoded text (RFC 3986, section 2.1).
package enum PercentEncoding {
  /// Decodes `%XX` sequences; returns `nil` if a sequence is incomplete or the result is not UTF-8.
  package static func decoded(_ text: some StringProtocol) -> String? {
    var bytes: [UInt8] = []
    var rest = Array(text.utf8)[...]
    func digit() -> UInt8? {
      rest.popFirst().flatMap { Character(Unicode.Scalar($0)).hexDigitValue }.map { UInt8($0) }
    }
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "%") else {
        bytes.append(byte)
        continue
      }
      guard let high = digit(), let low = digit() else { return nil }
      bytes.append(high << 4 | low)
    }
    return String(validating: bytes, as: UTF8.self)
  }
}

/// The 3-byte UTF-8 byte order mark that Windows editors add (Unicode 16.0, section 23.8).
package enum ByteOrderMark {
  /// The number of bytes in the mark at the start of the text: 3 or 0.
  package static func length(in text: [UInt8]) -> Int {
    text.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
  }
}
