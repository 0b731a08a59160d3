import Foundation
import Testing
@testable import CupolaCampus

@Suite("Campus check") struct CampusCheckTests {
  static func feature(_ properties: String, _ geometry: String) -> String {
    #"{"type":"Feature","properties":{\#(properties)},"geometry":\#(geometry)}"#
  }

  static func polygon(_ rings: String) -> String {
    #"{"type":"Polygon","coordinates":[\#(rings)]}"#
  }

  static func point(_ place: String) -> String { #"{"type":"Point","coordinates":[\#(place)]}"# }

  static let ring = "[[10,48],[10.02,48],[10.02,48.01],[10,48.01],[10,48]]"
  static let grounds = feature(#""role":"boundary","name":"Grounds""#, polygon(ring))

  static func check(
    _ features: [String], members: String = "", photos: CampusCheck.Photos? = nil,
    budget: Int = RingCrossings.workLimit
  ) -> CampusCheck {
    let text =
      #"{"type":"FeatureCollection"\#(members),"features":[\#(features.joined(separator: ","))]}"#
    return CampusCheck(geoJSON: Array(text.utf8), photos: photos, budget: budget)
  }

  static func building(_ properties: String, _ geometry: String) -> String {
    feature(#""role":"building",\#(properties)"#, geometry)
  }

  @Test("Reports nothing for a valid map")
  func inOrder() {
    let check = Self.check(
      [Self.grounds, Self.building(#""id":"a""#, Self.point("10.01,48.005"))],
      members:
        #","bbox":[10,48,10.02,48.01],"crs":{"type":"name","properties":{"name":"urn:ogc:def:crs:OGC:1.3:CRS84"}}"#,
      photos: CampusCheck.Photos(labels: ["a", "_street"], positions: []))
    #expect(check.findings == [] && check.fencePolygons == 1 && check.buildings == 1)
  }

  @Test("Locates crossing rings and holes outside their polygon")
  func rings() {
    let bow = Self.polygon("[[10,48],[10.02,48.01],[10.02,48],[10,48.01],[10,48]]")
    let hole = Self.polygon(Self.ring + ",[[11,48],[11.01,48],[11,48.01],[11,48]]")
    let findings = Self.check([
      Self.feature(#""role":"boundary","name":"Bow""#, bow),
      Self.feature(#""role":"boundary","name":"Hole""#, hole),
    ]).findings
    #expect(
      findings == [
        .crossing("Bow", rings: [1, 1], times: 1, longitude: 10.02, latitude: 48),
        .holeOutside("Hole", ring: 2, longitude: 11, latitude: 48),
      ])
  }

  @Test("Finds buildings without a position, outside, swapped, unlabeled or with duplicate labels")
  func buildings() throws {
    let outline = "[[10.03,48],[10.04,48],[10.04,48.01],[10.03,48]]"
    let across = "[[10.015,48.005],[10.03,48.005],[10.03,48.006],[10.015,48.005]]"
    let findings = Self.check([
      Self.grounds, Self.building(#""id":"a","name":"A""#, Self.point("10.01,48.005")),
      Self.building(#""id":"a","name":"B""#, Self.point("10.011,48.005")),
      Self.building(#""id":"c""#, Self.point("48.005,10.01")),
      Self.building(#""height":3"#, Self.point("10.01,48.005")),
      Self.building(#""id":"e""#, "null"), Self.building(#""id":"f""#, Self.polygon(outline)),
      Self.building(#""id":"g""#, Self.polygon(across)),
      Self.building(#""id":"h""#, Self.point("10,195")),
    ]).findings
    #expect(findings.count == 6)
    #expect(findings.first == .fault(.badPosition("h", [10, 195])))
    #expect(findings.contains(.duplicateLabel("a", titles: ["A", "B"])))
    #expect(
      findings.contains(.missingLabel("feature 5")) && findings.contains(.missingPosition("e")))
    let place = try #require(Position(latitude: 10.01, longitude: 48.005))
    #expect(findings.contains(.buildingSwapped("c", place)))
    let outside = findings.compactMap { finding in
      if case .buildingOutside(let title, let meters) = finding { (title, meters) } else { nil }
    }
    #expect(outside.map(\.0) == ["f"] && (1200..<1300).contains(outside[0].1))
  }

  @Test("Reports boundaries without polygons, bounding boxes and reference systems")
  func members() {
    let findings = Self.check(
      [Self.grounds, Self.feature(#""role":"boundary","name":"P""#, Self.point("10,48"))],
      members: #","bbox":[1,2,3],"crs":{"properties":{"name":"EPSG:25832"}}"#
    ).findings
    #expect(
      findings == [
        .otherReferenceSystem("EPSG:25832"), .badBoundingBox("the collection"),
        .boundaryWithoutPolygon("P"),
      ])
    // A university mapped as a point is not a fault.
    let office = Self.feature(#""amenity":"university""#, Self.point("10,48"))
    #expect(Self.check([Self.grounds, office]).findings == [])
    #expect(Self.check([]).findings == [.fault(.noBoundary)])
  }

  @Test("Finds all faults")
  func all() {
    let open = Self.polygon("[[10,48],[10.02,48.01],[10.02,48],[10,48.01]]")
    let findings = Self.check([
      Self.feature(#""role":"boundary","name":"Open""#, open),
      Self.building(#""id":"a""#, Self.point("99,99")), Self.building(#""id":"a""#, "null"),
    ]).findings
    // An open ring is closed for further checks.
    #expect(
      findings.map(\.kind) == [
        "unclosed_ring", "bad_position", "crossing_ring", "missing_place", "duplicate_label",
      ])
  }

  @Test("Finds unmatched labels and photos, and swapped axes")
  func photos() throws {
    let swapped = try #require(Position(latitude: 10.01, longitude: 48.005))
    let findings = Self.check(
      [
        Self.grounds, Self.building(#""id":"a""#, Self.point("10.01,48.005")),
        Self.building(#""id":"b""#, Self.point("10.01,48.005")),
      ],
      photos: CampusCheck.Photos(labels: ["b", "c", "_street"], positions: [swapped])
    ).findings
    #expect(
      findings == [
        .fault(.probablySwapped), .labelWithoutPhotos("a"), .photosWithoutBuilding("c"),
      ])
  }

  @Test("Matches photo labels to building names")
  func names() {
    let hall = Self.building(
      #""id":"way/1","name":"Knott Hall""#, Self.point("10.01,48.005"))
    let check = Self.check(
      [Self.grounds, hall], photos: CampusCheck.Photos(labels: ["knott_hall"], positions: []))
    #expect(check.findings.isEmpty)
  }

  @Test("Accepts a boundary without length")
  func noLength() {
    for ring in ["[[0,90],[9,90],[5,90],[0,90]]", "[[1,2],[1,2],[1,2],[1,2]]"] {
      let grounds = Self.feature(#""role":"boundary","name":"G""#, Self.polygon(ring))
      let check = Self.check([grounds, Self.building(#""id":"a""#, Self.point("10,48"))])
      #expect(check.findings.allSatisfy { $0.kind == "crossing_ring" })
    }
    let open = Self.feature(#""role":"boundary","name":"G""#, Self.polygon("[[10,48]]"))
    let check = Self.check([open, Self.building(#""id":"a""#, Self.point("10,48"))])
    #expect(check.findings.map(\.kind) == ["short_ring"])
  }

  @Test("Reports partial checks if the work limit is reached")
  func budget() {
    func ring(_ places: [(Double, Double)]) -> String {
      let corners = (places + places.prefix(1)).map { "[\($0.0),\($0.1)]" }
      return "[\(corners.joined(separator: ","))]"
    }
    // A block, with 200 edges to its east that every parallel through the circle crosses.
    var outline: [(Double, Double)] = [(10, 49), (10, 48), (12, 48)]
    for tooth in 0...100 {
      let longitude = 12 - Double(tooth) / 100
      outline += [(longitude, 49), (longitude - 0.005, tooth == 100 ? 49 : 48.1)]
    }
    let comb = ring(outline)
    func circle(_ longitude: Double) -> String {
      let turns = (0..<2000).map { Double($0) * Double.pi / 1000 }
      return ring(turns.map { turn in (longitude + 0.3 * cos(turn), 48.55 + 0.3 * sin(turn)) })
    }
    func grounds(_ rings: String) -> String {
      Self.feature(#""role":"boundary","name":"Grounds""#, Self.polygon(rings))
    }
    let hole = [grounds(comb + "," + circle(10.5))]
    let building = [grounds(comb), Self.building(#""id":"a""#, Self.polygon(circle(9.5)))]
    #expect(Self.check(hole).findings == [])
    #expect(Self.check(building).findings.map(\.kind) == ["building_outside"])
    for map in [hole, building] {
      let kinds = Self.check(map, budget: 400_000).findings.map(\.kind)
      #expect(kinds == ["rings_checked_in_part"])
    }
  }

  @Test("Counts skipped features, and names those without tags that tell what they are")
  func skipped() {
    let line = #"{"type":"LineString","coordinates":[[10,48],[10.01,48]]}"#
    let check = Self.check([
      Self.grounds, Self.feature(#""landuse":"grass""#, Self.polygon(Self.ring)),
      Self.feature(#""highway":"path""#, line), Self.feature(#""highway":"steps""#, line),
      Self.feature(#""entrance":"yes""#, Self.point("10,48")),
      Self.feature("", Self.point("10,48")), Self.feature("", "null"),
    ])
    #expect(check.findings.isEmpty && check.buildings == 0)
    #expect(check.skipped.text == "1 polygon, 2 lines and 2 points")
    let unknown = Self.check([
      Self.grounds, Self.feature(#""NAME":"A","landuse":null"#, Self.polygon(Self.ring)),
      Self.feature(#""Type":"Hall""#, Self.polygon(Self.ring)),
      Self.feature(#""name":"B""#, Self.point("10,48")),
    ])
    #expect(unknown.findings == [.notBuildings(polygons: 2, points: 1, names: ["A", "B"])])
    #expect(
      unknown.findings[0].message
        == "2 polygons and 1 point are not buildings: give them building=yes or role building (A, B, ...)"
    )
    #expect(unknown.findings[0].isAdvice)
  }

  @Test("Equal names are advice, equal labels are a fault")
  func duplicates() {
    let barns = [#""name":"Barn""#, #""NAME":"Barn""#].map {
      Self.building($0, Self.point("10.01,48.005"))
    }
    let named = Self.check([Self.grounds] + barns).findings
    #expect(named == [.duplicateName("Barn", count: 2)] && named.allSatisfy(\.isAdvice))
    let other = Self.building(#""label":"Barn","name":"B""#, Self.point("10.01,48.005"))
    let labeled = Self.check([Self.grounds, other] + barns).findings
    #expect(labeled == [.duplicateLabel("Barn", titles: ["B", "Barn", "Barn"])])
  }

  @Test("Reports many buildings without labels in one finding")
  func manyMissingLabels() {
    let bare = Self.building(#""height":3"#, Self.point("10.01,48.005"))
    let few = Self.check([Self.grounds] + Array(repeating: bare, count: 10)).findings
    #expect(few.count == 10 && few.first == .missingLabel("feature 2"))
    let many = Self.check([Self.grounds] + Array(repeating: bare, count: 11)).findings
    #expect(many == [.missingLabel("feature 2 and 10 more")])
  }

  @Test("Invalid JSON is a single finding")
  func noJSON() {
    let check = CampusCheck(geoJSON: Array("{".utf8))
    #expect(check.findings.map(\.kind) == ["not_json"])
  }

  static let findings: [CampusFinding] =
    [
      .crossing("Hall", rings: [1, 1], times: 1, longitude: 1, latitude: 2),
      .crossing("Hall", rings: [1, 2], times: 3, longitude: 1, latitude: 2),
      .crossing("Hall", rings: [1, 2], times: 1000, longitude: 1, latitude: 2),
      .ringsCheckedInPart("Hall", others: 0), .ringsCheckedInPart("Hall", others: 3),
      .holeOutside("Hall", ring: 2, longitude: 1, latitude: 2), .boundaryWithoutPolygon("Hall"),
      .badBoundingBox("Hall"), .otherReferenceSystem("EPSG:3857"),
      .duplicateLabel("hall", titles: ["Hall", "Wall"]),
      .duplicateName("Hall", count: 2), .missingLabel("Hall"),
      .notBuildings(polygons: 1, points: 0, names: ["Hall"]),
      .notBuildings(polygons: 9, points: 2, names: []),
      .fault(.projected("EPSG:3857", example: [1e6, 6e6])),
      .fault(.projected(nil, example: [1e6, 6e6])),
      .missingPosition("Hall"), .buildingOutside("Hall", meters: 12.3), .labelWithoutPhotos("hall"),
      .photosWithoutBuilding("hall"), .fault(.noBoundary),
    ]

  @Test("Every finding is one line and says what to do", arguments: findings)
  func messages(finding: CampusFinding) {
    let message = finding.message
    #expect(message.contains(";") || message.contains(":"))
    #expect(!message.contains("\n") && !message.hasSuffix("."))
  }

  @Test("All findings have different messages")
  func distinct() { #expect(Set(Self.findings.map(\.message)).count == Self.findings.count) }
}

/// Malformed maps, which must give a result or an error.
@Suite("Hostile maps") struct HostileMapTests {
  private static func polygon(_ rings: String...) -> String {
    #"{"type":"Polygon","coordinates":[\#(rings.joined(separator: ","))]}"#
  }

  private static func box(_ west: String, _ south: String, _ east: String, _ north: String)
    -> String
  {
    let corners = [(west, south), (east, south), (east, north), (west, north), (west, south)]
    return "[\(corners.map { "[\($0.0),\($0.1)]" }.joined(separator: ","))]"
  }

  private static let square = box("10", "48", "10.01", "48.01")

  /// Geometries of a fence and a building.
  static let geometries: [String] = [
    polygon("[]"), polygon(), polygon("[[]]"), polygon("[[null,null],[null,null]]"),
    polygon(#"[["10","48"],["10.1","48"],["10.1","48.1"],["10","48"]]"#),
    #"{"type":"Polygon","coordinates":null}"#, #"{"type":"Polygon","coordinates":"10,48"}"#,
    #"{"type":"Polygon"}"#, "null", polygon("[[10,48],[10,48],[10,48],[10,48]]"),
    polygon(box("1e308", "1e308", "1.1e308", "1.1e308")),
    polygon(box("10", "1e308", "11", "-1e308")),
    polygon(box("-1e308", "48", "1e308", "49")), polygon(box("10", "89.5", "11", "90.5")),
    polygon(box("10", "90.5", "11", "91")), polygon(box("10", "0", "10.01", "1e-310")),
    polygon(box("0", "48", "1e-310", "48.01")), polygon(box("0", "0", "1e-310", "1e-310")),
    polygon(box("0", "0", "5e-324", "5e-324")), polygon(box("10", "0", "10.01", "-0.0")),
    polygon(square, "[]"), polygon(square, box("10.001", "48.001", "10.002", "48.001")),
    polygon(box("-1", "-1", "1", "1"), box("0", "0", "0.1", "1e-310")),
    polygon(box("-180", "-90", "180", "90")), polygon("[[0,90],[120,90],[240,90],[0,90]]"),
    polygon("[[0,89],[120,89],[240,89],[360,89],[0,89]]"),
    #"{"type":"MultiPolygon","coordinates":[[],[[]],[[[]]],[[[10,48]]]]}"#,
    #"{"type":"Point","coordinates":[]}"#, #"{"type":"Point","coordinates":[1e308,-1e308]}"#,
    #"{"type":"Point","coordinates":[10,90]}"#, #"{"type":"GeometryCollection","geometries":[]}"#,
  ]

  private static func map(fence: String, building: String) -> [UInt8] {
    let features = [(#""role":"boundary""#, fence), (#""role":"building","id":"hall""#, building)]
      .map { #"{"type":"Feature","properties":{\#($0.0)},"geometry":\#($0.1)}"# }
    return Array(
      #"{"type":"FeatureCollection","features":[\#(features.joined(separator: ","))]}"#.utf8)
  }

  private static let places: [(Double, Double)] = [
    (48.005, 10.005), (0, 0), (0, 10.005), (48, .leastNonzeroMagnitude),
    (.leastNormalMagnitude / 8, 10.005), (90, 0), (-90, 180),
    (0, -180),
  ]

  private static let positions = places.compactMap {
    Position(latitude: $0.0, longitude: $0.1, horizontalError: 0)
  }

  private static func ask(_ bytes: [UInt8]) {
    let check = CampusCheck(
      geoJSON: bytes, photos: .init(labels: ["hall", "tower"], positions: positions))
    for finding in check.findings { #expect(!finding.message.isEmpty && !finding.kind.isEmpty) }
    guard let campus = try? Campus(geoJSON: bytes) else {
      #expect(!check.findings.isEmpty)
      return
    }
    for position in positions {
      #expect(!campus.geofence.signedDistance(to: position).isNaN)
      _ = campus.geofence.side(of: position)
      for near in campus.buildings(near: position, within: 1e9, heading: Heading(degrees: 45)) {
        #expect(near.distance.isFinite && (near.bearing ?? 0).isFinite)
      }
    }
    #expect(BuildingIndex(campus.buildings).search(BuildingQuery("hall")).count == 1)
  }

  @Test("Checks any fence without a crash", arguments: geometries)
  func fences(geometry: String) {
    Self.ask(Self.map(fence: geometry, building: #"{"type":"Point","coordinates":[10.5,48.5]}"#))
  }

  @Test("Checks any building without a crash", arguments: geometries)
  func buildings(geometry: String) {
    Self.ask(Self.map(fence: Self.polygon(Self.square), building: geometry))
    Self.ask(Self.map(fence: geometry, building: geometry))
  }
}
