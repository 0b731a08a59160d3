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
