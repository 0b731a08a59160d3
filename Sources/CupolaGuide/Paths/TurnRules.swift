/// Turns restrictions of ways into rows of arcs.
struct TurnRules {
  private let draft: PathDraft
  private let map: GuideMap
  /// Edges of the features that restrictions name.
  private var edges: [String: [Int]] = [:]
  /// Arcs that leave the vertices of those features.
  private var leaving: [Int: [Int]] = [:]

  init(_ draft: PathDraft, _ map: GuideMap) {
    (self.draft, self.map) = (draft, map)
    let wanted = Set(map.restrictions.flatMap { [$0.from, $0.to] + $0.viaWays })
    var vertices: Set<Int> = []
    for (number, edge) in draft.edges.enumerated() where wanted.contains(draft.ways[edge.way].id) {
      edges[draft.ways[edge.way].id, default: []].append(number)
      vertices.formUnion([edge.from, edge.to])
    }
    for (number, edge) in draft.edges.enumerated() {
      if vertices.contains(edge.from) { leaving[edge.from, default: []].append(2 * number) }
      if vertices.contains(edge.to) { leaving[edge.to, default: []].append(2 * number + 1) }
    }
  }

  /// - Parameter faults: gets a line for each restriction whose ways do not meet.
  func forbidden(faults: inout [MapFault]) -> [PathGraph.Turn] {
    map.restrictions.flatMap { restriction -> [PathGraph.Turn] in
      // What the extract leaves out cannot be driven.
      let ways = [restriction.from, restriction.to] + restriction.viaWays
      guard ways.allSatisfy({ edges[$0] != nil }) else { return [] }
      let rows = rows(of: restriction)
      if rows.isEmpty {
        faults.append(
          MapFault(
            restriction.id,
            "a turn restriction whose ways do not meet, or are too long; correct its members from, via and to"
          ))
      }
      return restriction.isOnly ? others(than: rows) : rows.map { PathGraph.Turn($0) }
    }
  }

  /// The rows of arcs that a restriction is about.
  private func rows(of restriction: TurnRestriction) -> [[Int]] {
    let going = arcs(leading: restriction.to)
    if let point = restriction.viaPoint {
      guard let via = draft.existing(point, level: nil) else { return [] }
      return join(arcs(leading: restriction.from).filter { head($0) == via }, [], going, at: via)
    }
    let between = restriction.viaWays.flatMap { arcs(leading: $0) }
    let goals = Set(going.map(tail))
    var best: [[Int]] = []
    for start in Set(between.map(tail)).sorted() {
      let coming = arcs(leading: restriction.from).filter { head($0) == start }
      guard !coming.isEmpty, let path = path(from: start, over: between, to: goals),
        let last = path.last
      else { continue }
      let rows = join(coming, path, going, at: head(last))
      if best.isEmpty || (rows.first?.count ?? .max) < best[0].count { best = rows }
    }
    return best
  }

  private func join(_ coming: [Int], _ path: [Int], _ going: [Int], at vertex: Int) -> [[Int]] {
    coming.flatMap { from in
      going.filter { tail($0) == vertex }.map { [from] + path + [$0] }
    }
  }

  /// The fewest arcs that lead to one of some vertices.
  private func path(from start: Int, over arcs: [Int], to goals: Set<Int>) -> [Int]? {
    var reached: [Int: [Int]] = [start: []]
    var front = [start]
    // Each edge of a row needs a state of its own that knows all before it: long rows are not followed.
    for _ in 0..<PathGraph.Turn.mostArcs - 2 where !front.isEmpty {
      var next: [Int] = []
      for vertex in front {
        for arc in arcs where tail(arc) == vertex && reached[head(arc)] == nil {
          let row = (reached[vertex] ?? []) + [arc]
          if goals.contains(head(arc)) { return row }
          reached[head(arc)] = row
          next.append(head(arc))
        }
      }
      front = next
    }
    return nil
  }

  /// Of the only rows that are allowed, all others that begin like them.
  private func others(than rows: [[Int]]) -> [PathGraph.Turn] {
    let allowed = Set(rows.flatMap { row in row.indices.map { row[...$0] } })
    return rows.flatMap { row in
      (1..<row.count).flatMap { place in
        (leaving[tail(row[place])] ?? []).map { row[..<place] + [$0] }
          .filter { !allowed.contains($0) }.map { PathGraph.Turn(Array($0)) }
      }
    }
  }

  private func arcs(leading feature: String) -> [Int] {
    (edges[feature] ?? []).flatMap { [2 * $0, 2 * $0 + 1] }
  }

  private func tail(_ arc: Int) -> Int {
    arc & 1 == 0 ? draft.edges[arc >> 1].from : draft.edges[arc >> 1].to
  }

  private func head(_ arc: Int) -> Int { tail(arc ^ 1) }
}
