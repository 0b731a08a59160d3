extension Graph {
  /// Why a graph that was read from somewhere cannot be computed; `nil` when it can.
  ///
  /// Also bounds what computing it may take: a file may come from anywhere.
  func fault() -> String? {
    guard let first = nodes.first, first.operation == .input, first.shape.count == 4,
      first.shape[0] == 1, first.shape[3] == 3
    else { return "its input is no picture" }
    guard let side = GraphOperation.count(first.shape), side <= Self.largestValue else {
      return "its input is too large"
    }
    var names: Set<String> = []
    var work = 0
    for (index, node) in nodes.enumerated() {
      guard names.insert(node.name).inserted else { return "two of its nodes are \(node.name)" }
      guard node.inputs.allSatisfy({ (0..<index).contains($0) }) else {
        return "\(node.name) uses what comes later"
      }
      guard index > 0 else { continue }
      guard node.operation.shape(of: node.inputs.map { nodes[$0].shape }) == node.shape,
        node.shape.count <= 4, let count = GraphOperation.count(node.shape)
      else { return "\(node.name) is not of the shape \(node.shape)" }
      guard count <= Self.largestValue else { return "\(node.name) is too large" }
      work += count * self.work(of: node)
      guard work <= Self.mostWork else { return "it takes too much work" }
    }
    guard nodes.last?.shape == [1, labels.count] else {
      return "it has \(nodes.last?.shape ?? []) probabilities for \(labels.count) labels"
    }
    return nil
  }

  /// Multiplications a value of a node, at most.
  private func work(of node: Node) -> Int {
    switch node.operation {
    case .product(let transposeA, _):
      let shape = nodes[node.inputs[0]].shape
      return shape[shape.count - (transposeA ? 2 : 1)]
    case .convolution: return nodes[node.inputs[1]].shape.reduce(1, *)
    case .averagePool(_, let side, _): return side * side
    default: return 1
    }
  }

  /// Values in one node's value; a pipeline of 10,000 labels stays below.
  private static let largestValue = 1 << 29
  /// Multiplications in all; the largest recipe takes some 2^31.
  private static let mostWork = 1 << 38
}
