internal import Cupola

// 1. Write each node of the graph as an operation. Write large constants to weight.bin.
// 2. Define each parameter once, as a constant before its first use.
// 3. If requested, compute products that tolerate half precision in it, between casts.
// 4. Add the operation that returns the most probable label.

/// Writes a graph as operations in Core ML's model intermediate language (MIL). The input image consists of floats.
struct MILEmitter {
  private let graph: Graph
  private var operations = ProtobufWriter()
  private var weights = CoreMLWeights()
  private var taken: Set<String>
  private var parameters: [MILProgram.Constant: String] = [:]
  private var names: [String] = []
  /// Nodes whose value is the unchanged input image with channels last.
  private var pictures: Set<Int> = []
  /// Convolution kernels. They must be constants and cannot be computed from half-precision values.
  private let kernels: Set<Int>
  /// The products to compute in half precision.
  private let products: Set<Int>
  /// Nodes whose values are needed in single precision.
  private let singles: Set<Int>
  /// The names of values in half precision.
  private var halves: [Int: String] = [:]

  /// Smaller constants are stored in the program, because in weight.bin each takes up to 127 additional bytes.
  private static let leastBlob = 512

  static func program(
    of graph: Graph, computesHalves: Bool
  ) -> (program: [UInt8], weights: [UInt8]) {
    var emitter = MILEmitter(graph, computesHalves: computesHalves)
    for index in graph.nodes.indices { emitter.emit(index) }
    let (name, last) = (emitter.unused("classify"), emitter.names[emitter.names.count - 1])
    emitter.operations.classify(graph.labels, name: name, probabilities: last)
    let program = MILProgram.bytes(
      side: graph.nodes[0].shape[1], operations: emitter.operations)
    return (program, emitter.weights.bytes)
  }

  private init(_ graph: Graph, computesHalves: Bool) {
    precondition(graph.nodes.first?.operation == .input, "the input must be the first node")
    precondition(graph.layout == .channelsFirst, "Core ML requires channels first")
    self.graph = graph
    taken = MILProgram.reservedNames.union(graph.nodes.map(\.name))
    kernels = Set(
      graph.nodes.compactMap { node in
        switch node.operation {
        case .convolution: node.inputs[1]
        default: nil
        }
      })
    let products = graph.nodes.indices.filter { computesHalves && graph.isHalfProduct($0) }
    self.products = Set(products)
    singles = Set(
      graph.nodes.indices.filter { !products.contains($0) }.flatMap { graph.nodes[$0].inputs })
  }

  // MARK: - Nodes

  private mutating func emit(_ index: Int) {
    let node = graph.nodes[index]
    let name = MILProgram.reservedNames.contains(node.name) ? unused(node.name) : node.name
    names.append(name)
    switch node.operation {
    case .input: pictures.insert(index)
    case .constant(let tensor, let format):
      constant(tensor, format: kernels.contains(index) ? .float32 : format, name: name, index)
    case .toFloat where pictures.contains(node.inputs[0]): pictures.insert(index)
    case .toFloat: names[index] = names[node.inputs[0]]
    case .transpose([0, 3, 1, 2]) where pictures.contains(node.inputs[0]):
      names[index] = CoreMLPackage.Name.image
    case _ where products.contains(index):
      let inputs = node.inputs.map { half(of: $0) }
      let result = unused(name)
      call(node, inputs, as: .float16, name: result)
      cast(result, to: .float32, shape: node.shape, name: name)
    default:
      call(node, node.inputs.map { value(of: $0) }, as: .float32, name: name)
    }
  }

  private mutating func call(
    _ node: Graph.Node, _ inputs: [String], as element: MILProgram.Element, name: String
  ) {
    let (type, operands, constants) = Self.call(node)
    var arguments: [MILProgram.Input] =
      operands == ["values"]
      ? [("values", inputs)] : zip(operands, inputs).map { ($0, [$1]) }
    for (parameter, constant) in constants {
      arguments.append((parameter, [self.parameter(constant)]))
    }
    operations.operation(
      type, name: name, inputs: arguments,
      output: MILProgram.Tensor(element: element, shape: node.shape))
  }

  /// Returns the name of a node's value in half precision. Converts the value at its first use.
  private mutating func half(of node: Int) -> String {
    if let name = halves[node] { return name }
    let single = value(of: node)
    let name = unused(names[node])
    halves[node] = name
    cast(single, to: .float16, shape: graph.nodes[node].shape, name: name)
    return name
  }

  private mutating func cast(
    _ value: String, to element: MILProgram.Element, shape: [Int], name: String
  ) {
    let type = parameter(.string(element == .float16 ? "fp16" : "fp32"))
    operations.operation(
      "cast", name: name, inputs: [("x", [value]), ("dtype", [type])],
      output: MILProgram.Tensor(element: element, shape: shape))
  }

  /// Returns the name of a node's value. Adds a transposition if the input image is needed with channels last.
  private mutating func value(of node: Int) -> String {
    guard pictures.contains(node) else { return names[node] }
    let name = unused(names[node])
    let permutation = parameter(.integers([0, 2, 3, 1]))
    operations.operation(
      "transpose", name: name,
      inputs: [("x", [CoreMLPackage.Name.image]), ("perm", [permutation])],
      output: MILProgram.Tensor(element: .float32, shape: graph.nodes[node].shape))
    return name
  }

