/// Turns of cars as steps from arc to arc: forbidden ones are left out, and cars turn round only where nothing else
/// leads on.
///
/// Where a restriction is about more than two arcs, what may follow depends on more than the last arc: an arc that is
/// driven as a part of such a row has a state of its own, which knows the row so far (the automaton of Aho & Corasick
/// 1975 over arcs).
///
/// Ways that are no ways through are passed at the beginning and at the end only: such an arc has a second state, in
/// which it was turned into from another way, and from which nothing but such ways leads on.
struct TurnGraph {
  /// As in ``SearchGraph``.
  private(set) var starts: [Int32] = [0]
  private(set) var targets: [Int32] = []
  /// The arc of each state; states up to the number of arcs are the arcs themselves.
  private(set) var stateArcs: [Int32]

  private let graph: PathGraph
  private let leaving: SearchGraph.Leaving
  private let forbidden: Set<[Int]>
  /// The beginnings of forbidden rows, from two arcs on, with the states that stand for them.
  private var rows: [[Int]: Int] = [:]
  /// The second states of local arcs.
  private var last: [Int: Int] = [:]
  /// Arcs that forbidden rows begin with.
  private let firsts: Set<Int>

  /// - Parameter allowsThrough: whether all ways are ways through.
  init(_ graph: PathGraph, _ leaving: SearchGraph.Leaving, allowsThrough: Bool) {
    (self.graph, self.leaving) = (graph, leaving)
    forbidden = Set(graph.forbiddenTurns.map(\.arcs))
    firsts = Set(forbidden.map { $0[0] })
    stateArcs = Array(0..<Int32(2 * graph.edges.count))
    let local = stateArcs.indices.filter {
      !allowsThrough && graph.ways[graph.edges[$0 >> 1].way].isLocal
    }
    for arc in local {
      last[arc] = stateArcs.count
      stateArcs.append(Int32(arc))
    }
    var histories: [[Int]] = []
    for turn in graph.forbiddenTurns {
      // Of rows over local ways only turns at a point are kept: they would need more states than they are worth.
      guard turn.arcs.count == 2 || turn.arcs.allSatisfy({ last[$0] == nil }) else { continue }
      for count in 2..<max(2, turn.arcs.count) {
        let row = Array(turn.arcs.prefix(count))
        guard rows[row] == nil else { continue }
        rows[row] = stateArcs.count
        stateArcs.append(Int32(row[count - 1]))
        histories.append(row)
      }
    }
    for arc in 0..<2 * graph.edges.count { addSteps(after: [arc]) }
    for arc in local { addSteps(after: [arc], isLast: true) }
    for row in histories { addSteps(after: row) }
  }

  /// - Parameters:
  ///   - row: arcs that were driven, as far as they matter.
  ///   - isLast: whether the last one is a local way that was turned into from another.
  private mutating func addSteps(after row: [Int], isLast: Bool = false) {
    defer { starts.append(Int32(targets.count)) }
    let arc = row[row.count - 1]
    guard graph.allows(arc, .drive), !graph.isBarred(graph.head(arc), .drive) else { return }
    let back = Int32(arc ^ 1)
    let isFree = row.count == 1 && !firsts.contains(arc)
    let onward = leaving[graph.head(arc)].filter { next in
      next != back && (isFree || !isForbidden(row + [Int(next)]))
    }
    // A sign that forbids to turn round holds at the end of a street, too.
    let turnsRound =
      onward.isEmpty && leaving[graph.head(arc)].contains(back)
      && (isFree || !isForbidden(row + [Int(back)]))
    for next in turnsRound ? [back] : onward {
      if let second = last[Int(next)] {
        targets.append(last[arc] != nil && !isLast ? next : Int32(second))
      } else if !isLast {
        targets.append(isFree ? next : Int32(state(after: row + [Int(next)])))
      }
    }
  }

  private func isForbidden(_ row: [Int]) -> Bool {
    row.indices.contains { forbidden.contains(Array(row[$0...])) }
  }

  /// The state of the longest end of a row that a forbidden one begins with.
  private func state(after row: [Int]) -> Int {
    for start in row.indices.dropLast() {
      if let state = rows[Array(row[start...])] { return state }
    }
    return row[row.count - 1]
  }
}
