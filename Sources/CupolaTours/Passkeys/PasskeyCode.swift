/// The code of a passkey as people read it aloud, such as `7KQ4N-9M2XW-HT3V8`.
///
/// 14 random characters of 5 bits and one that checks them, of Crockford's alphabet without I, L, O and U.
/// The last is a sum over the field of 32 elements in which every character has another weight: one wrong
/// character, or two exchanged ones, are always found.
struct PasskeyCode: Hashable {
  /// Values 0..<32, the check character not among them.
  let values: [UInt8]

  /// Characters before the one that checks: 70 bits.
  static let count = 14
  private static let groupSize = 5
  private static let alphabet = Array("0123456789ABCDEFGHJKMNPQRSTVWXYZ".utf8)
  /// What nobody types.
  private static let mostBytes = 100

  init(using generator: inout some RandomNumberGenerator) {
    values = (0..<Self.count).map { _ in UInt8(truncatingIfNeeded: generator.next() >> 59) }
  }

  /// Reads what somebody typed: in small letters too, with I and L for 1, O for 0, and hyphens and blanks anywhere.
  ///
  /// Fails for anything else, and when the last character does not check.
  init?(_ text: String) {
    guard text.utf8.count <= Self.mostBytes else { return nil }
    var values: [UInt8] = []
    for byte in text.utf8 where byte != UInt8(ascii: "-") && byte != UInt8(ascii: " ") {
      guard let value = Self.value(byte) else { return nil }
      values.append(value)
    }
    guard values.count == Self.count + 1, Self.check(values.dropLast()) == values.last else {
      return nil
    }
    self.values = values.dropLast()
  }

  /// The code in groups.
  var text: String {
    var text = ""
    for (number, value) in (values + [Self.check(values[...])]).enumerated() {
      if number > 0, number % Self.groupSize == 0 { text += "-" }
      text += String(UnicodeScalar(Self.alphabet[Int(value)]))
    }
    return text
  }

  private static func value(_ byte: UInt8) -> UInt8? {
    let small = (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
    let letter =
      switch small ? byte & 0xDF : byte {
      case UInt8(ascii: "I"), UInt8(ascii: "L"): UInt8(ascii: "1")
      case UInt8(ascii: "O"): UInt8(ascii: "0")
      default: small ? byte & 0xDF : byte
      }
    return alphabet.firstIndex(of: letter).map { UInt8($0) }
  }

  /// The sum of `value[i] * x^(i + 1)` modulo `x^5 + x^2 + 1`, whose root has the order 31.
  private static func check(_ values: ArraySlice<UInt8>) -> UInt8 {
    // By Horner's rule, from the last.
    values.reversed().reduce(0) { sum, value in
      let double = (sum ^ value) << 1
      return double & 32 == 0 ? double : double ^ 37
    }
  }
}
