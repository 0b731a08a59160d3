import CupolaCampus
import CupolaSupport
import CupolaTestSupport
import Foundation
import Testing
@testable import CupolaGuide
@testable import CupolaTours

/// Each walk is evaluated with parameters learned from other walks.
@Suite(
  "Beacons on recorded walks",
  .enabled(if: RealWalks.exist, "the recorded walks are not next to the repository"))
struct BeaconWalkTests {
  private let data: RealWalks

  init() throws { data = try RealWalks.all.get() }

  /// Returns each beacon's power at 1 m in dBm, fitted to readings at known distances (path-loss exponent 1.4).
  private func powers(_ walks: [RealWalk]) -> [Double?] {
    var sums = data.beacons.map { _ in (sum: 0.0, count: 0.0) }
    // The data contains two invalid readings of +29 and +42 dBm.
    for reading in walks.flatMap(\.readings) where reading.rssi < 0 {
      let meters = RealWalk.distances(reading.place, data.beacons)[reading.beacon]
      sums[reading.beacon].sum += reading.rssi + 14 * log10(max(meters, 0.5))
      sums[reading.beacon].count += 1
    }
    return sums.map { $0.count > 0 ? $0.sum / $0.count : nil }
  }

  private func score(
    bias: Double = 0, map: (RealWalk) throws -> BeaconMap
  ) throws -> WalkScore {
    var score = WalkScore()
    for walk in data.walks {
      var zones = BeaconZones(try map(walk))
      score.add(walk, data.beacons) { second, readings in
        for reading in readings {
          _ = zones.observe(
            TestBeacons.beacon(reading.beacon), rssi: reading.rssi + bias, at: reading.time)
        }
        _ = zones.advance(to: Double(second + 1))
        return data.beacons.indices.first { TestBeacons.beacon($0) == zones.nearest }
      }
    }
    return score
  }

  private func surveyed(_ walks: [RealWalk]) throws -> BeaconMap {
    try BeaconMap(
      beacons: data.beacons.indices.map { BeaconMap.Beacon(TestBeacons.beacon($0)) },
      fingerprints: walks.flatMap { data.fingerprints[$0.name] ?? [] })
  }

  @Test("The strongest reading is right in half of the seconds but unstable")
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

  @Test("Zones without a map are right in half of the seconds and stable")
  func plain() throws {
    let score = try score { _ in try BeaconMap(beacons: []) }
    #expect(score.strict > 0.48 && score.changesPerMinute < 6, "\(score)")
  }

  @Test("Measured powers get 60% right and 80% within 1.5 m")
  func measured() throws {
    let score = try score { walk in
      let powers = powers(data.walks.filter { $0.name != walk.name })
      return try BeaconMap(
        beacons: powers.enumerated().map { .init(TestBeacons.beacon($0), power: $1) })
    }
    #expect(score.strict > 0.58 && score.within > 0.78, "\(score)")
    #expect(score.changesPerMinute < 6, "\(score)")
  }

  @Test("A survey of the other walks gets 75% right on any phone", arguments: [0.0, -8])
  func surveyed(bias: Double) throws {
    let score = try score(bias: bias) { walk in
      try surveyed(data.walks.filter { $0.name != walk.name })
    }
    #expect(score.strict > 0.75 && score.within > 0.87, "\(score)")
    #expect(score.changesPerMinute < 6, "\(score)")
  }

  /// In 7% of the seconds, the walk is in a zone that no other route passes.
  @Test("A survey of other routes is better than no survey")
  func otherRoutes() throws {
    let score = try score { walk in
      try surveyed(data.walks.filter { $0.route != walk.route })
    }
    #expect(score.strict > 0.64 && score.within > 0.79, "\(score)")
    #expect(score.changesPerMinute < 9, "\(score)")
  }
}

struct RealWalks {
  let walks: [RealWalk]
  /// Beacon positions, in meters east, north and up.
  let beacons: [[Double]]
  let fingerprints: [String: [BeaconFingerprint]]

  static let folder = Repository.root.appending(path: "../shared/data/guide/beacons")
  static let exist = Repository.exists(folder)
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

/// A recorded walk. The fixed sensors act as beacons, and the beacon that was carried acts as the phone.
struct RealWalk {
  struct Reading {
    let beacon: Int, rssi: Double, time: Double, place: [Double]
  }

  let name: String
  let readings: [Reading]
  let seconds: [(second: Int, readings: [Reading])]

  /// - Parameter places: The beacon indices by name.
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

  /// The route; walks with the same route follow the same path in the same direction.
  var route: String {
    switch name {
    case "straight_01", "straight_04", "straight_05": "straight along 8.5 m"
    default: String(name.prefix { $0 != "_" })
    }
  }

  static func distances(_ place: [Double], _ beacons: [[Double]]) -> [Double] {
    beacons.map { beacon in
      zip(beacon, place).reduce(0) { $0 + ($1.0 - $1.1) * ($1.0 - $1.1) }.squareRoot()
    }
  }

  func fingerprints(_ beacons: [[Double]]) -> [BeaconFingerprint] {
    var survey = BeaconSurvey()
    for reading in readings {
      survey.observe(TestBeacons.beacon(reading.beacon), rssi: reading.rssi, at: reading.time)
    }
    return seconds.compactMap { second, readings in
      guard let place = readings.last?.place else { return nil }
      let distances = Self.distances(place, beacons)
      let nearest = distances.indices.min { distances[$0] < distances[$1] } ?? 0
      return survey.fingerprint(nearest: TestBeacons.beacon(nearest), at: Double(second + 1))
    }
  }
}

struct WalkScore: CustomStringConvertible {
  var (seconds, right, close, changes) = (0, 0, 0, 0)
  var minutes = 0.0

  var strict: Double { Double(right) / Double(max(seconds, 1)) }
  /// The fraction of seconds in which the chosen beacon was at most 1.5 m farther away than the nearest one.
  var within: Double { Double(close) / Double(max(seconds, 1)) }
  var changesPerMinute: Double { Double(changes) / max(minutes, 1e-9) }

  var description: String {
    func percent(_ share: Double) -> String { "\((share * 1000).rounded() / 10)%" }
    return "\(percent(strict)) right, \(percent(within)) within 1.5 m, "
      + "\((changesPerMinute * 10).rounded() / 10) changes a minute, \(seconds) s"
  }

  /// Evaluates a walk for each second, ignoring the first 5 s.
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
