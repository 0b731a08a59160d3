internal import CupolaSupport

/// What names an entry of a journal for good: the device that made it, and a number there.
public struct JournalID: Hashable, Sendable {
  /// The device, as ``isDevice(_:)`` accepts it.
  public let device: String
  /// The number of the line that made the entry, from 1.
  public let number: Int

  /// Fails when the device is none that ``isDevice(_:)`` accepts, or the number is not from 1 to 2^52.
  public init?(device: String, number: Int) {
    guard JournalID.isDevice(device), JournalLimits.numbers.contains(number) else { return nil }
    (self.device, self.number) = (device, number)
  }

  /// Of parts that were checked already.
  init(checkedDevice device: String, number: Int) {
    (self.device, self.number) = (device, number)
  }

  /// Reads what ``description`` writes.
  public init?(_ text: String) {
    guard let dash = text.utf8.lastIndex(of: UInt8(ascii: "-")) else { return nil }
    let digits = text.utf8[text.utf8.index(after: dash)...]
    guard digits.first != UInt8(ascii: "0"), digits.allSatisfy(Digits.isDigit),
      let number = Int(String(digits) ?? "")
    else { return nil }
    self.init(device: String(text[..<dash]), number: number)
  }

  /// Whether a text can name a device: 1 to 64 of the characters a-z, 0-9 and -, none of them - at the ends.
  ///
  /// Each installation takes its own, also after a backup was restored: a UUID of lower case is one.
  public static func isDevice(_ text: String) -> Bool {
    let bytes = text.utf8
    let dash = UInt8(ascii: "-")
    return (1...64).contains(bytes.count) && bytes.first != dash && bytes.last != dash
      && bytes.allSatisfy {
        Digits.isDigit($0) || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0) || $0 == dash
      }
  }
}

extension JournalID: Comparable {
  /// By device, then by number.
  public static func < (a: JournalID, b: JournalID) -> Bool {
    (a.device, a.number) < (b.device, b.number)
  }
}

extension JournalID: CustomStringConvertible {
  /// The device, a hyphen and the number, such as `phone-12`.
  public var description: String { device + "-" + String(number) }
}
