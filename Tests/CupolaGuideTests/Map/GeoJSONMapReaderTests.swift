import Testing

@testable import CupolaGuide
@testable import CupolaGuideBuilder

@Suite("GeoJSON maps")
struct GeoJSONMapReaderTests {
  @Test("Reads all geometries and merges points at one place")
  func geometries() throws {
    let map = try MapTexts.features(
      MapTexts.feature("Point", "[8,50,120.5]", #"{"entrance":"yes"}"#),
      MapTexts.feature("LineString", "[[8,50],[8.1,50],[8.1,50],[8.2,50]]", #"{"highway":"path"}"#),
      MapTexts.feature("Polygon", "[[[8,50],[8.1,50],[8.1,50.1],[8,50]]]", #"{"building":"yes"}"#),
      MapTexts.feature("MultiPoint", "[[8,50],[8.2,50]]", #"{"amenity":"bench"}"#),
      MapTexts.feature("MultiLineString", "[[[8,50],[8.2,50]],[[8.2,50],[8,50]]]", #"{"a":"b"}"#),
      MapTexts.feature("MultiPolygon", "[[[[8,50],[8.1,50],[8.1,50.1],[8,50]]]]", #"{"a":"b"}"#))
    #expect(map.faults.isEmpty && map.points.count == 4)
    #expect(
      map.features.map(\.geometry) == [
        .point(0), .line([0, 1, 2]), .area([[0, 1, 3]]), .point(0), .point(2), .line([0, 2]),
        .line([2, 0]), .area([[0, 1, 3]]),
      ])
    #expect(
      map.features.map(\.id) == [
        "feature/1", "feature/2", "feature/3", "feature/4", "feature/4#2", "feature/5",
        "feature/5#2", "feature/6",
      ])
  }

  @Test("Reads geometry collections and single features")
  func collections() throws {
    let map = try MapTexts.map(
      #"{"type":"Feature","id":"x","properties":{"a":"b"},"geometry":{"type":"GeometryCollection","#
        + #""geometries":[{"type":"Point","coordinates":[8,50]},{"type":"Point","coordinates":[9,50]}]}}"#
    )
    #expect(map.features.map(\.id) == ["x", "x#2"] && map.faults.isEmpty)
  }

  @Test(
    "Reads identifiers and tags written by different programs",
    arguments: [
      (#"{"@id":"way/5","highway":"path","@timestamp":"x"}"#, "way/5", ["highway": "path"]),
      (
        #"{"type":"way","id":5,"tags":{"highway":"path"},"relations":[{"rel":1}],"meta":{}}"#,
        "way/5", ["highway": "path"]
      ),
      (
        #"{"full_id":"n5","osm_id":"5","osm_type":"node","shop":"books","level":null}"#, "node/5",
        ["shop": "books"]
      ),
      (
        #"{"osm_id":"5","name":"A","other_tags":"\"level\"=>\"0\",\"a\\\"b\"=>\"c,d=>e\""}"#,
        "node/5", ["name": "A", "level": "0", "a\"b": "c,d=>e"]
      ),
      (
        #"{"level":-1,"width":1.5,"tunnel":true,"lit":false,"x":[1],"y":{"a":1},"z":""}"#,
        "feature/1", ["level": "-1", "width": "1.5", "tunnel": "yes", "lit": "no"]
      ),
      (#"{"id":"relation/-3","type":"service"}"#, "relation/-3", ["type": "service"]),
      (#"{"id":7,"shop":"books"}"#, "feature/7", ["shop": "books"]),
    ])
  func programs(properties: String, id: String, tags: [String: String]) throws {
    let map = try MapTexts.features(MapTexts.feature("Point", "[8,50]", properties))
    #expect(map.features.map(\.id) == [id] && map.features.map(\.tags) == [tags])
  }

  @Test("Ignores features without tags and keeps identifiers unique")
  func identity() throws {
    let feature = MapTexts.feature("Point", "[8,50]", #"{"@id":"a","b":"c"}"#)
    let other = MapTexts.feature("Point", "[8,50]", #"{"@id":"a","b":"d"}"#)
    let map = try MapTexts.features(
      feature, other, feature, MapTexts.feature("Point", "[8,50]", "{}"),
      MapTexts.feature("Point", "[8,50]", "null"))
    #expect(map.features.map(\.id) == ["a", "a#2"] && map.faults.isEmpty)
    let collection = #"{"type":"FeatureCollection","features":[\#(feature)]}"#
    let changed = #"{"type":"FeatureCollection","features":[\#(other)]}"#
    #expect(try MapTexts.map(collection, collection, changed).features.map(\.id) == ["a", "a#2"])
  }

  @Test("Reads Cupola's campus map")
  func campus() throws {
    let square = "[[[8,50],[8.1,50],[8.1,50.1],[8,50]]]"
    let map = try MapTexts.features(
      MapTexts.feature("Polygon", square, #"{"role":"boundary","name":"Campus"}"#),
      MapTexts.feature("Polygon", square, #"{"role":"building","label":"old-hall","name":"Hall"}"#),
      MapTexts.feature(
        "Polygon", square, #"{"role":"building","id":"lab","building":"university"}"#))
    #expect(map.features.map(\.id) == ["feature/1", "feature/2", "lab"])
    #expect(map.features[0].tags == ["cupola:role": "boundary", "name": "Campus"])
    #expect(
      map.features[1].tags == ["building": "yes", "cupola:label": "old-hall", "name": "Hall"])
    #expect(map.features[2].tags == ["building": "university", "cupola:label": "lab"])
  }

  @Test(
    "Reports invalid geometries and uses the valid parts",
    arguments: [
      ("Point", #"["8",50]"#, 0), ("Point", "[50]", 0), ("Point", "[8,95]", 0),
      ("LineString", "[[8,50],[8,50]]", 0),
      ("LineString", "[[8,50],[8,51],[8,95],[8,52],[8,53]]", 2), ("LineString", "[]", 0),
      ("Polygon", "[[[8,50],[8.1,50],[8.1,50.1]]]", 1),
      ("Polygon", "[[[8,50],[8.1,50],[8,50]]]", 0),
      ("Polygon", "[[[8,50],[8.1,50],[8,50],[8.1,50],[8,50]]]", 0),
      ("Polygon", "[]", 0), ("Polygon", "[[[8,50],[8.1,50],[8.1,500],[8,50]]]", 0),
      ("Polygon", "7", 0), ("Circle", "[8,50]", 0),
      ("Polygon", "[[[8,50],[8.1,50],[8.1,50.1],[8,50]],[[8,50],[8,50]]]", 1),
    ])
  func malformed(type: String, coordinates: String, count: Int) throws {
    let map = try MapTexts.features(
      MapTexts.feature(type, coordinates, #"{"name":"Q","@id":"way/3"}"#))
    #expect(map.features.count == count && !map.faults.isEmpty)
    #expect(map.faults.allSatisfy { $0.title == "Q (way/3)" })
  }

  @Test(
    "Reports a tagged feature without a geometry",
    arguments: [
      "null", #"{"type":"MultiPoint","coordinates":[]}"#,
      #"{"type":"MultiLineString","coordinates":[]}"#,
      #"{"type":"MultiPolygon","coordinates":[]}"#,
      #"{"type":"GeometryCollection","geometries":[]}"#,
      #"{"type":"GeometryCollection"}"#,
    ])
  func unlocated(geometry: String) throws {
    let map = try MapTexts.features(
      #"{"type":"Feature","properties":{"building":"yes","name":"Q"},"geometry":\#(geometry)}"#,
      #"{"type":"Feature","properties":{},"geometry":\#(geometry)}"#)
    #expect(map.features.isEmpty && map.faults.map(\.title) == ["Q (feature/1)"])
    #expect(map.faults.first?.problem.hasPrefix("no geometry; draw it") ?? false)
  }

  @Test("Wraps longitudes beyond the date line")
  func dateLine() throws {
    let map = try MapTexts.features(MapTexts.feature("Point", "[180.5,50]", #"{"a":"b"}"#))
    #expect(map.points == [MapPoint(latitude: 50, longitude: -179.5)].compactMap(\.self))
  }

  @Test(
    "Rejects a ring around the Earth",
    arguments: [
      "[[-180,-10],[180,-10],[180,10],[-180,10],[-180,-10]]",
      "[[180,10],[-180,10],[-180,-10],[180,-10],[180,10]]",
      "[[-180,-10],[0,-10],[180,-10],[180,10],[0,10],[-180,10],[-180,-10]]",
      "[[-180,-9],[-60,-9],[60,-9],[180,-9],[180,9],[60,9],[-60,9],[-180,9],[-180,-9]]",
      "[[-180,-85],[180,-85],[180,85],[0,85],[-180,85],[-180,-85]]",
      "[[180,85],[-180,85],[-180,-85],[-90,-85],[90,-85],[180,-85],[180,85]]",
    ])
  func aroundEarth(ring: String) throws {
    for tags in [#"{"@id":"a","building":"yes"}"#, #"{"@id":"a","role":"boundary"}"#] {
      let map = try MapTexts.features(MapTexts.feature("Polygon", "[\(ring)]", tags))
      #expect(map.features.isEmpty)
      #expect(
        map.faults.map(\.problem) == [
          "ring around the Earth, from longitude -180 to 180; draw only the outline of the place"
        ])
    }
  }

  @Test("Accepts a ring across the date line with both 180 and -180")
  func bothSides() throws {
    let ring = "[[179.9,0],[180,0],[-180,0],[-179.9,0],[-179.9,0.1],[179.9,0.1],[179.9,0]]"
    let map = try MapTexts.features(
      MapTexts.feature("Polygon", "[\(ring)]", #"{"building":"yes"}"#))
    #expect(map.faults.isEmpty && map.features.first?.pointNumbers.count == 5)
  }

  @Test("Reports features of any other form")
  func forms() throws {
    let map = try MapTexts.features(
      "null", "7", "{}", #"{"type":"Feature"}"#, #"{"type":"Feature","properties":7,"geometry":7}"#)
    #expect(map.features.isEmpty && map.faults.count == 4)
  }
}
