internal import CupolaSupport

extension BeaconID {
  /// Reads what ``description`` writes, in capital or small letters: a UUID, with or without its four hyphens, and two
  /// numbers (`E2C56DB5-DFFB-48D2-B060-D0F5A71096E0/1/7`), or 20 and 12 hexadecimal digits
  /// (`edd1ebeac04e5defa017/000000000007`).
  ///
  /// `nil` for everything else.
  public init?(_ text: String) {
    // No identifier is longer, and texts may come from anywhere.
    guard text.utf8.count <= 64 else { return nil }
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    switch parts.count {
    case 3:
      guard let uuid = Self.uuid(parts[0]), let major = Self.number(parts[1]),
        let minor = Self.number(parts[2])
      else { return nil }
      self = .iBeacon(uuid: uuid, major: major, minor: minor)
    case 2:
      guard let namespace = Hex.bytes(parts[0].lowercased()), namespace.count == 10,
        let instance = Hex.bytes(parts[1].lowercased()), instance.count == 6
      else { return nil }
      self = .eddystone(namespace: namespace, instance: instance)
    default: return nil
    }
  }

  /// Digits before each of which a UUID has a hyphen (RFC 9562, 4).
  private static let hyphens: Set = [8, 12, 16, 20]

  private static func uuid(_ text: Substring) -> [UInt8]? {
    var digits = ""
    var hyphenCount = 0
    for character in text {
      if character == "-" {
        guard hyphens.contains(digits.utf8.count), hyphenCount < 4 else { return nil }
        hyphenCount += 1
      } else {
        digits.append(character)
      }
    }
    guard hyphenCount == 0 || hyphenCount == 4, !text.contains("--"),
      let bytes = Hex.bytes(digits.lowercased()), bytes.count == 16
    else { return nil }
    return bytes
  }

  /// `UInt16` alone would take signs as well.
  private static func number(_ text: Substring) -> UInt16? {
    Digits.number(text).flatMap { UInt16(exactly: $0) }
  }
}

extension BeaconID: CustomStringConvertible {
  /// A UUID in capitals with major and minor, or a namespace and an instance in small digits, with slashes between.
  public var description: String {
    switch self {
    case .iBeacon(let uuid, let major, let minor):
      var text = ""
      for (place, digit) in Hex.text(uuid).uppercased().enumerated() {
        if Self.hyphens.contains(place) { text.append("-") }
        text.append(digit)
      }
      return "\(text)/\(major)/\(minor)"
    case .eddystone(let namespace, let instance):
      return Hex.text(namespace) + "/" + Hex.text(instance)
    }
  }
}
