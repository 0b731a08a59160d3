import CupolaTestSupport
import Testing

@testable import CupolaGuide

@Suite("IMDF")
struct IMDFReaderTests {
  private static func map(_ venue: IMDFVenue = IMDFVenue()) throws -> GuideMap {
    let folder = try TemporaryFolder()
    try venue.write(to: folder)
    return try withExtendedLifetime(folder) { try GuideMap(reading: [folder.path]) }
  }

  @Test("Units, levels, buildings and the venue have OpenStreetMap's tags")
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

  @Test("Doors are points of the rings that they are on")
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
    // A corner, a side, and the corridor's five doors and entrance.
    #expect(map.feature("unit/corridor0")?.pointNumbers.count == 10)
    #expect(map.feature("unit/corridor1")?.pointNumbers.count == 9)
  }

  @Test("An emergency exit between two units is no door for visitors")
  func emergencyExit() throws {
    var venue = IMDFVenue()
    venue.addOpening("exit", 0, (1.7, 1), (1.9, 1), #","category":"emergencyexit""#)
    let exit = try #require(try Self.map(venue).feature("opening/exit"))
    #expect(exit["entrance"] == "emergency" && !Entrances.isOpen(exit))
  }

  @Test("Stairs and elevators join the floors")
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

  @Test("Relationships join what does not lie above each other")
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

  @Test("What is wrong is said, a line each, and the rest is used")
  func faults() throws {
    var venue = IMDFVenue()
    venue.addUnit("lost", 7, "room", IMDFVenue.box(5, 5, 6, 6))
    venue.addUnit("r00", 0, "room", IMDFVenue.box(5, 5, 6, 6))
    venue.addOpening("far", 0, (9, 9), (9.1, 9))
    venue.addOpening("near", 0, (0.4, 1.02), (0.6, 1.02))
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
    #expect(map.feature("unit/r00")?["name"] == "001" && map.feature("elevator/lift0") != nil)
  }

  @Test("Of what must lie somewhere null geometries are said, of all else they are not")
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

  @Test("English is English of any region, and else the first of the languages")
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

  @Test("Missing and damaged files")
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
