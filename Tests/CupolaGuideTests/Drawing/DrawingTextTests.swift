import Cupola
import CupolaCampus
import CupolaSupport
import Foundation
import Testing

@testable import CupolaGuide

@Suite("Text and shapes of drawings")
struct DrawingTextTests {
  @Test(
    "Numbers have at most one decimal and are finite",
    arguments: [
      (1.0, "1"), (1.04, "1"), (-0.04, "0"), (-0.26, "-0.3"), (12.35, "12.4"), (.nan, "0"),
      (.infinity, "0"), (1e300, "10000000"), (-1e300, "-10000000"),
    ])
  func numbers(value: Double, text: String) { #expect(DrawingText.number(value) == text) }

  @Test("Splits long names into two lines of similar width")
  func names() {
    #expect(DrawingText.name("Old Library", size: 12) == ["Old Library"])
    #expect(
      DrawingText.name("Hall of Natural Sciences", size: 12) == ["Hall of", "Natural Sciences"]
        || DrawingText.name("Hall of Natural Sciences", size: 12) == [
          "Hall of Natural", "Sciences",
        ])
    let long = DrawingText.name(String(repeating: "word ", count: 40), size: 12)
    #expect(long.count == 2 && long.allSatisfy { $0.hasSuffix("…") })
  }

  @Test("Wraps lines at the maximum width and shortens with an ellipsis")
  func lines() {
    let text = "Take the second path on the left toward the observatory and the lake"
    let lines = DrawingText.lines(text, width: 150, size: 14, most: 9)
    #expect(lines.joined(separator: " ") == text)
    #expect(lines.allSatisfy { DrawingText.width($0, size: 14) <= 150 })
    let two = DrawingText.lines(text, width: 150, size: 14, most: 2)
    #expect(two.count == 2 && two[1].hasSuffix("…"))
    let word = String(repeating: "x", count: 100)
    #expect(DrawingText.lines(word, width: 150, size: 14, most: 99).joined() == word)
    #expect(DrawingText.lines(" ", width: 150, size: 14, most: 2).isEmpty)
  }

  @Test("Formats lengths and times")
  func measures() {
    #expect(DrawingText.length(999.4) == "999 m")
    #expect(DrawingText.length(999.6) == "1 km")
    #expect(DrawingText.length(12_345) == "12.3 km")
    #expect(DrawingText.length(.nan) == nil)
    #expect(DrawingText.time(40) == "40 s")
    #expect(DrawingText.time(59) == "1 min")
    #expect(DrawingText.time(3_900) == "1 h 5 min")
    #expect(DrawingText.time(-1) == nil)
  }

  @Test("Clips lines and rings to a box")
  func clip() {
    var random = SplitMix64(seed: 3)
    let box = DrawingBox(left: 0, top: 0, right: 100, bottom: 60)
    let wide = box.grown(by: 1e-6)
    for _ in 0..<500 {
      let points = (0..<5).map { _ in
        SIMD2(
          Double.random(in: -150...250, using: &random),
          Double.random(in: -150...250, using: &random))
      }
      let parts = DrawingClip.line(points, to: box)
      #expect(parts.joined().allSatisfy { wide.contains($0) })
      #expect(parts.allSatisfy { $0.count > 1 })
      let ring = DrawingClip.ring(points, to: box)
      #expect(ring.allSatisfy { wide.contains($0) })
      for (start, end) in zip(points, points.dropFirst()) {
        let middle = (start + end) / 2
        if box.grown(by: -0.5).contains(middle) { #expect(!parts.isEmpty) }
      }
    }
    let inner: [SIMD2<Double>] = [[1, 1], [99, 1], [50, 59]]
    #expect(DrawingClip.line(inner, to: box) == [inner])
    #expect(DrawingClip.ring(inner, to: box) == inner)
    #expect(DrawingClip.ring([[-5, -5], [-1, -5], [-1, -1]], to: box).isEmpty)
  }

  @Test("Labels never overlap")
  func places() {
    var random = SplitMix64(seed: 4)
    var places = OccupiedSpace(DrawingBox(left: 0, top: 0, right: 400, bottom: 300))
    var taken: [DrawingBox] = []
    for _ in 0..<500 {
      let box = DrawingBox(
        [.random(in: -20...420, using: &random), .random(in: -20...320, using: &random)],
        width: .random(in: 5...90, using: &random), height: 14)
      let isFree =
        box.left >= 0 && box.top >= 0 && box.right <= 400 && box.bottom <= 300
        && !taken.contains { $0.intersects(box) }
      #expect((places.firstFree([box]) != nil) == isFree)
      if isFree { taken.append(box) }
    }
    #expect(taken.count > 20)
  }
}

@Suite("Routes as GeoJSON")
struct RouteGeoJSONTests {
  private func features(_ route: Route) throws -> [[String: JSONValue]] {
    let value = try JSONDecoder().decode(JSONValue.self, from: Data(route.geoJSON()))
    guard case .object(let collection) = value, case .array(let list) = collection["features"]
    else { return [] }
    #expect(collection["type"] == .string("FeatureCollection"))
    return list.compactMap { if case .object(let feature) = $0 { feature } else { nil } }
  }

