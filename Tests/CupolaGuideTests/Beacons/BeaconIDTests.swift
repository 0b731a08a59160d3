import Cupola
import Testing

@testable import CupolaGuide

@Suite("Beacon identifiers")
struct BeaconIDTests {
  private let text = "E2C56DB5-DFFB-48D2-B060-D0F5A71096E0/1/7"

  @Test("are read in capital and small letters, with hyphens and without")
  func readsEitherCase() {
    let id = BeaconID.iBeacon(uuid: MadeBeacons.uuid, major: 1, minor: 7)
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
    "refuse what is none",
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

  @Test("are read again from what they write, in the order of their bytes")
  func roundTrip() {
    var random = SplitMix64(seed: 1)
    var last: BeaconID?
    for _ in 0..<2000 {
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
    #expect(MadeBeacons.beacon(9) < MadeBeacons.beacon(10))
  }
}
