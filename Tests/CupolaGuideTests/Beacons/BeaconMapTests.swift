import CupolaCampus
import CupolaSupport
import Cupola
import CupolaTestSupport
import Testing
@testable import CupolaGuide
@testable import CupolaTours

@Suite("Beacon maps")
struct BeaconMapTests {
  private static let first = "E2C56DB5-DFFB-48D2-B060-D0F5A71096E0/1/0"
  private static let example = """
    {"format": "cupola.beacons/1", "beacons": [
      {"id": "e2c56db5-dffb-48d2-b060-d0f5a71096e0/1/0", "power": -59, "name": "library hall",
       "place": "way/4711"},
      {"id": "\(first.dropLast())1", "power": -61.5},
      {"id": "edd1ebeac04e5defa017/000000000007"}],
     "fingerprints": [
      {"nearest": "\(first)", "rssi": [-60, -71.5, -88]},
      {"nearest": "edd1ebeac04e5defa017/000000000007", "rssi": [-90, -80, -62]}]}
    """

  private func map(_ text: String) throws -> BeaconMap {
    try BeaconMap(json: Array(text.utf8), path: "beacons.json")
  }

  @Test("Round-trips through JSON")
  func roundTrip() throws {
    let map = try map(Self.example)
    #expect(map.beacons.count == 3)
    #expect(map.powers == [TestBeacons.beacon(0): -59, TestBeacons.beacon(1): -61.5])
    #expect(map[TestBeacons.beacon(0)]?.name == "library hall")
    #expect(map[TestBeacons.beacon(0)]?.place == "way/4711")
    #expect(map[TestBeacons.beacon(5)] == nil)
    #expect(map.fingerprints.map(\.nearest) == [map.beacons[0].id, map.beacons[2].id])
    #expect(map.fingerprints[0].strengths[TestBeacons.beacon(1)] == -71.5)
    let again = try BeaconMap(json: map.json, path: "again")
    #expect(again == map)
    #expect(again.json == map.json)
    #expect(try BeaconMap(beacons: map.beacons, fingerprints: map.fingerprints) == map)
    let surveyed = try TestBeacons.surveyed()
    #expect(try BeaconMap(json: surveyed.json, path: "surveyed") == surveyed)
  }

