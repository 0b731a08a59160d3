import Testing

@testable import CupolaCampus

/// Maps that no program writes: whatever is asked of them has an answer or an error.
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

  /// The geometry of a fence, and of a building.
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

  @Test("Every fence has an answer or an error", arguments: geometries)
  func fences(geometry: String) {
    Self.ask(Self.map(fence: geometry, building: #"{"type":"Point","coordinates":[10.5,48.5]}"#))
  }

  @Test("Every building has one", arguments: geometries)
  func buildings(geometry: String) {
    Self.ask(Self.map(fence: Self.polygon(Self.square), building: geometry))
    Self.ask(Self.map(fence: geometry, building: geometry))
  }
}
