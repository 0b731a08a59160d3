import Cupola
import CupolaTestSupport
import Testing
@testable import CupolaCampus
@testable import CupolaSupport

@Suite("Map errors") struct CampusErrorTests {
  @Test(
    "Reports errors in boundaries",
    arguments: [
      ("[]", CampusError.emptyPolygon("Grounds")),
      ("[[]]", .unclosedRing("Grounds", ring: 1)),
      ("[[[0,0],[1,0],[1,1],[0,1]]]", .unclosedRing("Grounds", ring: 1)),
      ("[[[0,0],[1,0],[0,0]]]", .shortRing("Grounds", ring: 1)),
      (
        "[[[0,0],[9,0],[9,9],[0,0]],[[1,1],[2,1],[2,2],[1,2]]]",
        .unclosedRing("Grounds", ring: 2)
      ),
      ("[[[0,0],[9,0],[9,9],[0,0]],[[1,1],[2,1],[1,1]]]", .shortRing("Grounds", ring: 2)),
      (
        "[[[49.26,-123.25],[49.27,-123.25],[49.27,-123.24],[49.26,-123.25]]]",
        .swappedCoordinates("Grounds", [49.26, -123.25])
      ),
      ("[[[0,0],[200,0],[1,1],[0,0]]]", .badPosition("Grounds", [200, 0])),
      ("[[[0,0],[180.5,91],[1,1],[0,0]]]", .badPosition("Grounds", [180.5, 91])),
      ("[[[0,0],[7],[1,1],[0,0]]]", .badPosition("Grounds", [7])),
      ("[[[0,0],[],[1,1],[0,0]]]", .badPosition("Grounds", [])),
    ])
  func boundaries(rings: String, fault: CampusError) {
    #expect(throws: fault) {
      try Campus(geoJSON: GeoJSONText.collection([GeoJSONText.boundary(rings)]))
    }
  }

  @Test("Rejects a map without a boundary")
  func noBoundary() {
    let point = GeoJSONText.point("[0,0]")
    for features in [
      [], [GeoJSONText.feature(#"{"role":"building","id":"a"}"#, point)],
      [GeoJSONText.feature(#"{"role":"boundary"}"#, point)],
      [GeoJSONText.feature(#"{"role":"boundary"}"#, "null")],
      [GeoJSONText.feature(#"{"role":"boundary"}"#, #"{"type":"MultiPolygon","coordinates":[]}"#)],
    ] {
      #expect(throws: CampusError.noBoundary) {
        try Campus(geoJSON: GeoJSONText.collection(features))
      }
    }
  }

  @Test(
    "Reports errors in buildings",
    arguments: [
      (
        GeoJSONText.point("[49.26,-123.25]"),
        CampusError.swappedCoordinates("Library", [49.26, -123.25])
      ),
      (GeoJSONText.point("[200,100]"), .badPosition("Library", [200, 100])),
      (GeoJSONText.point("[1]"), .badPosition("Library", [1])),
      (GeoJSONText.polygon("[[[0,0],[1,0],[1,1]]]"), .unclosedRing("Library", ring: 1)),
      (
        GeoJSONText.polygon("[[[9,99],[1,0],[1,1],[9,99]]]"),
        .swappedCoordinates("Library", [9, 99])
      ),
    ])
  func buildings(geometry: String, fault: CampusError) {
    let building = GeoJSONText.feature(
      #"{"role":"building","id":"lib","name":"Library"}"#, geometry)
    #expect(throws: fault) {
      try Campus(geoJSON: GeoJSONText.collection([CampusTests.grounds, building]))
    }
  }

  @Test("Identifies unnamed features by label or number")
  func titles() {
    for (properties, title) in [(#","id":"a1""#, "a1"), ("", "feature 2")] {
      let feature = GeoJSONText.feature(
        #"{"role":"boundary"\#(properties)}"#, GeoJSONText.polygon("[]"))
      #expect(throws: CampusError.emptyPolygon(title)) {
        try Campus(geoJSON: GeoJSONText.collection([CampusTests.grounds, feature]))
      }
    }
  }

  static func isNotGeoJSON(_ error: any Error) -> Bool {
    switch error {
    case CampusError.notGeoJSON, CampusError.notJSON: true
    default: false
    }
  }

  @Test(
    "Rejects anything but a FeatureCollection",
    arguments: [
      "", " ", "nothing", "[]", "{}", "null", "7", #"{"type":"FeatureCollection"}"#,
      #"{"type":"Feature","features":[]}"#, #"{"type":"FeatureCollection","features":{}}"#,
      #"{"type":"FeatureCollection","features":[7]}"#,
      #"{"type":"FeatureCollection","features":[{}]}"#,
      #"{"type":"FeatureCollection","features":[{"type":"Feature","geometry":{"type":"Point"}}]}"#,
      #"{"type":"FeatureCollection","features":[{"type":"Feature","properties":[]}]}"#,
      #"{"type":"FeatureCollection","features":[]} and more"#,
    ])
  func notGeoJSON(text: String) {
    #expect { try Campus(geoJSON: Array(text.utf8)) } throws: { Self.isNotGeoJSON($0) }
  }

  @Test(
    "Rejects invalid numbers", arguments: ["NaN", #""NaN""#, "Infinity", "null", "1e999"])
  func notANumber(number: String) {
    let boundary = GeoJSONText.boundary("[[[0,0],[\(number),0],[1,1],[0,0]]]")
    #expect { try Campus(geoJSON: GeoJSONText.collection([boundary])) } throws: {
      Self.isNotGeoJSON($0)
    }
  }

  @Test("Rejects a map truncated at any length")
  func everyLength() {
    let map = GeoJSONText.lima
    for length in map.indices {
      #expect { try Campus(geoJSON: Array(map[..<length])) } throws: { Self.isNotGeoJSON($0) }
    }
  }

  @Test("Random damage gives a map or a CampusError")
  func noise() {
    var generator = SplitMix64(seed: 14)
    for _ in 0..<300 {
      var map = GeoJSONText.lima
      for _ in 0..<4 {
        let place = Int.random(in: 0..<map.count, using: &generator)
        map[place] = UInt8.random(in: 0...255, using: &generator)
      }
      _ = try? Campus(geoJSON: map)
    }
  }

  @Test("Handles deep nesting")
  func nesting() {
    let deep = String(repeating: "[", count: 100_000)
    let feature = #"{"type":"Feature","properties":{"x":\#(deep)"#
    #expect { try Campus(geoJSON: GeoJSONText.collection([feature])) } throws: {
      Self.isNotGeoJSON($0)
    }
  }
}

@Suite("Map error messages") struct CampusErrorMessageTests {
  static let errors: [CampusError] =
    [
      CampusError.notGeoJSON("why"), .badTable(line: 2, problem: "too short"), .noBoundary,
      .emptyPolygon("Hall"),
      .badPosition("Hall", [999, 1]), .swappedCoordinates("Hall", [1, 99]),
      .unclosedRing("Hall", ring: 2), .shortRing("Hall", ring: 2), .probablySwapped,
      .wideRing("Hall", ring: 2), .poleMissing("Hall", ring: 2),
      .unknownGeometry("Hall", type: "Blob"), .fileTooLarge(bytes: 70_000_000, limit: 64 << 20),
      .tooManyPositions(limit: 7),
    ]
    + [
      JSONFault.Kind.endsEarly, .unexpected(found: "x", wanted: "a value"), .trailingText,
      .badNumber("1x"),
      .numberOutOfRange("1e999"), .badEscape, .controlCharacter, .duplicateKey("name"), .notUTF8,
      .wideCharacters, .tooDeep(limit: 3), .tooManyValues(limit: 3),
    ].map { CampusError.notJSON(JSONFault(kind: $0, line: 3, column: 17)) }

  @Test(
    "Every message is one line without a period", arguments: errors)
  func lines(error: CampusError) {
    let message = error.message
    #expect(message.count > 10 && !message.contains("\n") && !message.hasSuffix("."))
    #expect("\(error)" == "not a usable map: " + message)
  }

  @Test("All errors have different messages")
  func distinct() { #expect(Set(Self.errors.map(\.message)).count == Self.errors.count) }

  @Test(
    "Messages include the facts",
    arguments: [
      (CampusError.swappedCoordinates("Hall", [1, 99]), ["Hall", "99", "exchange them"]),
      (.noBoundary, ["boundary"]),
      (
        .notJSON(JSONFault(kind: .duplicateKey("name"), line: 3, column: 17)),
        ["line 3", "column 17", "\"name\"", "duplicate"]
      ),
    ])
  func facts(error: CampusError, facts: [String]) {
    for fact in facts { #expect(error.message.contains(fact)) }
  }
}