  @Test("Reads a map from a file")
  func readsFile() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write(Self.example, to: "beacons.json")
    #expect(try BeaconMap(path: path) == map(Self.example))
    #expect(throws: GuideError.self) { try BeaconMap(path: folder.path("none.json")) }
  }

  @Test(
    "Reports the location of an error",
    arguments: [
      (
        "cupola.beacons/1", "cupola.beacon/1",
        "missing or wrong \"format\"; expected \"cupola.beacons/1\""
      ),
      ("e2c56db5-", "e2c56db-", "beacons[0].id: invalid beacon; "),
      ("/1/1\"", "/1/0\"", "beacons[1].id: duplicate beacon \(first); remove one"),
      ("-61.5", "-128", "beacons[1].power: must be a number from -127 to 20"),
      ("-61.5", "\"-61\"", "beacons[1].power: must be a number from -127 to 20"),
      ("\"library hall\"", "\" \"", "beacons[0].name: empty text; add text or remove the member"),
      ("\"way/4711\"", "3", "beacons[0].place: must be a string"),
      ("\"name\"", "\"names\"", "beacons[0]: unknown member \"names\"; correct or remove it"),
      ("{\"id\": \"edd1ebeac04e5defa017/000000000007\"}", "{}", "beacons[2]: missing \"id\""),
      ("-60,", "0,", "fingerprints[0].rssi[0]: must be a number from -127 to -1"),
      ("-60,", "", "fingerprints[0].rssi: must have one value for each of 3 beacons, not 2"),
      ("-60,", "null,", "fingerprints[0].rssi: fewer than three beacons; "),
      (
        "\"nearest\": \"\(first)\"", "\"nearest\": \"\(first)3\"",
        "fingerprints[0].nearest: unknown beacon \(first.dropLast())3; add it to \"beacons\""
      ),
      ("\"nearest\": \"\(first)\",", "", "fingerprints[0]: missing \"nearest\""),
      ("\"fingerprints\"", "\"prints\"", "unknown member \"prints\""),
      ("[-90, -80, -62]}]}", "[-90, -80, -62]}]", ""),
    ])
  func reportsErrorLocation(from: String, to: String, problem: String) throws {
    let text = Self.example.replacing(from, with: to, maxReplacements: 1)
    #expect(text != Self.example)
    let error = #expect(throws: GuideError.self) {
      try BeaconMap(json: Array(text.utf8), path: "b.json")
    }
    guard case .badFile("b.json", let found) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(found.hasPrefix(problem), "\(found)")
  }

  @Test("Rejects a newer format version")
  func refusesNewer() {
    let text = Self.example.replacing("beacons/1", with: "beacons/2")
    #expect(throws: GuideError.newerFormat("cupola.beacons/2")) { try map(text) }
  }

  @Test("Limits the number of beacons and fingerprints")
  func limits() throws {
    let beacons = (0...500).map { BeaconMap.Beacon(TestBeacons.beacon($0)) }
    #expect(throws: GuideError.self) { try BeaconMap(beacons: beacons) }
    #expect(throws: GuideError.self) { try BeaconMap(beacons: [beacons[0], beacons[0]]) }
    let many = try BeaconMap(beacons: Array(beacons.dropLast()))
    #expect(try BeaconMap(json: many.json, path: "many") == many)
    let strengths = Dictionary(
      uniqueKeysWithValues: many.beacons.enumerated().map { ($1.id, -40 - Double($0 % 60)) })
    let one = BeaconFingerprint(nearest: beacons[0].id, strengths: strengths)
    let most = try BeaconMap(
      beacons: many.beacons, fingerprints: Array(repeating: one, count: 1000))
    #expect(most.fingerprints.count == 1000)
    let some = try BeaconMap(beacons: many.beacons, fingerprints: [one, one])
    #expect(try BeaconMap(json: some.json, path: "some") == some)
    #expect(throws: GuideError.self) {
      try BeaconMap(beacons: many.beacons, fingerprints: Array(repeating: one, count: 1001))
    }
    let stranger = BeaconFingerprint(nearest: beacons[500].id, strengths: strengths)
    #expect(throws: GuideError.self) {
      try BeaconMap(beacons: many.beacons, fingerprints: [stranger])
    }
    let thin = BeaconFingerprint(nearest: beacons[0].id, strengths: [beacons[0].id: -60])
    #expect(throws: GuideError.self) { try BeaconMap(beacons: many.beacons, fingerprints: [thin]) }
  }

  @Test("Omits invalid signal strengths")
  func omitsInvalidStrengths() {
    let odd: [Double] = [0, 127, .nan, .infinity, -.infinity, -128, -0.5, -60.04]
    let beacons = odd.indices.map { TestBeacons.beacon($0) }
    let print = BeaconFingerprint(
      nearest: beacons[0], strengths: Dictionary(uniqueKeysWithValues: zip(beacons, odd)))
    #expect(print.strengths == [beacons[7]: -60])
    #expect(odd.dropLast(2).allSatisfy { BeaconMap.Beacon(beacons[0], power: $0).power ?? 0 == 0 })
  }

  @Test("Reads or rejects damaged files")
  func survivesDamage() throws {
    var random = SplitMix64(seed: 3)
    let bytes = Array(Self.example.utf8)
    var readCount = 0
    let rounds = Verification.count(600, of: 3000)
    for _ in 0..<rounds {
      var damaged = bytes
      for _ in 0..<Int.random(in: 1...3, using: &random) {
        let place = Int.random(in: 0..<damaged.count, using: &random)
        switch Int.random(in: 0...2, using: &random) {
        case 0: damaged[place] = UInt8.random(in: 0...255, using: &random)
        case 1: damaged.remove(at: place)
        default: damaged.insert(UInt8.random(in: 32...126, using: &random), at: place)
        }
      }
      guard let map = try? BeaconMap(json: damaged, path: "x") else { continue }
      readCount += 1
      #expect(try BeaconMap(json: map.json, path: "y") == map)
    }
    #expect(readCount > rounds / 100)
  }
}

@Suite("Beacon surveys")
struct BeaconSurveyTests {
  private let beacons = (0..<4).map { TestBeacons.beacon($0) }

  @Test("Averages readings within 1.5 s of the given time")
  func averagesReadings() {
    var survey = BeaconSurvey()
    for (time, rssi) in [(8.4, -10.0), (8.5, -60), (10, -62), (11.4, -64), (11.5, -10)] {
      for (place, id) in beacons.prefix(3).enumerated() {
        survey.observe(id, rssi: rssi - Double(place), at: time)
      }
    }
    let print = survey.fingerprint(nearest: beacons[3], at: 10)
    #expect(print?.nearest == beacons[3])
    #expect(print?.strengths == [beacons[0]: -62, beacons[1]: -63, beacons[2]: -64])
    #expect(survey.fingerprint(nearest: beacons[0], at: 20) == nil)
    #expect(survey.fingerprint(nearest: beacons[0], at: .nan) == nil)
  }

  @Test("Ignores invalid readings and requires three beacons")
  func ignoresInvalidReadings() {
    var survey = BeaconSurvey()
    for odd in [0, 127, Double.nan] { survey.observe(beacons[2], rssi: odd, at: 1) }
    survey.observe(beacons[2], rssi: -60, at: .infinity)
    survey.observe(beacons[0], rssi: -60, at: 1)
    survey.observe(beacons[1], rssi: -60, at: 1)
    #expect(survey.fingerprint(nearest: beacons[0], at: 1) == nil)
  }

  @Test("Discards the older half of too many readings")
  func discardsOldReadings() {
    var survey = BeaconSurvey()
    for step in 0..<70_000 {
      survey.observe(beacons[step % 3], rssi: -60, at: Double(step) / 100)
    }
    #expect(survey.fingerprint(nearest: beacons[0], at: 100) == nil)
    #expect(survey.fingerprint(nearest: beacons[0], at: 690) != nil)
  }
}
