import CupolaTestSupport
import Foundation
import Testing

@Suite("cupola campus search")
struct CampusSearchTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func search(_ arguments: String...) throws -> Tool.Output {
    try Tool.run(["campus", "search", SampleMap.path()] + arguments, in: folder)
  }

  private func labels(_ arguments: String...) throws -> [String] {
    let output = try Tool.run(
      ["campus", "search", SampleMap.path(), "--jsonl"] + arguments, in: folder)
    expectSuccess(output)
    return try output.jsonLines().compactMap {
      ($0["building"] as? [String: Any])?["label"] as? String
    }
  }

  @Test("Lists the best matches first")
  func text() throws {
    let output = try search("hall")
    expectSuccess(output)
    #expect(output.stderr.isEmpty)
    try expectSnapshot(output.stdout, "campus-search")
  }

  @Test("Prints one JSON array")
  func json() throws {
    let output = try search("library", "--json")
    expectSuccess(output)
    try expectSnapshot(output.stdout, "campus-search-json")
  }

  @Test("Options search their fields and can be combined")
  func options() throws {
    #expect(try labels("old", "library") == ["old_library"])
    #expect(try labels("LIBRÁRY old") == ["old_library"])
    #expect(try labels("libary") == ["old_library"])
    #expect(try labels("--name", "hall") == ["founders_hall", "north_hall", "south_hall"])
    #expect(try labels("--abbreviation", "bt") == ["bell_tower"])
    #expect(try labels("--category", "residence", "--year", "1900-1905") == ["north_hall"])
    #expect(try labels("--address", "campus green", "--year", "1891") == ["bell_tower"])
    #expect(try labels("--year", "before 1700") == ["gate_house"])
    #expect(try labels("hall", "--limit", "2") == ["founders_hall", "north_hall"])
    #expect(try labels("hall", "--category", "library") == ["old_library"])
    #expect(try labels().count == 12)
  }

  @Test("No match is reported on stderr with exit code 1")
  func nothing() throws {
    let cases: [([String], String)] = [
      (["zeppelin"], "no building found"), (["--category", "zoo"], "no category \"zoo\""),
      (["--category", "zoo"], "residence"), (["--year", "1066"], "no building found"),
      (["zeppelin", "--category", "residence"], "no building found"),
    ]
    for (arguments, words) in cases {
      let output = try Tool.run(["campus", "search", SampleMap.path()] + arguments, in: folder)
      #expect(output.status == 1)
      #expect(output.stdout.isEmpty && output.stderr.contains(words))
    }
    let output = try search("zeppelin", "--json")
    #expect(try (output.json() as? [Any])?.isEmpty == true && output.messages.count == 1)
    #expect(try search("zeppelin", "--jsonl").stdout.isEmpty)
  }

  @Test(
    "Rejects meaningless arguments",
    arguments: [
      (["???"], "WORDS"), ([""], "WORDS"), (["--name", ""], "--name"),
      (["--category", " - "], "--category"), (["--address", "!"], "--address"),
      (["--abbreviation", "."], "--abbreviation"), (["--year", "soon"], "soon"),
      (["--year", "1980-1950"], "1980-1950"), (["--year", ""], "is not a year"),
      (["--limit", "0"], "--limit"), (["--limit", "x"], "--limit"), (["--bogus"], "--bogus"),
    ] as [([String], String)])
  func usage(arguments: [String], words: String) throws {
    expectUsageError(
      try Tool.run(["campus", "search", SampleMap.path()] + arguments, in: folder), words)
  }

  @Test("Reports unusable maps")
  func badMap() throws {
    try folder.write("{", to: "broken.geojson")
    try folder.write(#"{"type":"FeatureCollection","features":[]}"#, to: "empty.geojson")
    func run(_ file: String) throws -> Tool.Output {
      try Tool.run(["campus", "search", file, "hall"], in: folder)
    }
    expectFailure(try run("broken.geojson"), 65, "broken.geojson", "JSON")
    expectFailure(try run("empty.geojson"), 65, "empty.geojson")
    expectFailure(try run("no.geojson"), 66, "no.geojson")
    expectFailure(try run("."), 66, ".")
  }

  @Test("A map without buildings is reported")
  func noBuildings() throws {
    try folder.write(
      """
      {"type":"FeatureCollection","features":[{"type":"Feature","properties":{"role":"boundary"},
       "geometry":{"type":"Polygon","coordinates":[[[0,0],[1,0],[1,1],[0,0]]]}}]}
      """, to: "bare.geojson")
    let output = try Tool.run(["campus", "search", "bare.geojson", "hall"], in: folder)
    #expect(output.status == 1 && output.stdout.isEmpty)
    #expect(output.stderr == "the map has no buildings; run cupola campus check to see why\n")
    let nearby = try Tool.run(["campus", "nearby", "bare.geojson", "--at", "0,0"], in: folder)
    #expect(nearby.status == 1)
    #expect(nearby.stderr == "the map has no buildings with a position\n")
  }
}

