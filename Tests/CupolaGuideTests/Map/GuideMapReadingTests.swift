import CupolaCampus
import CupolaSupport
import CupolaTestSupport
import Testing

@testable import CupolaGuide
@testable import CupolaGuideBuilder

@Suite("Map reading")
struct GuideMapReadingTests {
  @Test("Error messages name the problem and what to do")
  func errors() throws {
    let folder = try TemporaryFolder()
    func message(_ text: String) throws -> String {
      let path = try folder.write(text, to: "map.json")
      let error = #expect(throws: MapReadError.self) { try GuideMap(reading: [path]) }
      return String((error?.message ?? "").dropFirst(path.count))
    }
    #expect(try message("").contains("truncated file"))
    #expect(try message(#"{"elements":[{"type""#).contains("line 1, column 21: truncated file"))
    #expect(try message("<osm>").contains("OpenStreetMap XML"))
    #expect(try message("map").contains("not valid JSON: line 1, column 1"))
    #expect(try message("[]").contains("not a map"))
    #expect(try message("{}").contains("not a map"))
    #expect(try message(#"{"elements":7,"features":[7"#).contains("truncated file"))
    #expect(try message(#"{"elements":[],"elements":[]}"#).contains("duplicate name"))
    #expect(try message(String(repeating: "[", count: 5_000)).contains("nested"))
    let csv = try folder.write("name,lat,lon\n", to: "buildings.csv")
    let table = #expect(throws: MapReadError.self) { try GuideMap(reading: [csv]) }
    #expect(table?.message.contains("a table, not a map; a guide requires GeoJSON") == true)
    let missing = #expect(throws: MapReadError.self) {
      try GuideMap(reading: [folder.path("none\n.json")])
    }
    #expect(missing?.message.contains("cannot be read") ?? false)
    #expect(missing?.message.contains("\n") == false)
    let empty = #expect(throws: MapReadError.self) { try GuideMap(reading: [folder.path]) }
    #expect(empty == .unknownFolder(path: folder.path))
    try folder.write(
      #"{"id":"a","levels":[{"z_order":0,"filename":"0.geojson"}]}"#, to: "main.json")
    let other = #expect(throws: MapReadError.self) { try GuideMap(reading: [folder.path]) }
    #expect(other == .unknownFolder(path: folder.path))
    #expect(other?.message.hasSuffix("choose the folder of an indoor map") == true)
  }

  @Test("Rejects a small file with rooms on too many floors")
  func floors() throws {
    func read(_ count: Int, level: String) throws(MapReadError) -> GuideMap {
      let rooms = (0..<count).map { number in
        let (west, south) = (10 + Double(number % 100) / 1000, 50 + Double(number / 100) / 1000)
        let (east, north) = (west + 5e-4, south + 5e-4)
        let corners = [(west, south), (east, south), (east, north), (west, south)]
        return MapTexts.feature(
          "Polygon", "[[\(corners.map { "[\($0.0),\($0.1)]" }.joined(separator: ","))]]",
          #"{"indoor":"room","level":"\#(level)","id":"\#(number)"}"#)
      }
      var map = GuideMap()
      let text = #"{"type":"FeatureCollection","features":[\#(rooms.joined(separator: ","))]}"#
      try map.read(Array(text.utf8), path: "a.geojson")
      return map
    }
    #expect(try read(1_000, level: "0-249").pointsOnFloors == 750_000)
    #expect(try read(1_400, level: "0;1").pointsOnFloors == 8_400)
    let error = #expect(throws: MapReadError.self) { try read(1_400, level: "0-249") }
    #expect(error == .tooManyFloors(path: "a.geojson", limit: 1_000_000))
    #expect(error?.message.contains("level=*") == true)
  }

  @Test("Rejects a small file whose parts or floors repeat a long text")
  func repeatedText() throws {
    func read(parts: Int, floors: Int = 1, letters: Int) throws(MapReadError) -> GuideMap {
      let points = (0..<parts).map { "[8,\(50 + Double($0) / 10_000)]" }.joined(separator: ",")
      let name = String(repeating: "N", count: letters)
      let tags = #"{"amenity":"cafe","level":"0-\#(floors - 1)","name":"\#(name)","id":"a"}"#
      var map = GuideMap()
      let feature = MapTexts.feature("MultiPoint", "[\(points)]", tags)
      let text = #"{"type":"FeatureCollection","features":[\#(feature)]}"#
      try map.read(Array(text.utf8), path: "a.geojson")
      return map
    }
    let (one, few) = try (read(parts: 1, letters: 900), read(parts: 4, letters: 900))
    #expect(one.repeatedText == 0 && (2_700..<2_900).contains(few.repeatedText))
    #expect(try read(parts: 1, floors: 11, letters: 900).repeatedText > 9_000)
    for (parts, floors) in [(3_000, 1), (20, 150)] {
      let error = #expect(throws: MapReadError.self) {
        try read(parts: parts, floors: floors, letters: 100_000)
      }
      #expect(error == .tooMuchText(path: "a.geojson", limit: 256 << 20))
      #expect(error?.message.contains("256 MB of tags") == true)
    }
  }

