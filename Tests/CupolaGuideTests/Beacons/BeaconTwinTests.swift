import Cupola
import Testing

@testable import CupolaGuide

@Suite("Beacon zones and their slow twin")
struct BeaconTwinTests {
  private func map(_ kind: Int, _ random: inout SplitMix64) throws -> BeaconMap {
    let beacons = (0..<6).map { minor in
      BeaconMap.Beacon(
        MadeBeacons.beacon(minor),
        power: Bool.random(using: &random) ? .random(in: -70 ... -50, using: &random) : nil)
    }
    var prints: [BeaconFingerprint] = []
    for _ in 0..<(kind % 2 == 0 ? 0 : 30) {
      var strengths: [BeaconID: Double] = [:]
      for beacon in beacons.shuffled(using: &random).prefix(.random(in: 3...6, using: &random)) {
        strengths[beacon.id] = .random(in: -100 ... -50, using: &random)
      }
      let nearest = beacons[Int.random(in: 0..<6, using: &random)].id
      prints.append(BeaconFingerprint(nearest: nearest, strengths: strengths))
    }
    return try BeaconMap(beacons: beacons, fingerprints: prints)
  }

  private func time(after time: Double, _ random: inout SplitMix64) -> Double {
    switch Int.random(in: 0..<60, using: &random) {
    case 0: time + .random(in: 8...13, using: &random)
    case 1: time - .random(in: 0...4.9, using: &random)
    case 2: Bool.random(using: &random) ? time - .random(in: 5.1...100, using: &random) : time
    case 3: time + 10
    case 4...14: time
    default: time + .random(in: 0...0.6, using: &random)
    }
  }

  @Test("say the same of 30 random walks, with fingerprints and without", arguments: 0..<30)
  func sameAsTwin(seed: Int) throws {
    var random = SplitMix64(seed: UInt64(seed))
    let map = try map(seed, &random)
    var zones = BeaconZones(map)
    var twin = BeaconTwin(map)
    var clock = 1000.0
    var means = (0..<7).map { _ in Double.random(in: -90 ... -50, using: &random) }
    var signalCount = 0
    for step in 0..<200 {
      clock = time(after: clock, &random)
      let at = Int.random(in: 0..<80, using: &random) == 0 ? Double.nan : clock
      if Int.random(in: 0..<8, using: &random) == 0 {
        let (said, expected) = (zones.advance(to: at), twin.step(nil, at: at))
        try #require(said == expected, "step \(step)")
        continue
      }
      // The seventh is not in the map.
      let place = Int.random(in: 0..<7, using: &random)
      means[place] += .random(in: -6...6, using: &random)
      var rssi = (means[place] + .random(in: -8...8, using: &random)).rounded()
      if Int.random(in: 0..<30, using: &random) == 0 {
        rssi = [0, 127, .nan, -128].randomElement(using: &random) ?? 0
      }
      let power: Double? =
        Int.random(in: 0..<4, using: &random) == 0
        ? [-45, -75, 127].randomElement(using: &random) : nil
      let id = MadeBeacons.beacon(place)
      let said = zones.observe(id, rssi: rssi, power: power, at: at)
      let expected = twin.step(.init(id: id, rssi: rssi, power: power, time: at), at: at)
      try #require(said == expected, "step \(step)")
      #expect(zones.nearest == twin.nearest)
      signalCount += said.count
    }
    #expect(signalCount > 20)
  }
}