  private func member(_ feature: [String: JSONValue], _ first: String, _ second: String)
    -> JSONValue?
  {
    guard case .object(let inner) = feature[first] else { return nil }
    return inner[second]
  }

  @Test("Writes a line per stretch and a point per maneuver")
  func stretches() throws {
    let route = DrawingSamples.route
    let all = try features(route)
    let lines = all.filter { member($0, "properties", "role") == .string("stretch") }
    #expect(
      lines.map { member($0, "properties", "kind") }
        == [
          "path", "crossing", "path", "steps", "link", "corridor", "steps", "corridor", "room",
        ].map { .string($0) })
    #expect(lines.allSatisfy { member($0, "geometry", "type") == .string("LineString") })
    #expect(member(lines[2], "properties", "name") == .string("Elm Walk"))
    #expect(member(lines[2], "properties", "meters") == .integer(48))
    #expect(member(lines[2], "properties", "level") == .null)
    #expect(member(lines[6], "properties", "level") == .integer(0))
    #expect(member(lines[6], "properties", "to_level") == .integer(1))
    #expect(member(lines[6], "properties", "indoor") == .boolean(true))
    let points = all.filter { member($0, "geometry", "type") == .string("Point") }
    #expect(points.count == route.maneuvers.count)
    #expect(member(points[1], "properties", "text") == .string("Cross College Avenue"))
    #expect(member(points[5], "properties", "kind") == .string("arrive"))
    let first = member(points[0], "geometry", "coordinates")
    #expect(first == .array([.number(8.5003324), .number(47.5002695)]))
    #expect(route.geoJSON() == route.geoJSON())
  }

  @Test("Cuts a line at the antimeridian")
  func antimeridian() throws {
    let points = [(1.0, 179.0), (2.0, -179.0), (3.0, -178.0)].map {
      RoutePoint(latitude: $0.0, longitude: $0.1)
    }
    let route = Route(
      mode: .walk, points: points,
      segments: Array(repeating: .init(kind: .path, meters: 1, seconds: 1), count: 2),
      maneuvers: [])
    let feature = try #require(try features(route).first)
    #expect(member(feature, "geometry", "type") == .string("MultiLineString"))
    let text = String(decoding: route.geoJSON(), as: UTF8.self)
    #expect(text.contains("[[[179,1],[180,1.5]],[[-180,1.5],[-179,2],[-178,3]]]"))
  }

  @Test("Omits invalid numbers and points")
  func noNumbers() throws {
    let points = [RoutePoint(latitude: .nan, longitude: 1), RoutePoint(latitude: 1, longitude: 1)]
    let route = Route(
      mode: .walk, points: points,
      segments: [.init(kind: .path, meters: .nan, seconds: .infinity)],
      maneuvers: [
        Maneuver(.left, at: 0, text: "a", meters: 1, seconds: 1),
        Maneuver(.left, at: -1, text: "b", meters: 1, seconds: 1),
        Maneuver(.arrive, at: 1, text: "\"\u{0}", meters: -.infinity, seconds: .nan),
      ])
    let all = try features(route)
    #expect(all.count == 1)
    #expect(member(all[0], "properties", "meters") == .null)
    #expect(member(all[0], "properties", "number") == .integer(3))
  }
}
