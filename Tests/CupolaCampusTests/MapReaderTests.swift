import CupolaTestSupport
import Testing
@testable import CupolaCampus
@testable import CupolaSupport

@Suite("Map reader") struct MapReaderTests {
  typealias Text = GeoJSONText

  static func campus(_ features: [String]) throws -> Campus {
    try Campus(geoJSON: Text.collection(features))
  }

  static func faults(_ features: [String]) throws -> [CampusError] {
    try MapReader(geoJSON: Text.collection(features)).faults
  }

  static func contains(_ campus: Campus, _ longitude: Double, _ latitude: Double) throws -> Bool {
    campus.geofence.contains(try #require(Position(latitude: latitude, longitude: longitude)))
  }

  // MARK: - RFC 7946

  @Test("Reads a single Feature")
  func singleFeature() throws {
    let text = Text.boundary("[\(Text.square(0, 0, halfSide: 1))]")
    let campus = try Campus(geoJSON: Array(text.utf8))
    #expect(try Self.contains(campus, 0.5, 0.5))
    #expect(try Campus(geoJSON: campus.geoJSON()) == campus)
  }

  @Test("Reads polygons in geometry collections, for the fence and for buildings")
  func collections() throws {
    let (one, two) = (Text.square(0, 0, halfSide: 1), Text.square(5, 0, halfSide: 1))
    let inner = #"{"type":"GeometryCollection","geometries":[\#(Text.polygon("[\(two)]"))]}"#
    let line = #"{"type":"LineString","coordinates":[[0,0],[1,1]]}"#
    let outer =
      #"{"type":"GeometryCollection","geometries":[\#(line),\#(Text.polygon("[\(one)]")),\#(inner)]}"#
    let campus = try Self.campus([
      Text.feature(#"{"role":"boundary"}"#, outer),
      Text.feature(
        #"{"role":"building","id":"a"}"#,
        #"{"type":"GeometryCollection","geometries":[\#(Text.point("[9,9]")),\#(inner)]}"#),
      Text.feature(
        #"{"role":"building","id":"b"}"#,
        #"{"type":"GeometryCollection","geometries":[\#(line),\#(Text.point("[0.5,0.25]"))]}"#),
    ])
    #expect(try Self.contains(campus, 0.5, 0) && Self.contains(campus, 5.5, 0))
    #expect(try !Self.contains(campus, 3, 0))
    #expect(campus.buildings[0].position == Position(latitude: 0, longitude: 5))
    #expect(campus.buildings[1].position == Position(latitude: 0.25, longitude: 0.5))
  }

  @Test("Accepts both ring orientations and ignores heights")
  func windingsAndHeights() throws {
    for ring in [
      "[[0,0],[2,0],[2,2],[0,2],[0,0]]", "[[0,0],[0,2],[2,2],[2,0],[0,0]]",
      "[[0,0,1],[0,2,2,77],[2,2,null],[2,0],[0,0,9]]",
    ] {
      let campus = try Self.campus([Text.boundary("[\(ring)]")])
      #expect(try Self.contains(campus, 1, 1) && Self.contains(campus, 2, 1))
      #expect(try !Self.contains(campus, 2.5, 1))
    }
  }

  @Test("Accepts null or empty geometries and null properties")
  func nothing() throws {
    let campus = try Self.campus([
      CampusTests.grounds, Text.feature("null", "null"), #"{"type":"Feature","geometry":null}"#,
      Text.feature(#"{"role":"boundary"}"#, #"{"type":"MultiPolygon","coordinates":[]}"#),
      Text.feature(#"{"role":"building","id":"a"}"#, "null"),
    ])
    #expect(campus.buildings.map(\.label) == ["a"] && campus.buildings[0].position == nil)
  }

  @Test("Keeps foreign members and bounding boxes")
  func foreignMembers() throws {
    let text = #"""
      {"type":"FeatureCollection","bbox":[-1,-1,1,1],"generator":"by hand","features":[
       {"type":"Feature","bbox":[-1,-1,1,1],"title":"x","properties":{"role":"boundary","n":[1,2.5]},
        "geometry":{"type":"Polygon","bbox":[-1,-1,1,1],"precision":7,
        "coordinates":[[[-1,-1,5],[1,-1,5],[1,1,5],[-1,1,5],[-1,-1,5]]]}},
       {"type":"Feature","properties":null,"geometry":{"type":"GeometryCollection","note":"y",
        "geometries":[{"type":"MultiPoint","coordinates":[[0,0]],"z":null}]}}]}
      """#
    let campus = try Campus(geoJSON: Array(text.utf8))
    let again = campus.geoJSON()
    #expect(try JSONReader.value(of: again) == JSONReader.value(of: Array(text.utf8)))
    #expect(try Campus(geoJSON: again).geoJSON() == again)
  }

  @Test("The center of a footprint across the antimeridian is inside it")
  func centerAcrossTheDateLine() throws {
    let ring = "[[[179.5,0],[-179,0],[-179,1],[179.5,1],[179.5,0]]]"
    let campus = try Self.campus([
      Text.boundary(ring), Text.feature(#"{"building":"yes","id":1}"#, Text.polygon(ring)),
    ])
    #expect(campus.buildings[0].position == Position(latitude: 0.5, longitude: -179.75))
  }

  // MARK: - OpenStreetMap

  @Test("Reads an Overpass turbo export")
  func overpass() throws {
    let campus = try Campus(geoJSON: Fixtures.bytes("osm/overpass-turbo.geojson"))
    #expect(campus.geofence.polygons.count == 2)
    #expect(try Self.contains(campus, -6.2570, 53.3415) && Self.contains(campus, -6.2535, 53.3405))
    #expect(try !Self.contains(campus, -6.2587, 53.3407) && !Self.contains(campus, -6.2550, 53.341))
    #expect(campus.buildings.map(\.label) == ["way/900002", "way/900003"])
    let building = campus.buildings[0]
    #expect(building.name == "Lighthouse Building" && building.abbreviation == "LB")
    #expect(building.address == "Quay Street 1, Harbour" && building.yearBuilt == "1932")
    #expect(building.properties["building:levels"] == .string("3"))
    #expect(building.position.map(campus.geofence.contains) == true)
  }

  @Test("Reads tags from a nested object")
  func nestedTags() throws {
    let campus = try Campus(geoJSON: Fixtures.bytes("osm/nested-tags.geojson"))
    #expect(try Self.contains(campus, 19.935, 50.0625))
    let building = try #require(campus.buildings.first)
    #expect(building.label == "910002" && building.name == "Aula" && building.abbreviation == "A1")
    #expect(building.properties["wheelchair"] == .string("yes"))
    #expect(building.properties["meta"] == .object([:]) && building.properties["tags"] == nil)
  }

  @Test(
    "The label is the property label, the property id or the feature's id",
    arguments: [
      (#""id":"f","#, #""label":"l","id":"p","@id":"o","#, "l"),
      (#""id":"f","#, #""id":"p","@id":"o","#, "p"), (#""id":"f","#, #""@id":"o","#, "f"),
      (#""id":17,"#, #""label":"","#, "17"), ("", #""@id":"way/3","#, "way/3"),
    ])
  func labels(id: String, properties: String, label: String) throws {
    let feature =
      #"{"type":"Feature",\#(id)"properties":{\#(properties)"building":"yes"},"geometry":null}"#
    #expect(try Self.campus([CampusTests.grounds, feature]).buildings.map(\.label) == [label])
  }

  // MARK: - Faults

  @Test("Collects all faults in map order")
  func allFaults() throws {
    let (open, short) = ("[[0,0],[1,0],[1,1],[0,1]]", "[[0,0],[1,0],[0,0]]")
    let faults = try Self.faults([
      Text.boundary("[\(open),\(short),[[5,99],[1,0],[1,1],[5,99]],[[0,0],[1,1]]]"),
      Text.boundary("[]"),
      Text.feature(#"{"role":"building","id":"a"}"#, Text.point("[200,100]")),
      Text.feature(#"{"role":"building","id":"b"}"#, #"{"type":"polygon","coordinates":[]}"#),
      Text.feature(#"{"role":"tree"}"#, Text.polygon("[\(open)]")), "7",
      Text.feature(#"{"role":"tree"}"#, #"{"type":"Polygon"}"#),
    ])
    #expect(
      faults == [
        .unclosedRing("Grounds", ring: 1), .shortRing("Grounds", ring: 2),
        .swappedCoordinates("Grounds", [5, 99]), .unclosedRing("Grounds", ring: 4),
        .emptyPolygon("Grounds"), .badPosition("a", [200, 100]),
        .unknownGeometry("b", type: "polygon"),
        .notGeoJSON("feature 6 has no type \"Feature\""),
        .notGeoJSON("feature 7: Polygon without a list \"coordinates\""),
      ])
  }

  @Test("Reports all faults of a ring, but only one swapped position")
  func faultsOfARing() throws {
    #expect(
      try Self.faults([Text.boundary("[[[0,0],[200,100],[5,99],[6,99],[7],[0,95,3]]]")]) == [
        .badPosition("Grounds", [200, 100]), .swappedCoordinates("Grounds", [5, 99]),
        .badPosition("Grounds", [7]), .unclosedRing("Grounds", ring: 1),
      ])
    let many = Array(repeating: "[300,95]", count: 50).joined(separator: ",")
    #expect(try Self.faults([Text.boundary("[[\(many)]]")]).count == 10)
  }

  @Test(
    "Rejects rings that are ambiguous on a globe",
    arguments: [
      (
        "[[-200,0],[-40,0],[100,0],[200,0],[100,5],[-40,5],[-200,0]]",
        CampusError.wideRing("Grounds", ring: 1)
      ),
      ("[[0,10],[90,-10],[180,10],[-90,-10],[0,10]]", .poleMissing("Grounds", ring: 1)),
      ("[[0,0],[200,0],[1,1],[0,0]]", .badPosition("Grounds", [200, 0])),
      ("[[0,0],[361,0],[1,1],[0,0]]", .badPosition("Grounds", [361, 0])),
    ])
  func globe(ring: String, fault: CampusError) throws {
    #expect(try Self.faults([Text.boundary("[\(ring)]")]) == [fault])
  }

  @Test("Reports structures that are not GeoJSON")
  func structures() throws {
    for (geometry, words) in [
      ("7", "geometry is not an object"), (#"{"coordinates":[]}"#, "without \"type\""),
      (#"{"type":"GeometryCollection","coordinates":[]}"#, "without a list \"geometries\""),
      (#"{"type":"GeometryCollection","geometries":[null]}"#, "geometry is not an object"),
      (#"{"type":"Polygon","coordinates":{}}"#, "without a list \"coordinates\""),
      (#"{"type":"Polygon","coordinates":[7]}"#, "ring 1 is not a list"),
      (#"{"type":"Polygon","coordinates":[[7,8]]}"#, "not a list of numbers"),
      (#"{"type":"Polygon","coordinates":[[["a",8]]]}"#, "not a list of numbers"),
      (#"{"type":"MultiPolygon","coordinates":[7]}"#, "not a list of lists of rings"),
    ] {
      let fault = try #require(
        try Self.faults([Text.feature(#"{"role":"boundary"}"#, geometry)]).first)
      #expect(fault.message.contains(words), "\(fault.message)")
    }
    let texts = #"[[["1","2"],["3","2"],["3","4"],["1","2"]]]"#
    let faults = try Self.faults([Text.boundary(texts)])
    #expect(faults.count { $0.message.contains("not a list of numbers") } == 1)
    let properties = #"{"type":"Feature","properties":[],"geometry":null}"#
    #expect(
      try Self.faults([CampusTests.grounds, properties]) == [
        .notGeoJSON("feature 2: \"properties\" is not an object")
      ])
  }

  @Test("Rejects duplicate names and reports their location")
  func duplicateKey() {
    let text = "{\"type\":\"FeatureCollection\",\n\"features\":[],\"features\":[]}"
    #expect(
      throws: CampusError.notJSON(JSONFault(kind: .duplicateKey("features"), line: 2, column: 15))
    ) { try Campus(geoJSON: Array(text.utf8)) }
  }

  @Test("Rejects maps with too many positions")
  func tooManyPositions() throws {
    let positions = Array(repeating: "[1,2]", count: GeoJSON.positionLimit + 1)
    let faults = try Self.faults([Text.boundary("[[\(positions.joined(separator: ","))]]")])
    #expect(faults == [.tooManyPositions(limit: 1_000_000)])
    #expect(faults[0].message.contains("simplify"))
  }
}

@Suite("Building") struct BuildingTests {
  static func building(_ properties: String, _ geometry: String) throws -> Building {
    let feature = GeoJSONText.feature(properties, geometry)
    let map = GeoJSONText.collection([
      GeoJSONText.boundary("[\(GeoJSONText.square(0, 0, halfSide: 1))]"), feature,
    ])
    return try #require(try Campus(geoJSON: map).buildings.first)
  }

  @Test("Keeps unused properties")
  func rest() throws {
    let building = try Self.building(
      #"""
      {"building":"yes","id":"a","name":"","short_name":"OH","ref":"12","address":"Here",
       "addr:city":"Town","year_built":[1900],"start_date":"1901","alt_name":"Other"}
      """#, GeoJSONText.point("[0,0]"))
    #expect(building.name == "a" && building.abbreviation == "OH" && building.address == "Here")
    #expect(building.yearBuilt == "1901")
    #expect(
      building.properties == [
        "building": .string("yes"), "name": .string(""), "ref": .string("12"),
        "addr:city": .string("Town"), "year_built": .array([.integer(1900)]),
        "alt_name": .string("Other"),
      ])
  }

  @Test("The footprint is read from the map and not encoded")
  func footprint() throws {
    let (outer, hole) = (
      GeoJSONText.square(0, 0, halfSide: 0.2), GeoJSONText.square(0, 0, halfSide: 0.1)
    )
    let properties = #"{"role":"building","id":"a","category":"x","floors":3}"#
    let polygon = try Self.building(properties, GeoJSONText.polygon("[\(outer),\(hole)]"))
    #expect(polygon.footprint.map(\.rings.count) == [2])
    let parts = #"{"type":"MultiPolygon","coordinates":[[\#(outer)],[\#(hole)]]}"#
    #expect(try Self.building(properties, parts).footprint.map(\.rings.count) == [1, 1])
    let point = try Self.building(properties, GeoJSONText.point("[0,0]"))
    #expect(point.footprint.isEmpty)
    #expect(try throughJSON(point) == point)
    #expect(try jsonText(polygon) == jsonText(point))
    #expect(
      try jsonText(point)
        == #"{"category":"x","label":"a","name":"a","position":{"latitude":0,"longitude":0},"#
        + #""properties":{"floors":3}}"#)
  }
}
