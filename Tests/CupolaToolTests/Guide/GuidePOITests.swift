import CupolaTestSupport
import Testing

@Suite("cupola guide poi") struct GuidePOITests {
  @Test("The meters from a path to a place count: what is reached first comes first")
  func beyondThePaths() throws {
    let folder = try TemporaryFolder()
    let point = #""geometry":{"type":"Point","coordinates":"#
    try folder.write(
      """
      {"type":"FeatureCollection","features":[
      {"type":"Feature","properties":{"highway":"footway"},
       "geometry":{"type":"LineString","coordinates":[[8,50],[8.0007,50],[8.0056,50]]}},
      {"type":"Feature","properties":{"amenity":"cafe","name":"Far"},\(point)[8.0007,50.00355]}},
      {"type":"Feature","properties":{"amenity":"cafe","name":"Near"},\(point)[8.0056,50]}}]}
      """, to: "map.geojson")
    expectSuccess(
      try Tool.run(["guide", "build", "map.geojson", "-o", "campus.guide"], in: folder))
    let found = try Tool.run(
      ["guide", "poi", "campus.guide", "cafe", "--near", "50,8"], in: folder)
    expectSuccess(found)
    // 0.0056 degrees of longitude are 401 m there; 50 m along the path and 395 m beyond it are 445.
    let lines = found.stdout.split(separator: "\n")
    #expect(lines.map { $0.prefix(5) } == ["Near:", "Far: "])
    #expect(lines.last?.contains(" 445 m, ") == true)
  }
}
