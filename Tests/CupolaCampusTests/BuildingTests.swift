import CupolaTestSupport
import Testing

@testable import CupolaCampus

@Suite("Building") struct BuildingTests {
  static func building(_ properties: String, _ geometry: String) throws -> Building {
    let feature = GeoJSONText.feature(properties, geometry)
    let map = GeoJSONText.collection([
      GeoJSONText.boundary("[\(GeoJSONText.square(0, 0, halfSide: 1))]"), feature,
    ])
    return try #require(try Campus(geoJSON: map).buildings.first)
  }

  @Test("What the record does not show stays among the other properties")
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

  @Test("The footprint is that of the map, and not in JSON")
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
