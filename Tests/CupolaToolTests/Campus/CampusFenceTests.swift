import CupolaTestSupport
import Foundation
import Testing

@Suite("cupola campus check")
struct CampusCheckTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func check(_ arguments: String...) throws -> Tool.Output {
    try Tool.run(["campus", "check", "map.geojson"] + arguments, in: folder)
  }

  static let faulty = """
    {"type": "FeatureCollection", "bbox": [10], "features": [
      {"type": "Feature", "properties": {"role": "boundary", "name": "Grounds"},
       "geometry": {"type": "Polygon", "coordinates":
         [[[10, 48], [10.02, 48], [10.02, 48.01], [10, 48.01]]]}},
      {"type": "Feature", "properties": {"role": "boundary", "name": "Bow"},
       "geometry": {"type": "Polygon", "coordinates":
         [[[11, 48], [11.02, 48.01], [11.02, 48], [11, 48.01], [11, 48]]]}},
      {"type": "Feature", "properties": {"role": "boundary", "name": "Swap"},
       "geometry": {"type": "Polygon", "coordinates":
         [[[48, 110], [48, 111], [49, 111], [48, 110]]]}},
      {"type": "Feature", "properties": {"role": "building", "id": "a", "name": "A"},
       "geometry": {"type": "Point", "coordinates": [10.01, 48.02]}},
      {"type": "Feature", "properties": {"role": "building", "id": "a", "name": "B"},
       "geometry": {"type": "Point", "coordinates": [48.005, 10.01]}},
      {"type": "Feature", "properties": {"role": "building"}, "geometry": null}
    ]}
    """

  @Test("Prints one line per fault and exits with 65")
  func faulty() throws {
    try folder.write(Self.faulty, to: "map.geojson")
    let output = try check()
    #expect(output.status == 65 && output.stderr.isEmpty)
    try expectSnapshot(output.stdout, "campus-check")
    let json = try check("--json")
    #expect(json.status == 65)
    let report = try #require(try json.json() as? [String: Any])
    #expect(report["schema"] as? String == "cupola.campus_check/1")
    #expect(report["fence_polygons"] as? Int == 3 && report["buildings"] as? Int == 2)
    let findings = try #require(report["findings"] as? [[String: String]])
    #expect(
      findings.map { $0["kind"] } == [
        "unclosed_ring", "swapped_coordinates", "bad_bounding_box", "crossing_ring",
        "missing_label", "building_outside", "swapped_coordinates", "duplicate_label",
      ])
    let lines = output.stdout.split(separator: "\n").map { $0.dropFirst("map.geojson: ".count) }
    #expect(
      findings.map { ($0["severity"] == "advice" ? "advice: " : "") + ($0["message"] ?? "") }
        == lines.map { String($0) })
  }

  @Test("A valid map has no findings, with or without photos")
  func inOrder() throws {
    try folder.write(TinyCampus.map, to: "map.geojson")
    let output = try check()
    expectSuccess(output)
    #expect(output.stdout == "map.geojson: no problems; fence with 1 polygon, 3 buildings\n")
    try TinyCampus.writePhotos(to: folder)
    expectSuccess(try check("--photos", "photos"))
  }

  @Test("Counts skipped features, and names other formats with the command that converts them")
  func otherMaps() throws {
    let path =
      #"{"type":"Feature","properties":{"highway":"path"},"geometry":"#
      + #"{"type":"LineString","coordinates":[[10,48],[10.01,48]]}}"#
    let grounds = GeoJSONText.boundary("[\(GeoJSONText.square(10, 48, halfSide: 0.1))]")
    try folder.write("\(grounds)\n\(path)\n", to: "map.geojson")
    let output = try check()
    expectSuccess(output)
    #expect(
      output.stdout == "map.geojson: no problems; fence with 1 polygon, 0 buildings; "
        + "skipped 1 line as neither building nor boundary\n")
    let json = try #require(try check("--json").json() as? [String: Any])
    #expect(json["skipped"] as? [String: Int] == ["polygons": 0, "lines": 1, "points": 0])
    try folder.write(#"<?xml version="1.0"?><kml></kml>"#, to: "map.geojson")
    let other = try check()
    #expect(other.status == 65 && other.stdout.contains("this is KML; convert it: ogr2ogr"))
  }

  @Test("Reports label mismatches and swapped axes of photos")
  func photos() throws {
    try folder.write(TinyCampus.map, to: "map.geojson")
    for (label, place) in [("arch", (10.01, 48.005)), ("door", (10.01, 48.006))] {
      let exif = TinyCampus.position(place.0, place.1)
      try folder.write(
        try TinyCampus.jpeg(.arch, seed: 1, exif: exif), to: "photos/\(label)/1.jpg")
    }
    try folder.write("no photo", to: "photos/cone/broken.jpg")
    try folder.write(try TinyCampus.jpeg(.street, seed: 1), to: "photos/_street/1.jpg")
    try folder.touch("photos/stray.jpg")
    let output = try check("--photos", "photos", "--json")
    #expect(output.status == 65)
    #expect(output.stderr.contains("skipped: stray.jpg: not in a label folder; "))
    let report = try #require(try output.json() as? [String: Any])
    let findings = try #require(report["findings"] as? [[String: String]])
    #expect(
      findings.map { $0["kind"] } == [
        "swapped_coordinates", "label_without_photos", "photos_without_building",
      ])
    #expect(findings[1]["message"]?.contains("\"barn\"") == true)
    #expect(findings[2]["message"]?.contains("\"door\"") == true)
  }

  @Test("Invalid JSON is a finding, but a missing file exits with 66")
  func unreadable() throws {
    try folder.write("{", to: "map.geojson")
    let output = try check("--json")
    #expect(output.status == 65 && output.stdout.contains("not_json"))
    try folder.write(TinyCampus.map, to: "map.geojson")
    expectFailure(try check("--photos", "none"), 66, "none")
    try folder.touch("empty/.hidden")
    expectFailure(try check("--photos", "empty"), 66, "empty")
    expectFailure(try Tool.run(["campus", "check", "no.geojson"], in: folder), 66, "no.geojson")
  }
}

