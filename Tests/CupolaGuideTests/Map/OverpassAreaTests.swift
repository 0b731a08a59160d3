import Cupola
import CupolaCampus
import CupolaSupport
import CupolaTestSupport
import Testing

@testable import CupolaGuide
@testable import CupolaGuideBuilder

@Suite("Multipolygon relations")
struct OverpassAreaTests {
  private static func relation(
    _ members: [(id: Int, role: String)], _ tags: String = #"{"type":"multipolygon","a":"b"}"#
  ) -> String {
    let list = members.map { #"{"type":"way","ref":\#($0.id),"role":"\#($0.role)"}"# }
    return
      #"{"type":"relation","id":9,"members":[\#(list.joined(separator: ","))],"tags":\#(tags)}"#
  }

  /// Returns nested squares with four nodes each; nodes 1 to 4 form the largest square.
  private static func squares(_ count: Int, east: Double = 0, first: Int = 1) -> String {
    (0..<count).flatMap { square in
      let r = 0.01 - Double(square) * 0.001
      return [(-r, -r), (-r, r), (r, r), (r, -r)].enumerated().map { corner, place in
        let id = first + square * 4 + corner
        return
          #"{"type":"node","id":\#(id),"lat":\#(50 + place.0),"lon":\#(8 + east + place.1)}"#
      }
    }.joined(separator: ",")
  }

  @Test("Joins ways in any direction to rings with holes")
  func rings() throws {
    let map = try MapTexts.overpass(
      Self.squares(2), Self.squares(1, east: 1, first: 101), MapTexts.way(1, [1, 2, 3]),
      MapTexts.way(2, [1, 4, 3]), MapTexts.way(3, [5, 6, 7, 8, 5]), MapTexts.way(4, [102, 101]),
      MapTexts.way(5, [104, 103, 102]), MapTexts.way(6, [104, 101]),
      Self.relation([
        (6, "outer"), (1, "outer"), (3, "inner"), (4, "outer"), (2, "outer"), (5, "outer"),
      ]))
    #expect(map.faults.isEmpty && map.features.map(\.id) == ["relation/9", "relation/9#2"])
    #expect(map.feature("relation/9")?.tags == ["a": "b"])
    guard case .area(let single) = map.features[0].geometry,
      case .area(let holed) = map.features[1].geometry
    else { throw MapReadError.unknownKind(path: "") }
    #expect(single.map { Set($0) } == [[8, 9, 10, 11]])
    #expect(holed.map { Set($0) } == [[0, 1, 2, 3], [4, 5, 6, 7]])
  }

  @Test("Infers inner and outer rings without roles")
  func roles() throws {
    let map = try MapTexts.overpass(
      Self.squares(4), MapTexts.way(1, [1, 2, 3, 4, 1]), MapTexts.way(2, [5, 6, 7, 8, 5]),
      MapTexts.way(3, [9, 10, 11, 12, 9]), MapTexts.way(4, [13, 14, 15, 16, 13]),
      Self.relation([(4, ""), (2, ""), (1, ""), (3, "")]))
    #expect(map.faults.isEmpty)
    let rings = map.features.map { feature -> [[Int]] in
      if case .area(let rings) = feature.geometry { rings } else { [] }
    }
    #expect(rings.map { $0.map { $0.min() ?? 0 } } == [[0, 4], [8, 12]])
  }

  @Test("Reports open rings and missing ways")
  func open() throws {
    let open = try MapTexts.overpass(
      Self.squares(1), MapTexts.way(1, [1, 2, 3]), MapTexts.way(2, [3, 4]),
      Self.relation([(1, "outer"), (2, "outer")]))
    #expect(open.features.isEmpty && open.faults.count == 1)
    #expect(open.faults.first?.problem.contains("do not form a closed ring") ?? false)
    let missing = try MapTexts.overpass(
      Self.squares(1), MapTexts.way(1, [1, 2, 3]), Self.relation([(1, "outer"), (7, "outer")]))
    #expect(missing.features.isEmpty && missing.faults.count == 1)
    #expect(missing.faults.first?.problem.hasPrefix("1 of its 2 ways") ?? false)
    let stray = try MapTexts.overpass(
      Self.squares(1), Self.squares(1, east: 1, first: 101), MapTexts.way(1, [1, 2, 3, 4, 1]),
      MapTexts.way(2, [101, 102, 103, 101]), Self.relation([(1, "outer"), (2, "inner")]))
    #expect(stray.features.count == 1 && stray.faults.count == 1)
  }

  @Test("Reads the outline of a building relation")
  func building() throws {
    let tags = #"{"type":"building","name":"Hall"}"#
    let own = try MapTexts.overpass(
      Self.squares(1), MapTexts.way(1, [1, 2, 3, 4, 1], #"{"building":"yes"}"#),
      Self.relation([(1, "outline")], tags))
    #expect(own.features.map(\.id) == ["way/1"] && own.features[0]["name"] == "Hall")
    let bare = try MapTexts.overpass(
      Self.squares(1), MapTexts.way(1, [1, 2, 3, 4, 1]), Self.relation([(1, "outline")], tags))
    #expect(bare.features.map(\.id) == ["relation/9"] && bare.features[0]["building"] == "yes")
  }

  @Test("Reads members with coordinates from `out geom;`")
  func geometry() throws {
    let places = "[[50,8],[50.1,8],[50.1,8.1],[50,8]]".replacing("],[", with: "}|{")
      .replacing("[[", with: "[{").replacing("]]", with: "}]")
    let objects = places.split(separator: "|").map { part in
      part.replacing("{", with: #"{"lat":"#).replacing(",", with: #","lon":"#)
    }.joined(separator: ",")
    let map = try MapTexts.overpass(
      #"{"type":"relation","id":9,"tags":{"type":"multipolygon","natural":"water"},"members":["#
        + #"{"type":"way","ref":1,"role":"outer","geometry":\#(objects)}]}"#)
    #expect(map.faults.isEmpty && map.feature("relation/9")?.geometry == .area([[0, 1, 2]]))
  }

  @Test("Reports and omits relations with too many points in total")
  func manyPoints() throws {
    let relations = (1...3).map { id in
      #"{"type":"relation","id":\#(id),"members":[{"type":"way","ref":1,"role":"outer"}],"#
        + #""tags":{"type":"multipolygon","natural":"water"}}"#
    }
    let text = [Self.squares(1), MapTexts.way(1, [1, 2, 3, 4, 1])] + relations
    let list = try JSONReader.value(of: Array("[\(text.joined(separator: ","))]".utf8))
    guard case .array(let elements) = list else { throw MapReadError.unknownKind(path: "") }
    var map = GuideMap()
    var reader = OverpassReader(map)
    reader.areaBudget.results = 12
    for element in elements { reader.read(element, into: &map) }
    reader.finish(remark: nil, path: "map.json", into: &map)
    #expect(map.features.map(\.id) == ["relation/1", "relation/2"])
    #expect(map.faults.map(\.title) == ["relation/3"])
  }

  @Test("Reassembles rings from shuffled and reversed pieces")
  func pieces() {
    var random = SplitMix64(seed: 7)
    for _ in 0..<(Verification.isFull ? 300 : 100) {
      let count = Int.random(in: 1...5, using: &random)
      var lines: [[Int]] = []
      var expected: Set<Set<Int>> = []
      for ring in 0..<count {
        // Some rings touch the previous ring at a point.
        let touch = ring > 0 && Bool.random(using: &random)
        let size = Int.random(in: 3...12, using: &random)
        var points = (0..<size).map { ring * 100 + $0 }
        if touch { points[0] = (ring - 1) * 100 }
        expected.insert(Set(points))
        points.append(points[0])
        var start = 0
        while start < size {
          let end = Int.random(in: (start + 1)...size, using: &random)
          let line = Array(points[start...end])
          lines.append(Bool.random(using: &random) ? line : line.reversed())
          start = end
        }
      }
      lines.shuffle(using: &random)
      let assembly = RingAssembly(lines)
      #expect(assembly.open == 0 && Set(assembly.rings.map { Set($0.points) }) == expected)
    }
  }

  @Test("Assigns each line to one ring or counts it as open")
  func anyLines() {
    var random = SplitMix64(seed: 8)
    for _ in 0..<(Verification.isFull ? 500 : 150) {
      let lines = (0..<Int.random(in: 0...30, using: &random)).map { _ in
        (0..<Int.random(in: 0...4, using: &random)).map { _ in Int.random(in: 0...9, using: &random)
        }
      }
      let assembly = RingAssembly(lines)
      let used = assembly.rings.reduce(0) { $0 + $1.lines.count }
      #expect(used + assembly.open == lines.count { !$0.isEmpty })
    }
  }
}

@Suite("Plane rings") struct PlaneRingTests {
  private static func square(_ west: Double, _ east: Double, _ north: Double) -> PlaneRing {
    let places = MapPointDateLineTests.points([
      (west, -north), (east, -north), (east, north), (west, north),
    ])
    return PlaneRing(Array(places.indices), of: places)
  }

  @Test(
    "Tests whether rings contain others, also across the date line",
    arguments: [
      (10, 14, 11, 12, true), (10, 14, 11, 15, false), (10, 14, 15, 16, false),
      (178, -178, 178.5, 179, true), (178, -178, -179, -178.5, true),
      (178, -178, 179, -179, true), (178, -178, 177, 177.5, false), (178, -178, 0, 1, false),
      (178, -178, 179, -177, false),
    ] as [(Double, Double, Double, Double, Bool)])
  func contains(
    west: Double, east: Double, innerWest: Double, innerEast: Double, isInside: Bool
  ) {
    let (outer, inner) = (Self.square(west, east, 2), Self.square(innerWest, innerEast, 1))
    #expect(outer.contains(inner) == isInside && !inner.contains(outer))
    if isInside { #expect(outer.size > inner.size) }
  }

  @Test("The area of a ring is the same across the date line")
  func size() {
    #expect(Self.square(178, -178, 2).size == Self.square(10, 14, 2).size)
  }
}
