import Testing

@testable import Cupola

@Suite("Geofence") struct GeofenceTests {
  static func campus(_ geometry: String) throws -> Campus {
    let boundary = GeoJSONText.feature(#"{"role":"boundary"}"#, geometry)
    return try Campus(geoJSON: GeoJSONText.collection([boundary]))
  }

  static func contains(_ campus: Campus, _ longitude: Double, _ latitude: Double) throws -> Bool {
    campus.geofence.contains(
      try #require(Position(latitude: latitude, longitude: longitude)))
  }

  @Test("A place in any part of the grounds is on the campus, one in a hole is not")
  func multiPolygon() throws {
    let rings = [
      "[\(GeoJSONText.square(10, 50, halfSide: 2)),\(GeoJSONText.square(10, 50, halfSide: 1))]",
      "[\(GeoJSONText.square(20, 50, halfSide: 2))]",
      // An island in the hole of the first.
      "[\(GeoJSONText.square(10, 50, halfSide: 0.5))]",
    ]
    let geometry = #"{"type":"MultiPolygon","coordinates":[\#(rings.joined(separator: ","))]}"#
    let campus = try Self.campus(geometry)
    #expect(campus.geofence.polygons.count == 3)
    #expect(try Self.contains(campus, 11.5, 50) && Self.contains(campus, 20, 51))
    #expect(try Self.contains(campus, 10.25, 50))
    #expect(try !Self.contains(campus, 10.75, 50) && !Self.contains(campus, 15, 50))
  }

  @Test("Several boundary features make one fence")
  func severalFeatures() throws {
    let campus = try Campus(
      geoJSON: GeoJSONText.collection([
        GeoJSONText.boundary("[\(GeoJSONText.square(1, 1, halfSide: 1))]"),
        GeoJSONText.boundary("[\(GeoJSONText.square(5, 5, halfSide: 1))]"),
      ]))
    #expect(try Self.contains(campus, 1, 1) && Self.contains(campus, 5.5, 5.5))
    #expect(try !Self.contains(campus, 3, 3))
  }

  @Test("Grounds cut at the date line lie on both sides of it")
  func antimeridian() throws {
    let west = "[[[179,-1],[180,-1],[180,1],[179,1],[179,-1]]]"
    let east = "[[[-180,-1],[-179,-1],[-179,1],[-180,1],[-180,-1]]]"
    let campus = try Self.campus(#"{"type":"MultiPolygon","coordinates":[\#(west),\#(east)]}"#)
    #expect(try Self.contains(campus, 179.5, 0) && Self.contains(campus, -179.5, 0))
    #expect(try Self.contains(campus, 180, 0) && Self.contains(campus, -180, 0))
    #expect(try !Self.contains(campus, 178, 0) && !Self.contains(campus, 0, 0))
  }

  @Test("Heights behind longitude and latitude are left out")
  func heights() throws {
    let ring = "[[[0,0,9],[2,0,9],[2,2,9],[0,2,9],[0,0,9]]]"
    #expect(try Self.contains(Self.campus(GeoJSONText.polygon(ring)), 1, 1))
  }
}
