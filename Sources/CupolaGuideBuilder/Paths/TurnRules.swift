internal import CupolaGuide
internal import CupolaSupport

// 1. Find the sequences of arcs for each restriction.
// 2. Forbid these sequences, or all others with the same prefix.

struct TurnRules {
  private let draft: PathDraft
  private let map: GuideMap
  private var arcs: [String: [Int]] = [:]
  private var leaving: [Int: [Int]] = [:]

  /// The maximum number of sequences for a restriction, in case its ways meet at many points.
  private static let mostRows = 100

  init(_ draft: PathDraft, _ map: GuideMap) {
    (self.draft, self.map) = (draft, map)
    let wanted = Set(map.restrictions.flatMap { [$0.from, $0.to] + $0.viaWays })
    var vertices: Set<Int> = []
    let open = draft.edges.enumerated().filter { !$0.element.access.isEmpty }
    for (number, edge) in open where wanted.contains(draft.ways[edge.way].id) {
      arcs[draft.ways[edge.way].id, default: []] += [2 * number, 2 * number + 1]
      vertices.formUnion([edge.from, edge.to])
    }
    arcs = arcs.mapValues { $0.sorted { (tail($0), $0) < (tail($1), $1) } }
    for (number, edge) in open {
      if vertices.contains(edge.from) { leaving[edge.from, default: []].append(2 * number) }
      if vertices.contains(edge.to) { leaving[edge.to, default: []].append(2 * number + 1) }
    }
  }

  /// Returns the forbidden turns, and reports restrictions that cannot be applied.
  func forbidden(faults: inout [MapFault], budget: WorkBudget = .turns) -> [PathGraph.Turn] {
    var budget = budget
    var turns: [PathGraph.Turn] = []
    let most = faults.count + GuideMap.mostFaults
    for restriction in map.restrictions {
      // Routes cannot use ways outside the extract.
      let ways = [restriction.from, restriction.to] + restriction.viaWays
      guard ways.allSatisfy({ arcs[$0] != nil }) else { continue }
      let rows = budget.isSpent ? [] : rows(of: restriction, &budget)
      for row in rows { take(row, restriction.isOnly, from: &budget) }
      guard !budget.isSpent else {
        budget.skip(restriction.id)
        continue
      }
      if rows.isEmpty, faults.count < most {
        faults.append(
          MapFault(
            restriction.id,
            "the ways of this turn restriction do not meet, meet too often, or are too long; "
              + "correct its from, via and to members"))
      }
      turns += restriction.isOnly ? others(than: rows) : rows.map { PathGraph.Turn($0) }
    }
    if let fault = budget.fault { faults.append(fault) }
    return turns
  }

  /// Deducts the cost of the turns that are forbidden by a sequence, or by a sequence being the only permitted one.
  private func take(_ row: [Int], _ isOnly: Bool, from budget: inout WorkBudget) {
    guard isOnly else {
      budget.results -= row.count * row.count
      return
    }
    for place in 1..<row.count {
      budget.results -= (leaving[tail(row[place])]?.count ?? 0) * (place + 1) * (place + 1)
    }
  }

  private func rows(of restriction: TurnRestriction, _ budget: inout WorkBudget) -> [[Int]] {
    if let point = restriction.viaPoint {
      guard let via = draft.existing(point, level: nil) else { return [] }
      return join(restriction, [], from: via, to: via)
    }
    let between = restriction.viaWays.reduce(0) { $0 + (arcs[$1]?.count ?? 0) }
    budget.tests -= between
    guard !budget.isSpent else { return [] }
    let starts = Set(restriction.viaWays.flatMap { arcs[$0] ?? [] }.map(tail))
    var best: [[Int]] = []
    for start in starts.sorted() where !arcs(of: restriction.from, from: start).isEmpty {
      // Only a shorter sequence would be better. Each edge in a sequence requires a state, so do not follow long ones.
      let most = (best.first?.count ?? PathGraph.Turn.mostArcs + 1) - 3
      guard let path = path(from: start, of: restriction, atMost: most, &budget),
        let last = path.last
      else { continue }
      let rows = join(restriction, path, from: start, to: head(last))
      if best.isEmpty || (rows.first?.count ?? .max) < best[0].count { best = rows }
    }
    return best
  }

  private func join(
    _ restriction: TurnRestriction, _ path: [Int], from start: Int, to end: Int
  ) -> [[Int]] {
    let coming = arcs(of: restriction.from, from: start)
    let onward = arcs(of: restriction.to, from: end)
    guard coming.count * onward.count <= Self.mostRows else { return [] }
    return coming.flatMap { from in
      onward.filter { !restriction.isTurningRound || $0 == from }
        .map { [from ^ 1] + path + [$0] }
    }
  }

  private func path(
    from start: Int, of restriction: TurnRestriction, atMost most: Int, _ budget: inout WorkBudget
  ) -> [Int]? {
    var reached: [Int: Int] = [:]
    var front = [start]
    for _ in 0..<most where !front.isEmpty {
      var next: [Int] = []
      for vertex in front {
        guard !budget.isSpent else { return nil }
        for way in restriction.viaWays {
          let onward = arcs(of: way, from: vertex)
          budget.tests -= 1 + onward.count
          for arc in onward where head(arc) != start && reached[head(arc)] == nil {
            reached[head(arc)] = arc
            if !arcs(of: restriction.to, from: head(arc)).isEmpty {
              return row(to: head(arc), reached)
            }
            next.append(head(arc))
          }
        }
      }
      front = next
    }
    return nil
  }

  private func row(to end: Int, _ reached: [Int: Int]) -> [Int] {
    var row: [Int] = []
    var vertex = end
    while let arc = reached[vertex] {
      row.append(arc)
      vertex = tail(arc)
    }
    return row.reversed()
  }

  private func others(than rows: [[Int]]) -> [PathGraph.Turn] {
    let allowed = Set(rows.flatMap { row in row.indices.map { row[...$0] } })
    return rows.flatMap { row in
      (1..<row.count).flatMap { place in
        (leaving[tail(row[place])] ?? []).map { row[..<place] + [$0] }
          .filter { !allowed.contains($0) }.map { PathGraph.Turn(Array($0)) }
      }
    }
  }

  private func arcs(of feature: String, from vertex: Int) -> ArraySlice<Int> {
    guard let all = arcs[feature] else { return [] }
    let first = all.indices.bisection { tail(all[$0]) >= vertex }
    return all[first...].prefix { tail($0) == vertex }
  }

  private func tail(_ arc: Int) -> Int {
    arc & 1 == 0 ? draft.edges[arc >> 1].from : draft.edges[arc >> 1].to
  }

  private func head(_ arc: Int) -> Int { tail(arc ^ 1) }
}
