import CupolaTestSupport
import CupolaCampus
import CupolaSupport
import Cupola
import Testing
@testable import CupolaGuide
@testable import CupolaTours

@Suite("Beacon identifiers")
struct BeaconIDTests {
  private let text = "E2C56DB5-DFFB-48D2-B060-D0F5A71096E0/1/7"

  @Test("Parses upper and lower case, with and without hyphens")
  func readsEitherCase() {
    let id = BeaconID.iBeacon(uuid: TestBeacons.uuid, major: 1, minor: 7)
    #expect(BeaconID(text) == id)
    #expect(BeaconID(text.lowercased()) == id)
    #expect(BeaconID("e2c56db5DFFB48d2b060d0f5a71096e0/1/7") == id)
    let eddystone = BeaconID.eddystone(
      namespace: [0xED, 0xD1, 0xEB, 0xEA, 0xC0, 0x4E, 0x5D, 0xEF, 0xA0, 0x17],
      instance: [0, 0, 0, 0, 0, 7])
    #expect(BeaconID("edd1ebeac04e5defa017/000000000007") == eddystone)
    #expect(BeaconID("EDD1EBEAC04E5DEFA017/000000000007") == eddystone)
    #expect(eddystone.description == "edd1ebeac04e5defa017/000000000007")
    #expect(id.description == text)
  }

  @Test(
    "Rejects a malformed identifier",
    arguments: [
      "", "/", "//", "E2C56DB5-DFFB-48D2-B060-D0F5A71096E0", "/1/7",
      "E2C56DB5-DFFB-48D2-B060-D0F5A71096E0/1", "E2C56DB5-DFFB-48D2-B060-D0F5A71096E0/1/7/2",
      "E2C56DB5-DFFB-48D2-B060-D0F5A71096E0/1/65536", "E2C56DB5-DFFB-48D2-B060-D0F5A71096E0/+1/7",
      "E2C56DB5-DFFB-48D2-B060-D0F5A71096E0/-1/7", "E2C56DB5-DFFB-48D2-B060-D0F5A71096E0/1/",
      "E2C56DB5DFFB-48D2-B060-D0F5A71096E0/1/7", "E2C56DB5--DFFB48D2-B060-D0F5A71096E0/1/7",
      "-E2C56DB5DFFB-48D2-B060-D0F5A71096E0/1/7", "E2C56DB5-DFFB-48D2-B060-D0F5A71096E/1/7",
      "G2C56DB5-DFFB-48D2-B060-D0F5A71096E0/1/7", "edd1ebeac04e5defa017/00000000000",
      "edd1ebeac04e5defa0/000000000007", "edd1-ebeac04e5defa017/000000000007",
      "E2C56DB5-DFFB-48D2-B060-D0F5A71096E0/１/7", " edd1ebeac04e5defa017/000000000007",
    ])
  func refuses(text: String) { #expect(BeaconID(text) == nil) }

  @Test("Round-trips through its text and sorts by bytes")
  func roundTrip() {
    var random = SplitMix64(seed: 1)
    var last: BeaconID?
    for _ in 0..<200 {
      let bytes = (0..<16).map { _ in UInt8.random(in: 0...255, using: &random) }
      let id: BeaconID =
        Bool.random(using: &random)
        ? .iBeacon(
          uuid: bytes, major: .random(in: 0...(.max), using: &random),
          minor: .random(in: 0...(.max), using: &random))
        : .eddystone(namespace: Array(bytes[..<10]), instance: Array(bytes[10...]))
      #expect(BeaconID(id.description) == id)
      if let last { #expect([last < id, id < last, last == id].count { $0 } == 1) }
      last = id
    }
    #expect(TestBeacons.beacon(9) < TestBeacons.beacon(10))
  }
}

@Suite("Beacon advertisements")
struct BeaconAdvertisementTests {
  /// An iBeacon advertisement that follows flags, with the layout of Apple's Proximity Beacon Specification.
  private let iBeacon: [UInt8] =
    [0x02, 0x01, 0x06, 0x1A, 0xFF, 0x4C, 0x00, 0x02, 0x15] + TestBeacons.uuid
    + [0x12, 0x34, 0x00, 0x07, 0xC5]
  /// An Eddystone-UID advertisement: flags, service list, service data.
  private let eddystone: [UInt8] =
    [0x02, 0x01, 0x06, 0x03, 0x03, 0xAA, 0xFE, 0x17, 0x16, 0xAA, 0xFE, 0x00, 0xEE]
    + [1, 2, 3, 4, 5, 6, 7, 8, 9, 10] + [11, 12, 13, 14, 15, 16] + [0, 0]

  @Test("Parses an iBeacon with big-endian numbers and signed power")
  func readsIBeacon() {
    let golden = BeaconAdvertisement(
      .iBeacon(uuid: TestBeacons.uuid, major: 0x1234, minor: 7), power: -59)
    #expect(BeaconAdvertisement(payload: iBeacon) == golden)
    #expect(BeaconAdvertisement(manufacturerData: Array(iBeacon[5...])) == golden)
    #expect(BeaconAdvertisement(appleData: Array(iBeacon[7...])) == golden)
    // Android pads payloads to 62 bytes.
    let padded = iBeacon + Array(repeating: 0, count: 32)
    #expect(BeaconAdvertisement(payload: padded) == golden)
  }

  @Test("Parses an Eddystone-UID and subtracts 41 dB from its power")
  func readsEddystone() {
    let golden = BeaconAdvertisement(
      .eddystone(namespace: Array(1...10), instance: Array(11...16)), power: -59)
    #expect(BeaconAdvertisement(payload: eddystone) == golden)
    #expect(BeaconAdvertisement(eddystoneData: Array(eddystone[11...])) == golden)
    // Older beacons omit the last two bytes.
    #expect(BeaconAdvertisement(eddystoneData: Array(eddystone[11..<29])) == golden)
  }

  @Test("Rejects other advertisement types")
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

  @Test("Rejects truncated advertisements")
  func refusesCut() {
    for count in 0..<iBeacon.count {
      #expect(BeaconAdvertisement(payload: Array(iBeacon[..<count])) == nil)
    }
    for count in 0..<eddystone.count {
      #expect(BeaconAdvertisement(payload: Array(eddystone[..<count])) == nil)
    }
  }

  @Test("Parses or rejects 100,000 random and damaged payloads")
  func survivesRandom() {
    var random = SplitMix64(seed: 2)
    var readCount = 0
    let rounds = Verification.count(5000, of: 100_000)
    for round in 0..<rounds {
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
    #expect(readCount > rounds / 20)
  }
}
