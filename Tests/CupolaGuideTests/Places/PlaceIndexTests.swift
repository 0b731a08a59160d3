import CupolaTestSupport
import Testing

@testable import CupolaGuide

@Suite("Place index") struct PlaceIndexTests {
  static func place(
    _ id: String, _ kind: Place.Kind, _ name: String? = nil, _ category: String? = nil,
    ref: String? = nil, tags: [String: String] = [:]
  ) -> Place {
    Place(
      id: id, kind: kind, name: name, category: category, ref: ref,
      position: MapMaker.point(0, 0), tags: tags)
  }

  static let guide = Guide(
    name: "A", attribution: nil, timeZone: nil,
    places: [
      place("way/1", .building, "Library", "university"),
      place("way/2", .building, "Law Library", "library", ref: "LL"),
      place("way/3", .building, "Café Hall", tags: ["alt_name": "Old Mill"]),
      place("way/4", .building, "Hall 3"),
      place("room/1", .room, ref: "3.12"), place("room/2", .room, ref: "3.1"),
      place("room/3", .room, "Lecture Room", "auditorium", ref: "312"),
      place("node/1", .poi, "Café Uno", "cafe"), place("node/2", .poi, nil, "cafe"),
      place("node/3", .poi, nil, "toilets"), place("node/4", .poi, "Toilets", "toilets"),
      place("node/5", .poi, "Reading Nook", "library"),
      place("node/6", .poi, "Bancomat", "atm"), place("node/7", .poi, nil, "drinking_water"),
      place("node/8", .poi, "Green Cross", "ice_cream; pharmacy"),
    ], graph: PathGraph(vertices: [], edges: [], ways: []), ground: [])

  @Test(
    "Resolves a text to a name, a kind or the best match",
    arguments: [
      // Rooms are found by number, with or without the word "room".
      ("room 3.12", ["room/1"]), ("Room 3.12", ["room/1"]), ("3.12", ["room/1"]),
      ("room 3.1", ["room/2"]), ("3.1", ["room/2"]), ("room 3.13", []), ("room 312", ["room/3"]),
      ("lecture room", ["room/3"]),
      // An exact name is ranked above longer names and kinds.
      ("Library", ["way/1"]), ("library", ["way/1"]), ("law library", ["way/2"]),
      ("LL", ["way/2"]), ("old mill", ["way/3"]), ("Hall 3", ["way/4"]),
      ("cafe", ["node/1", "node/2"]), ("café", ["node/1", "node/2"]),
      ("coffee", ["node/1", "node/2"]), ("toilets", ["node/3", "node/4"]),
      ("toilet", ["node/3", "node/4"]), ("wc", ["node/3", "node/4"]),
      ("restroom", ["node/3", "node/4"]), ("atm", ["node/6"]), ("cash", ["node/6"]),
      ("water", ["node/7"]), ("drinking water", ["node/7"]),
      ("chemist", ["node/8"]), ("pharmacy", ["node/8"]), ("ice cream", ["node/8"]),
      ("libary", ["way/1"]), ("law libray", ["way/2"]), ("bancomatt", ["node/6"]),
      ("way/3", ["way/3"]), ("node/7", ["node/7"]), ("room/2", ["room/2"]),
      ("", []), (" ", []), ("?", []), ("zzzz", []), ("library zzzz", []), ("\u{0}", []),
    ])
  func meant(text: String, ids: [String]) {
    #expect(Set(Self.guide.places(matching: text).map(\.id)) == Set(ids))
  }

  @Test("Search returns the best matches first, up to the limit")
  func search() {
    #expect(Self.guide.search("library").map(\.id).prefix(2) == ["way/1", "way/2"])
    #expect(Self.guide.search("cafe", limit: 1).count == 1)
    #expect(Self.guide.search("zzzz") == [])
    #expect(Self.guide.search("hall", limit: 0) == [])
  }

  @Test("Finds many places of one kind quickly")
  func manyOfOneKind() {
    let count = 50_000
    let guide = Guide(
      name: "A", attribution: nil, timeZone: nil,
      places: (0..<count).map {
        Self.place("node/\($0)", .poi, $0 < count / 2 ? "Cafe" : nil, "cafe")
      },
      graph: PathGraph(vertices: [], edges: [], ways: []), ground: [])
    var found: [Place] = []
    #expect(processorTime { found = guide.places(matching: "cafe") } < .seconds(10))
    #expect(found.count == count && Set(found.map(\.id)).count == count)
  }

