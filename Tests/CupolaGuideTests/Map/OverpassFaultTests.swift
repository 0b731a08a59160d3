import Cupola
import CupolaTestSupport
import Testing

@testable import CupolaGuide
@testable import CupolaGuideBuilder

@Suite("Overpass JSON faults")
struct OverpassFaultTests {
  @Test("Uses the remaining nodes of a way with missing nodes")
  func missing() throws {
    let map = try MapTexts.overpass(
      MapTexts.grid(5), MapTexts.way(1, [1, 2, 99, 3, 98, 4, 5, 97], #"{"highway":"path"}"#))
    #expect(map.feature("way/1")?.geometry == .line([0, 1]))
    #expect(map.feature("way/1#2")?.geometry == .line([3, 4]))
    #expect(map.features.count == 2)
    #expect(map.faults.map(\.title) == ["way/1"])
    #expect(map.faults.first?.problem.hasPrefix("3 of its 8 nodes") ?? false)
  }

  @Test("A building with a missing node becomes a line")
  func missingOfArea() throws {
    let map = try MapTexts.overpass(
      MapTexts.grid(4), MapTexts.way(1, [1, 2, 3, 99, 1], #"{"building":"yes"}"#))
    #expect(map.feature("way/1")?.geometry == .line([0, 1, 2]) && map.faults.count == 1)
  }

  @Test(
    "Reports ways without two distinct nodes",
    arguments: [[1, 1], [1], [1, 1, 1, 1], [], [99, 98]])
  func loops(nodes: [Int]) throws {
    let map = try MapTexts.overpass(
      MapTexts.grid(2), MapTexts.way(1, nodes, #"{"highway":"path"}"#))
    #expect(map.features.isEmpty && !map.faults.isEmpty)
    #expect(map.faults.allSatisfy { $0.title == "way/1" })
  }

  @Test("Reports a repeated node and uses it once")
  func repeated() throws {
    let map = try MapTexts.overpass(
      MapTexts.grid(3), MapTexts.way(1, [1, 2, 2, 3], #"{"highway":"path"}"#))
    #expect(map.feature("way/1")?.geometry == .line([0, 1, 2]) && map.faults.count == 1)
  }

  @Test(
    "Reports invalid coordinates",
    arguments: [
      #""lat":91,"lon":8"#, #""lat":50,"lon":-181"#, #""lat":"50","lon":8"#, #""lat":50"#,
      #""lat":null,"lon":8"#, #""lat":1e300,"lon":8"#, "",
    ])
  func coordinates(text: String) throws {
    let comma = text.isEmpty ? "" : ","
    let map = try MapTexts.overpass(#"{"type":"node","id":1\#(comma)\#(text),"tags":{"a":"b"}}"#)
    #expect(map.points.isEmpty && map.features.isEmpty)
    #expect(map.faults.map(\.title) == ["node/1"])
  }

  @Test(
    "Reports identifiers that are not integers",
    arguments: [#""7""#, "1.5", "null", "9223372036854775807", "1e30", "[1]"])
  func identifiers(id: String) throws {
    let map = try MapTexts.overpass(
      #"{"type":"node","id":\#(id),"lat":1,"lon":1,"tags":{"a":"b"}}"#)
    #expect(map.points.isEmpty && map.faults.map(\.title) == ["node, element 1"])
  }

  @Test("Reports duplicate identifiers with different contents")
  func duplicates() throws {
    let map = try MapTexts.overpass(
      #"{"type":"node","id":1,"lat":1,"lon":1,"tags":{"a":"b"}}"#,
      #"{"type":"node","id":1,"lat":1,"lon":1,"tags":{"a":"c"}}"#,
      #"{"type":"node","id":2,"lat":1,"lon":2}"#, #"{"type":"node","id":2,"lat":1,"lon":3}"#,
      MapTexts.way(5, [1, 2], #"{"a":"b"}"#), MapTexts.way(5, [2, 1], #"{"a":"b"}"#))
    #expect(map.faults.map(\.title) == ["node/1", "node/2", "way/5"])
    #expect(map.feature("node/1")?.tags == ["a": "b"])
    #expect(map.feature("way/5")?.geometry == .line([0, 1]))
  }

  @Test("Reports an aborted Overpass response")
  func remark() throws {
    let map = try MapTexts.map(#"{"elements":[],"remark":"runtime error: timed out\n\u001b[2J"}"#)
    let fault = try #require(map.faults.first)
    #expect(fault.description.contains("timed out") && !fault.description.contains("\u{1b}"))
  }

  @Test("Reports an aborted response even after many other faults")
  func remarkBehindOthers() throws {
    let nodes = (1...GuideMap.mostFaults + 10).map { #"{"type":"node","id":\#($0)}"# }
    let list = nodes.joined(separator: ",")
    let map = try MapTexts.map(#"{"elements":[\#(list)],"remark":"runtime error: timed out"}"#)
    #expect(map.faults.last?.isOfMap == true)
    #expect(map.faults.count == GuideMap.mostFaults + 1)
  }

  @Test("Shortens names and remarks with many combining marks")
  func marks() throws {
    let text = "a" + String(repeating: #"\u0301"#, count: 10_000)
    let way = #"{"type":"way","id":1,"nodes":[],"tags":{"name":"\#(text)"}}"#
    let map = try MapTexts.map(#"{"elements":[\#(way)],"remark":"\#(text)"}"#)
    #expect(map.faults.count == 2)
    #expect(map.faults.allSatisfy { $0.description.utf8.count < 1000 })
  }

  @Test("Shows hostile names on one short line")
  func names() throws {
    let name = #"\u202e\u0000\n<b>"# + String(repeating: "x", count: 10_000)
    let map = try MapTexts.overpass(
      #"{"type":"way","id":1,"nodes":[],"tags":{"name":"\#(name)","level":"-1;0-3;M"}}"#)
    let title = try #require(map.faults.first?.title)
    #expect(title.count < 200 && !title.contains("\n") && !title.contains("\u{202e}"))
    #expect(title.hasSuffix("(way/1)"))
  }

  @Test("Keeps unreadable levels in the tags")
  func levels() throws {
    let map = try MapTexts.overpass(
      MapTexts.grid(2), MapTexts.way(1, [1, 2], #"{"highway":"corridor","level":"-1;0-3;M"}"#))
    let level = try #require(map.feature("way/1")?["level"])
    #expect(level == "-1;0-3;M" && Levels(level) == nil)
  }

  @Test("Rejects NaN as invalid JSON")
  func notANumber() {
    #expect(throws: MapReadError.self) {
      try MapTexts.overpass(#"{"type":"node","id":1,"lat":NaN,"lon":8}"#)
    }
  }

  @Test("Reports elements of any other form")
  func forms() throws {
    let values = [
      "null", "7", "[]", "{}", #"{"type":7,"id":1}"#, #"{"type":"way","id":1,"tags":[1]}"#,
      #"{"type":"way","id":2,"nodes":"a","tags":{"a":"b"}}"#,
      #"{"type":"way","id":3,"nodes":[null,"x",{}],"geometry":[1],"tags":{"a":"b"}}"#,
      #"{"type":"relation","id":4,"members":[1,{"type":"way"}],"tags":{"type":"multipolygon","a":"b"}}"#,
      #"{"type":"relation","id":5,"members":7,"tags":{"type":"restriction","restriction":"no_u_turn"}}"#,
    ]
    let map = try MapTexts.map(#"{"elements":[\#(values.joined(separator: ","))]}"#)
    #expect(map.features.isEmpty && map.faults.count >= 8)
  }

  @Test("Truncated or changed maps throw or give faults")
  func damage() throws {
    let text = Array(
      (#"{"version":0.6,"elements":["# + MapTexts.grid(200) + ","
        + (1...60).map { MapTexts.way($0, [$0, $0 + 1, $0 + 11, $0], #"{"building":"yes"}"#) }
        .joined(separator: ",") + "]}").utf8)
    for length in stride(from: 0, to: text.count, by: 997) {
      var map = GuideMap()
      let error = #expect(throws: MapReadError.self) {
        try map.read(Array(text.prefix(length)), path: "cut.json")
      }
      guard case .cutOff("cut.json", _, _) = error else {
        Issue.record("\(length): \(String(describing: error))")
        continue
      }
    }
    var random = SplitMix64(seed: 18)
    for _ in 0..<(Verification.isFull ? 200 : 50) {
      var changed = text
      for _ in 0..<5 {
        changed[Int.random(in: 0..<text.count, using: &random)] = UInt8.random(
          in: 0x20...0x7E, using: &random)
      }
      var map = GuideMap()
      do throws(MapReadError) {
        try map.read(changed, path: "changed.json")
      } catch {
        #expect(error.message.hasPrefix("changed.json: "))
      }
    }
  }
}
