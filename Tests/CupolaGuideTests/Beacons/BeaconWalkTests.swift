import Foundation
import Testing

@testable import CupolaGuide

/// What is learned is always learned from other walks than the one it is tried on.
@Suite(
  "Beacons on real walks",
  .enabled(if: RealWalks.areThere, "the walks are not beside the repository"))
struct BeaconWalkTests {
  private let data: RealWalks

  init() throws { data = try RealWalks.all.get() }

  /// dBm a meter away, from what a phone heard at known distances and a path-loss exponent of 1.4.
  private func powers(_ walks: [RealWalk]) -> [Double?] {
    var sums = data.beacons.map { _ in (sum: 0.0, count: 0.0) }
    // Two readings of the data are +29 and +42 dBm.
    for reading in walks.flatMap(\.readings) where reading.rssi < 0 {
      let meters = RealWalk.distances(reading.place, data.beacons)[reading.beacon]
      sums[reading.beacon].sum += reading.rssi + 14 * log10(max(meters, 0.5))
      sums[reading.beacon].count += 1
    }
    return sums.map { $0.count > 0 ? $0.sum / $0.count : nil }
  }

  /// Of all walks, each with a map that may come from the others.
  private func score(
    bias: Double = 0, map: (RealWalk) throws -> BeaconMap
  ) throws -> WalkScore {
    var score = WalkScore()
    for walk in data.walks {
      var zones = BeaconZones(try map(walk))
      score.add(walk, data.beacons) { second, readings in
        for reading in readings {
          _ = zones.observe(
            MadeBeacons.beacon(reading.beacon), rssi: reading.rssi + bias, at: reading.time)
        }
        _ = zones.advance(to: Double(second + 1))
        return data.beacons.indices.first { MadeBeacons.beacon($0) == zones.nearest }
      }
    }
    return score
  }

  private func surveyed(_ walks: [RealWalk]) throws -> BeaconMap {
    try BeaconMap(
      beacons: data.beacons.indices.map { BeaconMap.Beacon(MadeBeacons.beacon($0)) },
      fingerprints: walks.flatMap { data.fingerprints[$0.name] ?? [] })
  }

  @Test("the strongest reading of each second is right in half of the seconds, and jumps")
  func raw() {
    #expect(data.walks.count == 7)
    #expect(data.beacons.count == 12)
    var score = WalkScore()
    for walk in data.walks {
      score.add(walk, data.beacons) { _, readings in
        readings.max { ($0.rssi, $0.beacon) < ($1.rssi, $1.beacon) }?.beacon
      }
    }
    #expect(score.seconds == 536)
    #expect(score.strict < 0.5 && score.changesPerMinute > 20, "\(score)")
  }

  @Test("without a map half are right as well, and it jumps no more")
  func plain() throws {
    let score = try score { _ in BeaconMap() }
    #expect(score.strict > 0.48 && score.changesPerMinute < 6, "\(score)")
  }

  @Test("with measured strengths six of ten are right, and eight within 1.5 m of the nearest")
  func measured() throws {
    let score = try score { walk in
      let powers = powers(data.walks.filter { $0.name != walk.name })
      return try BeaconMap(
        beacons: powers.enumerated().map { .init(MadeBeacons.beacon($0), power: $1) })
    }
    #expect(score.strict > 0.58 && score.within > 0.78, "\(score)")
    #expect(score.changesPerMinute < 6, "\(score)")
  }

  @Test("with a survey of the other walks 70 % are right on any phone", arguments: [0.0, -8])
  func surveyed(bias: Double) throws {
    let score = try score(bias: bias) { walk in
      try surveyed(data.walks.filter { $0.name != walk.name })
    }
    #expect(score.strict > 0.75 && score.within > 0.87, "\(score)")
    #expect(score.changesPerMinute < 6, "\(score)")
  }

  /// 7 % of the seconds are in zones that no other route leads through.
  @Test("with a survey of other routes alone fewer are, and still more than without")
  func otherRoutes() throws {
    let score = try score { walk in
      try surveyed(data.walks.filter { $0.route != walk.route })
    }
    #expect(score.strict > 0.64 && score.within > 0.79, "\(score)")
    #expect(score.changesPerMinute < 9, "\(score)")
  }
}
