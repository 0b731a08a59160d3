internal import CupolaSupport

/// The identifier of a beacon.
public enum BeaconID: Hashable, Sendable, Comparable {
  /// An iBeacon with a UUID of 16 bytes.
  case iBeacon(uuid: [UInt8], major: UInt16, minor: UInt16)
  /// An Eddystone-UID with a namespace of 10 bytes and an instance of 6 bytes.
  case eddystone(namespace: [UInt8], instance: [UInt8])

  /// Compares iBeacons as less than other beacons, then compares bytes and numbers.
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

  /// Parses an identifier, ignoring case.
  ///
  /// An iBeacon consists of a UUID, with or without hyphens, and two numbers
  /// (`E2C56DB5-DFFB-48D2-B060-D0F5A71096E0/1/7`). An Eddystone-UID consists of a namespace of 20 and an instance of 12
  /// hexadecimal digits (`edd1ebeac04e5defa017/000000000007`).
  public init?(_ text: String) {
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

  /// The number of digits before each hyphen of a UUID (RFC 9562, section 4).
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

  /// `UInt16` alone would accept a sign.
  private static func number(_ text: Substring) -> UInt16? {
    Digits.number(text).flatMap { UInt16(exactly: $0) }
  }
}

extension BeaconID: CustomStringConvertible {
  /// The identifier in the format that ``init(_:)`` parses.
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

/// A beacon's advertisement. Invalid bytes are rejected safely.
public struct BeaconAdvertisement: Equatable, Sendable {
  /// The identifier of the beacon.
  public let id: BeaconID
  /// The signal strength in dBm at a distance of 1 m, as measured by the beacon's manufacturer or owner.
  public let power: Double

  package init(_ id: BeaconID, power: Double) { (self.id, self.power) = (id, power) }

  /// Parses advertised bytes, as returned by Android's `ScanRecord.getBytes()`.
  ///
  /// Returns `nil` unless they contain an iBeacon or Eddystone-UID (Bluetooth Core 5.4, volume 3, part C, section 11).
  public init?(payload: [UInt8]) {
    var rest = payload[...]
    while let length = rest.first, length > 0, rest.count > Int(length) {
      let part = rest.dropFirst().prefix(Int(length))
      rest = rest.dropFirst(Int(length) + 1)
      let data = Array(part.dropFirst())
      let found: BeaconAdvertisement? =
        switch part.first {
        case 0xFF: BeaconAdvertisement(manufacturerData: data)
        // The service number 0xFEAA, low byte first.
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

  /// Parses an iBeacon's manufacturer data, including the company number 0x004C, as provided by Core Bluetooth.
  public init?(manufacturerData data: [UInt8]) {
    guard data.starts(with: [0x4C, 0x00]) else { return nil }
    self.init(appleData: Array(data.dropFirst(2)))
  }

  /// Parses manufacturer data without the company number, as provided by Android's
  /// `getManufacturerSpecificData(0x004C)`.
  public init?(appleData data: [UInt8]) {
    guard data.count >= 23, data.starts(with: [0x02, 0x15]) else { return nil }
    self.init(
      .iBeacon(
        uuid: Array(data[2..<18]), major: UInt16(data[18]) << 8 | UInt16(data[19]),
        minor: UInt16(data[20]) << 8 | UInt16(data[21])),
      power: Double(Int8(bitPattern: data[22])))
  }

  /// Parses the data of service 0xFEAA, as provided by Core Bluetooth and by Android's `getServiceData`.
  ///
  /// The layout is the type 0 (1 byte), the power (1 byte), 10 and 6 bytes of the identifier, and two reserved bytes.
  public init?(eddystoneData data: [UInt8]) {
    guard data.count >= 18, data[0] == 0 else { return nil }
    self.init(
      .eddystone(namespace: Array(data[2..<12]), instance: Array(data[12..<18])),
      // Eddystone contains the power at 0 m; the path loss over the first meter is 41 dB.
      power: Double(Int8(bitPattern: data[1])) - 41)
  }
}