  @Test("Detects the kind of a map by its content")
  func kinds() throws {
    let folder = try TemporaryFolder()
    let paths = [
      try folder.write(#"{"elements":[\#(MapTexts.grid(2))]}"#, to: "a.geojson"),
      try folder.write(
        "\u{FEFF}"
          + #"{"features":[\#(MapTexts.feature("Point", "[8,50]", #"{"a":"b"}"#))],"type":"FeatureCollection"}"#,
        to: "b.txt"),
    ]
    let map = try GuideMap(reading: paths)
    #expect(map.points.count == 3 && map.features.count == 1 && map.faults.isEmpty)
    #expect(try GuideMap(reading: []).points.isEmpty)
  }

  @Test("Passes list elements one at a time and returns other members")
  func members() throws {
    let text = #"{"a": 1, "list": [1, [2], {"b": 3}], "c": [4]}"#
    var elements: [JSONValue] = []
    let members = try JSONReader.members(of: Array(text.utf8), lists: ["list", "none"]) {
      name, value in
      #expect(name == "list")
      elements.append(value)
      return true
    }
    #expect(elements == [.integer(1), .array([.integer(2)]), .object(["b": .integer(3)])])
    #expect(members == ["a": .integer(1), "list": .array([]), "c": .array([.integer(4)])])
  }

  @Test("Streaming throws the same faults as reading the whole text")
  func faults() {
    let texts = [
      "", "{", #"{"list":["#, #"{"list":[1,]}"#, #"{"list":[1 2]}"#, #"{"list":[1],}"#, "{} 1",
      #"{"list":[{"a":1,"a":2}]}"#, #"{"list":[NaN]}"#, #"{"list":[1],"list":2}"#, "[1", "nul",
      #"{"list":[1e999]}"#, #"{"list":["\x"]}"#, #"{list:[]}"#, #"{"list" []}"#,
      #"{"list":"# + String(repeating: "[", count: 200),
    ]
    for text in texts {
      let bytes = Array(text.utf8)
      let whole = #expect(throws: JSONFault.self) { try JSONReader.value(of: bytes) }
      let parts = #expect(throws: JSONFault.self) {
        try JSONReader.members(of: bytes, lists: ["list"]) { _, _ in true }
      }
      #expect(whole == parts, "\(text)")
    }
  }

  @Test("Stops when the callback returns false and limits each element")
  func stopping() throws {
    let bytes = Array(#"{"list":[[1,2],[3,4],[5,6]], x"#.utf8)
    var count = 0
    let members = try JSONReader.members(of: bytes, lists: ["list"]) { _, _ in
      count += 1
      return count < 2
    }
    #expect(count == 2 && members == ["list": .array([])])
    let whole = Array(#"{"list":[[1,2],[3,4],[5,6]]}"#.utf8)
    let limits = JSONReader.Limits(values: 3)
    _ = try JSONReader.members(of: whole, lists: ["list"], limits: limits) { _, _ in true }
    #expect(throws: JSONFault.self) {
      try JSONReader.members(of: whole, lists: [], limits: limits) { _, _ in true }
    }
    #expect(try JSONReader.members(of: Array("[1]".utf8), lists: []) { _, _ in true } == nil)
  }
}

@Suite("Map features") struct MapFeatureTests {
  private func title(_ id: String, _ name: String?) -> String {
    let tags = name.map { ["name": $0] } ?? [:]
    return MapFeature(id: id, tags: tags, geometry: .point(0)).title
  }

  @Test("A feature's title is its name and identifier on one line")
  func titles() {
    #expect(title("way/1", "Lab") == "Lab (way/1)")
    #expect(title("way/1", nil) == "way/1" && title("way/1", "") == "way/1")
    #expect(!title("way/1", "Lab\nof light").contains("\n"))
  }

  @Test("Shortens long names and identifiers with combining marks")
  func longTitles() {
    let long = "a" + String(repeating: "\u{301}", count: 10_000)
    #expect(title("way/1", long).utf8.count < 1000 && title(long, nil).utf8.count < 1000)
  }
}

@Suite("Real maps", .enabled(if: MapTexts.exist, MapTexts.missingReason))
struct RealMapTests {
  @Test("Northwestern: reads buildings, ways, areas and turn restrictions")
  func northwestern() throws {
    let map = try GuideMap(reading: [MapTexts.northwestern])
    let buildings = map.features.filter { $0["building"] != nil && $0.id.hasPrefix("way/") }
    #expect(map.points.count == 15_070 && map.features.count == 3_514)
    #expect(buildings.count == 467 && buildings.count { $0["name"] != nil } == 164)
    for building in buildings {
      guard case .area = building.geometry else {
        Issue.record("\(building.title) is not an area")
        continue
      }
    }
    #expect(
      map.features.count {
        if case .line = $0.geometry { $0["highway"] == "footway" } else { false }
      } > 600)
    #expect(map.features.count { $0["entrance"] != nil } == 46)
    // Two of the twelve restrictions apply only at certain hours, and one contains ways that are not on the map.
    #expect(map.restrictions.count == 9 && map.restrictions.count { $0.viaPoint == nil } == 4)
    // A lake and the campus extend beyond the edge of the map.
    #expect(
      map.faults.map(\.title) == [
        "Lake Michigan (relation/1205149)", "Northwestern University (relation/2105485)",
      ])
    guard case .area(let rings) = map.feature("relation/7088849")?.geometry else {
      throw MapReadError.unknownKind(path: "")
    }
    #expect(rings.count == 3)
    guard case .area(let square) = map.feature("relation/9081982")?.geometry else {
      throw MapReadError.unknownKind(path: "")
    }
    #expect(square.count > 5)
  }

  @Test("Station: reads rooms and halls with their floors")
  func station() throws {
    let map = try GuideMap(reading: [MapTexts.station])
    #expect(map.faults.isEmpty && map.features.count == 244 && map.points.count == 4_918)
    #expect(map.feature("relation/6021911")?["name"] == "Hall Central")
    #expect(map.features.count { $0["indoor"] == "room" } == 81)
    #expect(map.features.count { $0["indoor"] == "corridor" } == 24)
    #expect(map.features.count { $0["level"].flatMap { Levels($0) } != nil } > 150)
  }
}
