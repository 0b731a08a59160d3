import Cupola
import Testing

@testable import CupolaGuide

@Suite("Edge index") struct EdgeIndexTests {
  static func slow(
    _ index: EdgeIndex, _ graph: PathGraph, _ place: RoutePoint, _ reach: Double,
    _ isWanted: (Int) -> Bool
  ) -> EdgeIndex.Near? {
    graph.edges.indices.filter(isWanted).map { index.near($0, to: place) }
      .filter { $0.distance <= reach }.min { ($0.distance, $0.edge) < ($1.distance, $1.edge) }
  }

  static func graph(_ random: inout SplitMix64) -> PathGraph {
    var vertices: [PathGraph.Vertex] = []
    var edges: [PathGraph.Edge] = []
    for number in 0..<40 {
      let (x, y) = (
        Double.random(in: -900...900, using: &random), Double.random(in: -900...900, using: &random)
      )
      let length = number % 5 == 0 ? 1_500.0 : 60
      let ends = [
        (x, y),
        (
          x + Double.random(in: -length...length, using: &random),
          y + Double.random(in: -length...length, using: &random)
        ),
      ]
      for (x, y) in ends {
        let (latitude, longitude) = MapMaker.place(x, y)
        guard let point = MapPoint(latitude: latitude, longitude: longitude) else { continue }
        vertices.append(PathGraph.Vertex(point: point, level: nil, blocked: []))
      }
      edges.append(
        PathGraph.Edge(
          from: vertices.count - 2, to: vertices.count - (number % 7 == 0 ? 2 : 1), way: 0,
          access: .onFoot))
      if number % 6 == 0 { edges.append(edges[edges.count - 1]) }
    }
    return PathGraph(
      vertices: vertices, edges: edges, ways: [PathGraph.Way(id: "way/1", kind: .path)])
  }

  @Test("Finds the same nearest edge as a linear search")
  func nearest() {
    var random = SplitMix64(seed: 11)
    var found = 0
    for _ in 0..<12 {
      let graph = Self.graph(&random)
      let index = EdgeIndex(graph)
      for number in 0..<60 {
        let place = MapMaker.point(
          Double.random(in: -1_500...1_500, using: &random),
          Double.random(in: -1_500...1_500, using: &random))
        let reach = [20.0, 50, 100, 333, 1_000][number % 5]
        let wanted: (Int) -> Bool = { number % 2 == 0 || $0 % 3 == number % 3 }
        let near = index.nearest(to: place, within: reach, where: wanted)
        #expect(near == Self.slow(index, graph, place, reach, wanted))
        found += near == nil ? 0 : 1
      }
    }
    #expect(found > 200)
  }

  @Test("The nearest point on an edge is closer than sampled points")
  func near() throws {
    var random = SplitMix64(seed: 12)
    let graph = Self.graph(&random)
    let index = EdgeIndex(graph)
    for edge in graph.edges.indices {
      let place = MapMaker.point(
        Double.random(in: -1_000...1_000, using: &random),
        Double.random(in: -1_000...1_000, using: &random))
      let near = index.near(edge, to: place)
      #expect((0...1).contains(near.fraction))
      let point = try #require(MapPoint(latitude: place.latitude, longitude: place.longitude))
      let gap = graph.place(edge, near.fraction)
      let foot = try #require(MapPoint(latitude: gap.latitude, longitude: gap.longitude))
      // Tolerance for planar distances relative to ellipsoidal ones.
      #expect(
        (foot.place.distance(to: point.place) - near.distance).magnitude < 0.05 + near.distance
          / 200)
      for step in 0...20 {
        let other = graph.place(edge, Double(step) / 20)
        #expect(Bearing.meters(place, other) > near.distance * 0.999 - 0.1)
      }
    }
  }

  @Test("Returns nil without an edge that is near and wanted")
  func nothing() throws {
    let empty = EdgeIndex(PathGraph(vertices: [], edges: [], ways: []))
    #expect(empty.nearest(to: MapMaker.point(0, 0), within: 1_000) { _ in true } == nil)
    let guide = TestCampus().guide
    let far = MapMaker.point(20_000, 0)
    #expect(guide.index.nearest(to: far, within: 1_000) { _ in true } == nil)
    #expect(guide.index.nearest(to: MapMaker.point(0, 0), within: 1_000) { _ in false } == nil)
  }

  @Test("Returns nil for invalid coordinates")
  func noPlace() {
    let index = EdgeIndex(TestCampus().guide.graph)
    for wrong in [Double.nan, .infinity, -1e300, 91] {
      let place = RoutePoint(latitude: wrong, longitude: 8)
      #expect(index.nearest(to: place, within: 1_000) { _ in true } == nil)
      let other = RoutePoint(latitude: 50, longitude: 2 * wrong)
      #expect(index.nearest(to: other, within: 1_000) { _ in true } == nil)
    }
  }

  @Test("Indexes very long edges compactly and finds their ends")
  func longEdges() throws {
    let corners: [(Int32, Int32)] = [
      (-800_000_000, -1_700_000_000), (800_000_000, 1_700_000_000), (0, 0),
      (800_000_000, -900_000_000),
    ]
    let vertices = corners.compactMap { MapPoint(latitudeE7: $0.0, longitudeE7: $0.1) }
      .map { PathGraph.Vertex(point: $0, level: nil, blocked: []) }
    let edges = (0..<20_000).map {
      PathGraph.Edge(from: $0 % 4, to: ($0 + 1 + $0 / 4 % 3) % 4, way: 0, access: .onFoot)
    }
    let graph = PathGraph(
      vertices: vertices, edges: edges, ways: [PathGraph.Way(id: "way/1", kind: .path)])
    let index = EdgeIndex(graph)
    for vertex in vertices {
      let near = index.nearest(to: RoutePoint(vertex.point), within: 10) { _ in true }
      #expect((near?.distance ?? .infinity) < 1)
    }
  }
}
