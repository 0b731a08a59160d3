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

  /// A map with a fault of every kind that needs no photos.
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
      {"type": "Feature", "properties": {"role": "building", "name": "C"}, "geometry": null}
    ]}
    """

  @Test("all that is wrong, a line for each, and exit code 65")
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
        "building_outside", "swapped_coordinates", "missing_label", "duplicate_label",
      ])
    let lines = output.stdout.split(separator: "\n").map { $0.dropFirst("map.geojson: ".count) }
    #expect(
      findings.map { ($0["severity"] == "advice" ? "advice: " : "") + ($0["message"] ?? "") }
        == lines.map { String($0) })
  }

  @Test("a map in order, with and without photos")
  func inOrder() throws {
    try folder.write(TinyCampus.map, to: "map.geojson")
    let output = try check()
    expectSuccess(output)
    #expect(output.stdout == "map.geojson: nothing wrong; a fence of 1 polygon, 3 buildings\n")
    try TinyCampus.writePhotos(to: folder)
    expectSuccess(try check("--photos", "photos"))
  }

  @Test("photos without a building, buildings without photos, and swapped axes")
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
    #expect(output.stderr.contains("skipped: stray.jpg: a photo outside the label folders; "))
    let report = try #require(try output.json() as? [String: Any])
    let findings = try #require(report["findings"] as? [[String: String]])
    #expect(
      findings.map { $0["kind"] } == [
        "swapped_coordinates", "label_without_photos", "photos_without_building",
      ])
    #expect(findings[1]["message"]?.contains("\"barn\"") == true)
    #expect(findings[2]["message"]?.contains("\"door\"") == true)
  }

  @Test("what is no JSON is a finding; a missing file or folder is no input")
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
