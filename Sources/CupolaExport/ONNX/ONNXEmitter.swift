import Cupola

/// Writes a graph's nodes and constants as ONNX has them.
///
/// Lists of whole numbers are called by numbers, all else as the graph's nodes are, which have no
/// digits in their names.
struct ONNXEmitter {
  /// What is added to the name of a node for what belongs to it.
  private enum Suffix {
    static let stored = "1"
    static let scale = "2"
    static let exponent = "3"
    static let turned = "4"
  }

  private let graph: Graph
  private(set) var nodes: [ONNXNode] = []
  private(set) var tensors: [ONNXTensor] = []
  private var integerTensors: [[Int]: String] = [:]

  /// The nodes and constants of a graph with channels first.
  init(_ graph: Graph) {
    precondition(graph.layout == .channelsFirst, "ONNX has its channels first")
    self.graph = graph
    for index in graph.nodes.indices { add(index) }
    precondition(graph.nodes.last?.name == ONNXModel.Name.probabilities, "the last node's name")
    nodes.append(
      ONNXNode(
        "ArgMax", inputs: [ONNXModel.Name.probabilities], output: ONNXModel.Name.best,
        attributes: ["axis": .integer(1), "keepdims": .integer(0)]))
    nodes.append(
      ONNXNode(
        "LabelEncoder", domain: ONNXModel.labelDomain, inputs: [ONNXModel.Name.best],
        output: ONNXModel.Name.label,
        attributes: [
          "default_string": .text(Graph.notACampusBuilding),
          "keys_int64s": .integers(Array(graph.labels.indices)),
          "values_strings": .texts(graph.labels),
        ]))
  }

  private mutating func add(_ index: Int) {
    let node = graph.nodes[index]
    let output = node.name
    var inputs = node.inputs.map { graph.nodes[$0].name }
    switch node.operation {
    case .input: return
    case .constant(let tensor, let format): return add(output, tensor, format)
    case .product(let transposeA, let transposeB):
      return addProduct(node, inputs: inputs, transposeA: transposeA, transposeB: transposeB)
    default: break
    }
    let (operation, attributes) = Self.operation(of: node)
    inputs += parameters(of: node)
    nodes.append(ONNXNode(operation, inputs: inputs, output: output, attributes: attributes))
  }

  // MARK: - Constants

  private mutating func add(_ name: String, _ tensor: GraphTensor, _ format: WeightFormat) {
    let constant = StoredConstant(tensor, as: format)
    func append(_ name: String, _ type: ONNXModel.ElementType) {
      tensors.append(ONNXTensor(name, type, shape: tensor.shape, bytes: constant.bytes))
    }
    let stored = name + Suffix.stored
    switch format {
    case .float32: append(name, .float)
    case .float16:
      append(stored, .float16)
      nodes.append(
        ONNXNode("Cast", inputs: [stored], output: name, attributes: Self.toFloat))
    case .int8:
      let scale = name + Suffix.scale
      append(stored, .int8)
      tensors.append(floats(scale, constant.scales, shape: [constant.scales.count]))
      nodes.append(
        ONNXNode(
          "DequantizeLinear", inputs: [stored, scale], output: name,
          attributes: ["axis": .integer(0)]))
    }
  }

  private func floats(_ name: String, _ values: [Float], shape: [Int]) -> ONNXTensor {
    let constant = StoredConstant(GraphTensor(shape: shape, values: values), as: .float32)
    return ONNXTensor(name, .float, shape: shape, bytes: constant.bytes)
  }

  private static let toFloat: [String: ONNXNode.Attribute] = [
    "to": .integer(ONNXModel.ElementType.float.rawValue)
  ]

  /// Shapes, axes and so on are tensors, too; each is kept once.
  private mutating func constant(_ integers: [Int]) -> String {
    if let known = integerTensors[integers] { return known }
    let name = String(integerTensors.count)
    integerTensors[integers] = name
    tensors.append(ONNXTensor(name, integers: integers))
    return name
  }

  // MARK: - Operations

