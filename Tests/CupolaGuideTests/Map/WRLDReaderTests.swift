import CupolaTestSupport
import Testing

@testable import CupolaGuide

@Suite("WRLD indoor maps")
struct WRLDReaderTests {
  private static func folder(_ main: String, _ files: [String: [String]]) throws -> TemporaryFolder
  {
    let folder = try TemporaryFolder()
    try folder.write(main, to: "main.json")
    for (name, features) in files {
      try folder.write(
        #"{"type":"FeatureCollection","features":[\#(features.joined(separator: ","))]}"#, to: name)
    }
    return folder
  }

  private static let square = "[[[8,50],[8.001,50],[8.001,50.001],[8,50.001],[8,50]]]"

  @Test("Rooms, doors and ways become OpenStreetMap's indoor tags")
  func tags() throws {
    let main =
      #"{"id":"h","name":"Hall","levels":[{"name":"G","z_order":0,"filename":"g.geojson"},"#
      + #"{"name":"1","z_order":1,"filename":"f.geojson"}]}"#
    func space(_ id: Int, _ type: String, _ more: String = "") -> String {
      MapTexts.feature("Polygon", Self.square, #"{"id":\#(id),"type":"\#(type)"\#(more)}"#)
    }
    let folder = try Self.folder(
      main,
      [
        "g.geojson": [
          space(1, "building_outline"), space(2, "room", #","name":"Lab","roomnumber":"0.1""#),
          space(3, "bathroom"), space(4, "door"), space(5, "wall"), space(6, "floor_opening"),
          space(7, "no_geometry"), space(8, "no_geometry", #","name":"Unit 4""#),
        ],
        "f.geojson": [space(1, "building_outline"), space(2, "room")],
        "g-paths.geojson": [
          MapTexts.feature(
            "LineString", "[[8,50],[8,50.001]]", #"{"id":1,"type":"pathway","name":"Way"}"#),
          MapTexts.feature("LineString", "[[8.001,50],[8,50]]", #"{"id":2,"type":"entrance"}"#),
        ],
        "main-paths.json": [
          MapTexts.feature(
            "LineString", "[[8,50],[8,50.001]]", #"{"id":1,"type":"stairs"},"levels":[1,0]"#),
          MapTexts.feature(
            "LineString", "[[8,50],[8,50]]", #"{"id":2,"type":"elevator"},"levels":[0,1]"#),
        ],
      ])
    let map = try withExtendedLifetime(folder) { try GuideMap(reading: [folder.path]) }
    #expect(map.faults.isEmpty, "\(map.faults)")
    func tags(_ id: String) -> [String: String]? { map.feature(id)?.tags }
    let ground = ["level": "0", "level:ref": "G"]
    func grounded(_ tags: [String: String]) -> [String: String] { ground.merging(tags) { $1 } }
    #expect(tags("h") == ["building": "yes", "name": "Hall"])
    #expect(map.features.count { $0["building"] != nil } == 1)
    #expect(tags("h/0/2") == grounded(["indoor": "room", "name": "Lab", "ref": "0.1"]))
    #expect(tags("h/1/2") == ["indoor": "room", "level": "1", "level:ref": "1"])
    #expect(
      tags("h/0/3") == grounded(["indoor": "room", "room": "toilets", "amenity": "toilets"]))
    #expect(tags("h/0/4") == grounded(["door": "yes"]))
    #expect(map.feature("h/0/4")?.pointNumbers.count == 1)
    #expect(tags("h/0/6") == nil && tags("h/0/7") == nil)
    #expect(tags("h/0/8") == grounded(["indoor": "area", "name": "Unit 4"]))
    #expect(tags("h/0-paths/1") == grounded(["highway": "corridor", "name": "Way"]))
    #expect(tags("h/0-paths/2/entrance") == grounded(["entrance": "yes"]))
    #expect(MapTexts.places(map, "h/0-paths/2/entrance").first?.longitude == 8.001)
    #expect(
      tags("h/main-paths/1") == [
        "highway": "steps", "level": "0;1", "indoor": "yes", "incline": "down",
      ])
    #expect(tags("h/main-paths/2") == ["highway": "elevator", "level": "0;1"])
    #expect(map.feature("h/main-paths/2")?.pointNumbers.count == 1)
  }

  @Test("What is wrong is said, and the rest is used")
  func faults() throws {
    let levels = [
      #"{"z_order":0,"filename":"none.geojson"}"#, #"{"z_order":"1","filename":"a"}"#, "7",
      #"{"z_order":1,"filename":"../a"}"#, #"{"z_order":99999999999,"filename":"a"}"#,
      #"{"z_order":1,"filename":"a.geojson"}"#, #"{"z_order":2,"filename":"a.geojson"}"#,
    ]
    let folder = try Self.folder(
      #"{"levels":[\#(levels.joined(separator: ","))]}"#,
      [
        "a.geojson": [
          "7", "{}", MapTexts.feature("Polygon", "[[[8,500]]]", #"{"id":1,"type":"room"}"#),
          MapTexts.feature("Polygon", Self.square, #"{"type":"room"}"#),
        ],
        "main-paths.json": [
          MapTexts.feature("LineString", "[[8,50],[8,51]]", #"{"type":"stairs","levels":[0,"x"]}"#),
          MapTexts.feature("LineString", "[[8,50],[8,51]]", #"{"type":"stairs","levels":[0,999]}"#),
        ],
      ])
    let map = try withExtendedLifetime(folder) { try GuideMap(reading: [folder.path]) }
    #expect(map.features.map(\.id) == ["building/1/room"])
    #expect(map.faults.count == 9, "\(map.faults)")
  }

  @Test("Features without a geometry are said, but for those that are not to have one")
  func unlocated() throws {
    let features = ["room", "no_geometry"].map {
      #"{"type":"Feature","properties":{"id":1,"type":"\#($0)","name":"A"},"geometry":null}"#
    }
    let folder = try Self.folder(
      #"{"id":"h","levels":[{"z_order":0,"filename":"g.geojson"}]}"#, ["g.geojson": features])
    let map = try withExtendedLifetime(folder) { try GuideMap(reading: [folder.path]) }
    #expect(map.features.isEmpty && map.faults.map(\.title) == ["A (h/0/1)"])
  }

  @Test("A main.json without levels is no indoor map")
  func noLevels() throws {
    let folder = try Self.folder("{}", [:])
    let error = #expect(throws: MapReadError.self) { try GuideMap(reading: [folder.path]) }
    #expect(error == .unknownFolder(path: folder.path))
  }
}
