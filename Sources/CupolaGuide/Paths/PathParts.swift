internal import CupolaSupport

/// The parts of a graph: where a mode can go at all, and what is an island.
package struct PathParts: Sendable {
  /// Of each vertex, the lowest vertex that edges join it with, whichever way round they may be passed.
  private let roots: [Int32]
  /// Of each vertex, the number of those that can be reached from each other.
  private let strong: [Int32]
  private let edges: [PathGraph.Edge]
  private let main: Int32
  /// Meters of the edges of each part that is joined, the largest first.
  package let sizes: [(root: Int, meters: Double)]

  init(_ graph: PathGraph, _ mode: TravelMode, _ leaving: SearchGraph.Leaving) {
    let open = graph.edges.indices.filter {
      graph.allows(2 * $0, mode) || graph.allows(2 * $0 + 1, mode)
    }
    roots = Self.roots(graph, open)
    strong =
      StrongParts(vertexCount: graph.vertices.count, leaving: leaving, head: graph.head)
      .numbers
    edges = graph.edges
    var meters: [Int32: Double] = [:]
    var strongMeters: [Int32: Double] = [:]
    for edge in open {
      let (from, to) = (graph.edges[edge].from, graph.edges[edge].to)
      meters[roots[from], default: 0] += graph.lengths[edge]
      if strong[from] == strong[to] {
        strongMeters[strong[from], default: 0] += graph.lengths[edge]
      }
    }
    sizes = meters.map { (Int($0.key), $0.value) }.sorted { ($0.1, $1.0) > ($1.1, $0.0) }
    main = strongMeters.max { ($0.value, $1.key) < ($1.value, $0.key) }?.key ?? -1
  }

  private static func roots(_ graph: PathGraph, _ edges: [Int]) -> [Int32] {
    var parts = DisjointSets(count: graph.vertices.count)
    // Who may not pass a barrier may still stand there, so it belongs to both sides.
    for edge in edges { parts.join(graph.edges[edge].from, graph.edges[edge].to) }
    return graph.vertices.indices.map { Int32(parts.root(of: $0)) }
  }

  /// Whether an edge is in the largest part of which all can be reached from all.
  func isMain(_ edge: Int) -> Bool {
    strong[edges[edge].from] == main && strong[edges[edge].to] == main
  }

  package func part(of vertex: Int) -> Int { Int(roots[vertex]) }
}

/// The strongly connected components of a graph: vertices that can be reached from each other (Tarjan 1972), without
/// recursion.
package struct StrongParts {
  /// Of each vertex, the number of its component.
  package private(set) var numbers: [Int32]
  private(set) var count: Int32 = 0

  /// - Parameters:
  ///   - leaving: arcs by vertex.
  ///   - head: where an arc leads to.
  package init(vertexCount: Int, leaving: SearchGraph.Leaving, head: (Int) -> Int) {
    numbers = [Int32](repeating: -1, count: vertexCount)
    var order = [Int32](repeating: -1, count: vertexCount)
    var low = order
    var open: [Int32] = []
    var next: Int32 = 0
    var path: [(vertex: Int, place: Int)] = []
    func enter(_ vertex: Int) {
      (order[vertex], low[vertex]) = (next, next)
      next += 1
      open.append(Int32(vertex))
      path.append((vertex, leaving[vertex].startIndex))
    }
    for root in 0..<vertexCount where order[root] < 0 {
      enter(root)
      while let (vertex, place) = path.last {
        let arcs = leaving[vertex]
        if place < arcs.endIndex {
          path[path.count - 1].place += 1
          let other = head(Int(arcs[place]))
          if order[other] < 0 {
            enter(other)
          } else if numbers[other] < 0 {
            low[vertex] = min(low[vertex], order[other])
          }
          continue
        }
        path.removeLast()
        if let parent = path.last?.vertex { low[parent] = min(low[parent], low[vertex]) }
        guard low[vertex] == order[vertex] else { continue }
        while let member = open.popLast() {
          numbers[Int(member)] = count
          if Int(member) == vertex { break }
        }
        count += 1
      }
    }
  }
}
