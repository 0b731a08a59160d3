@testable import CupolaGuide

/// Beacons made for tests.
enum MadeBeacons {
  static let uuid: [UInt8] = [
    0xE2, 0xC5, 0x6D, 0xB5, 0xDF, 0xFB, 0x48, 0xD2, 0xB0, 0x60, 0xD0, 0xF5, 0xA7, 0x10, 0x96, 0xE0,
  ]

  static func beacon(_ minor: Int) -> BeaconID {
    .iBeacon(uuid: uuid, major: 1, minor: UInt16(truncatingIfNeeded: minor))
  }

  /// Four beacons and two places: by the first one it sounds louder there, and so on.
  static func surveyed() throws -> BeaconMap {
    func print(_ nearest: Int, _ strengths: Double...) -> BeaconFingerprint {
      BeaconFingerprint(
        nearest: beacon(nearest),
        strengths: Dictionary(
          uniqueKeysWithValues: strengths.enumerated().map { (beacon($0.offset), $0.element) }))
    }
    return try BeaconMap(
      beacons: (0..<4).map { BeaconMap.Beacon(beacon($0)) },
      fingerprints: [
        print(0, -60, -70, -80, -90), print(0, -62, -70, -79, -90), print(3, -90, -80, -70, -60),
        print(3, -88, -80, -71, -61),
      ])
  }
}
