internal import CupolaGuide

// 1. Export the graph of a travel mode for networkx.
// 2. Compute random routes for comparison.

package struct NodeLinkGraph: Encodable, Sendable {
  struct Node: Encodable, Sendable {
    let id: Int
    let latitude: Double
    let longitude: Double
    let level: Double?
  }

  struct Link: Encodable, Sendable {
    let id: Int
    let key: Int
    let source: Int
    let target: Int
    let cost: Double
    let meters: Double
    /// Whether the link is access-only, so that it can be used only at the start and the end of a route.
    let local: Bool
  }

  let directed = true
  let multigraph = true
  let nodes: [Node]
  let links: [Link]
  /// Sequences of links that are forbidden for cars.
  let forbiddenTurns: [[Int]]
  /// Whether U-turns are allowed at vertices where other links continue.
  let uTurns: Bool

  private enum CodingKeys: String, CodingKey {
    case directed, multigraph, nodes, links
    case forbiddenTurns = "forbidden_turns"
    case uTurns = "u_turns"
  }
}

package struct VertexWay: Encodable, Sendable {
  let from: Int
  let to: Int
  let cost: Double?
  let links: [Int]?
}

extension Router {
  package var nodeLinkGraph: NodeLinkGraph {
    let graph = search.graph
    let nodes = graph.vertices.enumerated().map { number, vertex in
      NodeLinkGraph.Node(
        id: number, latitude: vertex.point.latitude, longitude: vertex.point.longitude,
        level: vertex.level)
    }
    var links: [NodeLinkGraph.Link] = []
    for vertex in graph.vertices.indices where !graph.isBlocked(vertex, search.cost.mode) {
      for arc in search.leaving[vertex] {
        let edge = Int(arc) >> 1
        links.append(
          NodeLinkGraph.Link(
            id: Int(arc), key: Int(arc), source: vertex, target: graph.head(Int(arc)),
            cost: search.edgeCosts[edge], meters: graph.lengths[edge],
            local: search.hasTurns && graph.ways[graph.edges[edge].way].isLocal))
      }
    }
    return NodeLinkGraph(
      nodes: nodes, links: links,
      forbiddenTurns: search.hasTurns ? graph.forbiddenTurns.map(\.arcs) : [],
      uTurns: !search.hasTurns)
  }

  /// Returns the route between two random vertices that have arcs and are not at a barrier. The route may pass through
  /// rooms, so that its cost is the sum of the costs of its links.
  package func randomWay(drawing below: (Int) -> Int) -> VertexWay {
    let open = search.graph.vertices.indices.filter {
      !search.leaving[$0].isEmpty && !search.graph.isBlocked($0, search.cost.mode)
    }
    guard !open.isEmpty else { return VertexWay(from: 0, to: 0, cost: nil, links: nil) }
    let (from, to) = (open[below(open.count)], open[below(open.count)])
    let found = find(
      from: PathEnd([PathEnd.Choice(.vertex(from))]), to: PathEnd([PathEnd.Choice(.vertex(to))]),
      avoidingRooms: false)
    return VertexWay(from: from, to: to, cost: found?.cost, links: found?.arcs)
  }
}
