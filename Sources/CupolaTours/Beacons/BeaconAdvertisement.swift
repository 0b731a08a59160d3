/// What a beacon sends: who it is, and how strong it is a meter away.
///
/// Whatever the bytes are, they are read or refused, and nothing traps.
public struct BeaconAdvertisement: Equatable, Sendable {
  /// The beacon.
  public let id: BeaconID
  /// dBm a meter away, as its maker or owner measured it.
  public let power: Double

  /// Of a beacon that an app knows by other means.
  public init(_ id: BeaconID, power: Double) { (self.id, self.power) = (id, power) }

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
