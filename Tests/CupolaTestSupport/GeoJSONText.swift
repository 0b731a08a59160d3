/// Writes GeoJSON for tests.
package enum GeoJSONText {
  package static func collection(_ features: [String]) -> [UInt8] {
    Array(#"{"type":"FeatureCollection","features":[\#(features.joined(separator: ","))]}"#.utf8)
  }

  package static func feature(_ properties: String, _ geometry: String) -> String {
    #"{"type":"Feature","properties":\#(properties),"geometry":\#(geometry)}"#
  }

  package static func polygon(_ rings: String) -> String {
    #"{"type":"Polygon","coordinates":\#(rings)}"#
  }

  package static func point(_ coordinates: String) -> String {
    #"{"type":"Point","coordinates":\#(coordinates)}"#
  }

  /// A square ring around a position.
  package static func square(_ longitude: Double, _ latitude: Double, halfSide: Double) -> String {
    let (west, east) = (longitude - halfSide, longitude + halfSide)
    let (south, north) = (latitude - halfSide, latitude + halfSide)
    return "[[\(west),\(south)],[\(east),\(south)],[\(east),\(north)],[\(west),\(north)],"
      + "[\(west),\(south)]]"
  }

  package static func boundary(_ rings: String) -> String {
    feature(#"{"role":"boundary","name":"Grounds"}"#, polygon(rings))
  }

  /// A campus around Lima, the position of the fixture `gps`, with two buildings.
  package static let lima = collection([
    boundary("[\(square(-77, -12, halfSide: 0.5))]"),
    feature(
      #"{"role":"building","id":"hall","name":"Great Hall","abbreviation":"GH"}"#,
      point("[-77.03,-12.04]")),
    feature(#"{"role":"building","label":"tower"}"#, point("[-77.04,-12.05]")),
  ])
}
