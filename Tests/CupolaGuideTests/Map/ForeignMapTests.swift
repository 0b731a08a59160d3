import CupolaCampus
import CupolaTestSupport
import Testing

@testable import CupolaGuide
@testable import CupolaGuideBuilder

@Suite("Maps as other programs write them")
struct ForeignMapTests {
  private static let ring = "[[8,50],[8.001,50],[8.001,50.001],[8,50.001],[8,50]]"
  private static let other = "[[8.002,50],[8.003,50],[8.003,50.001],[8.002,50.001],[8.002,50]]"

  private static func building(_ properties: String, _ ring: String = ring) -> String {
    MapTexts.feature("Polygon", "[\(ring)]", properties)
  }

  private static func collection(_ features: String..., crs: String? = nil) -> String {
    let member = crs.map { #""crs":{"type":"name","properties":{"name":"\#($0)"}},"# } ?? ""
    return #"{"type":"FeatureCollection","name":"layer",\#(member)"#
      + #""features":[\#(features.joined(separator: ",\n"))]}"#
  }

  private static func buildings(_ map: GuideMap) -> [String?] {
    GuideBuilder(map).guide.places.filter { $0.kind == .building }.map(\.name)
  }

  private static func error(_ bytes: [UInt8]) -> MapReadError? {
    var map = GuideMap()
    return #expect(throws: MapReadError.self) { try map.read(bytes, path: "map") }
  }

  @Test(
    "Finds names and tags under the keys of other programs",
    arguments: [
      // ArcGIS and shapefiles.
      #"{"NAME":"Hall","BUILDING":"yes","OBJECTID":1}"#,
      #"{"OBJECTID":1,"Name":"Hall","ABB":"HAL","building":"university"}"#,
      #"{"BLDG_NAME":"Hall","Building":"residential"}"#,
      // GDAL.
      #"{"osm_id":null,"osm_way_id":"5","name":"Hall","building":"yes","other_tags":"\"a\"=>\"b\""}"#,
      // osmium with and without type_id.
      #"{"@id":"w5","building":"yes","name":"Hall"}"#, #"{"building":"yes","name":"Hall"}"#,
      // QuickOSM in QGIS.
      #"{"full_id":"w5","osm_id":"5","osm_type":"way","building":"yes","name":"Hall","ref":null}"#,
      // osmtogeojson, Overpass turbo and geojson.io.
      #"{"@id":"way/5","building":"yes","name":"Hall"}"#,
      #"{"type":"way","id":5,"tags":{"building":"yes","name":"Hall"},"relations":[],"meta":{}}"#,
      #"{"stroke":"red","fill-opacity":0.5,"role":"building","name":"Hall"}"#,
      #"{"ROLE":"Building","Name":"Hall"}"#, #"{"Role":"Building","NAME":"Hall"}"#,
      #"{"Building":"YES","Name":"Hall"}"#,
    ])
  func names(properties: String) throws {
    let map = try MapTexts.map(Self.collection(Self.building(properties)))
    #expect(Self.buildings(map) == ["Hall"])
    #expect(map.faults.isEmpty && map.skipped.isEmpty)
  }

  @Test("Reads the buildings of other programs", arguments: ForeignMap.all)
  func programs(map: ForeignMap) throws {
    let read = try MapTexts.map(map.text)
    #expect(Self.buildings(read).compactMap(\.self).sorted() == ["Great Hall", "Library"])
    #expect(read.faults.isEmpty && read.skipped.isEmpty)
  }

  @Test("Uppercase keys of names are no tags")
  func uppercase() throws {
    let map = try MapTexts.map(Self.collection(Self.building(#"{"BUILDING":"North Hall"}"#)))
    #expect(Self.buildings(map).isEmpty && map.skipped.count == 1)
    let own = try MapTexts.map(
      Self.collection(Self.building(#"{"building":"yes","name":"Own","NAME":"Other"}"#)))
    #expect(Self.buildings(own) == ["Own"])
  }

  @Test("Counts the features that a guide cannot use, and names some")
  func skipped() throws {
    let map = try MapTexts.map(
      Self.collection(
        Self.building(#"{"NAME":"North Hall","ABB":"NOH","Type":"Residence Hall"}"#),
        Self.building(#"{"NAME":"Library"}"#, Self.other), Self.building("{}"),
        MapTexts.feature("LineString", "[[8,50],[8.1,50]]", #"{"Id":0}"#),
        MapTexts.feature("Point", "[8,50]", #"{"Name":"Gate"}"#),
        MapTexts.feature("Point", "[8,50]", "{}"),
        Self.building(#"{"role":"boundary"}"#), Self.building(#"{"landuse":"grass"}"#),
        Self.building(#"{"disused:building":"yes"}"#)))
    #expect(
      map.skipped.map(\.description) == [
        "map.json: 3 polygons are not buildings (North Hall, Library, ...): "
          + "give them building=yes or role building",
        "map.json: 1 line is not a path: give it highway=footway, for example",
        "map.json: 1 point is not a place (Gate): give it a tag such as amenity=cafe",
      ])
    let builder = GuideBuilder(map)
    #expect(builder.isEmpty && builder.faults.count == 3)
    let findings = GuideCheck(builder).findings
    #expect(findings.map(\.kind) == ["unusable", "unusable", "unusable"])
    #expect(findings.count { !$0.isAdvice } == 0)
  }

  @Test("Reads sequences of features")
  func sequences() throws {
    let features = [
      Self.building(#"{"building":"yes","name":"A"}"#),
      Self.building(#"{"building":"yes","name":"B"}"#, Self.other),
    ]
    for text in [
      features.joined(separator: "\n"), features.joined(separator: "\r\n") + "\r\n",
      features.map { "\u{1E}\($0)\n" }.joined(), "\u{FEFF}" + features.joined(separator: "\n"),
      "\u{FEFF} [\(features.joined(separator: ","))]\n",
    ] {
      let map = try MapTexts.map(text)
      #expect(Self.buildings(map) == ["A", "B"] && map.faults.isEmpty)
    }
    for start in ["", "["] {
      let cut = start + features[0] + (start.isEmpty ? "\n" : ",") + features[1].dropLast(20)
      guard case .cutOff = Self.error(Array(cut.utf8)) else {
        Issue.record("a truncated sequence was read")
        return
      }
    }
    for other in ["[]", "[1]", #"[{"type":"node","id":1}]"#] {
      #expect(Self.error(Array(other.utf8)) == .unknownKind(path: "map"))
    }
  }

  @Test(
    "Names other formats and the way out",
    arguments: [
      ("<?xml version=\"1.0\"?><kml xmlns=\"k\"></kml>", MapFormat.kml), ("<gpx></gpx>", .gpx),
      ("<osm version=\"0.6\"></osm>", .osmXML), ("\u{1F}", nil), ("PK\u{3}\u{4}", .zip),
      (#"{"type":"Topology","objects":{},"arcs":[]}"#, .topoJSON),
      (
        #"{"geometryType":"esriGeometryPolygon","spatialReference":{"wkid":4326},"features":[{"attributes":{}}]}"#,
        .esriJSON
      ),
    ] as [(String, MapFormat?)])
  func formats(text: String, format: MapFormat?) {
    let error = Self.error(Array(text.utf8))
    guard let format else {
      #expect(error != nil)
      return
    }
    #expect(error == .otherFormat(path: "map", format))
    #expect(error?.message == "map: \(format.problem)")
  }

  @Test("Names gzip files")
  func gzip() {
    #expect(Self.error([0x1F, 0x8B, 8, 0, 0, 0, 0, 0]) == .otherFormat(path: "map", .gzip))
  }

  @Test("Reports projected coordinates once")
  func projected() throws {
    let meters =
      "[[1212825.8,6156408.1],[1213939.1,6156408.1],[1213939.1,6158081.5],[1212825.8,6156408.1]]"
    let feature = Self.building(#"{"building":"yes"}"#, meters)
    let text = Self.collection(feature, feature, crs: "urn:ogc:def:crs:EPSG::3857")
    let error = Self.error(Array(text.utf8))
    #expect(
      error == .projected(path: "map", "EPSG:3857", example: [1_212_825.8, 6_156_408.1]))
    #expect(error?.message.contains("ogr2ogr -t_srs EPSG:4326") ?? false)
    let unnamed = Self.error(Array(Self.collection(feature).utf8))
    #expect(unnamed == .projected(path: "map", nil, example: [1_212_825.8, 6_156_408.1]))
    // Degrees of another datum are close enough, and one wrong feature does not make a map useless.
    let degrees = try MapTexts.map(
      Self.collection(
        Self.building(#"{"building":"yes","name":"A"}"#), crs: "urn:ogc:def:crs:EPSG::4258"))
    #expect(Self.buildings(degrees) == ["A"] && degrees.faults.isEmpty)
    let mixed = try MapTexts.map(
      Self.collection(Self.building(#"{"building":"yes","name":"A"}"#), feature))
    #expect(Self.buildings(mixed) == ["A"] && mixed.faults.count == 1)
  }

  @Test("A closed way that is exported as a line and an area is one building")
  func closedWays() throws {
    let tags = #"{"building":"yes","name":"Hall"}"#
    let line = MapTexts.feature("LineString", Self.ring, tags)
    let area = MapTexts.feature("MultiPolygon", "[[\(Self.ring)]]", tags)
    for features in [[line, area], [area, line], [line]] {
      let map = try MapTexts.map(
        #"{"type":"FeatureCollection","features":[\#(features.joined(separator: ","))]}"#)
      #expect(Self.buildings(map) == ["Hall"], "\(features.count)")
      var layers = GuideMap()
      for (number, feature) in features.enumerated() {
        try layers.read(Array(Self.collection(feature).utf8), path: "\(number)")
      }
      #expect(Self.buildings(layers) == ["Hall"])
    }
    for tags in [
      #"{"role":"boundary","name":"Campus"}"#, #"{"Role":"Boundary","Name":"Campus"}"#,
      #"{"AMENITY":"University","NAME":"Campus"}"#,
    ] {
      let grounds = MapTexts.feature("LineString", Self.ring, tags)
      let campus = try MapTexts.map(Self.collection(grounds))
      #expect(Grounds.rings(of: campus).count == 1 && Grounds.name(of: campus) == "Campus")
    }
  }

  @Test("Reads zipped IMDF maps like folders", arguments: ["", "venue/"])
  func zippedVenue(folder: String) throws {
    let temporary = try TemporaryFolder()
    let venue = IMDFVenue()
    try venue.write(to: temporary)
    let files = try venue.files.keys.sorted().map { name in
      let file = name + (name == "manifest" ? ".json" : ".geojson")
      let text = String(decoding: try temporary.bytes(file), as: UTF8.self)
      return TestZip.File(folder + file, text).inStoredBlocks()
    }
    var map = GuideMap()
    try map.read(
      TestZip(files + [TestZip.File("__MACOSX/venue/._manifest.json")]).bytes, path: "v.zip")
    let unpacked = try GuideMap(reading: [temporary.path])
    #expect(map.features.map(\.id) == unpacked.features.map(\.id))
    #expect(map.features.map(\.tags) == unpacked.features.map(\.tags) && map.faults.isEmpty)
    #expect(Self.error(Array(TestZip(files).bytes.dropLast(30))) != nil)
  }
}
