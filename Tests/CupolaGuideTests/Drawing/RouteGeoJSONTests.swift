import CupolaCampus
import CupolaGuide
import Foundation
import Testing

@Suite("A route as GeoJSON")
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

  @Test("has a line for each stretch of one kind, name and floor, and a point for each maneuver")
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

  @Test("a line over the antimeridian is cut there")
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

  @Test("numbers that are none and points that are no places are left out")
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
