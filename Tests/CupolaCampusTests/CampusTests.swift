import CupolaTestSupport
import Testing
@testable import CupolaCampus
@testable import CupolaSupport

@Suite("Campus") struct CampusTests {
  static let grounds = GeoJSONText.boundary("[\(GeoJSONText.square(0, 0, halfSide: 1))]")

  /// Returns a building with these properties.
  static func building(
    _ properties: String, _ geometry: String = GeoJSONText.point("[0.25,0.5]")
  ) throws -> Building {
    let feature = GeoJSONText.feature(properties, geometry)
    let campus = try Campus(geoJSON: GeoJSONText.collection([grounds, feature]))
    return try #require(campus.buildings.first)
  }

  // MARK: - Catalog

  @Test("Reads buildings with Cupola's property names")
  func ownNames() throws {
    let building = try Self.building(
      #"""
      {"role":"building","label":"lib","name":"Library","abbreviation":"LIB","category":"study",
       "description":"Books.","address":"1 Long Road","year_built":1969,"photo":"lib.jpg"}
      """#)
    #expect(building.label == "lib" && building.name == "Library")
    #expect(building.abbreviation == "LIB" && building.category == "study")
    #expect(building.description == "Books." && building.address == "1 Long Road")
    #expect(building.yearBuilt == "1969" && building.photo == "lib.jpg")
    #expect(building.position == Position(latitude: 0.5, longitude: 0.25))
    #expect(building.properties == [:])
  }

  @Test("Reads buildings with OpenStreetMap's property names")
  func mapNames() throws {
    let building = try Self.building(
      #"""
      {"building":"university","id":"way/7","name":"Old Hall","short_name":"OH","ref":"12",
       "start_date":"1871-05","addr:street":"High Street","addr:housenumber":"3",
       "addr:postcode":"CB2","addr:city":"Cambridge","wheelchair":"yes"}
      """#)
    #expect(building.label == "way/7" && building.name == "Old Hall")
    #expect(building.abbreviation == "OH" && building.yearBuilt == "1871-05")
    #expect(building.address == "High Street 3, CB2 Cambridge")
    #expect(building.properties["wheelchair"] == .string("yes"))
    #expect(building.properties["building"] == .string("university"))
    #expect(building.properties["addr:street"] == nil && building.properties["id"] == nil)
  }

  @Test(
    "Builds addresses from incomplete parts",
    arguments: [
      (#""addr:street":"Way""#, "Way"), (#""addr:city":"Town""#, "Town"),
      (#""addr:street":"Way","addr:city":"Town""#, "Way, Town"),
      (#""address":"Here","addr:city":"Town""#, "Here"),
    ])
  func addresses(properties: String, expected: String) throws {
    #expect(try Self.building(#"{"building":"yes","id":"a",\#(properties)}"#).address == expected)
  }

  @Test("A building without a name is named after its label")
  func bare() throws {
    let building = try Self.building(#"{"role":"building","id":12,"name":""}"#)
    #expect(building.label == "12" && building.name == "12")
    #expect(building.abbreviation == nil && building.address == nil && building.yearBuilt == nil)
  }

  @Test("Keeps unknown properties unchanged")
  func unknown() throws {
    let building = try Self.building(
      #"""
      {"role":"building","id":"a","floors":4,"lift":true,"height":12.5,"none":null,
       "tags":["x",1],"opening":{"mon":"9-17"}}
      """#)
    #expect(
      building.properties == [
        "floors": .integer(4), "lift": .boolean(true), "height": .number(12.5), "none": .null,
        "tags": .array([.string("x"), .integer(1)]), "opening": .object(["mon": .string("9-17")]),
      ])
  }

  @Test("Encodes buildings with Cupola's property names")
  func encoding() throws {
    let building = try Self.building(
      #"{"role":"building","id":"a","start_date":"1900","floors":4}"#)
    #expect(
      try jsonText(building)
        == #"{"label":"a","name":"a","position":{"latitude":0.5,"longitude":0.25},"#
        + #""properties":{"floors":4},"year_built":"1900"}"#)
  }

  @Test("The position of a footprint is the mean of its corners")
  func footprints() throws {
    let ring = GeoJSONText.square(0.5, 0.25, halfSide: 0.125)
    let polygon = try Self.building(#"{"building":"yes","id":1}"#, GeoJSONText.polygon("[\(ring)]"))
    #expect(polygon.position == Position(latitude: 0.25, longitude: 0.5))
    let parts = try Self.building(
      #"{"building":"yes","id":1}"#, #"{"type":"MultiPolygon","coordinates":[[\#(ring)]]}"#)
    #expect(parts.position == polygon.position)
    let line = #"{"type":"LineString","coordinates":[[0,0],[1,1]]}"#
    #expect(try Self.building(#"{"building":"yes","id":1}"#, line).position == nil)
    #expect(try Self.building(#"{"building":"yes","id":1}"#, "null").position == nil)
  }

  @Test("Ignores features with other roles and buildings without a label")
  func others() throws {
    let campus = try Campus(
      geoJSON: GeoJSONText.collection([
        Self.grounds, GeoJSONText.feature(#"{"role":"tree"}"#, GeoJSONText.point("[0,0]")),
        GeoJSONText.feature(#"{"role":"path","building":"yes","id":1}"#, "null"),
        GeoJSONText.feature(#"{"building":"yes"}"#, "null"), GeoJSONText.feature("null", "null"),
        #"{"type":"Feature"}"#,
        #"{"type":"Feature","id":"b","properties":{"role":"building"}}"#,
      ]))
    #expect(campus.buildings.map(\.label) == ["b"])
  }

  @Test("A university in OpenStreetMap is the boundary")
  func university() throws {
    let square = GeoJSONText.polygon("[\(GeoJSONText.square(3, 4, halfSide: 1))]")
    let feature = GeoJSONText.feature(#"{"amenity":"university"}"#, square)
    let campus = try Campus(geoJSON: GeoJSONText.collection([feature]))
    #expect(campus.geofence.contains(try #require(Position(latitude: 4, longitude: 3))))
  }

  @Test("A university mapped as a single building is a building")
  func universityBuilding() throws {
    let square = GeoJSONText.polygon("[\(GeoJSONText.square(3, 4, halfSide: 1))]")
    let feature = GeoJSONText.feature(
      #"{"amenity":"university","building":"university","id":"main"}"#, square)
    let campus = try Campus(geoJSON: GeoJSONText.collection([Self.grounds, feature]))
    #expect(campus.buildings.map(\.label) == ["main"])
    #expect(throws: CampusError.noBoundary) {
      try Campus(geoJSON: GeoJSONText.collection([feature]))
    }
  }

  @Test("Keeps the coordinates of unused geometries")
  func otherGeometries() throws {
    let line = #"{"type":"LineString","coordinates":[[0,0],[1,1.5]]}"#
    let path = GeoJSONText.feature(#"{"role":"path"}"#, line)
    let campus = try Campus(geoJSON: GeoJSONText.collection([Self.grounds, path]))
    let text = String(decoding: campus.geoJSON(), as: UTF8.self)
    #expect(text.contains("[[0,0],[1,1.5]]"))
  }

  @Test("Finds buildings by label")
  func lookup() throws {
    let campus = try Campus(geoJSON: GeoJSONText.lima)
    #expect(campus.building(labeled: "hall")?.name == "Great Hall")
    #expect(campus.building(labeled: "Hall") == nil)
    #expect(campus.buildings.map(\.label) == ["hall", "tower"])
  }

  @Test("Writing and reading a map preserves it")
  func roundTrip() throws {
    let campus = try Campus(geoJSON: GeoJSONText.lima)
    let again = try Campus(geoJSON: campus.geoJSON())
    #expect(again == campus)
    #expect(again.geoJSON() == campus.geoJSON())
  }

  @Test("Detects a swapped map if photos are inside only with swapped axes")
  func axes() throws {
    let campus = try Campus(geoJSON: GeoJSONText.lima)
    let inside = try #require(Position(latitude: -12, longitude: -77))
    let swapped = try #require(Position(latitude: -77, longitude: -12))
    let elsewhere = try #require(Position(latitude: 48, longitude: 110))
    try campus.checkAxes(against: [])
    try campus.checkAxes(against: [inside, elsewhere])
    try campus.checkAxes(against: [inside, swapped])
    #expect(throws: CampusError.probablySwapped) {
      try campus.checkAxes(against: [swapped, elsewhere])
    }
  }
}

@Suite("Campus with roles") struct CampusRolesTests {
  /// Like an OpenStreetMap export: a boundary in a collection, nested tags and unused features.
  static let openStreetMap = Array(
    #"""
    {"type":"FeatureCollection","copyright":"OpenStreetMap contributors","features":[
      {"type":"Feature","id":"relation/1","properties":{"amenity":"university","name":"Grounds"},
       "geometry":{"type":"GeometryCollection","geometries":[
         {"type":"Point","coordinates":[0,0]},
         {"type":"Polygon","coordinates":[\#(GeoJSONText.square(0, 0, halfSide: 1))]},
         {"type":"MultiPolygon","coordinates":[[\#(GeoJSONText.square(3, 0, halfSide: 1))]]}]}},
      {"type":"Feature","id":"way/2","geometry":\#(GeoJSONText.point("[0.5,0.5]")),
       "properties":{"@id":"way/2","tags":{"building":"university","amenity":"university","ref":"B"}}},
      {"type":"Feature","id":"way/3","geometry":\#(GeoJSONText.point("[3,0]")),
       "properties":{"building":"yes","name":"Old Hall","start_date":"1871"}},
      {"type":"Feature","properties":null,"geometry":null},
      {"type":"Feature","properties":{"amenity":"college"},"geometry":\#(GeoJSONText.point("[0,0.2]"))},
      {"type":"Feature","properties":{"highway":"path"},"geometry":\#(GeoJSONText.point("[0,1]"))}
    ]}
    """#.utf8)

  private func features(_ bytes: [UInt8]) throws -> [[String: JSONValue]] {
    guard case .object(let map) = try JSONReader.value(of: bytes),
      map["type"] == .string("FeatureCollection"), case .array(let features) = map["features"]
    else { return [] }
    return features.compactMap { feature in
      guard case .object(let members) = feature else { return nil }
      return members
    }
  }

  @Test("Writes roles, removes other features and keeps the attribution")
  func roles() throws {
    let bytes = try Campus(geoJSON: Self.openStreetMap).geoJSONWithRoles()
    let found = try features(bytes).compactMap { feature -> [JSONValue?]? in
      guard case .object(let properties) = feature["properties"] else { return nil }
      return ["role", "label", "name"].map { properties[$0] }
    }
    #expect(
      found == [
        [.string("boundary"), nil, .string("Grounds")],
        [.string("building"), .string("way/2"), .string("way/2")],
        [.string("building"), .string("way/3"), .string("Old Hall")],
      ])
    #expect(String(decoding: bytes, as: UTF8.self).contains("OpenStreetMap contributors"))
  }

  @Test("Names match the catalog; for duplicate labels, the first building counts")
  func names() throws {
    let buildings = (0..<200).map { number in
      GeoJSONText.feature(
        #"{"role":"building","label":"\#(number * 7 % 90)","name":"Hall \#(number)"}"#,
        GeoJSONText.point("[0,0]"))
    }
    let campus = try Campus(geoJSON: GeoJSONText.collection([CampusTests.grounds] + buildings))
    let found = try features(campus.geoJSONWithRoles()).dropFirst().map { feature -> [JSONValue?] in
      guard case .object(let properties) = feature["properties"] else { return [] }
      return [properties["label"], properties["name"]]
    }
    let expected = campus.buildings.map { building -> [JSONValue?] in
      let first = campus.building(labeled: building.label)
      return [.string(building.label), first.map { .string($0.name) }]
    }
    #expect(found == expected)
    #expect(found.count == 200 && found.last == [.string("43"), .string("Hall 19")])
  }

  @Test("Converts a boundary in a geometry collection to a MultiPolygon")
  func collection() throws {
    let feature = try #require(
      try features(Campus(geoJSON: Self.openStreetMap).geoJSONWithRoles()).first)
    guard case .object(let geometry) = feature["geometry"],
      case .array(let polygons) = geometry["coordinates"]
    else {
      Issue.record("no coordinates")
      return
    }
    #expect(geometry["type"] == .string("MultiPolygon") && polygons.count == 2)
  }

  @Test(
    "Writing roles preserves the campus", arguments: [openStreetMap, GeoJSONText.lima])
  func same(bytes: [UInt8]) throws {
    let campus = try Campus(geoJSON: bytes)
    let other = try Campus(geoJSON: campus.geoJSONWithRoles())
    #expect(other.geofence == campus.geofence)
    #expect(other.buildings.map(\.label) == campus.buildings.map(\.label))
    #expect(other.buildings.map(\.name) == campus.buildings.map(\.name))
    #expect(other.buildings.map(\.yearBuilt) == campus.buildings.map(\.yearBuilt))
    #expect(other.geoJSONWithRoles() == campus.geoJSONWithRoles())
  }

  @Test("Converts a single Feature to a FeatureCollection")
  func single() throws {
    let grounds = GeoJSONText.boundary("[\(GeoJSONText.square(0, 0, halfSide: 1))]")
    let campus = try Campus(geoJSON: Array(grounds.utf8))
    #expect(try features(campus.geoJSONWithRoles()).count == 1)
    #expect(try Campus(geoJSON: campus.geoJSONWithRoles()).geofence == campus.geofence)
  }
}
