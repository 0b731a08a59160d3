@testable import CupolaGuide
@testable import CupolaGuideBuilder
@testable import CupolaTransit

/// Targets for the parts of a guide bundle.
extension FuzzTarget {
  static let guides: [FuzzTarget] = [
    FuzzTarget("guide-manifest") { bytes in
      guard let manifest = try? GuideManifest(json: bytes, path: "guide.json") else { return }
      let again = try? GuideManifest(json: manifest.json, path: "guide.json")
      try FuzzFailure.unless(again == manifest, "the manifest changed after writing and reading")
    },
    FuzzTarget("guide-ground") { try check($0, .ground) },
    FuzzTarget("guide-paths") { try check($0, .paths) },
    FuzzTarget("guide-places") { try check($0, .places) },
    FuzzTarget("guide-transit") { bytes in
      guard let timetable = try? Timetable(bytes: bytes) else { return }
      let written = timetable.bytes
      try FuzzFailure.unless(
        (try? Timetable(bytes: written))?.bytes == written,
        "the timetable changed after writing and reading")
      use(timetable)
    },
    FuzzTarget("place-search") { bytes in
      let text = String(decoding: bytes, as: UTF8.self)
      for place in smallGuide.search(text) { _ = place.title }
      _ = smallGuide.places(matching: text)
      _ = smallGuide.building(labeled: text)
    },
  ]

  private static let empty: [Guide.Part: [UInt8]] = [
    .ground: GroundArea.bytes(of: []),
    .paths: PathGraph(vertices: [], edges: [], ways: []).bytes, .places: Array("[]".utf8),
  ]

  private static func check(_ bytes: [UInt8], _ part: Guide.Part) throws(FuzzFailure) {
    var parts = empty
    parts[part] = bytes
    let guide = try? Guide(name: "", attribution: nil, timeZone: nil) { parts[$0] }
    guard let guide else { return }
    let written = guide.parts
    let again = try? Guide(name: "", attribution: nil, timeZone: nil) { written[$0.rawValue] }
    try FuzzFailure.unless(
      again?.parts == written, "\(part.rawValue) changed after writing and reading")
    use(guide)
  }

  static func use(_ guide: Guide) {
    _ = guide.drawing()
    let ends = (guide.places.prefix(3) + guide.places.suffix(1)).map { RouteEnd.place($0) }
    for place in guide.places.prefix(3) {
      _ = (guide.search(place.title), place.openingHours.map { OpeningHours($0).text })
    }
    for mode in [TravelMode.walk, .stepFree, .drive] {
      let directions = guide.directions(mode)
      for end in ends.dropFirst() {
        guard let first = ends.first, let route = try? directions.route(from: first, to: end) else {
          continue
        }
        _ = (route.maneuvers.map(\.text), route.geoJSON(), guide.drawing(of: route))
        follow(route)
      }
    }
  }

  private static func follow(_ route: Route) {
    var progress = RouteProgress(route)
    for (number, position) in positions.enumerated() {
      _ = progress.update(at: position, time: Double(number))
    }
  }

  private static let smallGuide: Guide = {
    var map = GuideMap()
    let text = """
      {"elements": [
        {"type": "node", "id": 1, "lat": 48.3, "lon": 10.9,
         "tags": {"amenity": "cafe", "name": "Café Größe", "opening_hours": "Mo-Fr 08:00-18:00"}},
        {"type": "node", "id": 2, "lat": 48.3001, "lon": 10.9},
        {"type": "node", "id": 3, "lat": 48.3001, "lon": 10.9001},
        {"type": "way", "id": 1, "nodes": [1, 2, 3, 1],
         "tags": {"building": "university", "name": "Old Library", "ref": "OL"}},
        {"type": "way", "id": 2, "nodes": [1, 2], "tags": {"highway": "footway"}}
      ]}
      """
    try? map.read(Array(text.utf8), path: "map")
    return GuideBuilder(map).guide
  }()
}
