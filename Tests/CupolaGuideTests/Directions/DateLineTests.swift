import CupolaCampus
import Testing

@testable import CupolaGuide

@Suite("Across the date line") struct DateLineTests {
  /// A path and a hall on Taveuni, each on both sides.
  private static func guide() throws -> Guide {
    let text = """
      {"type": "FeatureCollection", "features": [
        {"type": "Feature", "properties": {"highway": "footway"}, "geometry": {
          "type": "LineString", "coordinates": [[179.999, -16.8], [-179.999, -16.8]]}},
        {"type": "Feature", "properties": {"building": "yes", "name": "Hall"}, "geometry": {
          "type": "Polygon", "coordinates": [[[179.9999, -16.7999], [-179.9997, -16.7999],
            [-179.9997, -16.7997], [179.9999, -16.7997], [179.9999, -16.7999]]]}}]}
      """
    var map = GuideMap()
    try map.read(Array(text.utf8), path: "taveuni.json")
    return GuideBuilder(map).guide
  }

  @Test("A way begins and ends amid an edge over the line")
  func route() throws {
    let start = try #require(Position(latitude: -16.8, longitude: 179.9995))
    let goal = try #require(Position(latitude: -16.8, longitude: -179.9995))
    let route = try Self.guide().directions(.walk)
      .route(from: .position(start), to: .position(goal))
    #expect((route.meters - 106.6).magnitude < 0.5)
    let ends = [route.points.first, route.points.last].compactMap { $0?.longitude }
    #expect((ends[0] - 179.9995).magnitude < 1e-6 && (ends[1] + 179.9995).magnitude < 1e-6)
  }

  @Test("A building on the line is a place, in its middle")
  func building() throws {
    let hall = try #require(try Self.guide().places.first { $0.name == "Hall" })
    #expect((hall.position.longitude + 179.9999).magnitude < 1e-6)
    #expect((hall.position.latitude + 16.7998).magnitude < 1e-6)
  }

  @Test("Halfway along a line over it is on it")
  func middle() throws {
    let line = [179.9, -179.9].compactMap { MapPoint(latitude: 10, longitude: $0) }
    #expect(MapPoint.middle(along: line)?.longitude.magnitude == 180)
  }
}
