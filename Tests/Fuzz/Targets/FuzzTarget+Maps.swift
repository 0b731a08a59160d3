@testable import CupolaCampus
@testable import CupolaGuide
@testable import CupolaGuideBuilder
@testable import CupolaSupport

/// Targets for maps of campuses and guides.
extension FuzzTarget {
  static let maps: [FuzzTarget] = [
    FuzzTarget("json") { bytes in
      guard let value = try? JSONReader.value(of: bytes) else { return }
      let written = JSONWriter.bytes(of: value)
      guard let again = try? JSONReader.value(of: written) else {
        throw FuzzFailure("the written value cannot be read")
      }
      try FuzzFailure.unless(
        JSONWriter.bytes(of: again) == written, "the value changed after writing and reading")
    },
    FuzzTarget("campus") { bytes in
      guard let campus = try? Campus(geoJSON: bytes) else { return }
      for position in positions {
        _ = campus.geofence.side(of: position)
        _ = campus.buildings(near: position, within: 500, heading: Heading(degrees: 45))
      }
      let index = BuildingIndex(campus.buildings)
      for building in campus.buildings.prefix(4) { _ = index.search(BuildingQuery(building.name)) }
      guard let again = try? Campus(geoJSON: campus.geoJSON()) else {
        throw FuzzFailure("a campus cannot be written and read again")
      }
      try FuzzFailure.unless(again == campus, "the campus changed after writing and reading")
    },
    FuzzTarget("campus-check") { bytes in
      let findings = CampusCheck(geoJSON: bytes).findings
      try FuzzFailure.unless(
        findings == CampusCheck(geoJSON: bytes).findings, "the findings differ the second time")
    },
    FuzzTarget("building-search") { bytes in
      let text = String(decoding: bytes, as: UTF8.self)
      _ = YearRange(text)
      guard let campus = smallCampus else { return }
      var query = BuildingQuery(text)
      _ = BuildingIndex(campus.buildings).search(query)
      (query.name, query.address) = (text, text)
      _ = BuildingIndex(campus.buildings).search(query)
    },
    FuzzTarget("guide-map") { bytes in
      var map = GuideMap()
      guard (try? map.read(bytes, path: "map")) != nil else { return }
      try check(GuideBuilder(map))
    },
    FuzzTarget("imdf") { try read($0, ["manifest.json"] + imdf.map { $0 + ".geojson" }) },
  ]

  private static let imdf = [
    "address", "amenity", "anchor", "building", "footprint", "kiosk", "level", "occupant",
    "opening", "relationship", "unit", "venue",
  ]

  static let positions = [
    Position(latitude: 48.3, longitude: 10.9, horizontalError: 5),
    Position(latitude: 0, longitude: -180), Position(latitude: 90, longitude: 12),
  ].compactMap(\.self)

  private static let smallCampus = try? Campus(
    geoJSON: Array(
      """
      {"type": "FeatureCollection", "features": [
        {"type": "Feature", "properties": {"role": "fence"}, "geometry": {"type": "Polygon",
          "coordinates": [[[0, 0], [1, 0], [1, 1], [0, 1], [0, 0]]]}},
        {"type": "Feature", "properties": {"role": "building", "label": "old_library",
          "name": "Old Library", "address": "Campus Green 1", "start_date": "1880..1902"},
          "geometry": {"type": "Point", "coordinates": [0.5, 0.5]}},
        {"type": "Feature", "properties": {"role": "building", "label": "straße",
          "name": "Größe Ångström-Straße", "short_name": "GÅ"}, "geometry": null}
      ]}
      """.utf8))

  private static func read(_ bytes: [UInt8], _ names: [String]) throws(FuzzFailure) {
    let folder = FuzzFolder()
    defer { folder.remove() }
    try folder.fill(FuzzFiles(bytes, names: Set(names)).contents)
    guard let map = try? GuideMap(reading: [folder.path]) else { return }
    try check(GuideBuilder(map))
  }

  private static func check(_ builder: GuideBuilder) throws(FuzzFailure) {
    let check = GuideCheck(builder)
    for finding in check.findings.prefix(20) { _ = "\(finding)" }
    let parts = builder.guide.parts
    let again: Guide
    do throws(GuideError) {
      again = try Guide(name: "", attribution: nil, timeZone: nil) { parts[$0.rawValue] }
    } catch {
      throw FuzzFailure("a guide cannot be written and read again: \(error)")
    }
    try FuzzFailure.unless(again.parts == parts, "the guide changed after writing and reading")
    use(again)
  }
}
