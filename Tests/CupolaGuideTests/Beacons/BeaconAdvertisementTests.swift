import Cupola
import Testing

@testable import CupolaGuide

@Suite("Beacon advertisements")
struct BeaconAdvertisementTests {
  /// Byte by byte as Apple's Proximity Beacon Specification lays it out, with flags before.
  private let iBeacon: [UInt8] =
    [0x02, 0x01, 0x06, 0x1A, 0xFF, 0x4C, 0x00, 0x02, 0x15] + MadeBeacons.uuid
    + [0x12, 0x34, 0x00, 0x07, 0xC5]
  /// As the Eddystone protocol specification lays out an Eddystone-UID: flags, service list, service data.
  private let eddystone: [UInt8] =
    [0x02, 0x01, 0x06, 0x03, 0x03, 0xAA, 0xFE, 0x17, 0x16, 0xAA, 0xFE, 0x00, 0xEE]
    + [1, 2, 3, 4, 5, 6, 7, 8, 9, 10] + [11, 12, 13, 14, 15, 16] + [0, 0]

  @Test("of an iBeacon: big-endian numbers, a signed strength")
  func readsIBeacon() {
    let golden = BeaconAdvertisement(
      .iBeacon(uuid: MadeBeacons.uuid, major: 0x1234, minor: 7), power: -59)
    #expect(BeaconAdvertisement(payload: iBeacon) == golden)
    #expect(BeaconAdvertisement(manufacturerData: Array(iBeacon[5...])) == golden)
    #expect(BeaconAdvertisement(appleData: Array(iBeacon[7...])) == golden)
    // Android pads to 62 bytes.
    let padded = iBeacon + Array(repeating: 0, count: 32)
    #expect(BeaconAdvertisement(payload: padded) == golden)
  }

  @Test("of an Eddystone-UID: 41 dB less than where it is sent")
  func readsEddystone() {
    let golden = BeaconAdvertisement(
      .eddystone(namespace: Array(1...10), instance: Array(11...16)), power: -59)
    #expect(BeaconAdvertisement(payload: eddystone) == golden)
    #expect(BeaconAdvertisement(eddystoneData: Array(eddystone[11...])) == golden)
    // Older ones leave the last two bytes out.
    #expect(BeaconAdvertisement(eddystoneData: Array(eddystone[11..<29])) == golden)
  }

  @Test("of other kinds are none")
  func refusesOthers() {
    for type: UInt8 in [0x10, 0x20, 0x30] {
      var other = eddystone
      other[11] = type
      #expect(BeaconAdvertisement(payload: other) == nil)
    }
    for place in [5, 6, 7, 8] {
      var other = iBeacon
      other[place] ^= 1
      #expect(BeaconAdvertisement(payload: other) == nil)
    }
    #expect(BeaconAdvertisement(payload: []) == nil)
    #expect(BeaconAdvertisement(payload: [0]) == nil)
  }

  @Test("that are cut off anywhere are none")
  func refusesCut() {
    for count in 0..<iBeacon.count {
      #expect(BeaconAdvertisement(payload: Array(iBeacon[..<count])) == nil)
    }
    for count in 0..<eddystone.count {
      #expect(BeaconAdvertisement(payload: Array(eddystone[..<count])) == nil)
    }
  }

  @Test("100,000 random and damaged payloads are read or refused")
  func survivesRandom() {
    var random = SplitMix64(seed: 2)
    var readCount = 0
    for round in 0..<100_000 {
      var bytes: [UInt8]
      if round.isMultiple(of: 2) {
        let count = Int.random(in: 0...64, using: &random)
        bytes = (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
      } else {
        bytes = round % 4 == 1 ? iBeacon : eddystone
        for _ in 0..<Int.random(in: 1...4, using: &random) {
          let place = Int.random(in: 0..<bytes.count, using: &random)
          bytes[place] = UInt8.random(in: 0...255, using: &random)
        }
      }
      for found in [
        BeaconAdvertisement(payload: bytes), BeaconAdvertisement(manufacturerData: bytes),
        BeaconAdvertisement(appleData: bytes), BeaconAdvertisement(eddystoneData: bytes),
      ] {
        guard let found else { continue }
        readCount += 1
        if !((-169.0...127).contains(found.power) && BeaconID(found.id.description) == found.id) {
          Issue.record("\(bytes)")
        }
      }
    }
    #expect(readCount > 10_000)
  }
}