@Suite("cupola campus nearby")
struct CampusNearbyTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func nearby(_ arguments: String...) throws -> Tool.Output {
    try Tool.run(["campus", "nearby", SampleMap.path()] + arguments, in: folder)
  }

  @Test("Prints distance, bearing and side, nearest first")
  func text() throws {
    let output = try nearby("--at", "48.3000,10.9000", "--heading", "80", "--within", "150")
    expectSuccess(output)
    #expect(output.stderr.isEmpty)
    try expectSnapshot(output.stdout, "campus-nearby")
  }

  @Test("Prints JSON with transforms")
  func json() throws {
    let output = try nearby("--at", "48.3000,10.9000", "--heading", "80", "--json")
    expectSuccess(output)
    let buildings = try #require(try output.json() as? [[String: Any]])
    #expect(buildings.count == 2)
    for building in buildings {
      #expect(building["schema"] as? String == "cupola.nearby/1")
      let enu = try #require(building["transform_enu"] as? [Double])
      let arkit = try #require(building["transform_arkit"] as? [Double])
      #expect(enu.count == 16 && arkit.count == 16)
      // Column by column; the last column is the position.
      let expected = [enu[12], enu[14], -enu[13], 1]
      #expect(zip(arkit[12...], expected).allSatisfy { ($0 - $1).magnitude < 1e-9 })
      let distance = try #require(building["distance_m"] as? Double)
      let bearing = try #require(building["bearing_deg"] as? Double) * .pi / 180
      #expect((enu[12] - distance * sin(bearing)).magnitude < 1e-6)
      #expect((enu[13] - distance * cos(bearing)).magnitude < 1e-6)
      let turn = try #require(building["turn_deg"] as? Double)
      #expect((turn - (bearing * 180 / .pi - 80).remainder(dividingBy: 360)).magnitude < 1e-9)
      #expect(Set(building.keys).isSuperset(of: ["compass", "side", "inside", "nearest_point"]))
    }
    let lines = try nearby("--at", "48.3000,10.9000", "--heading", "80", "--jsonl").jsonLines()
    #expect(NSArray(array: lines).isEqual(to: buildings))
  }

  @Test("Reports a position inside a building without a heading")
  func inside() throws {
    let output = try nearby("--at", "48.299975,10.90083", "--jsonl")
    expectSuccess(output)
    let building = try #require(try output.jsonLines().first)
    #expect(building["inside"] as? Bool == true && building["distance_m"] as? Double == 0)
    #expect(building["bearing_deg"] == nil && building["compass"] == nil)
    #expect(building["turn_deg"] == nil && building["side"] == nil)
    let text = try nearby("--at", "48.299975,10.90083", "--heading", "-30")
    #expect(text.stdout == "bell_tower: Bell Tower, you are inside\n")
  }

  @Test("Reports the nearest building if no building is in range")
  func nothing() throws {
    for flag in ["--json", "--jsonl"] {
      let output = try nearby("--at", "48.31,10.9", flag)
      #expect(output.status == 1 && output.messages.count == 1)
    }
    let output = try nearby("--at", "48.31,10.9", "--within", "0.5")
    #expect(output.status == 1 && output.stdout.isEmpty)
    #expect(output.stderr.hasPrefix("no building within 0.5 m; the nearest is old_library: "))
    let note = "note: --at is far from the campus; did you swap latitude and longitude?"
    for place in ["10.9,48.3", "10.905,48.305"] {
      #expect(try nearby("--at", place).messages.last?.hasPrefix(note) == true)
    }
    #expect(try nearby("--at", "11.9,48.3").messages.count == 1)
  }

  @Test(
    "Rejects invalid positions and numbers",
    arguments: [
      ([], "--at"), (["--at", "91,0"], "--at"), (["--at", "0,181"], "--at"),
      (["--at", "48"], "--at"), (["--at", "nan,0"], "--at"),
      (["--at", "48,10", "--heading", "nan"], "--heading"),
      (["--at", "48,10", "--heading", "north"], "--heading"),
      (["--at", "48,10", "--within", "-1"], "--within"),
      (["--at", "48,10", "--within", "inf"], "--within"),
      (["--at", "48,10", "--within", "nan"], "--within"),
    ] as [([String], String)])
  func usage(arguments: [String], words: String) throws {
    expectUsageError(
      try Tool.run(["campus", "nearby", SampleMap.path()] + arguments, in: folder), words)
  }

  @Test("Negative coordinates are read, and invalid maps are named")
  func places() throws {
    // Nothing is near.
    #expect(try nearby("--at", "-48.3,-10.9", "--heading", "-45").status == 1)
    try folder.write("[]", to: "list.geojson")
    let output = try Tool.run(["campus", "nearby", "list.geojson", "--at", "0,0"], in: folder)
    expectFailure(output, 65, "list.geojson")
  }
}
