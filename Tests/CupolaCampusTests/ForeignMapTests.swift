import CupolaTestSupport
import Testing
@testable import CupolaCampus
@testable import CupolaSupport

/// Maps as other programs write them: a fence, a "Great Hall" and a "Library".
@Suite("Maps of other programs") struct ForeignMapTests {
  private typealias Text = GeoJSONText

  private static let (fence, hall) = (ForeignMap.rings[0], ForeignMap.rings[1])

  private static func area(_ ring: String) -> String { Text.polygon("[\(ring)]") }
  private static func areas(_ ring: String) -> String {
    #"{"type":"MultiPolygon","coordinates":[[\#(ring)]]}"#
  }
  private static func line(_ ring: String) -> String {
    #"{"type":"LineString","coordinates":\#(ring)}"#
  }

  /// The three features with properties and a geometry that depends on the ring.
  private static func features(
    _ properties: [String], members: [String] = ["", "", ""], _ geometry: (String) -> String
  ) -> [String] {
    zip(properties, zip(members, ForeignMap.rings)).map { properties, rest in
      #"{"type":"Feature",\#(rest.0)"properties":{\#(properties)},"geometry":\#(geometry(rest.1))}"#
    }
  }

  private static let tags = ForeignMap.tags

  private static func tags(_ more: [String]) -> [String] { zip(tags, more).map { "\($0),\($1)" } }

  private static let crs84 =
    #""crs":{"type":"name","properties":{"name":"urn:ogc:def:crs:OGC:1.3:CRS84"}},"#

