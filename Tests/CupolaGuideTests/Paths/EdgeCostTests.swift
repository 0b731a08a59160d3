import Testing

@testable import CupolaGuide

/// What Guide.md says of speeds.
@Suite("EdgeCost") struct EdgeCostTests {
  /// Seconds along an edge to the north, and its meters.
  private static func cost(
    _ mode: TravelMode, _ kind: WayKind, speed: UInt8 = 0, degrees: Double = 0.001,
    levels: [Double?] = [nil, nil], shortest: Bool = false
  ) throws -> (seconds: Double, meters: Double) {
    var way = PathDraft.Way(id: "way/1", kind: kind)
    way.speed = speed
    let points = [
      try #require(MapPoint(latitude: 50, longitude: 8)),
      try #require(MapPoint(latitude: 50 + degrees, longitude: 8)),
    ]
    let graph = PathGraph(
      vertices: zip(points, levels).map {
        PathGraph.Vertex(point: $0, level: $1, barrier: [])
      },
      edges: [PathGraph.Edge(from: 0, to: 1, way: 0, access: .walk)], ways: [way])
    return (EdgeCost(mode, shortest: shortest).of(0, in: graph), graph.lengths[0])
  }

  @Test(
    "People go 5 km/h, on wheels 4, on steps 0.6 m/s, and cars four fifths of the limit",
    arguments: [
      (.walk, .path, 0, 5 / 3.6), (.walk, .crossing, 0, 5 / 3.6), (.walk, .street, 50, 5 / 3.6),
      (.stepFree, .path, 0, 4 / 3.6), (.stepFree, .corridor, 0, 4 / 3.6), (.walk, .steps, 0, 0.6),
      (.drive, .street, 50, 40 / 3.6), (.drive, .street, 30, 24 / 3.6),
    ] as [(TravelMode, WayKind, UInt8, Double)])
  func speeds(mode: TravelMode, kind: WayKind, speed: UInt8, pace: Double) throws {
    let cost = try Self.cost(mode, kind, speed: speed)
    // A thousandth of a degree of latitude is 111 m.
    #expect((cost.meters - 111.2).magnitude < 0.2)
    #expect((cost.meters / cost.seconds - pace).magnitude < 1e-9)
    let short = try Self.cost(mode, kind, speed: speed, shortest: true)
    #expect(short.seconds == short.meters)
  }

  @Test("An elevator takes 19 s a floor, up and down", arguments: [TravelMode.walk, .stepFree])
  func elevators(mode: TravelMode) throws {
    let rides: [(to: Double, seconds: Double)] = [(1, 19), (3, 57), (-1, 19), (0.5, 9.5)]
    for ride in rides {
      let cost = try Self.cost(mode, .elevator, degrees: 0, levels: [0, ride.to])
      #expect(cost.seconds == ride.seconds)
    }
  }
}
