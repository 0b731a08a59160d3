import CupolaTestSupport
import CupolaCampus
import CupolaSupport
import Cupola
import Testing
@testable import CupolaGuide
@testable import CupolaTours

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

@Suite("Beacon zones compared with a reference implementation")
struct BeaconReferenceTests {
  private func map(_ kind: Int, _ random: inout SplitMix64) throws -> BeaconMap {
    let beacons = (0..<6).map { minor in
      BeaconMap.Beacon(
        TestBeacons.beacon(minor),
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

  @Test(
    "Random walks match the reference, with and without fingerprints",
    arguments: 0..<Verification.count(8, of: 30))
  func matchesReference(seed: Int) throws {
    var random = SplitMix64(seed: UInt64(seed))
    let map = try map(seed, &random)
    var zones = BeaconZones(map)
    var twin = ReferenceBeaconZones(map)
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
      let place = Int.random(in: 0..<7, using: &random)
      means[place] += .random(in: -6...6, using: &random)
      var rssi = (means[place] + .random(in: -8...8, using: &random)).rounded()
      if Int.random(in: 0..<30, using: &random) == 0 {
        rssi = [0, 127, .nan, -128].randomElement(using: &random) ?? 0
      }
      let power: Double? =
        Int.random(in: 0..<4, using: &random) == 0
        ? [-45, -75, 127].randomElement(using: &random) : nil
      let id = TestBeacons.beacon(place)
      let said = zones.observe(id, rssi: rssi, power: power, at: at)
      let expected = twin.step(.init(id: id, rssi: rssi, power: power, time: at), at: at)
      try #require(said == expected, "step \(step)")
      #expect(zones.nearest == twin.nearest)
      signalCount += said.count
    }
    #expect(signalCount > 20)
  }
}

/// A slow reference implementation of `BeaconZones` that recomputes everything from the list of all readings.
struct ReferenceBeaconZones {
  struct Reading {
    let id: BeaconID, rssi: Double, power: Double?, time: Double
  }

  let map: BeaconMap
  var readings: [Reading] = []
  var levels: [(id: BeaconID, level: TourZoneLevel, since: Double)] = []
  var clock: Double?
  var nearest: BeaconID?
  var nearestSince: Double?
  var votes: [(id: BeaconID, share: Double)] = []
  var votedAt: Double?

  init(_ map: BeaconMap) { self.map = map }

  /// Returns the readings since the beacon was last lost; empty if it is currently lost.
  func run(_ id: BeaconID) -> [Reading] {
    var run: [Reading] = []
    for reading in readings where reading.id == id {
      if let last = run.last, reading.time - last.time > 10 { run = [] }
      run.append(reading)
    }
    guard let last = run.last, let clock, clock - last.time <= 10 else { return [] }
    return run
  }

  func strength(_ id: BeaconID) -> Double? {
    let run = run(id)
    guard var mean = run.first?.rssi else { return nil }
    for (one, next) in zip(run, run.dropFirst()) {
      let share = 1 - exp(-(next.time - one.time) / 2)
      mean += (share < 0.05 ? 0.05 : share) * (next.rssi - mean)
    }
    return mean
  }

  func loss(_ id: BeaconID) -> Double? {
    guard let strength = strength(id) else { return nil }
    let said = run(id).last { $0.power.map { $0 >= -127 && $0 <= 20 } ?? false }?.power
    return (map.powers[id] ?? said ?? -59) - strength
  }

  mutating func step(_ reading: Reading?, at time: Double) -> [BeaconSignal] {
    if let reading, !(reading.rssi >= -127 && reading.rssi <= -1) { return [] }
    guard time > -1e12, time < 1e12 else { return [] }
    if let now = clock, now - time > 5 {
      (readings, clock, nearestSince, votes, votedAt) = ([], time, nil, [], nil)
    } else if clock.map({ time > $0 }) ?? true {
      clock = time
    }
    let now = clock ?? time
    var signals: [BeaconSignal] = []
    for one in levels.sorted(by: { $0.id < $1.id }) where run(one.id).isEmpty {
      signals.append(.zone(one.id, nil))
      levels.removeAll { $0.id == one.id }
      readings.removeAll { $0.id == one.id }
    }
    if let reading {
      readings.append(
        Reading(id: reading.id, rssi: reading.rssi, power: reading.power, time: now))
      if !levels.contains(where: { $0.id == reading.id }) {
        let level = level(loss(reading.id) ?? 0)
        levels.append((reading.id, level, now))
        signals.append(.zone(reading.id, level))
      }
    }
    return signals + changes(now)
  }

  func level(_ loss: Double) -> TourZoneLevel { loss > 12 ? .far : loss > 2 ? .near : .immediate }

  mutating func changes(_ now: Double) -> [BeaconSignal] {
    var signals: [BeaconSignal] = []
    levels.sort { $0.id < $1.id }
    for place in levels.indices {
      guard let loss = loss(levels[place].id), now - levels[place].since >= 1 else { continue }
      let rank = TourZoneLevel.allCases.firstIndex { $0 == levels[place].level } ?? 0
      // The thresholds are 2 dB and 12 dB with a hysteresis of 2 dB.
      let reached = [2.0, 12].enumerated().reduce(rank) { reached, line in
        if rank <= line.offset, loss - 2 > line.element { return max(reached, line.offset + 1) }
        if rank > line.offset, loss + 2 <= line.element { return min(reached, line.offset) }
        return reached
      }
      let sure = TourZoneLevel.allCases[reached]
      if reached != rank {
        (levels[place].level, levels[place].since) = (sure, now)
        signals.append(.zone(levels[place].id, sure))
      }
    }
    let before = nearest
    nearest = next(now)
    if nearest != before {
      nearestSince = now
      signals.append(.nearest(nearest))
    }
    return signals
  }

  mutating func next(_ now: Double) -> BeaconID? {
    let isFree = nearestSince.map { now - $0 >= 1 } ?? true
    if !map.fingerprints.isEmpty, votedAt.map({ now - $0 >= 0.5 }) ?? true {
      (votes, votedAt) = (vote(), now)
    }
    if let best = votes.sorted(by: { ($1.share, $0.id) < ($0.share, $1.id) }).first {
      let mine = votes.first { $0.id == nearest }?.share ?? 0
      return nearest == nil || (isFree && best.share > mine + 0.2) ? best.id : nearest
    }
    let all = levels.map { (loss: loss($0.id) ?? 0, id: $0.id) }.sorted { $0 < $1 }
    guard let current = all.first(where: { $0.id == nearest }) else { return all.first?.id }
    return isFree && all[0].loss < current.loss - 4 ? all[0].id : current.id
  }

  func vote() -> [(id: BeaconID, share: Double)] {
    var all: [(distance: Double, row: Int)] = []
    for (row, print) in map.fingerprints.enumerated() {
      let pairs = map.beacons.map { (strength($0.id), print.strengths[$0.id]) }
      let both = pairs.compactMap { pair in pair.0.flatMap { a in pair.1.map { a - $0 } } }
      guard both.count >= 3 else { continue }
      let mean = both.reduce(0, +) / Double(both.count)
      var distance = both.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
      for pair in pairs where (pair.0 == nil) != (pair.1 == nil) {
        let height = max((pair.0 ?? pair.1 ?? 0) + 100, 0)
        distance += height * height
      }
      all.append((distance, row))
    }
    let best = all.sorted { $0 < $1 }.prefix(9).map {
      (map.fingerprints[$0.row].nearest, 1 / (1 + $0.distance))
    }
    let whole = best.reduce(0) { $0 + $1.1 }
    return Set(best.map(\.0)).sorted().map { id in
      (id, best.filter { $0.0 == id }.reduce(0) { $0 + $1.1 } / whole)
    }
  }
}
