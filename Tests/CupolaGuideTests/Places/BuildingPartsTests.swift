import Testing

@testable import CupolaGuide

@Suite("BuildingParts") struct BuildingPartsTests {
  /// Two squares, 70 m apart.
  private static let twins = """
    [[[[8,50],[8.001,50],[8.001,50.001],[8,50.001],[8,50]]],
     [[[8.002,50],[8.003,50],[8.003,50.001],[8.002,50.001],[8.002,50]]]]
    """

  private static func cafe(_ longitude: Double) -> String {
    MapTexts.feature("Point", "[\(longitude),50.0005]", #"{"amenity":"cafe"}"#)
  }

  @Test(
    "A place in any part of a building is in that building",
    arguments: [
      (#"{"@id":"relation/5","building":"yes","name":"Twins"}"#, "relation/5", true),
      (#"{"role":"building","id":"twins","name":"Twins"}"#, "twins", true),
      (#"{"role":"building","id":"twins"}"#, "twins", true),
      (#"{"@id":"relation/5","building":"yes"}"#, "relation/5", false),
    ])
  func places(properties: String, id: String, isNamed: Bool) throws {
    let map = try MapTexts.features(
      MapTexts.feature("MultiPolygon", Self.twins, properties), Self.cafe(8.0005),
      Self.cafe(8.0025),
      MapTexts.feature(
        "Polygon", "[[[8.0021,50.0001],[8.0024,50.0001],[8.0024,50.0004],[8.0021,50.0001]]]",
        #"{"indoor":"room","level":"0","ref":"7"}"#))
    let guide = GuideBuilder(map).guide
    let inside = guide.places.filter { $0.kind != .building }
    #expect(inside.map(\.kind) == [.room, .poi, .poi])
    #expect(inside.map(\.building) == [id, id, id])
    #expect(guide.places.filter { $0.kind == .building }.map(\.id) == (isNamed ? [id] : []))
    #expect(guide.ground.filter { $0.kind == .building }.map(\.id) == [id, id])
  }

  @Test("Buildings of one identifier and other names, or of identifiers with a #, are no parts")
  func others() {
    var maker = MapMaker()
    for (number, (id, name)) in [
      ("a", "North"), ("a#2", "South"), ("a#3", "South"), ("b#1", "Hall"), ("b#2", "Hall"),
      ("c", "Shed"), ("c#east", "Shed"),
    ].enumerated() {
      let x = Double(number) * 50
      maker.building(id, name, x: x...(x + 40), y: 0...40)
      maker.node("node/\(number)", (x + 20, 20), ["amenity": "cafe"])
    }
    let places = maker.guide.places
    #expect(
      places.filter { $0.kind == .building }.map(\.id) == ["a", "a#2", "b#1", "b#2", "c", "c#east"])
    #expect(
      places.filter { $0.kind == .poi }.map(\.building) == [
        "a", "a#2", "a#2", "b#1", "b#2", "c", "c#east",
      ])
  }

  @Test("A place in a part is entered by the doors of that part, a building by those of all parts")
  func doors() {
    var maker = MapMaker()
    maker.line("way/1", [(-20, -10), (200, -10)], ["highway": "footway"])
    maker.building("relation/5", "Twins", x: 0...40, y: 0...20, passing: [(40, 10)])
    maker.building("relation/5#2", "Twins", x: 100...140, y: 0...20, passing: [(140, 10)])
    maker.building("relation/5#3", "Twins", x: 200...240, y: 0...20, passing: [(240, 10)])
    maker.node("node/1", (40, 10), ["entrance": "yes", "name": "West"])
    maker.node("node/2", (140, 10), ["entrance": "yes", "name": "East"])
    maker.node("node/5", (240, 10), ["entrance": "yes", "name": "Far East"])
    maker.node("node/3", (20, 10), ["amenity": "cafe"])
    maker.node("node/4", (120, 10), ["amenity": "cafe"])
    let guide = maker.guide
    func names(_ id: String) -> [String?]? { guide.place(id)?.doors.map(\.name) }
    #expect(names("relation/5") == ["West", "East", "Far East"])
    #expect(names("node/3") == ["West"] && names("node/4") == ["East"])
  }

  @Test("No part of the building that a way leads to is a landmark of it")
  func landmarks() throws {
    var maker = MapMaker()
    maker.addCrossing()
    maker.building("relation/5", "Twins", x: 105...120, y: 80...95)
    maker.building("relation/5#2", "Twins", x: 80...95, y: 10...30)
    maker.node("node/1", (110, 90), ["amenity": "cafe"])
    maker.node("node/2", (90, 20), ["amenity": "bar"])
    let guide = maker.guide
    for id in ["relation/5", "node/1", "node/2"] {
      let goal = try #require(guide.place(id))
      let route = try guide.directions().route(from: MadeCampus.end(20, 0), to: .place(goal))
      let texts = route.maneuvers.map(\.text)
      #expect(texts.contains("Turn left onto North Street"), "\(texts)")
    }
  }
}
