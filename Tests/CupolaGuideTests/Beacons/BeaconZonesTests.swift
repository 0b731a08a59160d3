import CupolaCampus
import CupolaSupport
import Cupola
import Testing
@testable import CupolaGuide
@testable import CupolaTours

@Suite("Beacon zones")
struct BeaconZonesTests {
  private let a = TestBeacons.beacon(0)
  private let b = TestBeacons.beacon(1)

  private func hear(
    _ zones: inout BeaconZones, _ strengths: [BeaconID: Double], from start: Double,
    for seconds: Double
  ) -> [BeaconSignal] {
    var signals: [BeaconSignal] = []
    for tick in 0..<Int(seconds * 10) {
      for (id, strength) in strengths.sorted(by: { $0.key < $1.key }) {
        signals += zones.observe(id, rssi: strength, at: start + Double(tick) / 10)
      }
    }
    return signals
  }

  @Test("Moves from far to near to immediate and back, then ends")
  func changesZones() {
    var zones = BeaconZones()
    #expect(hear(&zones, [a: -80], from: 0, for: 5) == [.zone(a, .far), .nearest(a)])
    #expect(hear(&zones, [a: -66], from: 5, for: 10) == [.zone(a, .near)])
    #expect(hear(&zones, [a: -55], from: 15, for: 10) == [.zone(a, .immediate)])
    #expect(zones.level(of: a) == .immediate)
    #expect(hear(&zones, [a: -80], from: 25, for: 10) == [.zone(a, .near), .zone(a, .far)])
    #expect(zones.advance(to: 44.9) == [])
    #expect(zones.nearest == a)
    #expect(zones.advance(to: 45) == [.zone(a, nil), .nearest(nil)])
    #expect(zones.level(of: a) == nil)
    #expect(zones.advance(to: 100) == [])
  }

  @Test("Uses the map's power, then the advertised one, then the default")
  func powerSources() throws {
    var zones = BeaconZones(try BeaconMap(beacons: [.init(a, power: -75)]))
    #expect(zones.observe(a, rssi: -76, power: -40, at: 0).first == .zone(a, .immediate))
    #expect(zones.observe(b, rssi: -76, power: -66, at: 0) == [.zone(b, .near)])
    let c = TestBeacons.beacon(2)
    #expect(zones.observe(c, rssi: -76, at: 0) == [.zone(c, .far)])
    for (minor, power) in [Double.nan, .infinity, 1e300, -1e300, 127].enumerated() {
      let d = TestBeacons.beacon(3 + minor)
      #expect(zones.observe(d, rssi: -76, power: power, at: 0) == [.zone(d, .far)])
    }
    #expect(zones.nearest == a)
  }

  @Test("Keeps the nearest beacon at 3 dB more but not at 6 dB")
  func hysteresis() {
    var zones = BeaconZones()
    _ = hear(&zones, [a: -70, b: -73], from: 0, for: 5)
    #expect(zones.nearest == a)
    #expect(hear(&zones, [a: -70, b: -67], from: 5, for: 20) == [.zone(b, .near)])
    #expect(zones.nearest == a)
    #expect(hear(&zones, [a: -70, b: -64], from: 25, for: 20) == [.nearest(b)])
  }

  @Test("Enters the near zone after one extreme first reading")
  func extremeFirstReading() {
    for (first, then) in [(-76.0, -61.0), (-59, -71)] {
      var zones = BeaconZones()
      _ = zones.observe(a, rssi: first, at: 0)
      let signals = (1...4).flatMap { zones.observe(a, rssi: then, at: 5 * Double($0)) }
      #expect(signals == [.zone(a, .near)], "\(first), \(then)")
    }
  }

  @Test("Noise around a threshold does not change the zone")
  func stableAtThreshold() {
    var zones = BeaconZones()
    var random = SplitMix64(seed: 4)
    var changes = 0
    for tick in 0..<3000 {
      let strength = -71 + Double.random(in: -3...3, using: &random)
      changes += zones.observe(a, rssi: strength, at: Double(tick) / 10).count
    }
    #expect(changes == 2, "one for its first zone and one for the nearest beacon")
  }

  @Test("Keeps a zone for at least a second")
  func minimumStay() {
    var zones = BeaconZones()
    #expect(zones.observe(a, rssi: -90, at: 0) == [.zone(a, .far), .nearest(a)])
    #expect(zones.observe(b, rssi: -58, at: 0.5) == [.zone(b, .immediate)])
    #expect(zones.advance(to: 0.99) == [])
    #expect(zones.advance(to: 1) == [.nearest(b)])
  }

