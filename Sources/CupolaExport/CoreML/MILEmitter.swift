internal import Cupola

/// Writes a graph as operations of Core ML's language.
///
/// Core ML hands the picture over as 1 x 3 x side x side floats: the graph's own way there from bytes
/// falls away. Parameters are constants of their own, each kept once.
struct MILEmitter {
  private let graph: Graph
  private var operations: [MILProgram.Operation] = []
  private var weights = CoreMLWeights()
  private var taken: Set<String>
  private var parameters: [MILProgram.Constant: String] = [:]
  /// What the nodes' values are called.
  private var names: [String] = []
  /// Nodes whose value is the picture as it was, with its channels last.
  private var pictures: Set<Int> = []
  /// Nodes that are kernels: these must be constants, not computed from halves.
  private let kernels: Set<Int>

  /// Constants of fewer values stand in the program itself; beside it each takes up to 127 bytes more.
  private static let leastBlob = 512

  /// The program of a graph, and weight.bin for it.
  static func program(of graph: Graph) -> (program: MILProgram, weights: [UInt8]) {
    var emitter = MILEmitter(graph)
    for index in graph.nodes.indices { emitter.emit(index) }
    emitter.classify()
    let program = MILProgram(side: graph.nodes[0].shape[1], operations: emitter.operations)
    return (program, emitter.weights.bytes)
  }

  private init(_ graph: Graph) {
    precondition(graph.nodes.first?.operation == .input, "the input comes first")
    self.graph = graph
    taken = MILProgram.reservedNames.union(graph.nodes.map(\.name))
    kernels = Set(
      graph.nodes.compactMap { node in
        switch node.operation {
        case .convolution: node.inputs[1]
        default: nil
        }
      })
  }

  // MARK: - Nodes

  private mutating func emit(_ index: Int) {
    let node = graph.nodes[index]
    let name = MILProgram.reservedNames.contains(node.name) ? unused(node.name) : node.name
    names.append(name)
    switch node.operation {
    case .input: pictures.insert(index)
    case .constant(let tensor, let format):
      constant(tensor, format: kernels.contains(index) ? .float32 : format, name: name)
    case .toFloat where pictures.contains(node.inputs[0]): pictures.insert(index)
    case .toFloat: names[index] = names[node.inputs[0]]
    case .transpose([0, 3, 1, 2]) where pictures.contains(node.inputs[0]):
      names[index] = CoreMLPackage.Name.image
    default:
      let inputs = node.inputs.map { value(of: $0) }
      let call = MILCall(node)
      var arguments = call.values(inputs)
      for (parameter, constant) in call.parameters {
        arguments.append(.init(parameter: parameter, names: [self.parameter(constant)]))
      }
      operations.append(
        .init(
          type: call.type, name: name, inputs: arguments,
          output: .init(element: .float32, shape: node.shape)))
    }
  }

  /// What a node's value is called; the picture with its channels last is made if need be.
  private mutating func value(of node: Int) -> String {
    guard pictures.contains(node) else { return names[node] }
    let name = unused(names[node])
    // Defined before the operation, which has it as an input.
    let permutation = parameter(.integers([0, 2, 3, 1]))
    operations.append(
      .init(
        type: "transpose", name: name,
        inputs: [
          .init(parameter: "x", names: [CoreMLPackage.Name.image]),
          .init(parameter: "perm", names: [permutation]),
        ], output: .init(element: .float32, shape: graph.nodes[node].shape)))
    return name
  }

  private mutating func constant(_ tensor: GraphTensor, format: WeightFormat, name: String) {
    precondition(CoreMLPackage.weightFormats.contains(format), "\(format.rawValue) in Core ML")
    let type = MILProgram.Tensor(element: .float32, shape: tensor.shape)
    guard tensor.values.count >= Self.leastBlob else {
      define(.init(type: type, contents: .floats(tensor.values)), name: name)
      return
    }
    guard format == .float16, tensor.values.allSatisfy({ $0.magnitude <= 65_504 }) else {
      let offset = weights.append(StoredConstant(tensor, as: .float32).bytes, as: .float32)
      define(.init(type: type, contents: .blob(offset: offset)), name: name)
      return
    }
    let halves = unused(name)
    let offset = weights.append(StoredConstant(tensor, as: .float16).bytes, as: .float16)
    let stored = MILProgram.Tensor(element: .float16, shape: tensor.shape)
    define(.init(type: stored, contents: .blob(offset: offset)), name: halves)
    let float = parameter(.string("fp32"))
    operations.append(
      .init(
        type: "cast", name: name,
        inputs: [
          .init(parameter: "x", names: [halves]), .init(parameter: "dtype", names: [float]),
        ], output: type))
  }

  private mutating func classify() {
    operations.append(
      .init(
        type: "classify", name: unused("classify"),
        inputs: [.init(parameter: "probabilities", names: [names[names.count - 1]])],
        classes: graph.labels))
  }

  // MARK: - Operations

  private mutating func define(_ constant: MILProgram.Constant, name: String) {
    operations.append(
      .init(type: "const", name: name, constant: constant, output: constant.type))
  }

  /// The name of a parameter's value, which is defined where it is first used.
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
}
