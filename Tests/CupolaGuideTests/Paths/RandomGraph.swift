import Cupola

@testable import CupolaGuide

/// Makes small graphs with everything that maps have: several edges between two vertices, edges of no length, oneways,
/// barriers, steps, elevators.
struct RandomGraph {
  var random: SplitMix64
  /// Whether every edge may be passed either way round, and nothing bars.
  var isSymmetric = false
  /// Whether some ways are no ways through for cars.
  var hasLocalWays = false
  var vertexCount = 12
  var edgeCount = 22

  init(seed: UInt64) { random = SplitMix64(seed: seed) }

  mutating func chance(_ share: Double) -> Bool { Double.random(in: 0..<1, using: &random) < share }

  mutating func graph(turns: Int = 0) -> PathGraph {
    var vertices: [PathGraph.Vertex] = []
    for _ in 0..<vertexCount { vertices.append(vertex(after: vertices.last)) }
    let ways = [WayKind.street, .path, .crossing, .steps, .escalator, .area].enumerated().map {
      number, kind in
      var way = PathDraft.Way(id: "way/\(number)", kind: kind)
      way.speed = UInt8([30, 50, 0, 10, 15, 100][number])
      way.isLocal = hasLocalWays && [1, 4].contains(number)
      return way
    }
    var edges: [PathGraph.Edge] = []
    while edges.count < edgeCount {
      let from = Int.random(in: 0..<vertexCount, using: &random)
      let to = Int.random(in: 0..<vertexCount, using: &random)
      guard from != to else { continue }
      var access: WayAccess = [.onFoot, .drive]
      if !isSymmetric, chance(0.4) {
        access = WayAccess(rawValue: UInt8.random(in: 1..<64, using: &random))
      }
      let way = Int.random(in: 0..<ways.count, using: &random)
      edges.append(PathGraph.Edge(from: from, to: to, way: way, access: access))
      // Another one between the same vertices.
      if chance(0.1) { edges.append(edges[edges.count - 1]) }
    }
    let plain = PathGraph(vertices: vertices, edges: edges, ways: ways)
    let rows = (0..<turns).compactMap { _ in row(of: plain) }
    return PathGraph(vertices: vertices, edges: edges, ways: ways, forbiddenTurns: rows)
  }

  private mutating func vertex(after last: PathGraph.Vertex?) -> PathGraph.Vertex {
    let barrier: WayAccess =
      !isSymmetric && chance(0.12)
      ? WayAccess(rawValue: UInt8.random(in: 1..<64, using: &random)) : []
    if let last, chance(0.15) {
      return PathGraph.Vertex(point: last.point, level: nil, barrier: barrier)
    }
    let (latitude, longitude) = MapMaker.place(
      Double.random(in: -200...200, using: &random), Double.random(in: -200...200, using: &random))
    let point = MapPoint(latitude: latitude, longitude: longitude)
    guard let point else { preconditionFailure("made graphs are small") }
    return PathGraph.Vertex(point: point, level: nil, barrier: barrier)
  }

  /// Two to four arcs behind each other.
  private mutating func row(of graph: PathGraph) -> PathGraph.Turn? {
    let open = (0..<2 * graph.edges.count).filter { graph.allows($0, .drive) }
    guard let first = open.randomElement(using: &random) else { return nil }
    var arcs = [first]
    let length = Int.random(in: 2...4, using: &random)
    while arcs.count < length {
      let head = graph.head(arcs[arcs.count - 1])
      let next = open.filter { graph.tail($0) == head }.randomElement(using: &random)
      guard let next else { break }
      arcs.append(next)
    }
    return arcs.count > 1 ? PathGraph.Turn(arcs) : nil
  }

  /// One to three places, at vertices and on edges.
  mutating func end(of graph: PathGraph) -> PathEnd {
    PathEnd(
      (0..<Int.random(in: 1...3, using: &random)).map { _ in
        let offset = chance(0.5) ? 0 : Double.random(in: 0..<80, using: &random)
        if chance(0.5) {
          return PathEnd.Choice(
            .vertex(Int.random(in: 0..<graph.vertices.count, using: &random)), offset: offset)
        }
        let edge = Int.random(in: 0..<graph.edges.count, using: &random)
        let fraction = [0, 1, 0.5, Double.random(in: 0...1, using: &random)]
          .randomElement(using: &random)
        return PathEnd.Choice(.edge(edge, fraction: fraction ?? 0), offset: offset)
      })
  }
}