@Suite("cupola campus contains")
struct CampusContainsTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try folder.write(TinyCampus.map, to: "map.geojson")
  }

  private func contains(_ arguments: String..., input: String? = nil) throws -> Tool.Output {
    try Tool.run(["campus", "contains", "map.geojson"] + arguments, in: folder, input: input)
  }

  @Test("Prints the side and the distance to the fence")
  func onePosition() throws {
    for (at, answer) in [
      ("48.005,10.01", "48.005,10.01: inside, 556.0 m from the fence"),
      ("48,10", "48.0,10.0: inside, 0.0 m from the fence"),
      ("48.0101,10.01", "48.0101,10.01: outside, 11.1 m from the fence"),
      ("-48,-10", "-48.0,-10.0: outside, 10809.1 km from the fence"),
    ] {
      let output = try contains("--at", at, "--position-error", "0")
      expectSuccess(output)
      #expect(output.stdout == answer + "\n" && output.stderr.isEmpty)
    }
  }

  @Test("Notes swapped latitude and longitude once per input")
  func swapped() throws {
    let words = " is far from the campus; did you swap latitude and longitude?\n"
    let one = try contains("--at", "10.01,48.005")
    expectSuccess(one)
    #expect(one.stdout.contains("outside") && one.stderr == "note: --at" + words)
    let many = try contains(input: "48.005,10.01\n10.01,48.005\n10.01,48.006\n")
    expectSuccess(many)
    #expect(many.stderr == "note: stdin:2" + words)
  }

  @Test("The default position error is 15 m")
  func unknownError() throws {
    for (at, answer) in [
      ("48.0101,10.01", "inconclusive; 11.1 m outside the fence, but the accuracy is only 15.0 m"),
      ("48.0099,10.01", "inconclusive; 11.1 m inside the fence, but the accuracy is only 15.0 m"),
      ("48.0102,10.01", "outside, 22.2 m from the fence"),
    ] {
      let output = try contains("--at", at)
      expectSuccess(output)
      #expect(output.stdout.hasSuffix(": \(answer)\n"))
    }
    let line = try contains("--at", "48.0101,10.01", "--jsonl").jsonLines()
    #expect(line[0]["fence"] as? String == "too_close_to_tell")
    #expect(line[0]["position"] as? [String: Double] == ["latitude": 48.0101, "longitude": 10.01])
  }

  @Test("A position within its error of the fence is too close to tell")
  func positionError() throws {
    let words = [
      ("10", "outside, 11.1 m"), ("20", "inconclusive; 11.1 m outside the fence"),
      ("0", "outside"),
    ]
    for (error, answer) in words {
      let output = try contains("--at", "48.0101,10.01", "--position-error", error)
      expectSuccess(output)
      #expect(output.stdout.contains(answer))
    }
    let inside = try contains("--at", "48.0099,10.01", "--position-error", "20")
    #expect(inside.stdout.contains("11.1 m inside the fence, but the accuracy is only 20.0 m"))
  }

  @Test("Reads positions from stdin, each with an optional error")
  func standardInput() throws {
    let output = try contains(
      "--position-error", "20", input: "48.005,10.01\n\n48.0101,10.01\n48.0101, 10.01,5\r\n")
    expectSuccess(output)
    let sides = output.stdout.split(separator: "\n").map { $0.split(separator: ": ")[1] }
    #expect(sides[0].hasPrefix("inside") && sides[1].hasPrefix("inconclusive"))
    #expect(sides[2].hasPrefix("outside") && sides.count == 3)
    #expect(try contains("-", input: "48.005,10.01\n").stdout.contains("inside"))
    // With the byte order mark and line ends of Windows.
    let marked = try contains(input: "\u{FEFF}48.005,10.01\r\n")
    #expect(marked.status == 0 && marked.stdout.hasPrefix("48.005,10.01: inside"))
    for mixed in [["-", "--at", "48.005,10.01"], ["48.005,10.01"]] {
      #expect(try contains(mixed[0], mixed.last ?? "", input: "").status == 64)
    }
  }

  @Test("JSON and JSON lines have the documented fields")
  func json() throws {
    let input = "48.005,10.01\n48.0101,10.01,20\n"
    let lines = try contains("--jsonl", input: input).jsonLines()
    let array = try #require(
      try contains("--json", input: input).json() as? [[String: Any]])
    #expect(lines.count == 2 && NSArray(array: lines) == NSArray(array: array))
    #expect(Set(lines[0].keys) == ["schema", "position", "fence", "distance_m"])
    #expect(lines[0]["schema"] as? String == "cupola.fence/1")
    #expect(lines[0]["fence"] as? String == "inside")
    #expect(lines[0]["distance_m"] as? Double == -555.952)
    #expect(lines[1]["fence"] as? String == "too_close_to_tell")
    let position = try #require(lines[1]["position"] as? [String: Double])
    #expect(position == ["latitude": 48.0101, "longitude": 10.01, "horizontal_error_m": 20])
    let single = try contains("--at", "48.005,10.01", "--jsonl").jsonLines()
    #expect(NSArray(array: single) == NSArray(array: [lines[0]]))
  }

  @Test("Invalid lines are reported, and the others are answered")
  func badLines() throws {
    let bad = ["91,0", "48", "48,10,3,4", "north", "48,10,-1", "48,10,x", "48;10", "nan,0"]
    let output = try contains(
      "--jsonl", input: (["48.005,10.01"] + bad).joined(separator: "\n"))
    #expect(output.status == 1 && output.messages.count == bad.count)
    #expect(output.messages[0].hasPrefix("cupola: stdin:2: \"91,0\" is not LAT,LON"))
    let lines = try output.jsonLines()
    #expect(lines.count == bad.count + 1 && lines[3]["line"] as? Int == 4)
    #expect(lines[1]["error"] != nil && lines[1]["fence"] == nil)
    let all = try contains(input: "north\n")
    #expect(all.status == 65 && all.stdout.isEmpty)
    expectFailure(try contains(input: ""), 66, "no positions")
  }

  @Test("An unusable map is reported with advice")
  func badMaps() throws {
    let head = #"{"type":"FeatureCollection","features":[{"type":"Feature","properties":{"#
    let boundary = head + #""role":"boundary"},"geometry":{"type":"Polygon","coordinates":"#
    for (text, words) in [
      ("", "unexpected end of text"),
      (String(TinyCampus.map.dropLast(9)), "unexpected end of text"),
      ("{\"type\": 'x'}", "line 1, column 10"), (boundary + "[[[NaN,1]]]}}]}", "column 138"),
      (boundary + "[[[1e999,1]]]}}]}", "number 1e999 is too large"),
      (boundary + "[[[1,2],[3,4],[5,6],[1,2.5]]]}}]}", "not closed"),
      (boundary + "[]}}]}", "polygon without rings"),
      (String(repeating: "[", count: 5000), "more than 128 levels deep"),
      (#"{"type":"FeatureCollection","type":"Feature"}"#, "duplicate name \"type\""),
      (#"{"type":"FeatureCollection","features":[]}"#, "no boundary"), ("{}", "no \"type\""),
      (#"{"version":0.6,"elements":[]}"#, "this is Overpass JSON; export it as GeoJSON"),
    ] {
      try folder.write(text, to: "map.geojson")
      expectFailure(try contains("--at", "0,0"), 65, "map.geojson: not a usable map", words)
    }
    let utf16 = Array(try #require(TinyCampus.map.data(using: .utf16)))
    try folder.write(utf16, to: "map.geojson")
    expectFailure(try contains("--at", "0,0"), 65, "UTF-16", "save it as UTF-8")
    let heic = [0, 0, 0, 24] + Array("ftypheic".utf8)
    for photo in [try TinyCampus.jpeg(.arch, seed: 1), [0x89, 0x50, 0x4E, 0x47, 13], heic] {
      try folder.write(photo, to: "map.geojson")
      expectFailure(
        try contains("--at", "0,0"), 65, "map.geojson", "this is a photo; choose the map file")
    }
    try folder.write([0xEF, 0xBB, 0xBF] + Array(TinyCampus.map.utf8), to: "map.geojson")
    expectSuccess(try contains("--at", "0,0"))
    expectFailure(
      try Tool.run(["campus", "contains", "no.geojson", "--at", "0,0"], in: folder), 66,
      "no.geojson")
  }

  @Test("A map above 64 MB is rejected before it is read")
  func hugeMap() throws {
    let path = folder.path("huge.geojson")
    #expect(FileManager.default.createFile(atPath: path, contents: nil))
    let file = try #require(FileHandle(forWritingAtPath: path))
    try file.truncate(atOffset: 64 << 20 + 1)
    try file.close()
    expectFailure(
      try Tool.run(["campus", "contains", "huge.geojson", "--at", "0,0"], in: folder), 65,
      "huge.geojson", "64 MB", "simplify")
  }
}
