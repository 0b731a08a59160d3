extension StringProtocol {
  /// Whether it is a SHA-256 as Cupola writes it: 64 hexadecimal digits, letters small.
  var isSHA256: Bool {
    utf8.count == 64
      && utf8.allSatisfy {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0)
          || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains($0)
      }
  }
}
