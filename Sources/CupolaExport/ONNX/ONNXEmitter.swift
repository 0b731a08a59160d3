import Cupola

// 1. Write each operation of the graph as an ONNX node, and each constant as a tensor.
// 2. Add nodes that convert half-precision and integer weights. Store equal lists of integers once.
// 3. Add the nodes that find the most probable label.

/// Writes a graph's nodes and constants as ONNX. Names of integer lists are numbers; other names have no digits.
struct ONNXEmitter {
  private enum Suffix {
    static let stored = "1"
    static let scale = "2"
    static let exponent = "3"
    static let turned = "4"
  }

  private let graph: Graph
  private(set) var nodes = ProtobufWriter()
  private(set) var tensors = ProtobufWriter()
  private var integerTensors: [[Int]: String] = [:]

  /// Writes a graph with channels first.
  init(_ graph: Graph) {
    precondition(graph.layout == .channelsFirst, "ONNX requires channels first")
    self.graph = graph
    for index in graph.nodes.indices { add(index) }
    precondition(
      graph.nodes.last?.name == ONNXModel.Name.probabilities, "unexpected name of the last node")
    let best = "best"
    addNode(
      "ArgMax", inputs: [ONNXModel.Name.probabilities], output: best,
      attributes: ["axis": .integer(1), "keepdims": .integer(0)])
    addNode(
      "LabelEncoder", domain: ONNXModel.labelDomain, inputs: [best], output: ONNXModel.Name.label,
      attributes: [
        "default_string": .text(Graph.notACampusBuilding),
        "keys_int64s": .integers(Array(graph.labels.indices)),
        "values_strings": .texts(graph.labels),
      ])
  }

  private mutating func add(_ index: Int) {
    let node = graph.nodes[index]
    let inputs = node.inputs.map { graph.nodes[$0].name }
    switch node.operation {
    case .input: break
    case .constant(let tensor, let format): add(node.name, tensor, format)
    case .product(let transposeA, let transposeB, _):
      addProduct(node, inputs: inputs, transposeA: transposeA, transposeB: transposeB)
    default:
      let (operation, attributes) = Self.operation(of: node)
      addNode(
        operation, inputs: inputs + parameters(of: node), output: node.name,
        attributes: attributes)
    }
  }

  // MARK: - Messages

  private enum Attribute {
    case integer(Int)
    case integers([Int])
    case text(String)
    case texts([String])

    /// Writes the value and type of an `AttributeProto`.
    func write(to attribute: inout ProtobufWriter) {
      switch self {
      case .integer(let number):
        attribute.integer(3, number)
        attribute.integer(20, 2)
      case .text(let text):
        attribute.string(4, text)
        attribute.integer(20, 3)
      case .integers(let numbers):
        for number in numbers { attribute.integer(8, number) }
        attribute.integer(20, 7)
      case .texts(let texts):
        for text in texts { attribute.string(9, text) }
        attribute.integer(20, 8)
      }
    }
  }

  /// Writes a `NodeProto`, named like its output.
  private mutating func addNode(
    _ operation: String, domain: String = "", inputs: [String], output: String,
    attributes: [String: Attribute] = [:]
  ) {
    nodes.message(1) { node in
      for input in inputs { node.string(1, input) }
      node.string(2, output)
      node.string(3, output)
      node.string(4, operation)
      for (name, value) in attributes.sorted(by: { $0.key < $1.key }) {
        node.message(5) { attribute in
          attribute.string(1, name)
          value.write(to: &attribute)
        }
      }
      if !domain.isEmpty { node.string(7, domain) }
    }
  }

  private mutating func addTensor(
    _ name: String, _ type: ONNXModel.ElementType, shape: [Int],
    values: (inout ProtobufWriter) -> Void
  ) {
    tensors.message(5) { tensor in
      for side in shape { tensor.integer(1, side) }
      tensor.integer(2, type.rawValue)
      tensor.string(8, name)
      values(&tensor)
    }
  }

