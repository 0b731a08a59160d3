internal import CupolaSupport

// 1. `BeaconID` reads and writes the identifier of an iBeacon or an Eddystone-UID.
// 2. `BeaconAdvertisement` walks through the structures of an advertisement.
// 3. It reads the identifier and power from the manufacturer or service data.

/// What tells a beacon from others.
public enum BeaconID: Hashable, Sendable, Comparable {
  /// An iBeacon: 16 bytes of its UUID, two numbers.
  case iBeacon(uuid: [UInt8], major: UInt16, minor: UInt16)
  /// An Eddystone-UID: 10 bytes of its namespace, 6 of its instance.
  case eddystone(namespace: [UInt8], instance: [UInt8])

  /// iBeacons first, then by bytes and numbers, so that lists have one order.
  public static func < (a: BeaconID, b: BeaconID) -> Bool {
    switch (a, b) {
    case (.iBeacon(let uuid, let major, let minor), .iBeacon(let other, let major2, let minor2)):
      uuid == other
        ? (major, minor) < (major2, minor2) : uuid.lexicographicallyPrecedes(other)
    case (.eddystone(let namespace, let instance), .eddystone(let other, let instance2)):
      namespace == other
        ? instance.lexicographicallyPrecedes(instance2)
        : namespace.lexicographicallyPrecedes(other)
    case (.iBeacon, .eddystone): true
    case (.eddystone, .iBeacon): false
    }
  }

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

/// What a beacon sends: who it is, and how strong it is a meter away.
///
/// Whatever the bytes are, they are read or refused, and nothing traps.
public struct BeaconAdvertisement: Equatable, Sendable {
  /// The beacon.
  public let id: BeaconID
  /// dBm a meter away, as its maker or owner measured it.
  public let power: Double

  /// Of a beacon that an app knows by other means.
  package init(_ id: BeaconID, power: Double) { (self.id, self.power) = (id, power) }

  /// Reads what was advertised, as Android's `ScanRecord.getBytes()` has it: structures of a length, a type and data
  /// (Bluetooth Core 5.4, volume 3, part C, 11).
  ///
  /// `nil` for what is no iBeacon and no Eddystone-UID, or is cut off.
  public init?(payload: [UInt8]) {
    var rest = payload[...]
    // A length of 0 ends them early.
    while let length = rest.first, length > 0, rest.count > Int(length) {
      let part = rest.dropFirst().prefix(Int(length))
      rest = rest.dropFirst(Int(length) + 1)
      let data = Array(part.dropFirst())
      let found: BeaconAdvertisement? =
        switch part.first {
        case 0xFF: BeaconAdvertisement(manufacturerData: data)
        // The service's number, its low byte first.
        case 0x16 where data.starts(with: [0xAA, 0xFE]):
          BeaconAdvertisement(eddystoneData: Array(data.dropFirst(2)))
        default: nil
        }
      if let found {
        self = found
        return
      }
    }
    return nil
  }

  /// Reads the manufacturer's data of an iBeacon with the company's number 0x004C before, as it is sent and as
  /// Core Bluetooth hands it out.
  public init?(manufacturerData data: [UInt8]) {
    guard data.starts(with: [0x4C, 0x00]) else { return nil }
    self.init(appleData: Array(data.dropFirst(2)))
  }

  /// Reads the same without the company's number, as Android's `getManufacturerSpecificData(0x004C)` has it.
  public init?(appleData data: [UInt8]) {
    guard data.count >= 23, data.starts(with: [0x02, 0x15]) else { return nil }
    self.init(
      .iBeacon(
        uuid: Array(data[2..<18]), major: UInt16(data[18]) << 8 | UInt16(data[19]),
        minor: UInt16(data[20]) << 8 | UInt16(data[21])),
      power: Double(Int8(bitPattern: data[22])))
  }

  /// Reads the data of the service 0xFEAA without that number, as Android's `getServiceData` and Core Bluetooth have
  /// it: the type 0 of an Eddystone-UID, the strength where it is sent, 10 and 6 bytes, and two that say nothing yet.
  public init?(eddystoneData data: [UInt8]) {
    guard data.count >= 18, data[0] == 0 else { return nil }
    self.init(
      .eddystone(namespace: Array(data[2..<12]), instance: Array(data[12..<18])),
      // The specification counts 41 dB for the first meter.
      power: Double(Int8(bitPattern: data[1])) - 41)
  }
}
