/// Numbers as dates, times and names of files show them.
package enum Digits {
  /// A number, 0 or more, with zeros before it.
  package static func padded(_ number: Int, to width: Int, radix: Int = 10) -> String {
    let text = String(number, radix: radix)
    return String(repeating: "0", count: max(0, width - text.count)) + text
  }

  /// The number of a text that is digits and nothing else, such as a sign.
  package static func number(_ text: some StringProtocol) -> Int? {
    text.utf8.allSatisfy(isDigit) ? Int(text) : nil
  }

  /// Whether a byte is one of the digits 0 to 9.
  package static func isDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
  }
}

extension String {
  /// The beginning of a text of a file, which may have megabytes: so many scalars, as a character may have any number.
  package func start(scalars most: Int) -> String {
    String(String.UnicodeScalarView(unicodeScalars.prefix(most)))
  }
}

/// Text of addresses, where `%20` and the like stand for bytes (RFC 3986, 2.1).
package enum PercentEncoding {
  /// With the bytes in their places; `nil` where a percent sign has no two digits behind it, and for what is no UTF-8
  /// then.
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

/// The three bytes by which editors on Windows mark a text as UTF-8 (Unicode 16.0, section 23.8); no part of the text.
package enum ByteOrderMark {
  /// How many bytes of a mark a text begins with: 3 or 0.
  package static func length(in text: [UInt8]) -> Int {
    text.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
  }
}