  // MARK: - Constants

  private mutating func add(_ name: String, _ tensor: GraphTensor, _ format: WeightFormat) {
    let constant = StoredConstant(tensor, as: format)
    let (stored, scale) = (name + Suffix.stored, name + Suffix.scale)
    let (own, type): (String, ONNXModel.ElementType) =
      switch format {
      case .float32: (name, .float)
      case .float16: (stored, .float16)
      case .int8: (stored, .int8)
      }
    addTensor(own, type, shape: tensor.shape) {
      $0.bytes(9, constant.bytes)
    }
    switch format {
    case .float32: break
    case .float16: addNode("Cast", inputs: [stored], output: name, attributes: Self.toFloat)
    case .int8:
      add(scale, GraphTensor(shape: [constant.scales.count], values: constant.scales), .float32)
      addNode(
        "DequantizeLinear", inputs: [stored, scale], output: name,
        attributes: ["axis": .integer(0)])
    }
  }

  private static let toFloat: [String: Attribute] = [
    "to": .integer(ONNXModel.ElementType.float.rawValue)
  ]

  /// Returns the name of an integer tensor for shapes or axes. Equal tensors are stored once.
  private mutating func constant(_ integers: [Int]) -> String {
    if let known = integerTensors[integers] { return known }
    let name = String(integerTensors.count)
    integerTensors[integers] = name
    // Use packed encoding, because most values are small and take 1 or 2 bytes instead of 8.
    addTensor(name, .int64, shape: [integers.count]) {
      $0.packed(7, integers: integers)
    }
    return name
  }

  // MARK: - Operations

  /// Inputs that the ONNX operation has in addition to the graph node's inputs.
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
      add(name, GraphTensor(shape: [], values: [exponent]), .float32)
      return [name]
    default: return []
    }
  }

  /// Omits attributes with default values.
  private static func operation(of node: Graph.Node) -> (String, [String: Attribute]) {
    switch node.operation {
    case .input, .constant, .product: preconditionFailure("no single node")
    case .toFloat: ("Cast", toFloat)
    case .reshape: ("Reshape", [:])
    case .transpose(let permutation): ("Transpose", ["perm": .integers(permutation)])
    case .slice: ("Slice", [:])
    case .concatenate(let axis): ("Concat", ["axis": .integer(axis)])
    case .pad(_, _, let mode): ("Pad", mode == .zero ? [:] : ["mode": .text("reflect")])
    case .elementwise(let kind): (kind.names.onnx, [:])
    case .unary(let kind): (kind.names.onnx, [:])
    case .power: ("Pow", [:])
    case .reduce(.sum, _): ("ReduceSum", [:])
    // In operation set 13, ReduceSum is the only reduction that takes its axes as an input.
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

  /// Uses Gemm for matrices, because it can transpose its inputs, and MatMul for stacks of matrices.
  private mutating func addProduct(
    _ node: Graph.Node, inputs: [String], transposeA: Bool, transposeB: Bool
  ) {
    let ranks = node.inputs.map { graph.nodes[$0].shape.count }
    if ranks == [2, 2] {
      var flags: [String: Attribute] = [:]
      if transposeA { flags["transA"] = .integer(1) }
      if transposeB { flags["transB"] = .integer(1) }
      return addNode("Gemm", inputs: inputs, output: node.name, attributes: flags)
    }
    var inputs = inputs
    for (place, isTransposed) in [transposeA, transposeB].enumerated() where isTransposed {
      let turned = node.name + Suffix.turned
      var axes = Array(0..<ranks[place])
      axes.swapAt(axes.count - 1, axes.count - 2)
      addNode(
        "Transpose", inputs: [inputs[place]], output: turned,
        attributes: ["perm": .integers(axes)])
      inputs[place] = turned
    }
    addNode("MatMul", inputs: inputs, output: node.name)
  }
}