  private mutating func constant(
    _ tensor: GraphTensor, format: WeightFormat, name: String, _ index: Int
  ) {
    precondition(
      CoreMLPackage.weightFormats.contains(format), "Core ML does not support \(format.rawValue)")
    let type = MILProgram.Tensor(element: .float32, shape: tensor.shape)
    guard tensor.values.count >= Self.leastBlob else {
      define(.init(type: type, contents: .floats(tensor.values)), name: name)
      return
    }
    guard format == .float16, tensor.fitsHalf else {
      let offset = weights.append(StoredConstant(tensor, as: .float32).bytes, as: .float32)
      define(.init(type: type, contents: .blob(offset: offset)), name: name)
      return
    }
    let half = unused(name)
    let offset = weights.append(StoredConstant(tensor, as: .float16).bytes, as: .float16)
    let stored = MILProgram.Tensor(element: .float16, shape: tensor.shape)
    define(.init(type: stored, contents: .blob(offset: offset)), name: half)
    halves[index] = half
    if singles.contains(index) {
      cast(half, to: .float32, shape: tensor.shape, name: name)
    }
  }

  // MARK: - Names and parameters

  private mutating func define(_ constant: MILProgram.Constant, name: String) {
    operations.operation("const", name: name, constant: constant, output: constant.type)
  }

  /// Returns a parameter's name, and defines the parameter at its first use.
  private mutating func parameter(_ constant: MILProgram.Constant) -> String {
    if let name = parameters[constant] { return name }
    let name = unused("p")
    parameters[constant] = name
    define(constant, name: name)
    return name
  }

  private mutating func unused(_ base: String) -> String {
    var number = 1
    while !taken.insert("\(base)\(number)").inserted { number += 1 }
    return "\(base)\(number)"
  }

  // MARK: - Operations

  private typealias Parameters = [(name: String, value: MILProgram.Constant)]

  /// Returns a node's MIL operation, the parameter names for its inputs, and constant parameters that have no defaults.
  private static func call(
    _ node: Graph.Node
  ) -> (type: String, operands: [String], parameters: Parameters) {
    switch node.operation {
    case .input, .constant, .toFloat: preconditionFailure("\(node.name) is not an operation")
    case .reshape(let shape): ("reshape", ["x"], [("shape", .integers(shape))])
    case .transpose(let axes): ("transpose", ["x"], [("perm", .integers(axes))])
    case .slice(let starts, let ends, let steps):
      (
        "slice_by_index", ["x"],
        [("begin", .integers(starts)), ("end", .integers(ends))]
          + (steps.allSatisfy { $0 == 1 } ? [] : [("stride", .integers(steps))])
      )
    case .concatenate(let axis):
      ("concat", ["values"], [("axis", .integer(axis))])
    case .pad(let before, let after, let mode):
      ("pad", ["x"], padding(before, after, mode))
    case .elementwise(let kind): (kind.names.coreML, ["x", "y"], [])
    case .unary(let kind): (kind.names.coreML, ["x"], [])
    case .power(let exponent): ("pow", ["x"], [("y", .float(exponent))])
    case .reduce(let reduction, let axis):
      (
        reduction == .sum ? "reduce_sum" : "reduce_max", ["x"],
        [("axes", .integers([axis])), ("keep_dims", .boolean(true))]
      )
    case .product(let transposeA, let transposeB, _):
      (
        "matmul", ["x", "y"],
        (transposeA ? [("transpose_x", .boolean(true))] : [])
          + (transposeB ? [("transpose_y", .boolean(true))] : [])
      )
    case .convolution:
      ("conv", ["x", "weight"], [("pad_type", .string("valid"))])
    case .averagePool(_, let side, let stride):
      (
        "avg_pool", ["x"],
        [
          ("kernel_sizes", .integers([side, side])), ("strides", .integers([stride, stride])),
          ("pad_type", .string("valid")),
        ]
      )
    case .softmax: ("softmax", ["x"], [("axis", .integer(-1))])
    }
  }

  /// Padding for the last axes, starting at the first padded axis. Core ML can only reflect the last axes.
  private static func padding(
    _ before: [Int], _ after: [Int], _ mode: GraphOperation.Padding
  ) -> Parameters {
    let first = before.indices.first { before[$0] > 0 || after[$0] > 0 } ?? before.count - 1
    let pairs = (first..<before.count).flatMap { [before[$0], after[$0]] }
    return [
      ("pad", .integers(pairs)), ("mode", .string(mode == .reflect ? "reflect" : "constant")),
      ("constant_val", .float(0)),
    ]
  }
}

extension Graph {
  /// Whether a node is a product that can be computed in half precision, with the actual values of its constants.
  fileprivate func isHalfProduct(_ index: Int) -> Bool {
    guard case .product(_, _, half: true) = nodes[index].operation else { return false }
    return nodes[index].inputs.allSatisfy { input in
      if case .constant(let tensor, _) = nodes[input].operation { tensor.fitsHalf } else { true }
    }
  }
}

extension GraphTensor {
  /// Whether half precision can represent the magnitude of all values.
  fileprivate var fitsHalf: Bool { values.allSatisfy { $0.magnitude <= 65_504 } }
}
