/// A map as another program writes it: a fence, a "Great Hall" and a "Library".
package struct ForeignMap: CustomStringConvertible, Sendable {
  package let program: String
  package let text: String
  /// The labels of the buildings on a campus map.
  package let labels: [String]
  package let abbreviation: String?

  package var description: String { program }

  package init(
    _ program: String, _ text: String, labels: [String] = ["Great Hall", "Library"],
    abbreviation: String? = nil
  ) {
    (self.program, self.text, self.labels) = (program, text, labels)
    self.abbreviation = abbreviation
  }

  /// The outlines of the fence, the hall and the library.
  package static let rings = [
    GeoJSONText.square(10.9, 48.3, halfSide: 0.005),
    GeoJSONText.square(10.899, 48.3, halfSide: 0.0005),
    GeoJSONText.square(10.902, 48.3, halfSide: 0.0005),
  ]
  /// The properties of the fence, the hall and the library as OpenStreetMap tags.
  package static let tags = [
    #""amenity":"university","name":"Test University""#,
    #""building":"university","name":"Great Hall""#, #""building":"yes","name":"Library""#,
  ]
  private static let roles = [
    #""role":"boundary","name":"Test University""#, #""role":"building","name":"Great Hall""#,
    #""role":"building","name":"Library""#,
  ]

  private static func area(_ ring: String) -> String { GeoJSONText.polygon("[\(ring)]") }

  /// A ring with heights.
  private static func high(_ ring: String) -> String { ring.replacing("],", with: ",0],") }

  /// The features. `#` stands for the number of the feature in properties and members.
  private static func features(
    _ properties: [String], _ more: String = "", members: String = "",
    geometry: (String) -> String = area
  ) -> [String] {
    zip(properties, rings).enumerated().map { number, rest in
      let text = more.isEmpty ? rest.0 : "\(rest.0),\(more)"
      return
        #"{"type":"Feature",\#(members)"properties":{\#(text)},"geometry":\#(geometry(rest.1))}"#
        .replacing("#", with: "\(number + 1)")
    }
  }

  package static func collection(_ features: [String], _ members: String = "") -> String {
    #"{"type":"FeatureCollection",\#(members)"features":[\#(features.joined(separator: ",\n"))]}"#
  }

  /// A fence of lines, and the two buildings.
  private static func fence(_ geometries: String...) -> [String] {
    geometries.map { GeoJSONText.feature("{\(roles[0])}", $0) } + features(roles).dropFirst()
  }

  private static func line(_ positions: String) -> String {
    #"{"type":"LineString","coordinates":[\#(positions)]}"#
  }

  private static let (northWest, southEast) = ("[10.895,48.305]", "[10.905,48.295]")

  package static let all: [ForeignMap] = [
    ForeignMap(
      "Overpass turbo",
      collection(
        features(tags, ##""@id":"way/#""##, members: ##""id":"way/#","##),
        #""generator":"overpass-turbo","copyright":"ODbL","timestamp":"2026-05-01T10:00:00Z","#),
      labels: ["way/2", "way/3"]),
    ForeignMap(
      "osmtogeojson, nested tags",
      collection(
        tags.enumerated().flatMap { number, tags in
          features(
            [String](
              repeating:
                ##""type":"way","id":"#","tags":{\##(tags)},"relations":[],"meta":{}"##, count: 3)
          )[number...number]
        }), labels: ["2", "3"]),
    ForeignMap("JOSM", collection(features(tags), #""generator":"JOSM","#)),
    ForeignMap(
      "ogr2ogr -lco RFC7946=YES, heights",
      collection(
        features(tags, #""osm_id":null,"z_order":0"#, members: #""bbox":[10.8,48.2,11,48.4],"#) {
          area(high($0))
        }, #""name":"multipolygons","bbox":[10.8,48.2,11,48.4],"#)),
    ForeignMap(
      "osmium export --add-unique-id=counter",
      collection(
        features(tags, members: ##""id":#,"##) { #"{"type":"LineString","coordinates":\#($0)}"# }
          + features(tags, members: ##""id":1#,"##) {
            #"{"type":"MultiPolygon","coordinates":[[\#($0)]]}"#
          }), labels: ["12", "13"]),
    ForeignMap(
      "GeoPandas",
      collection(
        features(
          tags, #""ref":null,"index_right":null"#,
          members: ##""id":"#","bbox":[10.8,48.2,11,48.4],"##)), labels: ["2", "3"]),
    ForeignMap(
      "R sf",
      collection(
        features(tags, #""height":null"#),
        #""name":"campus","crs":{"type":"name","properties":{"name":"urn:ogc:def:crs:OGC:1.3:CRS84"}},"#
      )),
    ForeignMap(
      "PostGIS",
      collection(
        features(tags) {
          #"{"type":"Polygon","crs":{"type":"name","properties":{"name":"EPSG:4326"}},"#
            + #""coordinates":[\#($0)]}"#
        })),
    ForeignMap(
      "mapshaper, geometry collections",
      collection(
        features(tags) { #"{"type":"GeometryCollection","geometries":[\#(area($0))]}"# })),
    ForeignMap(
      "shapefiles of Geofabrik",
      collection(
        features(
          [
            #""code":2082,"fclass":"university","name":"Test University""#,
            #""code":1500,"fclass":"building","name":"Great Hall","type":"university""#,
            #""code":1500,"fclass":"building","name":"Library","type":null"#,
          ], ##""osm_id":"#""##)), labels: ["relation/2", "relation/3"]),
    ForeignMap(
      "ArcGIS Online",
      collection(
        features(
          [
            #""AMENITY":"university","NAME":"Test University""#,
            #""BUILDING":"university","NAME":"Great Hall","SHORT_NAME":"GH""#,
            #""BUILDING":"yes","NAME":"Library","SHORT_NAME":null"#,
          ], ##""OBJECTID":#,"Shape__Area":1.5"##, members: ##""id":#,"##),
        #""crs":{"type":"name","properties":{"name":"EPSG:4326"}},"#), labels: ["2", "3"],
      abbreviation: "GH"),
    ForeignMap(
      "geojson.io, styles and numbers",
      collection(
        features(
          roles, ##""stroke":"#555555","stroke-width":2,"fill-opacity":0.5"##,
          members: ##""id":#,"##)), labels: ["2", "3"]),
    ForeignMap(
      "uMap",
      collection(features(roles, #""_umap_options":{"color":"Red"},"description":"""#))),
    ForeignMap(
      "Google My Maps by toGeoJSON",
      collection(
        features(roles, ##""styleUrl":"#poly-000000","fill":"#000000""##) { area(high($0)) })),
    ForeignMap("jq '.features'", "[\n\(features(roles).joined(separator: ",\n"))\n]\n"),
    ForeignMap("Notepad, byte order mark", "\u{FEFF}" + collection(features(roles)) + "\r\n"),
    ForeignMap(
      "QGIS, fence of three lines",
      collection(
        fence(
          line("[10.895,48.295],\(southEast)"), line("\(northWest),[10.895,48.295]"),
          line("\(southEast),[10.905,48.305],\(northWest)")))),
    ForeignMap(
      "QGIS, fence as a line of two parts",
      collection(
        fence(
          #"{"type":"MultiLineString","coordinates":[[\#(northWest),[10.895,48.295],\#(southEast)],"#
            + #"[\#(northWest),[10.905,48.305],\#(southEast)]]}"#))),
  ]
}
