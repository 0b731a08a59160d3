import CupolaTestSupport
import Testing

@testable import CupolaGuide
@testable import CupolaGuideBuilder

@Suite("IMDF maps")
struct IMDFReaderTests {
  private static func map(_ venue: IMDFVenue = IMDFVenue()) throws -> GuideMap {
    let folder = try TemporaryFolder()
    try venue.write(to: folder)
    return try withExtendedLifetime(folder) { try GuideMap(reading: [folder.path]) }
  }

  @Test("Converts units, levels, buildings and the venue to OSM tags")
  func tags() throws {
    let map = try Self.map()
    #expect(map.faults.isEmpty, "\(map.faults)")
    func tags(_ id: String) -> [String: String]? { map.feature(id)?.tags }
    #expect(
      tags("venue/v") == ["cupola:role": "boundary", "amenity": "university", "name": "College"])
    #expect(
      tags("building/b") == [
        "building": "yes", "name": "Saal", "addr:full": "1 Main Street", "addr:city": "Town",
        "addr:postcode": "123",
      ])
    #expect(
      tags("level/l1") == [
        "indoor": "level", "level": "1", "level:ref": "1F", "name": "Floor 1",
      ])
    #expect(tags("unit/corridor0") == ["indoor": "corridor", "level": "0"])
    #expect(tags("unit/r00") == ["indoor": "room", "room": "office", "level": "0", "name": "001"])
    #expect(
      tags("unit/r01") == [
        "indoor": "room", "level": "0", "name": "Bean", "ref": "002", "amenity": "cafe",
        "opening_hours": "Mo-Fr 08:00-17:00",
      ])
    #expect(
      tags("unit/r02") == [
        "indoor": "room", "room": "toilets", "amenity": "toilets", "female": "yes",
        "wheelchair": "yes", "level": "0",
      ])
    #expect(tags("unit/r12") == ["indoor": "room", "access": "private", "level": "1"])
    #expect(tags("amenity/m") == ["amenity": "atm", "level": "1"])
    #expect(
      tags("occupant/o2") == ["name": "Second", "imdf:category": "shoes", "level": "0"])
    #expect(tags("kiosk/k")?["level"] == "0")
  }

  @Test("Adds doors to the rings on which they lie")
  func doors() throws {
    let map = try Self.map()
    for (door, spaces) in [
      ("door01", ["r01", "corridor0"]), ("door12", ["r12", "corridor1"]),
      ("stairdoor1", ["stairs1", "corridor1"]), ("liftdoor0", ["lift0", "corridor0"]),
      ("entry", ["corridor0"]),
    ] {
      let feature = try #require(map.feature("opening/" + door))
      let point = try #require(feature.pointNumbers.first)
      #expect(feature["door"] == "sliding" && feature["automatic_door"] == "yes")
      for space in spaces {
        #expect(map.feature("unit/" + space)?.pointNumbers.contains(point) ?? false, "\(door)")
      }
      #expect((feature["entrance"] != nil) == (door == "entry"))
    }
    let entry = try #require(map.feature("opening/entry"))
    #expect(entry["entrance"] == "main" && entry["level"] == "0")
    let outline = try #require(map.feature("building/b"))
    #expect(outline.pointNumbers.count == 5)
    #expect(outline.pointNumbers.contains(entry.pointNumbers[0]))
    #expect(map.feature("unit/corridor0")?.pointNumbers.count == 10)
    #expect(map.feature("unit/corridor1")?.pointNumbers.count == 9)
  }

  @Test("An emergency exit between two units is not a door for visitors")
  func emergencyExit() throws {
    var venue = IMDFVenue()
    venue.addOpening("exit", 0, (1.7, 1), (1.9, 1), #","category":"emergencyexit""#)
    let exit = try #require(try Self.map(venue).feature("opening/exit"))
    #expect(exit["entrance"] == "emergency" && !Entrances.isOpen(exit))
  }

  private static func meters(_ guide: Guide, _ from: String, _ to: String) throws -> Double {
    let ends = try [from, to].map { RouteEnd.place(try #require(guide.place($0))) }
    return try guide.directions().route(from: ends[0], to: ends[1]).meters
  }

  @Test("An opening connects units on both sides of a wall of up to half a meter")
  func thickWall() throws {
    // The gaps are 29 cm and 72 cm wide.
    for (x, isConnected) in [(3.04, true), (3.1, false)] {
      var venue = IMDFVenue()
      venue.addUnit("annex", 0, "office", IMDFVenue.box(x, 1, 4, 2), name: "Annex")
      venue.addOpening("annexdoor", 0, (3, 1.4), (3, 1.6))
      let builder = GuideBuilder(try Self.map(venue))
      if isConnected {
        #expect(try (20...40).contains(Self.meters(builder.guide, "unit/annex@0", "unit/r00@0")))
      } else {
        #expect(GuideCheck(builder).findings.contains(.roomCutOff("Annex (unit/annex)")))
      }
    }
  }

  @Test("Open units that touch are connected without a shared corner or an opening")
  func openUnits() throws {
    for (kind, isConnected) in [("walkway", true), ("unenclosedarea", true), ("structure", false)] {
      var venue = IMDFVenue()
      venue.addUnit("hall", 1, kind, IMDFVenue.box(3.005, 1.2, 4, 1.8))
      venue.addUnit("shop", 1, "room", IMDFVenue.box(4, 1, 5, 2), name: "Shop")
      venue.addOpening("shopdoor", 1, (4, 1.4), (4, 1.6))
      let guide = GuideBuilder(try Self.map(venue)).guide
      if isConnected {
        #expect(try (25...50).contains(Self.meters(guide, "unit/shop@1", "unit/r10@1")), "\(kind)")
      } else {
        #expect(throws: (any Error).self, "\(kind)") {
          _ = try Self.meters(guide, "unit/shop@1", "unit/r10@1")
        }
      }
    }
  }

  @Test("Reports a named room whose door leads nowhere")
  func isolated() throws {
    var venue = IMDFVenue()
    venue.addUnit("closet", 0, "office", IMDFVenue.box(4, 1, 4.2, 1.2), name: "Closet")
    venue.addUnit("cabin", 0, "office", IMDFVenue.box(4.2, 1, 4.4, 1.2), name: "Cabin")
    venue.addOpening("between", 0, (4.2, 1.05), (4.2, 1.1))
    let findings = GuideCheck(GuideBuilder(try Self.map(venue))).findings
    #expect(findings.contains(.roomIsolated("Closet (unit/closet)")))
    #expect(findings.contains(.roomIsolated("Cabin (unit/cabin)")))
  }

  @Test(
    "In a real venue, each named unit is reachable or reported",
    .enabled(if: MapTexts.exist, MapTexts.missingReason))
  func realVenue() throws {
    let builder = GuideBuilder(try GuideMap(reading: [MapTexts.guide("indoor/cpc4-imdf")]))
    let reported = Set(GuideCheck(builder).findings.map(\.subject))
    let rooms = builder.guide.places.filter { $0.kind == .room && $0.name != nil }
    let start = try #require(rooms.first { $0.name == "Kim's office" })
    let directions = builder.guide.directions()
    var reached = 0
    for room in rooms {
      let isReached = (try? directions.route(from: .place(start), to: .place(room))) != nil
      if isReached, !room.doors.isEmpty {
        reached += 1
      } else {
        let id = room.id.prefix { $0 != "@" }
        #expect(reported.contains { $0.contains(id) }, "\(room.title)")
      }
    }
    // 6 of the 18 units have names, and 4 are named after their occupants. The names of the others are placeholders. Two
    // named rooms have no doors.
    #expect(rooms.count == 10 && reached == 8)
  }

  @Test("Placeholders are not names, and are reported with their number")
  func placeholders() throws {
    var venue = IMDFVenue()
    venue.addUnit("r13", 1, "office", IMDFVenue.box(4, 2, 4.2, 2.2), name: "input name here")
    venue.addUnit("r14", 1, "office", IMDFVenue.box(4.3, 2, 4.5, 2.2), name: "Untitled")
    venue.addUnit("r15", 1, "office", IMDFVenue.box(4.6, 2, 4.8, 2.2), name: "Name Registry")
    let map = try Self.map(venue)
    #expect(["r13", "r14"].allSatisfy { map.feature("unit/" + $0)?["name"] == nil })
    #expect(map.feature("unit/r15")?["name"] == "Name Registry")
    #expect(
      map.faults.map(\.description) == [
        "unit.geojson: 2 names are placeholders (input name here); enter the names on the signs, "
          + "or delete the placeholders"
      ])
  }

  @Test("Stairs and elevators connect the floors")
  func shafts() throws {
    let map = try Self.map()
    let lift = try #require(map.feature("elevator/lift0"))
    #expect(lift.tags == ["highway": "elevator", "level": "0;1"])
    #expect(lift.geometry == map.feature("opening/liftdoor0")?.geometry)
    #expect(map.feature("unit/lift1")?.pointNumbers.contains(lift.pointNumbers[0]) ?? false)
    let steps = try #require(map.feature("stairs/stairs0/stairs1"))
    #expect(
      steps.tags == ["highway": "steps", "level": "0;1", "indoor": "yes", "incline": "up"])
    guard case .line(let ends) = steps.geometry else { throw MapReadError.unknownKind(path: "") }
    #expect(ends.count == 2 && ends[0] != ends[1])
    #expect(map.feature("unit/stairs0")?.pointNumbers.contains(ends[0]) ?? false)
    #expect(map.feature("unit/stairs1")?.pointNumbers.contains(ends[1]) ?? false)
  }

  @Test("Relationships connect units that are not above each other")
  func relationships() throws {
    var venue = IMDFVenue()
    venue.addUnit("e0", 0, "escalator", IMDFVenue.box(2, 2, 2.2, 3))
    venue.addUnit("e1", 1, "escalator", IMDFVenue.box(2.5, 2, 2.7, 3))
    venue.addUnit("x1", 1, "elevator", IMDFVenue.box(1, 2.5, 1.3, 2.8))
    venue.addUnit("alone", 1, "elevator", IMDFVenue.box(2.8, 2.5, 2.9, 2.8))
    venue.add(
      "relationship", "s",
      #""category":"escalator","direction":"directed","origin":{"id":"e1","feature_type":"unit"},"destination":{"id":"e0","feature_type":"unit"}"#
    )
    venue.add(
      "relationship", "t",
      #""category":"elevator","direction":"undirected","origin":{"id":"lift0"},"destination":{"id":"x1"}"#
    )
    venue.add("relationship", "u", #""origin":{"id":"r00"},"destination":{"id":"r10"}"#)
    venue.add("relationship", "w", #""origin":7,"destination":null"#)
    let map = try Self.map(venue)
    let escalator = try #require(map.feature("escalator/e0/e1"))
    #expect(escalator["conveying"] == "forward" && escalator["incline"] == "down")
    #expect(map.feature("unit/e1")?.pointNumbers.contains(escalator.pointNumbers[0]) ?? false)
    let way = try #require(map.feature("elevator/lift0/1"))
    #expect(way["highway"] == "corridor" && way["level"] == "1")
    #expect(way.pointNumbers.last == map.feature("elevator/lift0")?.pointNumbers.first)
    #expect(map.feature("elevator/alone") == nil && map.faults.isEmpty)
  }

  @Test("Reports each error on its own line and uses the rest")
  func faults() throws {
    var venue = IMDFVenue()
    venue.addUnit("lost", 7, "room", IMDFVenue.box(5, 5, 6, 6))
    venue.addUnit("r00", 0, "room", IMDFVenue.box(5, 5, 6, 6))
    venue.addOpening("far", 0, (9, 9), (9.1, 9))
    venue.addOpening("near", 0, (0.4, 1.06), (0.6, 1.06))
    venue.addOpening("one", 0, (0.4, 0.04), (0.6, 0.04))
    venue.addOpening("none", 3, (0, 0), (1, 1))
    venue.addOpening("short", 0, (0, 0), (0, 0))
    venue.add("level", "l9", #""ordinal":"1""#, IMDFVenue.box(0, 0, 1, 1))
    venue.add("occupant", "o9", #""name":{},"anchor_id":"none""#)
    venue.files["unit", default: []] += ["null", #"{"type":"Feature"}"#]
    let map = try Self.map(venue)
    #expect(
      map.faults.map(\.title).sorted() == [
        "level/l9", "occupant/o9", "opening/far", "opening/near", "opening/none",
        "opening/short", "opening/short", "unit.geojson", "unit/lost", "unit/r00",
      ])
    // An opening in the outer wall leads outside, even if it is not exactly on the outlines.
    #expect(map.feature("opening/one")?["entrance"] == "yes")
    #expect(map.feature("opening/near")?["entrance"] == nil)
    #expect(map.feature("unit/r00")?["name"] == "001" && map.feature("elevator/lift0") != nil)
  }

  @Test("Reports null geometries only where a geometry is required")
  func unlocated() throws {
    var venue = IMDFVenue()
    for file in ["amenity", "anchor", "footprint", "kiosk", "level", "opening", "unit", "venue"] {
      venue.add(file, "x", #""ordinal":9,"level_id":"l0","name":{"en":"X"}"#)
    }
    for file in ["address", "building", "occupant", "relationship"] {
      venue.add(file, "x", #""anchor_id":"n""#)
    }
    let map = try Self.map(venue)
    #expect(
      map.faults.map(\.title).sorted() == [
        "X (amenity/x)", "X (anchor/x)", "X (footprint/x)", "X (kiosk/x)", "X (level/x)",
        "X (opening/x)", "X (unit/x)", "X (venue/x)",
      ])
  }

  @Test("Prefers English of any region, then the first language")
  func languages() throws {
    var venue = IMDFVenue()
    let names = [
      #"{"de":"Labor","en-US":"Lab"}"#, #"{"en-GB":"Lift","en":"Elevator","de":"Aufzug"}"#,
      #"{"fr":"Salle","es":"Sala"}"#,
    ]
    for (number, name) in names.enumerated() {
      let place = IMDFVenue.point(2, 1.5)
      venue.add("amenity", "x\(number)", #""category":"atm","name":\#(name)"#, place)
    }
    let map = try Self.map(venue)
    let found = (0..<3).map { map.feature("amenity/x\($0)")?["name"] }
    #expect(found == ["Lab", "Elevator", "Sala"])
  }

  @Test("Rejects truncated files and reports missing ones")
  func damage() throws {
    var venue = IMDFVenue()
    venue.files["unit"] = nil
    #expect(try Self.map(venue).faults.contains { $0.title == "unit.geojson" })
    let folder = try TemporaryFolder()
    try IMDFVenue().write(to: folder)
    for name in ["unit", "opening", "level", "occupant", "relationship"] {
      let whole = (try? folder.bytes(name + ".geojson")) ?? Array(#"{"features":[]}"#.utf8)
      for length in stride(from: 0, to: whole.count, by: 997) {
        try folder.write(Array(whole.prefix(length)), to: name + ".geojson")
        #expect(throws: MapReadError.self) { try GuideMap(reading: [folder.path]) }
      }
      try folder.write("[]", to: name + ".geojson")
      #expect(throws: MapReadError.self) { try GuideMap(reading: [folder.path]) }
      try folder.write(whole, to: name + ".geojson")
    }
  }
}

/// A venue with two floors for tests. Each floor has a corridor, with three rooms to its south, and stairs and an
/// elevator to its north. The entrance is at the western end.
struct IMDFVenue {
  var files: [String: [String]] = [:]

  init() {
    files["manifest"] = []
    add(
      "venue", "v", #""category":"university","name":{"de":"Hochschule","en":"College"}"#,
      Self.box(-1, -1, 5, 5))
    add(
      "building", "b",
      #""category":"unspecified","name":{"fr":"Salle","de":"Saal"},"address_id":"a""#)
    add("address", "a", #""address":"1 Main Street","locality":"Town","postal_code":"123""#)
    add(
      "footprint", "f1", #""category":"aerial","building_ids":["b"]"#,
      Self.box(-0.1, -0.1, 3.1, 3.1))
    add("footprint", "f2", #""category":"ground","building_ids":["b"]"#, Self.box(0, 0, 3, 3))
    for level in 0...1 {
      add(
        "level", "l\(level)",
        #""category":"unspecified","ordinal":\#(level),"name":{"en":"Floor \#(level)"},"short_name":{"en":"\#(level)F"}"#,
        Self.box(0, 0, 3, 3))
      addUnit("corridor\(level)", level, "walkway", Self.box(0, 1, 3, 2))
      addUnit("stairs\(level)", level, "stairs", Self.box(0, 2, 0.5, 3))
      addUnit("lift\(level)", level, "elevator", Self.box(1, 2, 1.3, 2.3))
      addOpening("stairdoor\(level)", level, (0.2, 2), (0.3, 2))
      addOpening("liftdoor\(level)", level, (1.1, 2), (1.2, 2))
      for room in 0..<3 {
        let x = Double(room)
        addOpening("door\(level)\(room)", level, (x + 0.4, 1), (x + 0.6, 1))
      }
    }
    addUnit("r00", 0, "office", Self.box(0, 0, 1, 1), name: "001")
    addUnit("r01", 0, "room", Self.box(1, 0, 2, 1), name: "002")
    addUnit("r02", 0, "restroom.female.wheelchair", Self.box(2, 0, 3, 1))
    addUnit("r10", 1, "classroom", Self.box(0, 0, 1, 1), name: "101")
    addUnit("r11", 1, "conferenceroom", Self.box(1, 0, 2, 1), name: "102")
    addUnit("r12", 1, "nonpublic", Self.box(2, 0, 3, 1))
    addOpening("entry", 0, (0, 1.4), (0, 1.6), #","category":"pedestrian.principal""#)
    add("anchor", "n", #""unit_id":"r01""#, Self.point(1.5, 0.5))
    add(
      "occupant", "o",
      #""name":{"en":"Bean"},"category":"coffee","anchor_id":"n","hours":"Mo-Fr 08:00-17:00""#)
    add("occupant", "o2", #""name":{"en":"Second"},"category":"shoes","anchor_id":"n""#)
    add(
      "amenity", "m", #""category":"atm","unit_ids":["corridor1"],"name":null"#, Self.point(2, 1.5))
    add("kiosk", "k", #""level_id":"l0","name":{"en":"News"}"#, Self.box(2.5, 1.5, 2.7, 1.7))
  }

  mutating func add(_ file: String, _ id: String, _ properties: String, _ geometry: String = "null")
  {
    files[file, default: []].append(
      #"{"type":"Feature","feature_type":"\#(file)","id":"\#(id)","geometry":\#(geometry),"properties":{\#(properties)}}"#
    )
  }

  mutating func addUnit(
    _ id: String, _ level: Int, _ category: String, _ geometry: String, name: String? = nil
  ) {
    let label = name.map { #"{"en":"\#($0)"}"# } ?? "null"
    add(
      "unit", id,
      #""category":"\#(category)","level_id":"l\#(level)","name":\#(label),"restriction":null"#,
      geometry)
  }

  mutating func addOpening(
    _ id: String, _ level: Int, _ from: (Double, Double), _ to: (Double, Double),
    _ more: String = ""
  ) {
    add(
      "opening", id, #""level_id":"l\#(level)","door":{"type":"sliding","automatic":true}\#(more)"#,
      #"{"type":"LineString","coordinates":[\#(Self.place(from.0, from.1)),\#(Self.place(to.0, to.1))]}"#
    )
  }

  /// Converts tens of meters, east and north of the venue's corner, to degrees.
  static func place(_ x: Double, _ y: Double) -> String { "[\(8 + x * 1e-4),\(50 + y * 1e-4)]" }

  static func point(_ x: Double, _ y: Double) -> String {
    #"{"type":"Point","coordinates":\#(place(x, y))}"#
  }

  static func box(_ west: Double, _ south: Double, _ east: Double, _ north: Double) -> String {
    let corners = [(west, south), (east, south), (east, north), (west, north), (west, south)]
    let ring = corners.map { place($0.0, $0.1) }.joined(separator: ",")
    return #"{"type":"Polygon","coordinates":[[\#(ring)]]}"#
  }

  func write(to folder: TemporaryFolder) throws {
    try folder.write(#"{"version":"1.0.0","language":"en"}"#, to: "manifest.json")
    for (name, features) in files where name != "manifest" {
      try folder.write(
        #"{"type":"FeatureCollection","name":"\#(name)","features":[\#(features.joined(separator: ","))]}"#,
        to: name + ".geojson")
    }
  }
}
