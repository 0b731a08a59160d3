internal import Cupola

/// Reads a graph from a program of Core ML's language: the inverse of ``MILEmitter``.
///
/// Every operation must have exactly the parameters of its kind, and make values of the shape that
/// its inputs lead to.
struct MILGraphReader {
  private let weights: CoreMLWeights
  private(set) var nodes: [Graph.Node] = []
  /// Values by name, that are nodes.
  private var values: [String: Int] = [:]
  /// Constants by name.
  private var constants: [String: MILProgram.Constant] = [:]
  /// Names of what operations compute with: constants among these become nodes.
  private let operands: Set<String>
  private var unusedRecords: Set<Int>
  private var elements = 0

  /// All values together may have so many elements.
  private static let maximumElements = 1 << 28

  /// The graph that a program computes.
  ///
  /// - Throws: ``CoreMLFault``.
  static func graph(
    of program: MILProgram, _ weights: CoreMLWeights
  ) throws(CoreMLFault) -> Graph {
    var reader = MILGraphReader(program, weights)
    try reader.readPicture(side: program.side)
    guard let classify = program.operations.last, classify.type == "classify" else {
      throw CoreMLFault.badModel("its last operation is not classify")
    }
    for operation in program.operations.dropLast() { try reader.read(operation) }
    let labels = try reader.labels(of: classify)
    guard reader.unusedRecords.isEmpty else {
      throw CoreMLFault.badWeights("\(reader.unusedRecords.count) constants that nothing uses")
    }
    return Graph(nodes: reader.nodes, labels: labels, layout: .channelsFirst)
  }

  private init(_ program: MILProgram, _ weights: CoreMLWeights) {
    self.weights = weights
    unusedRecords = weights.offsets
    operands = Set(
      program.operations.flatMap { operation in
        operation.inputs.filter { MILCall.isOperand($0.parameter, of: operation.type) }
          .flatMap(\.names)
      })
  }

  /// The way from bytes, channels last, to the floats that Core ML begins with.
  private mutating func readPicture(side: Int) throws(CoreMLFault) {
    let shape = [1, side, side, 3]
    for (name, operation, shape) in [
      (CoreMLPackage.Name.image, GraphOperation.input, shape), ("toFloat_1", .toFloat, shape),
      ("transpose_2", .transpose([0, 3, 1, 2]), [1, 3, side, side]),
    ] {
      let inputs = nodes.isEmpty ? [] : [nodes.count - 1]
      try append(.init(name: name, operation: operation, inputs: inputs, shape: shape))
    }
    values[CoreMLPackage.Name.image] = nodes.count - 1
  }

  /// Adds a node under its name.
  private mutating func append(_ node: Graph.Node) throws(CoreMLFault) {
    elements +=
      GraphOperation.count(node.shape).map { min($0, Self.maximumElements) }
      ?? Self.maximumElements
    guard elements < Self.maximumElements else {
      throw CoreMLFault.badOperation(node.name, "values too large to compute")
    }
    values[node.name] = nodes.count
    nodes.append(node)
  }

  // MARK: - Operations

  private mutating func read(_ operation: MILProgram.Operation) throws(CoreMLFault) {
    let name = operation.name
    guard let output = operation.outputs.first, operation.outputs.count == 1,
      case .tensor(let declared) = output.kind, output.name == name
    else { throw CoreMLFault.badOperation(name, "it does not make one value of its own name") }
    guard Self.isSound(name), values[name] == nil, constants[name] == nil else {
      throw CoreMLFault.badOperation(name, "its name is no name, or another value's")
    }
    if operation.type == "const" {
      guard let constant = operation.constant, constant.type == declared,
        operation.inputs.isEmpty
      else { throw CoreMLFault.badOperation(name, "its value is not of the declared type") }
      constants[name] = constant
      if operands.contains(name) { try append(try node(of: constant, name: name)) }
      return
    }
    guard operation.constant == nil, operation.classes == nil else {
      throw CoreMLFault.badOperation(name, "it has a value, but is no constant")
    }
    guard declared.element == .float32 else {
      throw CoreMLFault.badOperation(name, "it does not compute in float32")
    }
    var arguments = MILArguments(operation)
    if operation.type == "cast" {
      try cast(&arguments, name, declared.shape)
      return
    }
    let (kind, inputs) = try self.operation(operation.type, &arguments)
    try arguments.end()
    guard let shape = kind.shape(of: inputs.map { nodes[$0].shape }) else {
      throw CoreMLFault.badOperation(
        name, "\(operation.type) cannot have inputs of \(inputs.map { nodes[$0].shape })")
    }
    guard shape == declared.shape else {
      throw CoreMLFault.badOperation(
        name, "its shape is declared as \(declared.shape), but is \(shape)")
    }
    try append(.init(name: name, operation: kind, inputs: inputs, shape: shape))
  }

