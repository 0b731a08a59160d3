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

  @Test("lists what it finds, the best first")
  func text() throws {
    let output = try search("hall")
    expectSuccess(output)
    #expect(output.stderr.isEmpty)
    try expectSnapshot(output.stdout, "campus-search")
  }

  @Test("prints one JSON array")
  func json() throws {
    let output = try search("library", "--json")
    expectSuccess(output)
    try expectSnapshot(output.stdout, "campus-search-json")
  }

  @Test("each option asks for its part of the record, all of them together")
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

  @Test("says when there is nothing, on stderr, and is done")
  func nothing() throws {
    let cases: [([String], String)] = [
      (["zeppelin"], "No building found."), (["--category", "zoo"], "no category is \"zoo\""),
      (["--category", "zoo"], "residence"), (["--year", "1066"], "No building found."),
      (["zeppelin", "--category", "residence"], "No building found."),
    ]
    for (arguments, words) in cases {
      let output = try Tool.run(["campus", "search", SampleMap.path()] + arguments, in: folder)
      expectSuccess(output)
      #expect(output.stdout.isEmpty && output.stderr.contains(words))
    }
    let output = try search("zeppelin", "--json")
    #expect(try (output.json() as? [Any])?.isEmpty == true && output.messages.count == 1)
    #expect(try search("zeppelin", "--jsonl").stdout.isEmpty)
  }

  @Test(
    "refuses what means nothing",
    arguments: [
      (["???"], "WORDS"), ([""], "WORDS"), (["--name", ""], "--name"),
      (["--category", " - "], "--category"), (["--address", "!"], "--address"),
      (["--abbreviation", "."], "--abbreviation"), (["--year", "soon"], "soon"),
      (["--year", "1980-1950"], "1980-1950"), (["--year", ""], "is no year"),
      (["--limit", "0"], "--limit"), (["--limit", "x"], "--limit"), (["--bogus"], "--bogus"),
    ] as [([String], String)])
  func usage(arguments: [String], words: String) throws {
    expectUsageError(
      try Tool.run(["campus", "search", SampleMap.path()] + arguments, in: folder), words)
  }

  @Test("tells what is wrong with a map")
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

  @Test("a map without buildings has none")
  func noBuildings() throws {
    try folder.write(
      """
      {"type":"FeatureCollection","features":[{"type":"Feature","properties":{"role":"boundary"},
       "geometry":{"type":"Polygon","coordinates":[[[0,0],[1,0],[1,1],[0,0]]]}}]}
      """, to: "bare.geojson")
    let output = try Tool.run(["campus", "search", "bare.geojson", "hall"], in: folder)
    expectSuccess(output)
    #expect(output.stdout.isEmpty && output.stderr == "The map has no buildings.\n")
    let nearby = try Tool.run(["campus", "nearby", "bare.geojson", "--at", "0,0"], in: folder)
    expectSuccess(nearby)
    #expect(nearby.stderr == "The map has no buildings with a position.\n")
  }
}
