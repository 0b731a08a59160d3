import Testing

@testable import CupolaGuide
@testable import CupolaGuideBuilder

@Suite("Overpass JSON maps")
struct OverpassReaderTests {
  @Test("Tagged nodes become features; others only points")
  func nodes() throws {
    let map = try MapTexts.overpass(
      #"{"type":"node","id":1,"lat":50,"lon":8}"#,
      #"{"type":"node","id":2,"lat":50.5,"lon":8.25,"tags":{"entrance":"main","level":1,"a":""}}"#)
    #expect(map.points.count == 2 && map.features.count == 1)
    let node = try #require(map.feature("node/2"))
    #expect(node.geometry == .point(1) && node.tags == ["entrance": "main", "level": "1"])
    #expect(map.points[1] == MapPoint(latitude: 50.5, longitude: 8.25))
    #expect(map.faults.isEmpty)
  }

  @Test("Accepts elements in any order")
  func order() throws {
    let nodes = MapTexts.grid(5)
    let way = MapTexts.way(7, [5, 1, 3], #"{"highway":"footway"}"#)
    let first = try MapTexts.overpass(nodes, way)
    let last = try MapTexts.overpass(way, nodes)
    #expect(first.feature("way/7")?.geometry == .line([4, 0, 2]))
    #expect(last.feature("way/7")?.geometry == .line([4, 0, 2]))
    #expect(first.faults.isEmpty && last.faults.isEmpty)
  }

  @Test(
    "Closed ways become areas by OpenStreetMap's rules",
    arguments: [
      (#"{"building":"yes"}"#, true), (#"{"building":"no"}"#, false),
      (#"{"indoor":"room","level":"1"}"#, true), (#"{"indoor":"wall"}"#, false),
      (#"{"indoor":"corridor"}"#, true), (#"{"indoor":"yes","highway":"corridor"}"#, false),
      (#"{"highway":"pedestrian"}"#, false), (#"{"highway":"pedestrian","area":"yes"}"#, true),
      (#"{"highway":"elevator"}"#, true), (#"{"highway":"footway","amenity":"fountain"}"#, false),
      (#"{"amenity":"parking"}"#, true), (#"{"amenity":"parking","area":"no"}"#, false),
      (#"{"landuse":"grass"}"#, true), (#"{"leisure":"track"}"#, false),
      (#"{"leisure":"park"}"#, true), (#"{"barrier":"fence","landuse":"grass"}"#, false),
      (#"{"natural":"water"}"#, true), (#"{"natural":"tree_row"}"#, false),
      (#"{"railway":"rail"}"#, false), (#"{"railway":"platform"}"#, true),
      (#"{"area:highway":"footway"}"#, true), (#"{"name":"x"}"#, false),
    ])
  func areas(tags: String, isArea: Bool) throws {
    let map = try MapTexts.overpass(MapTexts.grid(4), MapTexts.way(1, [1, 2, 3, 4, 1], tags))
    #expect(
      map.feature("way/1")?.geometry == (isArea ? .area([[0, 1, 2, 3]]) : .line([0, 1, 2, 3, 0])))
  }

  @Test("Reads way coordinates from `out geom;`")
  func geometry() throws {
    let places = #"[{"lat":50,"lon":8},null,{"lat":50.1,"lon":8},{"lat":50.2,"lon":8}]"#
    let map = try MapTexts.overpass(
      #"{"type":"way","id":1,"nodes":[1,2,3,4],"geometry":\#(places),"tags":{"highway":"path"}}"#,
      #"{"type":"way","id":2,"geometry":\#(places),"tags":{"highway":"path"}}"#)
    #expect(map.feature("way/1")?.geometry == .line([1, 2]))
    #expect(map.feature("way/2")?.geometry == .line([1, 2]))
    #expect(map.point(ofNode: 3) == 1)
    #expect(map.faults.map(\.title) == ["way/1", "way/2"])
  }

  @Test("Reads a way from `out center;` as a point and reports it")
  func center() throws {
    let map = try MapTexts.overpass(
      #"{"type":"way","id":1,"center":{"lat":50,"lon":8},"tags":{"shop":"books","name":"Q"}}"#)
    #expect(map.feature("way/1")?.geometry == .point(0))
    #expect(map.faults.map(\.title) == ["Q (way/1)"])
    #expect(map.faults.first?.problem.contains("out geom") ?? false)
  }

  @Test("Merges elements printed with and without tags")
  func skeletons() throws {
    let map = try MapTexts.overpass(
      #"{"type":"node","id":1,"lat":50,"lon":8,"tags":{"entrance":"yes"}}"#,
      #"{"type":"node","id":1,"lat":50,"lon":8}"#, #"{"type":"node","id":2,"lat":50,"lon":8.1}"#,
      #"{"type":"way","id":1,"tags":{"highway":"path"}}"#, MapTexts.way(1, [1, 2]))
    #expect(map.faults.isEmpty && map.features.map(\.id) == ["node/1", "way/1"])
    #expect(map.feature("way/1")?.geometry == .line([0, 1]))
  }

  @Test("Joins overlapping maps by nodes and by coordinates")
  func joining() throws {
    let one = #"{"elements":[\#(MapTexts.grid(3)),\#(MapTexts.way(1, [1, 2], #"{"a":"b"}"#))]}"#
    let two =
      #"{"elements":[\#(MapTexts.grid(5)),\#(MapTexts.way(1, [1, 2], #"{"a":"b"}"#)),"#
      + #"\#(MapTexts.way(2, [2, 5], #"{"a":"b"}"#))]}"#
    let line = MapTexts.feature("LineString", "[[8.0001,50],[8.3,50.3]]", #"{"highway":"path"}"#)
    let three = #"{"type":"FeatureCollection","features":[\#(line)]}"#
    for order in [[one, two, three], [three, two, one], [two, three, one]] {
      var map = GuideMap()
      for text in order { try map.read(Array(text.utf8), path: "m") }
      #expect(map.points.count == 6 && map.features.count == 3 && map.faults.isEmpty)
      let street = map.feature("way/1")?.pointNumbers.first
      #expect(street == map.feature("feature/1")?.pointNumbers.first)
    }
  }
}

@Suite("OSM turn restrictions")
struct OverpassRestrictionTests {
  private static let roads =
    MapTexts.grid(4) + "," + MapTexts.way(1, [1, 2], #"{"highway":"service"}"#) + ","
    + MapTexts.way(2, [2, 3], #"{"highway":"service"}"#) + ","
    + MapTexts.way(3, [3, 4], #"{"highway":"service"}"#)

  private static func map(_ members: String, _ tags: String) throws -> GuideMap {
    let list = members.split(separator: " ").map { member in
      let parts = member.split(separator: ":")
      let type = parts[1].hasPrefix("n") ? "node" : "way"
      return #"{"type":"\#(type)","ref":\#(parts[1].dropFirst()),"role":"\#(parts[0])"}"#
    }.joined(separator: ",")
    return try MapTexts.overpass(
      #"{"type":"relation","id":9,"members":[\#(list)],"tags":{"type":"restriction",\#(tags)}}"#,
      roads)
  }

  @Test("Reads restrictions via a node and via ways")
  func vias() throws {
    let node = try Self.map("from:w1 via:n2 to:w2", #""restriction":"no_left_turn""#)
    #expect(
      node.restrictions == [
        TurnRestriction(
          id: "relation/9", isOnly: false, from: "way/1", viaPoint: node.point(ofNode: 2),
          to: "way/2")
      ])
    let ways = try Self.map("to:w3 via:w2 from:w1", #""restriction":"only_straight_on""#)
    #expect(
      ways.restrictions == [
        TurnRestriction(
          id: "relation/9", isOnly: true, from: "way/1", viaPoint: nil, viaWays: ["way/2"],
          to: "way/3")
      ])
    #expect(node.faults.isEmpty && ways.faults.isEmpty)
  }

  @Test("Distinguishes U-turns on one way from turns between ways")
  func turningRound() throws {
    let round = #""restriction":"no_u_turn""#
    #expect(
      try Self.map("from:w1 via:n2 to:w1", round).restrictions.map(\.isTurningRound) == [true])
    #expect(
      try Self.map("from:w1 via:n2 to:w2", round).restrictions.map(\.isTurningRound) == [false])
  }

  @Test("Several from or to ways give several restrictions")
  func several() throws {
    let map = try Self.map("from:w1 from:w3 via:n2 to:w2", #""restriction":"no_entry""#)
    #expect(map.restrictions.map(\.from) == ["way/1", "way/3"])
  }

  @Test("Counts duplicate members once and rejects hundreds of turns")
  func many() throws {
    let twice = try Self.map("from:w1 from:w1 via:n2 to:w2 to:w2", #""restriction":"no_entry""#)
    #expect(twice.restrictions.count == 1 && twice.faults.isEmpty)
    let (from, to) = ((1...11).map { "from:w\($0)" }, (12...21).map { "to:w\($0)" })
    let members = (from + ["via:n2"] + to).joined(separator: " ")
    let many = try Self.map(members, #""restriction":"no_entry""#)
    #expect(many.restrictions.isEmpty && many.faults.map(\.title) == ["relation/9"])
  }

  @Test(
    "Reads only restrictions that always apply to cars",
    arguments: [
      (#""restriction":"no_u_turn""#, 1), (#""restriction:motorcar":"no_u_turn""#, 1),
      (#""restriction":"no_u_turn","except":"bicycle;psv""#, 1),
      (#""restriction":"no_u_turn","except":"psv; motorcar""#, 0),
      (#""restriction":"no_u_turn","except":"motor_vehicle""#, 0),
      (#""restriction:hgv":"no_u_turn""#, 0),
      (#""restriction":"no_right_turn_on_red""#, 0), (#""restriction":"no_left_turn_on_red""#, 0),
      (#""restriction:conditional":"no_u_turn @ (Mo 08:00-09:00)""#, 0),
    ])
  func cars(tags: String, count: Int) throws {
    let map = try Self.map("from:w1 via:n2 to:w2", tags)
    #expect(map.restrictions.count == count && map.faults.isEmpty)
  }

  @Test(
    "Reports invalid restrictions but not ways beyond the map",
    arguments: [
      ("from:w1 to:w2", #""restriction":"no_u_turn""#, 1),
      ("from:w1 via:n2 via:n3 to:w2", #""restriction":"no_u_turn""#, 1),
      ("from:w1 via:n2", #""restriction":"no_u_turn""#, 1),
      ("via:n2 to:w1", #""restriction":"no_u_turn""#, 1),
      ("from:w1 via:n2 to:w2", #""restriction":"left""#, 1),
      ("from:w1 via:n2 to:w77", #""restriction":"no_u_turn""#, 0),
      ("from:w1 via:n77 to:w2", #""restriction":"no_u_turn""#, 0),
      ("from:w1 via:w77 to:w2", #""restriction":"no_u_turn""#, 0),
    ])
  func faults(members: String, tags: String, count: Int) throws {
    let map = try Self.map(members, tags)
    #expect(map.restrictions.isEmpty && map.faults.count == count)
  }
}