  /// Inputs that the operation has beside the graph's.
  private mutating func parameters(of node: Graph.Node) -> [String] {
    switch node.operation {
    case .reshape(let shape): return [constant(shape)]
    case .slice(let starts, let ends, let steps):
      let sides = graph.nodes[node.inputs[0]].shape
      let axes = starts.indices.filter {
        starts[$0] > 0 || ends[$0] < sides[$0] || steps[$0] > 1
      }
      let parameters = [starts, ends, steps].map { values in axes.map { values[$0] } }
      let names = [constant(parameters[0]), constant(parameters[1]), constant(axes)]
      return names + (parameters[2].allSatisfy { $0 == 1 } ? [] : [constant(parameters[2])])
    case .pad(let before, let after, _): return [constant(before + after)]
    case .reduce(.sum, let axis): return [constant([axis])]
    case .power(let exponent):
      let name = node.name + Suffix.exponent
      tensors.append(floats(name, [exponent], shape: []))
      return [name]
    default: return []
    }
  }

  /// Attributes that have their default are left out.
  private static func operation(of node: Graph.Node) -> (String, [String: ONNXNode.Attribute]) {
    switch node.operation {
    case .input, .constant, .product: preconditionFailure("no single node")
    case .toFloat: ("Cast", toFloat)
    case .reshape: ("Reshape", [:])
    case .transpose(let permutation): ("Transpose", ["perm": .integers(permutation)])
    case .slice: ("Slice", [:])
    case .concatenate(let axis): ("Concat", ["axis": .integer(axis)])
    case .pad(_, _, let mode): ("Pad", mode == .zero ? [:] : ["mode": .text("reflect")])
    case .elementwise(let kind): (name(of: kind), [:])
    case .unary(let kind): (name(of: kind), [:])
    case .power: ("Pow", [:])
    case .reduce(.sum, _): ("ReduceSum", [:])
    // Only the axes of sums are an input in operation set 13.
    case .reduce(.maximum, let axis): ("ReduceMax", ["axes": .integers([axis])])
    case .convolution: ("Conv", [:])
    case .averagePool(_, let side, let stride):
      (
        "AveragePool",
        ["kernel_shape": .integers([side, side])]
          .merging(stride == 1 ? [:] : ["strides": .integers([stride, stride])]) { $1 }
      )
    case .softmax: ("Softmax", [:])
    }
  }

  /// Names of operations on pairs of values.
  private static func name(of kind: GraphOperation.Elementwise) -> String {
    switch kind {
    case .add: "Add"
    case .subtract: "Sub"
    case .multiply: "Mul"
    case .divide: "Div"
    case .minimum: "Min"
    case .maximum: "Max"
    }
  }

  /// Names of operations on single values.
  private static func name(of kind: GraphOperation.Unary) -> String {
    switch kind {
    case .squareRoot: "Sqrt"
    case .absolute: "Abs"
    case .relu: "Relu"
    }
  }

  /// Matrices multiply by Gemm, which transposes; stacks of them by MatMul.
  private mutating func addProduct(
    _ node: Graph.Node, inputs: [String], transposeA: Bool, transposeB: Bool
  ) {
    let ranks = node.inputs.map { graph.nodes[$0].shape.count }
    if ranks == [2, 2] {
      var flags: [String: ONNXNode.Attribute] = [:]
      if transposeA { flags["transA"] = .integer(1) }
      if transposeB { flags["transB"] = .integer(1) }
      nodes.append(ONNXNode("Gemm", inputs: inputs, output: node.name, attributes: flags))
      return
    }
    var inputs = inputs
    for (place, isTransposed) in [transposeA, transposeB].enumerated() where isTransposed {
      let turned = node.name + Suffix.turned
      var axes = Array(0..<ranks[place])
      axes.swapAt(axes.count - 1, axes.count - 2)
      nodes.append(
        ONNXNode(
          "Transpose", inputs: [inputs[place]], output: turned,
          attributes: ["perm": .integers(axes)]))
      inputs[place] = turned
    }
    nodes.append(ONNXNode("MatMul", inputs: inputs, output: node.name))
  }
}