  /// A constant in half precision.
  private mutating func cast(
    _ arguments: inout MILArguments, _ name: String, _ shape: [Int]
  ) throws(CoreMLFault) {
    let source = try arguments.name("x")
    let type = try arguments.string("dtype", constants)
    try arguments.end()
    guard let constant = constants[source], type == "fp32",
      constant.type == .init(element: .float16, shape: shape)
    else { throw CoreMLFault.badOperation(name, "it casts no constant of halves to fp32") }
    try append(try node(of: constant, name: name))
  }

  private static func isSound(_ name: String) -> Bool {
    name.utf8.allSatisfy(MILProgram.isNameByte) && name.first?.isLetter == true
      && !MILProgram.reservedNames.contains(name)
  }

  // MARK: - Values

  /// The node of a value that is computed with; constants become one now.
  func value(
    _ parameter: String, _ arguments: inout MILArguments
  ) throws(CoreMLFault) -> Int {
    try value(named: try arguments.name(parameter), of: arguments.operation)
  }

  /// The nodes of a parameter that is a list.
  func values(
    _ parameter: String, _ arguments: inout MILArguments
  ) throws(CoreMLFault) -> [Int] {
    var nodes: [Int] = []
    for name in try arguments.names(parameter) {
      nodes.append(try value(named: name, of: arguments.operation))
    }
    return nodes
  }

  /// What parameters are read with.
  var known: [String: MILProgram.Constant] { constants }

  /// The shape of a node's value.
  func shape(of node: Int) -> [Int] { nodes[node].shape }

  private func value(
    named name: String, of operation: String
  ) throws(CoreMLFault) -> Int {
    guard let node = values[name] else {
      throw CoreMLFault.badOperation(operation, "no value before it is called \"\(name)\"")
    }
    return node
  }

  private mutating func node(
    of constant: MILProgram.Constant, name: String
  ) throws(CoreMLFault) -> Graph.Node {
    let shape = constant.type.shape
    let isHalf = constant.type.element == .float16
    guard isHalf || constant.type.element == .float32 else {
      throw CoreMLFault.badOperation(name, "it holds no numbers to compute with")
    }
    let tensor: GraphTensor
    switch constant.contents {
    case .floats(let values): tensor = GraphTensor(shape: shape, values: values)
    case .blob(let offset):
      guard let count = GraphOperation.count(shape), count < Self.maximumElements else {
        throw CoreMLFault.badOperation(name, "its shape is too large")
      }
      let values = try weights.values(
        at: offset, as: isHalf ? .float16 : .float32, count: count)
      tensor = GraphTensor(shape: shape, values: values)
      unusedRecords.remove(offset)
    default: throw CoreMLFault.badOperation(name, "it holds no numbers to compute with")
    }
    guard tensor.values.allSatisfy(\.isFinite) else {
      throw CoreMLFault.badOperation(name, "some of its values are no numbers")
    }
    return Graph.Node(
      name: name, operation: .constant(tensor, format: isHalf ? .float16 : .float32), inputs: [],
      shape: shape)
  }

  // MARK: - Labels

  private mutating func labels(of classify: MILProgram.Operation) throws(CoreMLFault) -> [String] {
    var arguments = MILArguments(classify)
    let probabilities = try arguments.name("probabilities")
    try arguments.end()
    guard let labels = classify.classes else {
      throw CoreMLFault.badOperation(classify.name, "it has no labels")
    }
    guard let node = values[probabilities], node == nodes.count - 1 else {
      throw CoreMLFault.badOperation(classify.name, "its probabilities are not the last value")
    }
    guard nodes[node].shape == [1, labels.count] else {
      throw CoreMLFault.badOperation(
        classify.name, "\(labels.count) labels for probabilities of shape \(nodes[node].shape)")
    }
    guard Set(labels).count == labels.count else {
      throw CoreMLFault.badOperation(classify.name, "a label stands there twice")
    }
    guard
      classify.outputs == [
        .init(name: CoreMLPackage.Name.label, kind: .tensor(.init(element: .string, shape: []))),
        .init(name: CoreMLPackage.Name.probabilities, kind: .probabilities),
      ]
    else { throw CoreMLFault.badOperation(classify.name, "its outputs are not those of a label") }
    return labels
  }
}