  @Test("A room number finds that room before others with its digits")
  func numbers() {
    let rooms = [("1.6", "Archive"), ("0.1", "Hall"), ("2.1", "Atrium"), ("1.1", "Studio")]
    let guide = Guide(
      name: "A", attribution: nil, timeZone: nil,
      places: rooms.map { Self.place("node/" + $0.0, .room, $0.1, ref: $0.0) }
        + [
          Self.place("unnamed", .room, ref: "1.1"), Self.place("way/1", .building, "Zoo 1.1 West"),
        ],
      graph: PathGraph(vertices: [], edges: [], ways: []), ground: [])
    for text in ["1.1", "room 1.1", "Room 1.1"] {
      #expect(Set(guide.places(matching: text).map(\.id)) == ["node/1.1", "unnamed"])
      #expect(Set(guide.search(text, limit: 2).map(\.id)) == ["node/1.1", "unnamed"])
    }
    #expect(guide.places(matching: "room 2.1").map(\.id) == ["node/2.1"])
    #expect(guide.places(matching: "2.1").map(\.id) == ["node/2.1"])
    #expect(guide.search("room 1.1").count > 2)
  }

  @Test("An alternative name beats a partial match of another name")
  func otherNames() {
    let library = Self.place(
      "way/1", .building, "図書館",
      tags: ["name:en": "Central Library", "alt_name": "Biblio;Old Books"])
    let guide = Guide(
      name: "A", attribution: nil, timeZone: nil,
      places: [
        library, Self.place("node/1", .poi, "Central Library Café", "cafe"),
        Self.place("node/2", .poi, "Old Books & More", "books"),
      ], graph: PathGraph(vertices: [], edges: [], ways: []), ground: [])
    for text in ["central library", "Old Books", "biblio", "図書館"] {
      #expect(guide.places(matching: text) == [library], "\(text)")
      #expect(guide.search(text).first == library, "\(text)")
    }
    #expect(guide.places(matching: "central library café").map(\.id) == ["node/1"])
    let center = Self.place(
      "way/2", .building, "Center", ref: "12", tags: ["short_name": "NUC"])
    let short = Guide(
      name: "A", attribution: nil, timeZone: nil, places: [center],
      graph: PathGraph(vertices: [], edges: [], ways: []), ground: [])
    for text in ["NUC", "12"] { #expect(short.places(matching: text) == [center], "\(text)") }
    #expect(guide.places(matching: "books").map(\.id) == ["node/2"])
  }

  @Test("Finds places by identifier and by label")
  func identifiers() {
    #expect(Self.guide.place("way/2")?.name == "Law Library")
    #expect(Self.guide.place("way/99") == nil)
    #expect(Self.guide.building(labeled: "Law Library")?.id == "way/2")
    #expect(Self.guide.building(labeled: "Café Uno") == nil)
  }

  @Test("Finds a building by label despite different spelling")
  func spelling() {
    #expect(Self.guide.building(labeled: "law_library")?.id == "way/2")
    #expect(Self.guide.building(labeled: "cafe-hall")?.id == "way/3")
    // Spelling variants that training also accepts.
    for (label, id) in [("lawlibrary", "way/2"), ("ll", "way/2"), ("old_mill", "way/3")] {
      #expect(Self.guide.building(labeled: label)?.id == id, "\(label)")
    }
    for label in ["law", "_library", "", "_", "café_uno"] {
      #expect(Self.guide.building(labeled: label) == nil, "\(label)")
    }
    let twice = Guide(
      name: "A", attribution: nil, timeZone: nil,
      places: ["way/1", "way/2"].map { Self.place($0, .building, "Hall") },
      graph: PathGraph(vertices: [], edges: [], ways: []), ground: [])
    #expect(twice.building(labeled: "hall") == nil)
    #expect(twice.building(labeled: "Hall")?.id == "way/1")
  }

  @Test("Titles are names, else numbers, else kinds")
  func titles() {
    let titles = ["room/1", "room/3", "node/7", "node/3"].map { Self.guide.place($0)?.title }
    #expect(titles == ["room 3.12", "Lecture Room", "drinking water", "toilets"])
    #expect(Self.place("a", .building).title == "building")
  }
}
