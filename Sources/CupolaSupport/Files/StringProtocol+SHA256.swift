extension StringProtocol {
  /// Whether it is a SHA-256 as Cupola writes it: 64 hexadecimal digits, letters small.
  package var isSHA256: Bool { utf8.count == 64 && utf8.allSatisfy(Hex.isDigit) }
}
