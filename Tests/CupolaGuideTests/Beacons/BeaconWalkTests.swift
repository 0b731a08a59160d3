import CupolaCampus
import CupolaSupport
import CupolaTestSupport
import Foundation
import Testing
@testable import CupolaGuide
@testable import CupolaTours

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
    let score = try score { _ in try BeaconMap(beacons: []) }
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

/// The walks of the data beside the repository.
struct RealWalks {
  let walks: [RealWalk]
  /// Meters east, north and up.
  let beacons: [[Double]]
  /// What a survey of each walk makes of it, by its name.
  let fingerprints: [String: [BeaconFingerprint]]

  static let folder = Repository.root.appending(path: "../shared/data/guide/beacons")
  static let areThere = Repository.exists(folder)
  /// Read once.
  static let all = Result { try RealWalks() }

  private init() throws {
    let devices = try String(contentsOf: Self.folder.appending(path: "tetam.dev"), encoding: .utf8)
    let sensors = devices.matches(of: /"([0-9a-f]{12})": \[\[([0-9.]+), ([0-9.]+), ([0-9.]+)\]/)
      .map { ($0.1, [Double($0.2), Double($0.3), Double($0.4)].compactMap { $0 }) }
      .sorted { $0.0 < $1.0 }
    let places = Dictionary(
      uniqueKeysWithValues: sensors.enumerated().map { (String($1.0), $0) })
    let beacons = sensors.map(\.1)
    self.beacons = beacons
    let end = "_all_sensors.mbd"
    let names = try FileManager.default.contentsOfDirectory(atPath: Self.folder.path)
    walks = try names.sorted().filter { $0.hasSuffix(end) }.map { name in
      let text = try String(contentsOf: Self.folder.appending(path: name), encoding: .utf8)
      return RealWalk(name: String(name.dropLast(end.count)), text: text, places: places)
    }
    fingerprints = Dictionary(
      uniqueKeysWithValues: walks.map { ($0.name, $0.fingerprints(beacons)) })
  }
}

/// A walk of the data beside the repository: each fixed sensor is taken as a beacon, the beacon that was carried as the
/// phone.
struct RealWalk {
  struct Reading {
    let beacon: Int, rssi: Double, time: Double, place: [Double]
  }

  let name: String
  let readings: [Reading]
  /// Seconds with readings.
  let seconds: [(second: Int, readings: [Reading])]

  /// - Parameter places: of the names of beacons.
  init(name: String, text: String, places: [String: Int]) {
    self.name = name
    readings = text.split(separator: "\n").compactMap { line -> Reading? in
      let parts = line.split(separator: ",").map { String($0.filter { !$0.isWhitespace }) }
      guard parts.count > 6, let beacon = places[parts[1]], let time = Double(parts[0]),
        let rssi = Double(parts[3]), let x = Double(parts[4]), let y = Double(parts[5]),
        let z = Double(parts[6])
      else { return nil }
      return Reading(beacon: beacon, rssi: rssi, time: time, place: [x, y, z])
    }.sorted { $0.time < $1.time }
    seconds = Dictionary(grouping: readings) { Int($0.time) }.sorted { $0.key < $1.key }
      .map { ($0.key, $0.value) }
  }

  /// Walks that lead along the same way, in the same direction.
  var route: String {
    switch name {
    case "straight_01", "straight_04", "straight_05": "straight along 8.5 m"
    default: String(name.prefix { $0 != "_" })
    }
  }

  /// Meters from each beacon.
  static func distances(_ place: [Double], _ beacons: [[Double]]) -> [Double] {
    beacons.map { beacon in
      zip(beacon, place).reduce(0) { $0 + ($1.0 - $1.1) * ($1.0 - $1.1) }.squareRoot()
    }
  }

  /// One a second.
  func fingerprints(_ beacons: [[Double]]) -> [BeaconFingerprint] {
    var survey = BeaconSurvey()
    for reading in readings {
      survey.observe(MadeBeacons.beacon(reading.beacon), rssi: reading.rssi, at: reading.time)
    }
    return seconds.compactMap { second, readings in
      guard let place = readings.last?.place else { return nil }
      let distances = Self.distances(place, beacons)
      let nearest = distances.indices.min { distances[$0] < distances[$1] } ?? 0
      return survey.fingerprint(nearest: MadeBeacons.beacon(nearest), at: Double(second + 1))
    }
  }
}

/// How well the nearest beacon was told on walks.
struct WalkScore: CustomStringConvertible {
  var (seconds, right, close, changes) = (0, 0, 0, 0)
  var minutes = 0.0

  var strict: Double { Double(right) / Double(max(seconds, 1)) }
  /// Within 1.5 m of the nearest.
  var within: Double { Double(close) / Double(max(seconds, 1)) }
  var changesPerMinute: Double { Double(changes) / max(minutes, 1e-9) }

  var description: String {
    func percent(_ share: Double) -> String { "\((share * 1000).rounded() / 10) %" }
    return "\(percent(strict)) right, \(percent(within)) within 1.5 m, "
      + "\((changesPerMinute * 10).rounded() / 10) changes a minute, \(seconds) s"
  }

  /// Follows a walk second by second. The first 5 s count for nothing but the start.
  ///
  /// - Parameter tell: hears the readings of a second, and says the nearest beacon at its end.
  mutating func add(
    _ walk: RealWalk, _ beacons: [[Double]],
    tell: (_ second: Int, _ readings: [RealWalk.Reading]) -> Int?
  ) {
    let all = walk.seconds
    guard let first = all.first?.second, let last = all.last?.second else { return }
    var before: Int?
    for (second, readings) in all {
      let told = tell(second, readings)
      defer { before = told }
      guard second >= first + 5, let place = readings.last?.place else { continue }
      let distances = RealWalk.distances(place, beacons)
      let least = distances.min() ?? 0
      seconds += 1
      if told != before { changes += 1 }
      guard let told else { continue }
      if distances[told] == least { right += 1 }
      if distances[told] <= least + 1.5 { close += 1 }
    }
    minutes += Double(last - first) / 60
  }
}
