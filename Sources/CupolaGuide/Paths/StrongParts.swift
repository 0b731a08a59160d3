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
