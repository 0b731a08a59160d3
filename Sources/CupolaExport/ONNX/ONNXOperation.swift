/// What a node of an ONNX file computes, as an operation of a graph.
struct ONNXOperation {
  private let node: ONNXNode
  private let tensors: [String: ONNXTensor]
  /// The shape of the first input.
  private let shape: [Int]

  init(_ node: ONNXNode, _ tensors: [String: ONNXTensor], _ shape: [Int]) {
    self.node = node
    self.tensors = tensors
    self.shape = shape
  }

  /// - Parameter turned: which inputs are transposed before.
  func operation(turned: [Bool]) throws -> GraphOperation {
    if let kind = ONNXEmitter.elementwise.first(where: { $0.value == node.operation })?.key {
      return .elementwise(kind)
    }
    if let kind = ONNXEmitter.unary.first(where: { $0.value == node.operation })?.key {
      return .unary(kind)
    }
    switch node.operation {
    case "Cast": return .toFloat
    case "Reshape": return .reshape(try integers(1))
    case "Transpose": return .transpose(try list("perm"))
    case "Slice": return try slice()
    case "Concat": return .concatenate(axis: try number("axis"))
    case "Pad": return try pad()
    case "Pow": return .power(try exponent())
    case "ReduceSum": return .sum(axis: try integers(1).first ?? -1)
    case "Gemm":
      return .product(
        transposeA: try number("transA", default: 0) == 1,
        transposeB: try number("transB", default: 0) == 1)
    case "MatMul":
      guard turned.count == 2 else { throw fault("it is no product of two inputs") }
      return .product(transposeA: turned[0], transposeB: turned[1])
    case "Conv": return .convolution(layout: .channelsFirst)
    case "AveragePool":
      return .averagePool(
        layout: .channelsFirst, side: try list("kernel_shape").first ?? 0,
        stride: node.attributes["strides"] == nil ? 1 : try list("strides").first ?? 0)
    case "Softmax": return .softmax
    default: throw fault("\(node.operation) is no operation of Cupola")
    }
  }

  /// The axes that are not named stay whole.
  private func slice() throws -> GraphOperation {
    var parts = (starts: shape.map { _ in 0 }, ends: shape, steps: shape.map { _ in 1 })
    let (starts, ends, axes) = (try integers(1), try integers(2), try integers(3))
    let steps = node.inputs.count > 4 ? try integers(4) : axes.map { _ in 1 }
    guard [starts.count, ends.count, steps.count].allSatisfy({ $0 == axes.count }) else {
      throw fault("its starts, ends, axes and steps are not as many")
    }
    for (index, axis) in axes.enumerated() {
      guard shape.indices.contains(axis) else { throw fault("it slices axis \(axis)") }
      parts.starts[axis] = starts[index]
      parts.ends[axis] = ends[index]
      parts.steps[axis] = steps[index]
    }
    return .slice(starts: parts.starts, ends: parts.ends, steps: parts.steps)
  }

  private func pad() throws -> GraphOperation {
    let sizes = try integers(1)
    guard sizes.count.isMultiple(of: 2) else {
      throw fault("its padding is not one before and one after each axis")
    }
    return .pad(
      before: Array(sizes.prefix(sizes.count / 2)), after: Array(sizes.suffix(sizes.count / 2)),
      mode: node.attributes["mode"] == .text("reflect") ? .reflect : .zero)
  }

  private func exponent() throws -> Float {
    guard node.inputs.count == 2, let value = tensors[node.inputs[1]]?.floats, value.count == 1
    else { throw fault("its exponent is no number") }
    return value[0]
  }

  private func integers(_ input: Int) throws -> [Int] {
    guard node.inputs.indices.contains(input), let list = tensors[node.inputs[input]]?.integers
    else { throw fault("its input \(input + 1) is no list of whole numbers") }
    return list
  }

  private func number(_ name: String, default missing: Int? = nil) throws -> Int {
    if let missing, node.attributes[name] == nil { return missing }
    guard case .integer(let number) = node.attributes[name] else {
      throw fault("it has no \(name)")
    }
    return number
  }

  private func list(_ name: String) throws -> [Int] {
    guard case .integers(let list) = node.attributes[name] else { throw fault("it has no \(name)") }
    return list
  }

  private func fault(_ what: String) -> ONNXFault { .badNode(node.output, what) }
}
