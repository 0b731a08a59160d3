import Cupola
import Testing

@testable import CupolaGuide

@Suite("Strong and weak components") struct PathPartsTests {
  /// Returns which vertices can be reached from each vertex, computed with Warshall's algorithm (1962).
  static func reached(_ graph: PathGraph, _ mode: TravelMode, bothWays: Bool) -> [[Bool]] {
    let count = graph.vertices.count
    var reached = (0..<count).map { row in (0..<count).map { $0 == row } }
    for arc in 0..<2 * graph.edges.count where graph.allows(arc, mode) {
      reached[graph.tail(arc)][graph.head(arc)] = true
      if bothWays { reached[graph.head(arc)][graph.tail(arc)] = true }
    }
    for middle in 0..<count {
      for from in 0..<count where reached[from][middle] {
        for to in 0..<count where reached[middle][to] { reached[from][to] = true }
      }
    }
    return reached
  }

  static func sparse(_ seed: UInt64) -> PathGraph {
    var random = RandomGraph(seed: seed)
    random.vertexCount = 16
    random.edgeCount = 14
    return random.graph()
  }

  @Test("Strong components match mutual reachability")
  func strong() {
    for seed in 0..<60 as Range<UInt64> {
      let graph = Self.sparse(seed)
      for mode in TravelMode.allCases {
        let leaving = SearchGraph.Leaving(graph, mode)
        let parts = StrongParts(
          vertexCount: graph.vertices.count, leaving: leaving, head: graph.head)
        let reached = Self.reached(graph, mode, bothWays: false)
        for a in graph.vertices.indices {
          for b in graph.vertices.indices {
            #expect((parts.numbers[a] == parts.numbers[b]) == (reached[a][b] && reached[b][a]))
          }
        }
        #expect(Set(parts.numbers) == Set(0..<parts.count))
      }
    }
  }

  @Test("Numbers weak components by lowest vertex and sums their lengths")
  func weak() {
    for seed in 100..<160 as Range<UInt64> {
      let graph = Self.sparse(seed)
      for mode in TravelMode.allCases {
        let parts = PathParts(graph, mode, SearchGraph.Leaving(graph, mode))
        let reached = Self.reached(graph, mode, bothWays: true)
        for vertex in graph.vertices.indices {
          #expect(parts.part(of: vertex) == reached[vertex].firstIndex(of: true))
        }
        let open = graph.edges.indices.filter {
          graph.allows(2 * $0, mode) || graph.allows(2 * $0 + 1, mode)
        }
        let meters = open.reduce(0) { $0 + graph.lengths[$1] }
        #expect((parts.sizes.reduce(0) { $0 + $1.meters } - meters).magnitude < 1e-6)
        #expect(zip(parts.sizes, parts.sizes.dropFirst()).allSatisfy { $0.meters >= $1.meters })
      }
    }
  }

  @Test("The main part is the largest strongly connected part")
  func main() {
    for seed in 200..<260 as Range<UInt64> {
      let graph = Self.sparse(seed)
      let parts = PathParts(graph, .walk, SearchGraph.Leaving(graph, .walk))
      let reached = Self.reached(graph, .walk, bothWays: false)
      let open = graph.edges.indices.filter {
        !graph.edges[$0].access.isDisjoint(with: .walk)
      }
      let main = open.filter(parts.isMain)
      for one in main {
        for other in main { #expect(reached[graph.edges[one].from][graph.edges[other].to]) }
      }
      func meters(_ edges: [Int]) -> Double { edges.reduce(0) { $0 + graph.lengths[$1] } }
      for edge in open
      where reached[graph.edges[edge].to][graph.edges[edge].from]
        && reached[graph.edges[edge].from][graph.edges[edge].to]
      {
        let vertex = graph.edges[edge].from
        let part = open.filter { other in
          [graph.edges[other].from, graph.edges[other].to].allSatisfy {
            reached[vertex][$0] && reached[$0][vertex]
          }
        }
        #expect(meters(part) <= meters(main) + 1e-9)
      }
    }
  }

  @Test("A chain of 200,000 vertices needs no recursion")
  func deep() {
    let count = 200_000
    guard let point = MapPoint(latitudeE7: 500_000_000, longitudeE7: 80_000_000) else { return }
    let graph = PathGraph(
      vertices: [PathGraph.Vertex](
        repeating: PathGraph.Vertex(point: point, level: nil, blocked: []), count: count),
      edges: (1..<count).map {
        PathGraph.Edge(from: $0 - 1, to: $0, way: 0, access: .walkForward)
      },
      ways: [PathGraph.Way(id: "way/1", kind: .path)])
    let parts = StrongParts(
      vertexCount: count, leaving: SearchGraph.Leaving(graph, .walk), head: graph.head)
    #expect(parts.count == Int32(count))
  }

  @Test("An empty graph has no parts")
  func nothing() {
    let graph = PathGraph(vertices: [], edges: [], ways: [])
    let parts = PathParts(graph, .walk, SearchGraph.Leaving(graph, .walk))
    #expect(parts.sizes.isEmpty)
  }
}

@Suite("Path queue") struct PathQueueTests {
  @Test("Pops states by bound, then by number")
  func order() {
    var random = SplitMix64(seed: 1)
    for count in [0, 1, 2, 3, 10, 100, 500] {
      var queue = PathQueue()
      var items: [(bound: Double, state: Int)] = []
      for _ in 0..<count {
        items.append(
          (
            Double(Int.random(in: 0..<20, using: &random)),
            Int.random(in: 0..<1_000, using: &random)
          ))
      }
      for item in items { queue.push(item.bound, item.state) }
      var popped: [(bound: Double, state: Int)] = []
      while let item = queue.pop() { popped.append(item) }
      items.sort { $0 < $1 }
      #expect(popped.map(\.bound) == items.map(\.bound))
      #expect(popped.map(\.state) == items.map(\.state))
    }
  }

  @Test("Pushes and pops can alternate")
  func refill() {
    var random = SplitMix64(seed: 2)
    var queue = PathQueue()
    var slow: [(bound: Double, state: Int)] = []
    for step in 0..<2_000 {
      if step % 3 == 2 {
        let least = slow.indices.min { slow[$0] < slow[$1] }
        let expected = least.map { slow.remove(at: $0) }
        let popped = queue.pop()
        #expect(popped?.bound == expected?.bound && popped?.state == expected?.state)
      } else {
        let item = (
          Double.random(in: 0...1, using: &random), Int.random(in: 0..<100, using: &random)
        )
        queue.push(item.0, item.1)
        slow.append(item)
      }
    }
  }
}
