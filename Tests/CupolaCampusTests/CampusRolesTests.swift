import CupolaTestSupport
import Testing

@testable import CupolaCampus

@Suite("Campus: a map with roles") struct CampusRolesTests {
  /// As exported from OpenStreetMap: grounds in a collection, tags apart, and what is none of ours.
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

  @Test("Grounds and buildings say what they are; the rest is left out, the attribution stays")
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

  @Test("Every building has the name that the catalog finds by its label, of one label the first")
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

  @Test("Grounds in a collection become one MultiPolygon")
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
    "It is the same campus", arguments: [openStreetMap, GeoJSONText.lima])
  func same(bytes: [UInt8]) throws {
    let campus = try Campus(geoJSON: bytes)
    let other = try Campus(geoJSON: campus.geoJSONWithRoles())
    #expect(other.geofence == campus.geofence)
    #expect(other.buildings.map(\.label) == campus.buildings.map(\.label))
    #expect(other.buildings.map(\.name) == campus.buildings.map(\.name))
    #expect(other.buildings.map(\.yearBuilt) == campus.buildings.map(\.yearBuilt))
    #expect(other.geoJSONWithRoles() == campus.geoJSONWithRoles())
  }

  @Test("A single Feature becomes a collection of one")
  func single() throws {
    let grounds = GeoJSONText.boundary("[\(GeoJSONText.square(0, 0, halfSide: 1))]")
    let campus = try Campus(geoJSON: Array(grounds.utf8))
    #expect(try features(campus.geoJSONWithRoles()).count == 1)
    #expect(try Campus(geoJSON: campus.geoJSONWithRoles()).geofence == campus.geofence)
  }
}
