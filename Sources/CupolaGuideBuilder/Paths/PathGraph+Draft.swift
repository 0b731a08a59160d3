internal import CupolaGuide

extension PathGraph {
  /// The graph of a draft: vertices without edges are left out, barriers and turns are those of the map.
  ///
  /// - Parameter faults: gets a line for each restriction that cannot be followed.
  init(_ draft: PathDraft, _ map: GuideMap, faults: inout [MapFault]) {
    var numbers = [Int](repeating: -1, count: draft.vertices.count)
    var vertices: [Vertex] = []
    var edges = draft.edges
    let barriers = Self.barriers(of: map)
    func number(_ vertex: Int) -> Int {
      if numbers[vertex] < 0 {
        numbers[vertex] = vertices.count
        let (point, level) = (draft.vertices[vertex].point, draft.vertices[vertex].level)
        vertices.append(
          Vertex(point: map.points[point], level: level, barrier: barriers[point] ?? []))
      }
      return numbers[vertex]
    }
    for index in edges.indices {
      edges[index].from = number(edges[index].from)
      edges[index].to = number(edges[index].to)
    }
    let turns = TurnRules(draft, map).forbidden(faults: &faults)
    self.init(vertices: vertices, edges: edges, ways: draft.ways, forbiddenTurns: turns)
  }

  private static func barriers(of map: GuideMap) -> [Int: WayAccess] {
    var barriers: [Int: WayAccess] = [:]
    for feature in map.features {
      guard case .point(let point) = feature.geometry else { continue }
      let barred = BarrierRules.barred(by: feature.tags)
      if !barred.isEmpty { barriers[point, default: []].formUnion(barred) }
    }
    return barriers
  }
}
