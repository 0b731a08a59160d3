import Cupola
import Foundation

@testable import CupolaExport

/// Evaluates a graph node by node, to compare it with the recognizer.
struct GraphInterpreter: Sendable {
  let graph: Graph
  /// Whether products that tolerate half precision are computed in it.
  private let halves: Bool
  /// For every node, the last node that uses its value.
  private let lastUses: [Int]

  /// Creates an interpreter of a valid graph; see ``Graph/fault``.
  init(_ graph: Graph, halves: Bool = false) {
    (self.graph, self.halves) = (graph, halves)
    var lastUses = Array(graph.nodes.indices)
    for (index, node) in graph.nodes.enumerated() {
      for input in node.inputs { lastUses[input] = index }
    }
    self.lastUses = lastUses
  }

  /// Returns the probabilities of ``Graph/labels`` for a picture.
  ///
  /// - Parameter see: Receives each node and its value.
  func probabilities(
    of image: RGBImage, see: (Graph.Node, [Float]) -> Void = { _, _ in }
  ) -> [Float] {
    precondition(
      graph.nodes.first?.shape == [1, image.height, image.width, 3],
      "wrong picture size \(image.width)x\(image.height)")
    var values = [[Float]](repeating: [], count: graph.nodes.count)
    for (index, node) in graph.nodes.enumerated() {
      values[index] =
        if node.operation == .input {
          image.pixels.map(Float.init)
        } else {
          compute(node, node.inputs.map { values[$0] })
        }
      see(node, values[index])
      for input in node.inputs where lastUses[input] == index { values[input] = [] }
    }
    return values.last ?? []
  }

  private func compute(_ node: Graph.Node, _ inputs: [[Float]]) -> [Float] {
    let shapes = node.inputs.map { graph.nodes[$0].shape }
    switch node.operation {
    case .input: return []
    case .constant(let tensor, _): return tensor.values
    case .toFloat, .reshape: return inputs[0]
    case .transpose(let permutation):
      return StridedView(shapes[0]).permuted(permutation).values(of: inputs[0])
    case .slice(let starts, _, let steps):
      return StridedView(shapes[0]).part(of: node.shape, starts, steps).values(of: inputs[0])
    case .concatenate(let axis):
      return AxisBlocks.concatenated(zip(inputs, shapes).map { ($0, AxisBlocks($1, axis)) })
    case .pad(let before, let after, let mode):
      return AxisBlocks.padded(inputs[0], shapes[0], before, after, mode)
    case .elementwise(let kind):
      return Self.elementwise(
        kind, StridedView(shapes[0]).broadcast(to: node.shape).values(of: inputs[0]),
        StridedView(shapes[1]).broadcast(to: node.shape).values(of: inputs[1]))
    case .unary(let kind): return Self.unary(kind, inputs[0])
    case .power(let exponent): return inputs[0].map { powf($0, exponent) }
    case .reduce(.sum, let axis): return AxisBlocks(shapes[0], axis).sums(of: inputs[0])
    case .reduce(.maximum, let axis): return AxisBlocks(shapes[0], axis).largest(of: inputs[0])
    case .product(let transposeA, let transposeB, let half):
      let product = GraphProduct(shapes[0], shapes[1], transposeA, transposeB)
      guard half, halves else {
        return product.values(inputs[0], inputs[1], shape: node.shape)
      }
      let (a, b) = (Self.halved(inputs[0]), Self.halved(inputs[1]))
      return Self.halved(product.values(a, b, shape: node.shape))
    case .convolution(let layout):
      return GraphConvolution(layout: layout).convolved(
        inputs[0], shapes[0], kernel: inputs[1], shapes[1], output: node.shape)
    case .averagePool(let layout, let side, let stride):
      return GraphConvolution(layout: layout).averaged(
        inputs[0], shapes[0], side: side, stride: stride, output: node.shape)
    case .softmax: return Self.softmax(inputs[0], columns: node.shape.last ?? 1)
    }
  }

  private static func halved(_ values: [Float]) -> [Float] {
    Matrix(rows: 1, columns: values.count, values: values).halved.values
  }

  private static func elementwise(
    _ kind: GraphOperation.Elementwise, _ a: [Float], _ b: [Float]
  ) -> [Float] {
    switch kind {
    case .add: zip(a, b).map { $0 + $1 }
    case .subtract: zip(a, b).map { $0 - $1 }
    case .multiply: zip(a, b).map { $0 * $1 }
    case .divide: zip(a, b).map { $0 / $1 }
    case .minimum: zip(a, b).map { min($0, $1) }
    case .maximum: zip(a, b).map { max($0, $1) }
    }
  }

  private static func unary(_ kind: GraphOperation.Unary, _ values: [Float]) -> [Float] {
    switch kind {
    case .squareRoot: values.map { $0.squareRoot() }
    case .absolute: values.map { $0.magnitude }
    case .relu: values.map { max($0, 0) }
    }
  }

  private static func softmax(_ values: [Float], columns: Int) -> [Float] {
    var result = values
    for start in stride(from: 0, to: values.count, by: columns) {
      let row = start..<start + columns
      let largest = values[row].max() ?? 0
      var sum = 0.0
      for index in row {
        result[index] = expf(values[index] - largest)
        sum += Double(result[index])
      }
      let scale = Float(1 / sum)
      for index in row { result[index] *= scale }
    }
    return result
  }
}

extension Graph {
  /// An error in names, order or shapes, or `nil`.
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
