import CupolaTestSupport
import Testing

@testable import CupolaCampus

@Suite("Label matching") struct LabelMatchingTests {
  private static func feature(_ id: String, _ properties: String) -> String {
    #"{"type":"Feature","id":"\#(id)","properties":{"building":"yes",\#(properties)},"#
      + #""geometry":\#(GeoJSONText.point("[0.5,0.5]"))}"#
  }

  private static func campus(_ features: [String]) throws -> Campus {
    try Campus(
      geoJSON: GeoJSONText.collection(
        [GeoJSONText.boundary("[\(GeoJSONText.square(0, 0, halfSide: 1))]")] + features))
  }

  private static let openStreetMap = [
    feature("way/1", #""name":"Knott Hall""#), feature("way/2", #""name":"Café de l'Étoile""#),
    feature("way/3", #""name":"Hall of Science","ref":"B-12""#),
    feature("way/4", #""tags":{"building":"yes","name":"Old","alt_name":"Main;Great Hall"}"#),
    feature("way/5", #""name":"Theodore Hesburgh Library""#),
    feature("way/6", #""name":"Barn""#), feature("way/7", #""name":"Barn""#),
    feature("way/8", #""name":"Hall 1""#), feature("lyons", #""name":"Lyons Hall""#),
  ]

  private static func matching(_ labels: String...) throws -> LabelMatching {
    LabelMatching(labels, try campus(openStreetMap).buildings)
  }

  @Test(
    "Matches a label to the only building with that name",
    arguments: [
      ("knott_hall", "way/1"), ("Knott-Hall", "way/1"), ("KNOTTHALL", "way/1"),
      ("cafe_de_letoile", "way/2"), ("b12", "way/3"), ("great_hall", "way/4"), ("hall_1", "way/8"),
      ("Way 5", "way/5"),
    ])
  func joined(label: String, building: String) throws {
    let matching = try Self.matching(label, "_street")
    #expect(matching.joined.map(\.label) == [label] && matching.doubtful.isEmpty)
    #expect(matching.joined.map(\.building.label) == [building])
  }

  @Test(
    "Ambiguous and similar names are doubtful"
  )
  func doubtful() throws {
    #expect(try Self.matching("barn").doubtful.map(\.building.label) == ["way/6"])
    let near = try Self.matching("hesburgh_library")
    #expect(near.joined.isEmpty)
    #expect(near.doubtful.map(\.title) == ["Theodore Hesburgh Library (way/5)"])
    let two = try Self.matching("knott_hall", "knott-hall")
    #expect(two.joined.isEmpty && two.doubtful.count == 2)
  }

  @Test("Different numbers never match; nor do buildings that already have photos")
  func others() throws {
    #expect(try Self.matching("hall_11", "hall_2", "x", "gate").doubtful.isEmpty)
    let named = try Self.matching("lyons", "lyons_hall")
    #expect(named.joined.isEmpty && named.doubtful.isEmpty)
  }

  @Test("Joining changes only labels")
  func map() throws {
    let map = try Self.campus(Self.openStreetMap + [Self.feature("Nameless Hall", #""height":3"#)])
    let joined = map.joined(
      by: LabelMatching(["knott_hall", "great_hall", "nameless_hall"], map.buildings))
    #expect(joined.buildings.count == map.buildings.count && joined.geofence == map.geofence)
    #expect(joined.building(labeled: "knott_hall")?.name == "Knott Hall")
    #expect(joined.building(labeled: "great_hall")?.name == "Old")
    #expect(joined.building(labeled: "nameless_hall")?.name == "Nameless Hall")
    #expect(joined.building(labeled: "way/1") == nil)
    #expect(joined.building(labeled: "way/5") == map.building(labeled: "way/5"))
    #expect(try Campus(geoJSON: joined.geoJSON()) == joined)
  }
}
