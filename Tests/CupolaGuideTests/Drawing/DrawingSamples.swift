import Foundation
import Testing

@testable import CupolaGuide

enum DrawingSamples {
  static let latitude = 47.5
  static let longitude = 8.5

  static func place(_ east: Double, _ north: Double, _ level: Double? = nil) -> RoutePoint {
    RoutePoint(
      latitude: latitude + north / 111_320, longitude: longitude + east / 75_200, level: level)
  }

  static func box(_ west: Double, _ south: Double, _ east: Double, _ north: Double) -> [RoutePoint]
  {
    [place(west, south), place(east, south), place(east, north), place(west, north)]
  }

  static let ground = MapDrawing.Ground(
    areas: [
      .init(kind: .park, rings: [box(0, 60, 90, 140), box(30, 90, 50, 105)], label: "Oak Lawn"),
      .init(kind: .water, rings: [box(30, 90, 50, 105)], label: "Pond"),
      .init(kind: .building, rings: [box(110, 60, 180, 130)], label: "Hall of Natural Sciences"),
      .init(kind: .building, rings: [box(10, 0, 40, 30)], label: "Old Library"),
      .init(kind: .building, rings: [box(60, 5, 75, 20)]),
      .init(kind: .corridor, rings: [box(112, 90, 178, 96)], levels: [0, 1]),
      .init(kind: .room, rings: [box(112, 62, 140, 90)], label: "Lecture Hall", levels: [0]),
      .init(kind: .room, rings: [box(150, 96, 178, 128)], label: "Room 1.04", levels: [1]),
      .init(
        kind: .room, rings: [box(112, 96, 136, 128)], label: "Collection of Minerals", levels: [1]),
      .init(kind: .stairs, rings: [box(140, 96, 148, 110)], levels: [0, 1]),
      .init(kind: .elevator, rings: [box(141, 114, 147, 120)], levels: [0, 1]),
      .init(kind: .closed, rings: [box(112, 129, 178, 130)], levels: [0, 1]),
    ],
    lines: [
      .init(kind: .street, points: [place(-80, 45), place(280, 45)], label: "College Avenue"),
      .init(kind: .crossing, points: [place(95, 40), place(95, 50)]),
      .init(kind: .path, points: [place(25, 30), place(25, 40), place(95, 40)]),
      .init(
        kind: .path, points: [place(95, 50), place(95, 93), place(100, 93)], label: "Elm Walk"),
      .init(kind: .steps, points: [place(100, 93), place(108, 93)]),
      .init(kind: .corridor, points: [place(112, 93), place(178, 93)], levels: [0, 1]),
    ],
    marks: [
      .init(kind: .entrance, point: place(110, 93)),
      .init(kind: .stop, point: place(60, 50), label: "Campus Gate"),
      .init(kind: .food, point: place(66, 22), label: "Café Noir"),
      .init(kind: .toilets, point: place(165, 80), levels: [0]),
      .init(kind: .door, point: place(160, 96), levels: [1]),
    ])

  static let route = Route(
    mode: .walk,
    points: [
      place(25, 30), place(25, 40), place(95, 40), place(95, 50), place(95, 93), place(100, 93),
      place(110, 93), place(112, 93, 0), place(144, 93, 0), place(144, 98, 0), place(144, 108, 0.5),
      place(146, 98, 1), place(146, 93, 1), place(160, 93, 1), place(160, 98, 1),
    ],
    segments: [
      .init(kind: .path, meters: 10, seconds: 8), .init(kind: .path, meters: 70, seconds: 52),
      .init(kind: .crossing, meters: 10, seconds: 12),
      .init(kind: .path, name: "Elm Walk", meters: 43, seconds: 32),
      .init(kind: .path, name: "Elm Walk", meters: 5, seconds: 4),
      .init(kind: .steps, meters: 10, seconds: 15), .init(kind: .link, meters: 2, seconds: 2),
      .init(kind: .corridor, meters: 32, seconds: 24, isIndoor: true),
      .init(kind: .corridor, meters: 5, seconds: 4, isIndoor: true),
      .init(kind: .steps, meters: 10, seconds: 14, isIndoor: true),
      .init(kind: .steps, meters: 10, seconds: 14, isIndoor: true),
      .init(kind: .corridor, meters: 5, seconds: 4, isIndoor: true),
      .init(kind: .corridor, meters: 14, seconds: 10, isIndoor: true),
      .init(kind: .room, meters: 5, seconds: 4, isIndoor: true),
    ],
    maneuvers: [
      Maneuver(.depart, at: 0, text: "Leave the Old Library", meters: 80, seconds: 60),
      Maneuver(.crossing, at: 2, text: "Cross College Avenue", meters: 58, seconds: 48),
      Maneuver(
        .stepsUp, at: 5, name: nil, text: "Take the steps up to the Hall of Natural Sciences",
        meters: 44, seconds: 41),
      Maneuver(.stepsUp, at: 9, text: "Take the stairs to floor 1", meters: 25, seconds: 32),
      Maneuver(.right, at: 12, text: "Turn right", meters: 19, seconds: 14),
      Maneuver(.arrive, at: 14, text: "You have arrived at room 1.04", meters: 0, seconds: 0),
    ], origin: "Old Library", destination: "Room 1.04")
}

#if canImport(FoundationXML)
  import FoundationXML
#endif

/// Compares a drawing with its snapshot. With `RECORD_SNAPSHOTS=1`, records the snapshot and fails.
func expectDrawing(
  _ svg: String, _ name: String, sourceLocation: SourceLocation = #_sourceLocation
) throws {
  let file = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "Snapshots/\(name).svg")
  if ProcessInfo.processInfo.environment["RECORD_SNAPSHOTS"] != nil {
    try Data(svg.utf8).write(to: file)
    Issue.record("recorded \(file.path)", sourceLocation: sourceLocation)
    return
  }
  let expected = try String(contentsOf: file, encoding: .utf8)
  #expect(
    svg == expected, "differs from \(file.path); RECORD_SNAPSHOTS=1 records it again",
    sourceLocation: sourceLocation)
}

/// Checks that a drawing is well-formed XML, has valid numbers, and contains no scripts or external references.
func expectValid(_ svg: String, sourceLocation: SourceLocation = #_sourceLocation) {
  let parser = XMLParser(data: Data(svg.utf8))
  #expect(
    parser.parse(), "\(String(describing: parser.parserError)) in line \(parser.lineNumber)",
    sourceLocation: sourceLocation)
  for word in ["<script", "href", "url(", "@import", "<foreignObject", "<image", " on"] {
    let elements = svg.matches(of: /<[^!?\/][^>]*>/).map { String($0.output) }
    #expect(!elements.contains { $0.contains(word) }, "\(word)", sourceLocation: sourceLocation)
  }
  for attribute in svg.matches(of: /\ (d|x|y|width|height|cx|cy|r|viewBox|transform)="([^"]*)"/) {
    let value = attribute.output.2
    #expect(
      !value.contains("nan") && !value.contains("inf") && !value.contains("e+"),
      "\(attribute.output.0.prefix(80))", sourceLocation: sourceLocation)
    #expect(!value.contains(/\.\d{3}/), "more than two decimals", sourceLocation: sourceLocation)
  }
}
