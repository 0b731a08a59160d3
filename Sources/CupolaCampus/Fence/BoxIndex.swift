/// Finds the boxes that meet another one without looking at all of them, whatever their order.
package struct BoxIndex: Sendable {
  private let tree: BoxTree
  /// The numbers of the boxes in the order of the tree.
  private let order: [Int]

  package init(_ boxes: [BoxTree.Box]) {
    order = MortonOrder.indices(of: boxes.map { ($0.low + $0.high) / 2 })
    tree = BoxTree(order.map { boxes[$0] })
  }

  /// The numbers of the boxes that share a point with another, ascending.
  package func indices(meeting box: BoxTree.Box) -> [Int] {
    var work = 0
    return indices(meeting: box, &work)
  }

  /// The same; to `work` is added how many boxes were compared.
  func indices(meeting box: BoxTree.Box, _ work: inout Int) -> [Int] {
    var found: [Int] = []
    work += tree.indices(meeting: box) { found.append(order[$0]) }
    return found.sorted()
  }
}