  @Test("Ignores invalid strengths and times")
  func ignoresInvalidInput() {
    var zones = BeaconZones()
    _ = zones.observe(a, rssi: -60, at: 10)
    let before = zones
    for odd in [0, 127, 1, -128, Double.nan, .infinity, -.infinity] {
      #expect(zones.observe(a, rssi: odd, at: 11) == [])
    }
    for odd in [Double.nan, .infinity, -.infinity, 1e12, -1e300] {
      #expect(zones.observe(a, rssi: -60, at: odd) == [])
      #expect(zones.advance(to: odd) == [])
    }
    #expect(zones == before)
  }

  @Test("Ends all zones when the clock is set back")
  func clockSetBack() {
    var zones = BeaconZones()
    _ = zones.observe(a, rssi: -60, at: 1000)
    #expect(zones.observe(a, rssi: -60, at: 996) == [])
    #expect(zones.advance(to: 995) == [])
    #expect(zones.observe(b, rssi: -70, at: 900) == [.zone(a, nil), .zone(b, .near), .nearest(b)])
    #expect(zones.advance(to: 800) == [.zone(b, nil), .nearest(nil)])
    #expect(zones.observe(a, rssi: -60, at: 799) == [.zone(a, .immediate), .nearest(a)])
  }

  @Test("Keeps 500 beacons and drops the one not heard for longest")
  func limitsBeacons() {
    var zones = BeaconZones()
    _ = zones.observe(a, rssi: -40, at: 0)
    for minor in 1..<500 {
      let signals = zones.observe(TestBeacons.beacon(minor), rssi: -80, at: Double(minor) / 1000)
      #expect(signals == [.zone(TestBeacons.beacon(minor), .far)])
    }
    let next = TestBeacons.beacon(500)
    #expect(zones.observe(next, rssi: -80, at: 0.5) == [.zone(b, nil), .zone(next, .far)])
    #expect(zones.heard.count == 500)
    #expect(zones.nearest == a)
    for minor in 501..<2000 {
      _ = zones.observe(TestBeacons.beacon(minor), rssi: -80, at: 0.6)
      if zones.heard.count != 500 { Issue.record("\(zones.heard.count)") }
    }
  }

  @Test("Finds the nearest beacon from the map's fingerprints")
  func fingerprints() throws {
    var zones = BeaconZones(try TestBeacons.surveyed())
    // Beacon 2 is the strongest, but the readings match the fingerprint of beacon 3 on a phone with an offset of -9 dB.
    let beacons = (0..<4).map { TestBeacons.beacon($0) }
    let there = Dictionary(uniqueKeysWithValues: zip(beacons, [-99.0, -89, -68, -70]))
    _ = hear(&zones, there, from: 0, for: 3)
    #expect(zones.nearest == beacons[3])
    let here = Dictionary(uniqueKeysWithValues: zip(beacons, [-69.0, -79, -88, -99]))
    #expect(hear(&zones, here, from: 3, for: 9).contains(.nearest(beacons[0])))
    // Two beacons are too few for a fingerprint, so the stronger one is the nearest.
    var few = BeaconZones(try TestBeacons.surveyed())
    _ = hear(&few, [beacons[2]: -60, beacons[1]: -70], from: 0, for: 3)
    #expect(few.nearest == beacons[2])
    #expect(zones.advance(to: 40).last == .nearest(nil))
  }

  @Test("Fingerprints give the same result on phones with other gain")
  func anyPhone() throws {
    var random = SplitMix64(seed: 5)
    var zones = [BeaconZones](repeating: BeaconZones(try TestBeacons.surveyed()), count: 3)
    for tick in 0..<500 {
      let id = TestBeacons.beacon(.random(in: 0..<4, using: &random))
      let rssi = Double(Int.random(in: -80 ... -60, using: &random))
      for (place, bias) in [0.0, 8, -16].enumerated() {
        _ = zones[place].observe(id, rssi: rssi + bias, at: Double(tick) / 4)
      }
      if tick > 60 {
        #expect(zones[0].nearest == zones[1].nearest && zones[0].nearest == zones[2].nearest)
      }
    }
  }
}

enum TestBeacons {
  static let uuid: [UInt8] = [
    0xE2, 0xC5, 0x6D, 0xB5, 0xDF, 0xFB, 0x48, 0xD2, 0xB0, 0x60, 0xD0, 0xF5, 0xA7, 0x10, 0x96, 0xE0,
  ]

  static func beacon(_ minor: Int) -> BeaconID {
    .iBeacon(uuid: uuid, major: 1, minor: UInt16(truncatingIfNeeded: minor))
  }

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
