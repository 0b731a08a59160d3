import CupolaTestSupport
import Foundation
import Testing

/// A small map with two buildings, paths, steps, a ramp and a café.
@Suite("cupola guide") struct GuideTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try folder.write(Self.map(lastName: "North Hall"), to: "map.geojson")
  }

  static func map(lastName: String) -> String {
    func feature(_ tags: String, _ geometry: String) -> String {
      #"{"type":"Feature","properties":{\#(tags)},"geometry":\#(geometry)}"#
    }
    func line(_ points: String) -> String { #"{"type":"LineString","coordinates":[\#(points)]}"# }
    func area(_ points: String) -> String { #"{"type":"Polygon","coordinates":[[\#(points)]]}"# }
    func point(_ place: String) -> String { #"{"type":"Point","coordinates":\#(place)}"# }
    let features = [
      feature(
        #""building":"yes","name":"Old Library""#,
        area("[11,48],[11.0004,48],[11.0004,48.0002],[11.0002,48.0002],[11,48.0002],[11,48]")),
      feature(#""entrance":"main""#, point("[11.0002,48.0002]")),
      feature(
        #""building":"yes","name":"\#(lastName)""#,
        area(
          "[11.003,48],[11.0034,48],[11.0034,48.0002],[11.0032,48.0002],[11.003,48.0002],[11.003,48]"
        )
      ),
      feature(#""entrance":"main""#, point("[11.0032,48.0002]")),
      feature(
        #""highway":"footway","name":"Campus Walk""#,
        line("[11.0002,48.0002],[11.0002,48.0004],[11.001,48.0004]")),
      feature(
        #""highway":"steps","incline":"up","step_count":"12""#,
        line("[11.001,48.0004],[11.0012,48.0004]")),
      feature(
        #""highway":"footway","wheelchair":"yes""#,
        line("[11.001,48.0004],[11.0011,48.0007],[11.0012,48.0004]")),
      feature(
        #""highway":"footway""#, line("[11.0012,48.0004],[11.0032,48.0004],[11.0032,48.0002]")),
      feature(
        #""amenity":"cafe","name":"Café Cupola","opening_hours":"Mo-Fr 08:00-18:00""#,
        point("[11.002,48.00045]")),
    ]
    return #"{"type":"FeatureCollection","features":[\#(features.joined(separator: ","))]}"#
  }

  private func run(_ arguments: String...) throws -> Tool.Output {
    try Tool.run(["guide"] + arguments, in: folder)
  }

  static let built = Result {
    let folder = try TemporaryFolder()
    try folder.write(map(lastName: "North Hall"), to: "map.geojson")
    expectSuccess(try build(in: folder))
    return try folder.contents()
  }

  private static func build(in folder: TemporaryFolder) throws -> Tool.Output {
    try Tool.run(
      ["guide", "build", "map.geojson", "-o", "campus.guide", "--time-zone", "Europe/Berlin"],
      in: folder)
  }

  private func build() throws {
    let usual = try Self.built.get()
    guard try Data(folder.bytes("map.geojson")) == usual["map.geojson"] else {
      return expectSuccess(try Self.build(in: folder))
    }
    for (name, bytes) in usual { try folder.write(Array(bytes), to: name) }
  }

  @Test("Builds equal guides from equal maps and prints a summary")
  func build() async throws {
    let first = try run("build", "map.geojson", "-o", "a.guide", "--name", "Campus")
    expectSuccess(first)
    #expect(first.stdout.hasPrefix("a.guide: Campus, 2 buildings, 0 rooms, 1 point of interest"))
    let second = try run("build", "map.geojson", "-o", "b.guide", "--name", "Campus", "--json")
    let summary = try #require(try second.json() as? [String: Any])
    #expect(summary["schema"] as? String == "cupola.guide_build/1")
    #expect(summary["buildings"] as? Int == 2 && summary["unusable"] as? Int == 0)
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path("a.guide")).sorted()
    #expect(names.count == 4)
    for name in names where !name.hasPrefix(".") {
      #expect(try folder.bytes("a.guide/" + name) == folder.bytes("b.guide/" + name))
    }
  }

  @Test("Prints a walking route over steps and a step-free route")
  func route() throws {
    try build()
    let walk = try run(
      "route", "campus.guide", "--from", "old libary", "--to", "North Hall", "--svg", "way.svg",
      "--geojson", "way.geojson")
    expectSuccess(walk)
    #expect(walk.stdout.hasPrefix("Old Library to North Hall: "))
    let twice = try run(
      "route", "campus.guide", "--from", "48,11", "--to", "48,11", "--svg", "a", "--geojson", "a")
    #expect(twice.status == 64)
    #expect(walk.stdout.contains("Take the steps up (12 steps)"))
    #expect(walk.stdout.contains("Arrive at North Hall"))
    #expect(String(decoding: try folder.bytes("way.svg"), as: UTF8.self).contains("</svg>"))
    #expect(
      String(decoding: try folder.bytes("way.geojson"), as: UTF8.self).contains("FeatureCollection")
    )
    let around = try run(
      "route", "campus.guide", "--from", "Old Library", "--to", "North Hall", "--profile",
      "step-free", "--json")
    let route = try #require(try around.json() as? [String: Any])
    #expect(route["schema"] as? String == "cupola.route/1")
    let kinds = try #require(route["maneuvers"] as? [[String: Any]]).map { $0["kind"] as? String }
    #expect(kinds.first == "depart" && kinds.last == "arrive" && !kinds.contains("steps_up"))
  }

  @Test("Warns if part of a step-free route has steps")
  func notStepFree() throws {
    try folder.write(
      Self.map(lastName: "North Hall").replacing(
        #""highway":"footway","wheelchair":"yes""#, with: #""highway":"steps""#),
      to: "map.geojson")
    try build()
    let arguments = [
      "route", "campus.guide", "--from", "Old Library", "--to", "North Hall", "--profile",
    ]
    let wheels = try Tool.run(["guide"] + arguments + ["step-free"], in: folder)
    expectSuccess(wheels)
    #expect(wheels.stdout.contains("; no step-free route is known for the first "))
    #expect(
      wheels.stderr.hasPrefix("warning: no step-free path from Old Library is known for the first ")
    )
    let json = try Tool.run(["guide"] + arguments + ["step-free", "--json"], in: folder)
    let route = try #require(try json.json() as? [String: Any])
    #expect(try #require(route["meters_not_step_free_before"] as? Double) > 50)
    #expect(route["meters_not_step_free_beyond"] as? Double == 0)
    let walk = try Tool.run(["guide"] + arguments + ["walk"], in: folder)
    #expect(walk.stderr.isEmpty && !walk.stdout.contains("step-free"))
  }

  @Test("Reports opening hours and finds places by kind")
  func open() throws {
    try build()
    let places = try run("poi", "campus.guide", "cafe", "--when", "2026-11-23T14:30")
    #expect(places.stdout.contains("Café Cupola: cafe, open now, until 18:00"))
    let closed = try run(
      "route", "campus.guide", "--from", "Old Library", "--to", "café", "--open", "--when",
      "2026-11-22T14:30")
    #expect(closed.status == 1 && closed.stderr.contains("no \"café\" is open at that time"))
    let way = try run(
      "route", "campus.guide", "--from", "48.0004,11.0005", "--to", "café", "--open", "--when",
      "2026-11-23T14:30")
    expectSuccess(way)
    #expect(way.stderr.contains("Café Cupola: open now, until 18:00"))
  }

  @Test("No match or no open place exits with 1")
  func nothingFits() throws {
    try build()
    let unknown = try run("poi", "campus.guide", "qqqqzzz", "--json")
    #expect(unknown.status == 1 && unknown.stderr == "no place found\n")
    #expect(unknown.stdout.filter { !$0.isWhitespace } == "[]")
    let near = try run("poi", "campus.guide", "café", "--near", "qqqqzzz", "--json")
    #expect(near.status == 1 && near.stdout.filter { !$0.isWhitespace } == "[]")
    let closed = try run(
      "poi", "campus.guide", "café", "--open", "--when", "2026-11-22T14:30")
    #expect(closed.status == 1 && closed.stderr.contains("no \"café\" is open at that time"))
  }

  @Test("The nearest of many places are listed first")
  func manyPlaces() throws {
    let machines = (0..<300).map { number in
      let place = "[\(11.001 + Double(299 - number) * 7e-6),48.0004]"
      return
        #"{"type":"Feature","properties":{"amenity":"vending_machine"},"geometry":{"type":"Point","coordinates":\#(place)}}"#
    }
    try folder.write(
      Self.map(lastName: "North Hall").replacing(
        #""features":["#, with: #""features":[\#(machines.joined(separator: ",")),"#),
      to: "map.geojson")
    try build()
    let found = try run(
      "poi", "campus.guide", "vending machine", "--near", "48.0004,11.001", "--limit", "1")
    expectSuccess(found)
    #expect(found.stdout.contains("feature/300"))
  }

  @Test("Checks maps and reports OpenStreetMap features")
  func check() throws {
    let sound = try run("check", "map.geojson")
    #expect(sound.status == 0)
    let far = #"{"type":"Polygon","coordinates":[[[12,49],[12.001,49],[12.001,49.001],[12,49]]]}"#
    try folder.write(
      #"{"type":"Feature","properties":{"building":"yes","name":"Far"},"geometry":\#(far)}"#,
      to: "far.geojson")
    let checked = try run("check", "map.geojson", "far.geojson", "--json")
    #expect(checked.status == 65)
    let findings = try #require(
      (try checked.json() as? [String: Any])?["findings"] as? [[String: Any]])
    #expect(findings.contains { $0["kind"] as? String == "unreachable" })
  }

  @Test("Notes swapped coordinates of maps and places")
  func swapped() throws {
    let far = #"{"type":"Polygon","coordinates":[[[48,11],[48.001,11],[48.001,11.001],[48,11]]]}"#
    try folder.write(
      #"{"type":"Feature","properties":{"building":"yes","name":"Far"},"geometry":\#(far)}"#,
      to: "far.geojson")
    let checked = try run("check", "map.geojson", "far.geojson")
    #expect(checked.status == 65)
    let lines = checked.stdout.split(separator: "\n").filter { $0.hasPrefix("Far ") }
    #expect(
      lines.count == 1 && lines[0].contains("after swapping latitude and longitude"),
      "\(checked.stdout)")
    let built = try run("build", "map.geojson", "far.geojson", "-o", "campus.guide")
    expectSuccess(built)
    #expect(built.stderr.contains("1 building may have latitude and longitude swapped"))
    let route = try run("route", "campus.guide", "--from", "Old Library", "--to", "11.001,48.0004")
    #expect(route.status == 1 && route.messages.count == 2)
    #expect(
      route.stderr.hasPrefix(
        "note: 11.001,48.0004 is far from all paths; did you swap latitude and longitude?"))
  }

  @Test("A map without places and paths is rejected")
  func emptyMap() throws {
    try build()
    let before = try folder.contents()
    for features in [
      "", #"{"type":"Feature","properties":{"building":"yes","name":"Hall"},"geometry":null}"#,
    ] {
      try folder.write(
        #"{"type":"FeatureCollection","features":[\#(features)]}"#, to: "map.geojson")
      let words = [
        "map.geojson: no usable places or paths", features.isEmpty ? "use a map" : "fix what",
      ]
      expectFailure(try run("build", "map.geojson", "-o", "campus.guide"), 65, words[0], words[1])
      let checked = try run("check", "map.geojson")
      expectFailure(checked, 65, words[0], words[1])
      #expect(checked.stdout.hasPrefix("advice: Hall (feature/1): ") == !features.isEmpty)
      #expect(!checked.stdout.contains("no problems"))
    }
    let after = try folder.contents()
    #expect(before.filter { $0.key != "map.geojson" } == after.filter { $0.key != "map.geojson" })
  }

  @Test("A building without a geometry is counted and reported")
  func unlocated() throws {
    let lost = #"{"type":"Feature","properties":{"building":"yes","name":"Lost"},"geometry":null}"#
    try folder.write(
      Self.map(lastName: "North Hall").replacing(
        #""features":["#, with: #""features":[\#(lost),"#), to: "map.geojson")
    let built = try run("build", "map.geojson", "-o", "campus.guide")
    expectSuccess(built)
    #expect(built.stdout.contains("2 buildings") && built.stdout.contains("1 feature skipped"))
    let checked = try run("check", "map.geojson")
    expectSuccess(checked)
    #expect(checked.stdout.contains("advice: Lost (feature/1): no geometry; draw it"))
  }

  @Test("Updates a guide part by part")
  func update() throws {
    try build()
    try folder.write(Self.map(lastName: "East Hall"), to: "map.geojson")
    expectSuccess(try run("build", "map.geojson", "-o", "new.guide"))
    let first = try run("update", "campus.guide", "--from", "new.guide", "--json")
    expectSuccess(first)
    #expect((try first.json() as? [String: Any])?["updated"] as? Bool == true)
    let again = try run("update", "campus.guide", "--from", "new.guide")
    #expect(again.stdout.contains("up to date"))
    #expect(try run("poi", "campus.guide", "East").stdout.contains("East Hall"))
  }

  @Test("Prints the graph and routes over it")
  func graph() throws {
    try build()
    let graph = try #require(try run("graph", "campus.guide").json() as? [String: Any])
    #expect((graph["nodes"] as? [Any])?.isEmpty == false && graph["directed"] as? Bool == true)
    let ways = try run("graph", "campus.guide", "--routes", "5", "--seed", "3")
    #expect(ways.stdout.split(separator: "\n").count == 5)
    try folder.write(#"{"from":[48.0004,11.0005],"to":[48.0004,11.002]}"#, to: "pairs.jsonl")
    let pairs = try run("route", "campus.guide", "--pairs", "pairs.jsonl")
    #expect(pairs.stdout.contains(#""meters":"#))
    #expect(try run("route", "campus.guide", "--pairs", "pairs.jsonl", "--open").status == 64)
    try folder.write(#"{"from":[0,0],"to":[48.0004,11.002]}"#, to: "far.jsonl")
    let far = try run("route", "campus.guide", "--pairs", "far.jsonl")
    expectFailure(far, 1, "far.jsonl: no route for 1 of 1 pair")
    #expect(far.stdout.contains(#""error":"#))
    // Blank lines are skipped but counted.
    try folder.write(
      #"{"from":[48.0004,11.0005],"to":[48.0004,11.002]}"# + "\n\n \r\n{}\n", to: "blanks.jsonl")
    let blanks = try run("route", "campus.guide", "--pairs", "blanks.jsonl")
    #expect(
      blanks.stdout == pairs.stdout && blanks.stderr.hasPrefix("cupola: blanks.jsonl:4: not {"))
  }

  @Test("Reports faults of maps, guides and places in one line")
  func failures() throws {
    try build()
    try folder.write("{", to: "cut.json")
    for (arguments, status, words) in [
      (["build", "cut.json", "-o", "x"], 65, "cut.json"),
      (["build", "none.json", "-o", "x"], 66, "none.json"),
      (["route", "none.guide", "--from", "a", "--to", "b"], 66, "none.guide"),
      (
        ["route", "map.geojson", "--from", "a", "--to", "b"], 66,
        "map.geojson: not a guide folder (missing guide.json); create one with cupola guide build"
      ),
      (["poi", ".", "café"], 66, ".: not a guide folder"),
      (["route", "campus.guide", "--from", "xyzzy", "--to", "café"], 1, "xyzzy"),
      (
        ["route", "campus.guide", "--from", "10,10", "--to", "café"], 1, "no path for this profile"
      ),
      (["route", "campus.guide", "--to", "café"], 64, "--from"),
      (["build", "map.geojson", "-o", "."], 73, "exists and is not a guide"),
    ] {
      let output = try Tool.run(["guide"] + arguments, in: folder)
      #expect(output.status == Int32(status), "\(arguments)")
      #expect(output.stderr.contains(words), "\(arguments): \(output.stderr)")
      #expect(!output.stderr.contains("Fatal"))
    }
  }
}

@Suite("cupola guide build") struct GuideBuildTests {
  @Test("Warns about an incomplete Overpass response")
  func incompleteResponse() throws {
    let folder = try TemporaryFolder()
    let nodes =
      #"{"type":"node","id":1,"lat":48,"lon":11},{"type":"node","id":2,"lat":48.001,"lon":11}"#
    let way = #"{"type":"way","id":1,"nodes":[1,2],"tags":{"highway":"footway"}}"#
    for (remark, warning) in [
      ("", ""),
      (
        #","remark":"runtime error: out of memory""#,
        "warning: map.json: incomplete Overpass response: runtime error: out of memory; "
      ),
    ] {
      try folder.write(#"{"version":0.6,"elements":[\#(nodes),\#(way)]\#(remark)}"#, to: "map.json")
      let output = try Tool.run(["guide", "build", "map.json", "-o", "map.guide"], in: folder)
      expectSuccess(output)
      #expect(output.stderr.isEmpty == warning.isEmpty && output.stderr.hasPrefix(warning))
      let check = try Tool.run(["guide", "check", "map.json", "--json"], in: folder)
      #expect(check.status == (warning.isEmpty ? 0 : 65))
      #expect(check.stdout.contains(#""incomplete""#) == !warning.isEmpty)
    }
  }
}

@Suite("cupola guide poi") struct GuidePOITests {
  @Test("The distance from path to place counts")
  func beyondThePaths() throws {
    let folder = try TemporaryFolder()
    let point = #""geometry":{"type":"Point","coordinates":"#
    try folder.write(
      """
      {"type":"FeatureCollection","features":[
      {"type":"Feature","properties":{"highway":"footway"},
       "geometry":{"type":"LineString","coordinates":[[8,50],[8.0007,50],[8.0056,50]]}},
      {"type":"Feature","properties":{"amenity":"cafe","name":"Far"},\(point)[8.0007,50.00355]}},
      {"type":"Feature","properties":{"amenity":"cafe","name":"Near"},\(point)[8.0056,50]}}]}
      """, to: "map.geojson")
    expectSuccess(
      try Tool.run(["guide", "build", "map.geojson", "-o", "campus.guide"], in: folder))
    let found = try Tool.run(
      ["guide", "poi", "campus.guide", "cafe", "--near", "50,8"], in: folder)
    expectSuccess(found)
    // 0.0056 degrees of longitude are 401 m; 50 m along the path and 395 m beyond it are 445 m.
    let lines = found.stdout.split(separator: "\n")
    #expect(lines.map { $0.prefix(5) } == ["Near:", "Far: "])
    #expect(lines.last?.contains(" 445 m, ") == true)
  }
}
