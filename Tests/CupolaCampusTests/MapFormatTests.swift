import Testing
@testable import CupolaCampus
@testable import CupolaSupport

@Suite("Map formats") struct MapFormatTests {
  private static func zip(_ names: [String], directory: Bool = true) -> [UInt8] {
    func number(_ value: Int, _ count: Int) -> [UInt8] {
      (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }
    var (files, entries): ([UInt8], [UInt8]) = ([], [])
    for name in names {
      let length = number(name.utf8.count, 2)
      entries += [0x50, 0x4B, 1, 2] + number(0, 24) + length + number(0, 16) + Array(name.utf8)
      files += [0x50, 0x4B, 3, 4] + number(0, 22) + length + number(0, 2) + Array(name.utf8)
    }
    let end =
      [0x50, 0x4B, 5, 6] + number(0, 4) + number(names.count, 2) + number(names.count, 2)
      + number(entries.count, 4) + number(files.count, 4) + number(0, 2)
    return directory ? files + entries + end : files
  }

  static let formats: [(bytes: [UInt8], format: MapFormat?)] = [
    (Array(#"<?xml version="1.0"?><kml xmlns="http://www.opengis.net/kml/2.2"/>"#.utf8), .kml),
    (Array("\u{FEFF}\n<!-- a > b --><kml:kml/>".utf8), .kml),
    (Array(#"<?xml version="1.0"?>\#n<gpx version="1.1">"#.utf8), .gpx),
    (Array(#"<osm version="0.6"><node id="1"/></osm>"#.utf8), .osmXML),
    (Array("<!DOCTYPE html><html><body>".utf8), .html),
    (Array("<gml:FeatureCollection>".utf8), .xml), (Array("<!-- never closed".utf8), .xml),
    ([0, 0, 0, 13, 0x0A, 9] + Array("OSMHeader".utf8), .osmPBF),
    ([0, 0, 0x27, 0x0A, 0, 0], .shapefile), ([0x1F, 0x8B, 8], .gzip), (Array("BZh9".utf8), .bzip2),
    (Array("SQLite format 3\0".utf8), .geoPackage), (Array("fgb\u{3}fgb\u{1}".utf8), .flatGeobuf),
    (zip(["campus.cpg", "CAMPUS.SHP"]), .zippedShapefile), (zip(["doc.kml"]), .kmz),
    (zip(["campus.dbf"], directory: false), .zippedShapefile),
    (zip(["manifest.json", "venue.geojson"]), .zippedIMDF),
    (zip(["campus/venue.geojson"]), .zippedIMDF), (zip(["map.geojson"]), .zip),
    (zip([]), nil), ([0x50, 0x4B, 3, 4], .zip),
    (Array(#"{"type":"Feature"}\#n{"type":"Feature"}"#.utf8), .featureSequence),
    (Array("\u{1E}{\"a\":\"}{\"}".utf8), .featureSequence),
    (Array(#"{"a":"\"}{","b":[{}]}"#.utf8), nil), (Array(#"{"type":"Feature"} x"#.utf8), nil),
    (Array("[1, 2]".utf8), nil), (Array("{".utf8), nil), ([], nil),
  ]

  @Test("Recognizes formats by their first bytes", arguments: formats)
  func recognition(bytes: [UInt8], format: MapFormat?) {
    #expect(MapFormat(firstBytes: bytes) == format)
    guard let format, format != .featureSequence else { return }
    #expect(throws: CampusError.notGeoJSON(format.problem)) { try Campus(geoJSON: bytes) }
    #expect(CampusCheck(geoJSON: bytes).findings == [.fault(.notGeoJSON(format.problem))])
  }

  @Test(
    "Recognizes other JSON by its members",
    arguments: [
      (#"{"type":"Topology","arcs":[],"objects":{}}"#, MapFormat.topoJSON),
      (#"{"geometryType":"esriGeometryPolygon","features":[]}"#, .esriJSON),
      (#"{"features":[{"attributes":{"NAME":"A"},"geometry":{"rings":[]}}]}"#, .esriJSON),
    ])
  func members(text: String, format: MapFormat) {
    #expect(throws: CampusError.notGeoJSON(format.problem)) {
      try Campus(geoJSON: Array(text.utf8))
    }
  }

  @Test("Every format has its own name and tells what to do", arguments: MapFormat.allCases)
  func remedies(format: MapFormat) {
    #expect(MapFormat.allCases.filter { $0.name == format.name } == [format])
    #expect(format.remedy.contains(": ") || format == .html)
    #expect(!format.problem.hasSuffix(".") && !format.problem.contains("\n"))
  }

  @Test("A truncated sequence of features is reported with its line")
  func truncated() {
    let bytes = Array("{\"type\":\"Feature\",\"geometry\":null}\n{\"type\":\"Fea".utf8)
    guard case .fault(.notJSON(let fault)) = CampusCheck(geoJSON: bytes).findings.first else {
      Issue.record("no fault")
      return
    }
    #expect(fault.kind == .endsEarly && fault.line == 2)
  }
}