  static let maps: [ForeignMap] =
    [
      ForeignMap("names only", ForeignMap.collection(features(tags, area))),
      ForeignMap(
        "ogr2ogr",
        ForeignMap.collection(
          features(
            tags([
              #""osm_way_id":"1""#, #""osm_way_id":"2""#, #""osm_id":"2","type":"multipolygon""#,
            ]
            ),
            areas), #""name":"multipolygons",\#(crs84)"#),
        labels: ["way/2", "relation/2"]),
      ForeignMap(
        "ogr2ogr, lines",
        ForeignMap.collection(
          features(
            [
              #""osm_id":"1","name":"U","other_tags":"\"amenity\"=>\"university\"""#,
              #""osm_id":"2","name":"Great Hall","other_tags":"\"building\"=>\"yes\",\"ref\"=>\"GH\"""#,
              #""osm_id":"3","name":"Library","other_tags":"\"building\"=>\"yes\"""#,
            ], line)), labels: ["way/2", "way/3"], abbreviation: "GH"),
      ForeignMap(
        "ogr2ogr, identifiers missing",
        ForeignMap.collection(
          features(tags([#""osm_id":null"#, #""osm_id":"""#, #""osm_id":null"#]), areas))
      ),
      ForeignMap(
        "ogr2ogr of a shapefile with capitals",
        ForeignMap.collection(
          features(
            [
              #""AMENITY":"university","NAME":"Test University""#,
              #""BUILDING":"university","NAME":"Great Hall""#,
              #""BUILDING":"Yes","NAME":"Library""#,
            ], area))),
      ForeignMap(
        "osmium export", ForeignMap.collection(features(tags, line) + features(tags, areas))),
      ForeignMap(
        "osmium export --add-unique-id=type_id",
        ForeignMap.collection(
          features(tags, members: [#""id":"w1","#, #""id":"w2","#, #""id":"w3","#], line)
            + features(tags, members: [#""id":"a2","#, #""id":"a4","#, #""id":"a6","#], areas)),
        labels: ["a4", "a6"]),
      ForeignMap(
        "osmium export --geometry-types=linestring", ForeignMap.collection(features(tags, line))
      ),
      ForeignMap(
        "osmium export -f geojsonseq", features(tags, areas).map { "\u{1E}\($0)\n" }.joined()),
      ForeignMap(
        "osmium export --attributes=type,id",
        ForeignMap.collection(
          features(
            tags([
              #""@type":"way","@id":1"#, #""@type":"way","@id":2"#, #""@type":"way","@id":3"#,
            ]), areas)), labels: ["2", "3"]),
      ForeignMap("NDJSON", features(tags, area).joined(separator: "\n") + "\n"),
      ForeignMap("NDJSON of Windows", features(tags, area).joined(separator: "\r\n")),
      ForeignMap(
        "QGIS with QuickOSM",
        ForeignMap.collection(
          features(
            tags([
              #""full_id":"r1","osm_id":"1","osm_type":"relation""#,
              #""full_id":"w2","osm_id":"2","osm_type":"way""#, #""osm_id":"3","osm_type":"way""#,
            ]), areas), #""name":"buildings",\#(crs84)"#), labels: ["way/2", "way/3"]),
      ForeignMap(
        "QGIS, empty columns",
        ForeignMap.collection(
          features(
            [
              #""fid":1,"role":"boundary","building":null,"name":null"#,
              #""fid":2,"role":"building","building":null,"name":"Great Hall""#,
              #""fid":3,"role":"building","building":null,"name":"Library""#,
            ], area), crs84)),
      ForeignMap(
        "ArcGIS, roles added",
        ForeignMap.collection(
          features(
            [
              #""Id":0,"role":"boundary""#,
              #""Id":0,"NAME":"Great Hall","ABB":"GH","Type":"Hall","role":"building""#,
              #""Id":0,"NAME":"Library","ABB":"LIB","Type":"Hall","role":"building""#,
            ], area), #""crs":{"type":"name","properties":{"name":"EPSG:4326"}},"#),
        abbreviation: "GH"),
      ForeignMap(
        "ArcGIS, feature numbers",
        ForeignMap.collection(
          features(
            [
              #""OBJECTID":1,"Role":"Boundary""#,
              #""OBJECTID":2,"BLDG_NAME":"Great Hall","Role":"Building""#,
              #""OBJECTID":3,"BLDG_NAME":"Library","Role":"Building""#,
            ], members: [#""id":1,"#, #""id":2,"#, #""id":3,"#], area)), labels: ["2", "3"]),
      ForeignMap(
        "geojson.io, fence drawn as a line",
        ForeignMap.collection([
          Text.feature(#"{"role":"boundary"}"#, line(fence)),
          Text.feature(#"{"role":"building","name":"Great Hall"}"#, area(hall)),
          Text.feature(#"{"role":"building","name":"Library"}"#, Text.point("[10.902,48.3]")),
        ])),
      ForeignMap(
        "ArcGIS, multipoints",
        ForeignMap.collection([
          Text.feature(#"{"role":"boundary"}"#, areas(fence)),
          Text.feature(
            #"{"role":"building","name":"Great Hall"}"#,
            #"{"type":"MultiPoint","coordinates":[[10.899,48.3],[10.9,48.3]]}"#),
          Text.feature(
            #"{"role":"building","name":"Library"}"#,
            #"{"type":"MultiPoint","coordinates":[[10.902,48.3]]}"#),
        ])),
      ForeignMap(
        "osmtogeojson",
        ForeignMap.collection(
          features(
            tags([#""id":"way/1""#, #""id":"way/2""#, #""id":"way/3""#]),
            members: [#""id":"way/1","#, #""id":"way/2","#, #""id":"way/3","#], area)),
        labels: ["way/2", "way/3"]),
    ]
    + ForeignMap.all

  @Test("Reads the fence and all buildings", arguments: maps)
  func reads(map: ForeignMap) throws {
    let bytes = Array(map.text.utf8)
    let campus = try Campus(geoJSON: bytes)
    #expect(campus.geofence.polygons.count == 1)
    #expect(campus.buildings.map(\.label) == map.labels)
    #expect(campus.buildings.map(\.name) == ["Great Hall", "Library"])
    #expect(campus.buildings[0].abbreviation == map.abbreviation)
    #expect(campus.buildings.allSatisfy { $0.position.map(campus.geofence.contains) == true })
    let check = CampusCheck(
      geoJSON: bytes, photos: .init(labels: ["great_hall", "Library"], positions: []))
    #expect(check.findings.isEmpty)
    #expect(check.skipped.text == nil && check.buildings == 2)
  }

  @Test("Photo labels match the names; later readings give the same campus", arguments: maps)
  func joins(map: ForeignMap) throws {
    let campus = try Campus(geoJSON: Array(map.text.utf8))
    #expect(try Campus(geoJSON: campus.geoJSON()) == campus)
    let joined = campus.joined(by: LabelMatching(["great_hall", "Library"], campus.buildings))
    #expect(joined.buildings.map(\.label) == ["great_hall", "Library"])
    #expect(joined.buildings.map(\.name) == ["Great Hall", "Library"])
    #expect(try Campus(geoJSON: joined.geoJSON()) == joined)
    let exported = try Campus(geoJSON: joined.geoJSONWithRoles())
    #expect(exported.buildings.map(\.label) == ["great_hall", "Library"])
    #expect(exported.geofence == joined.geofence)
    #expect(
      exported.buildings.allSatisfy { $0.footprint == campus.building(named: $0.name)?.footprint })
  }

  @Test("Explicit labels and identifiers take precedence over names")
  func precedence() throws {
    for (properties, label) in [
      (#""osm_id":"5","osm_type":"node","name":"N""#, "node/5"), (#""LABEL":"l","name":"N""#, "l"),
      (#""NAME":"N","ID":"7""#, "N"), (#""ID":"7""#, "7"), (#""id":"p","osm_id":"5""#, "p"),
      (#""label":"","Name":"N""#, "N"),
      (#""building":"yes","name":"N""#, "N"),
    ] {
      let role = properties.contains("yes") ? "" : "Building"
      let building = try CampusTests.building(#"{"role":"\#(role)",\#(properties)}"#)
      #expect(building.label == label)
    }
  }

  @Test("An array without features is not a map", arguments: ["[]", "[1]", #"[{"type":"node"}]"#])
  func arrays(text: String) {
    #expect(throws: CampusError.notGeoJSON("not an object")) {
      try Campus(geoJSON: Array(text.utf8))
    }
  }

  @Test("BUILDING with the name of a building is not a tag")
  func buildingColumn() throws {
    let room = Text.feature(#"{"BUILDING":"Great Hall","ROOM":"1"}"#, Self.area(Self.hall))
    #expect(try Campus(geoJSON: Text.collection([CampusTests.grounds, room])).buildings.isEmpty)
  }

  @Test("A line is removed only if an area has the same corners and role")
  func outlines() throws {
    let other = Text.square(10.9, 48.3, halfSide: 0.0004)
    let campus = try Campus(
      geoJSON: Text.collection([
        Text.boundary("[\(Self.fence)]"),
        Text.feature(#"{"building":"yes","name":"A"}"#, Self.line(Self.fence)),
        Text.feature(#"{"building":"yes","name":"B"}"#, Self.line(other)),
        Text.feature(
          #"{"building":"yes","name":"C"}"#,
          #"{"type":"MultiLineString","coordinates":[\#(Self.hall),[[10.9,48.3],[10.91,48.3]]]}"#),
        Text.feature(#"{"building":"yes","name":"D"}"#, Self.line("[[10.9,48.3],[10.91,48.3]]")),
      ]))
    #expect(campus.buildings.map(\.name) == ["A", "B", "C", "D"])
    #expect(campus.buildings.map(\.footprint.count) == [1, 1, 1, 0])
    #expect(campus.geofence.polygons.count == 1)
  }

  @Test("The layer of an office without roles is reported with its names")
  func officeLayer() {
    let map = ForeignMap.collection(
      Self.features(
        [#""Id":0,"role":"boundary""#, #""NAME":"Hall""#, #""NAME":"Library""#], Self.area))
    let check = CampusCheck(geoJSON: Array(map.utf8))
    #expect(check.findings == [.notBuildings(polygons: 2, points: 0, names: ["Hall", "Library"])])
    #expect(
      check.findings[0].message
        == "2 polygons are not buildings: give them building=yes or role building (Hall, Library)")
  }

  @Test("Lines of a fence that do not meet are reported, and other lines are not joined")
  func openFence() throws {
    let lines = [
      "[[10.895,48.295],[10.905,48.295],[10.905,48.305]]", "[[10.905,48.305],[10.895,48.305]]",
      "[[10.895,48.305],[10.895,48.295]]",
    ].map { Text.feature(#"{"role":"boundary"}"#, Self.line($0)) }
    let whole = try Campus(geoJSON: Text.collection(lines))
    #expect(whole.geofence.polygons.map(\.rings.count) == [1])
    #expect(try Campus(geoJSON: whole.geoJSON()) == whole)
    #expect(throws: CampusError.noBoundary) {
      try Campus(geoJSON: Text.collection(Array(lines.dropLast())))
    }
    let findings = CampusCheck(geoJSON: Text.collection(Array(lines.dropLast()))).findings
    #expect(findings.count { $0.message.contains("a polygon or a closed line") } == 2)
    // A closed fence of its own stays apart from the lines.
    let both = try Campus(
      geoJSON: Text.collection(
        lines + [Text.feature(#"{"role":"boundary"}"#, Self.line(Self.hall))]))
    #expect(both.geofence.polygons.count == 2)
    #expect(try Campus(geoJSON: both.geoJSON()) == both)
  }

  // MARK: - Coordinates in meters

  @Test(
    "Reports coordinates in meters or feet once",
    arguments: [
      (#""crs":{"type":"name","properties":{"name":"urn:ogc:def:crs:EPSG::3857"}},"#, "EPSG:3857"),
      (#""crs":{"type":"EPSG","properties":{"code":25832}},"#, "EPSG:25832"),
      (#""crs":null,"#, nil), (crs84, nil),
    ])
  func projected(crs: String, name: String?) {
    let ring = Text.square(1_213_000, 6_156_000, halfSide: 500)
    for features in [
      Self.features(Self.tags) { _ in Self.area(ring) },
      Self.features([#""NAME":"A""#, "", ""]) { _ in Self.area(ring) },
    ] {
      let map = Array(ForeignMap.collection(features, crs).utf8)
      let fault = CampusError.projected(name, example: [1_212_500, 6_155_500])
      let check = CampusCheck(geoJSON: map)
      #expect(check.findings.filter { !$0.isAdvice } == [.fault(fault)])
      #expect(throws: fault) { try Campus(geoJSON: map) }
      #expect(fault.message.contains("-t_srs EPSG:4326"))
    }
  }

  @Test("A single typing error is not another reference system")
  func typingError() throws {
    let features =
      Self.features(Self.tags, Self.area)
      + [Text.feature(#"{"building":"yes","name":"N"}"#, Text.point("[10890,48]"))]
    let check = CampusCheck(geoJSON: Array(ForeignMap.collection(features).utf8))
    #expect(check.findings == [.fault(.badPosition("N", [10890, 48]))])
  }
}

extension Campus {
  fileprivate func building(named name: String) -> Building? { buildings.first { $0.name == name } }
}
