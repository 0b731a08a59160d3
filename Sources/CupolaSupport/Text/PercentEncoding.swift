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
