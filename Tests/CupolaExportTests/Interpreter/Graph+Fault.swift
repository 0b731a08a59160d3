@testable import CupolaExport

extension Graph {
  /// What is wrong with the graph's names, order or shapes; `nil` when nothing is.
  var fault: String? {
    var names: Set<String> = []
    for (index, node) in nodes.enumerated() {
      guard names.insert(node.name).inserted else { return "two nodes are called \(node.name)" }
      guard node.inputs.allSatisfy({ (0..<index).contains($0) }) else {
        return "\(node.name) uses what comes later"
      }
      let shape = node.operation.shape(of: node.inputs.map { nodes[$0].shape })
      guard index == 0 || shape == node.shape else { return "\(node.name) has another shape" }
    }
    guard nodes.first?.operation == .input else { return "the input does not come first" }
    return nodes.last?.shape == [1, labels.count] ? nil : "not one probability a label"
  }
}
