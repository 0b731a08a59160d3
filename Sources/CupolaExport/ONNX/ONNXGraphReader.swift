import Cupola

/// Makes a graph of the nodes and constants of an ONNX file.
struct ONNXGraphReader {
  private let nodes: [ONNXNode]
  private let tensors: [String: ONNXTensor]
  private let side: Int
  private var built: [Graph.Node] = []
  /// Values by their names in the file.
  private var places: [String: Int] = [:]
  /// Constants that are stored in fewer bits, by name, until they are used.
  private var narrow: [String: (GraphOperation, [Int])] = [:]
  /// Values that a product takes transposed, by the name of what transposes them.
  private var turned: [String: Int] = [:]

  init(_ graph: ProtobufReader) throws {
    typealias Field = ONNXModel.Field.Graph
    nodes = try graph.messages(Field.nodes).map { try ONNXNode($0) }
    var tensors: [String: ONNXTensor] = [:]
    for message in try graph.messages(Field.tensors) {
      let tensor = try ONNXTensor(message)
      guard tensors.updateValue(tensor, forKey: tensor.name) == nil else {
        throw ONNXFault.badTensor(tensor.name)
      }
    }
    self.tensors = tensors
    side = try Self.side(try graph.messages(Field.inputs))
    let outputs = try graph.messages(Field.outputs).map {
      try $0.string(ONNXModel.Field.Value.name) ?? ""
    }
    try ONNXModel.check(
      "the list of outputs", outputs, [ONNXModel.Name.label, ONNXModel.Name.probabilities])
  }

  /// Rows and columns of the picture, after a look at its name; the rest is compared when all is read.
  private static func side(_ inputs: [ProtobufReader]) throws -> Int {
    let names = try inputs.map { try $0.string(ONNXModel.Field.Value.name) ?? "" }
    try ONNXModel.check("the list of inputs", names, [ONNXModel.Name.image])
    let type = try inputs[0].message(ONNXModel.Field.Value.type)?.message(1)
    let sides = try type?.message(2)?.messages(1).map { try $0.integer(1) ?? 0 } ?? []
    guard sides.count == 4, (1...4096).contains(sides[1]) else {
      throw ONNXFault.wrong("the input's shape", found: "\(sides)", needed: "that of a picture")
    }
    return sides[1]
  }

  /// The graph, checked.
  consuming func graph() throws -> Graph {
    append(ONNXModel.Name.image, .input, [], [1, side, side, 3])
    guard nodes.count >= 2 else { throw ONNXFault.missing("nodes") }
    for node in nodes.dropLast(2) { try read(node) }
    let labels = try Self.labels(nodes[nodes.count - 2], nodes[nodes.count - 1])
    let graph = Graph(nodes: built, labels: labels, layout: .channelsFirst)
    if let fault = graph.fault() { throw ONNXFault.badGraph(fault) }
    return graph
  }

  private static func labels(_ best: ONNXNode, _ names: ONNXNode) throws -> [String] {
    guard best.operation == "ArgMax", best.inputs == [ONNXModel.Name.probabilities],
      names.operation == "LabelEncoder", names.inputs == [best.output],
      case .texts(let labels) = names.attributes["values_strings"],
      names.attributes["keys_int64s"] == .integers(Array(labels.indices))
    else { throw ONNXFault.missing("label of the greatest probability") }
    return labels
  }

  private mutating func append(
    _ name: String, _ operation: GraphOperation, _ inputs: [Int], _ shape: [Int]
  ) {
    places[name] = built.count
    built.append(Graph.Node(name: name, operation: operation, inputs: inputs, shape: shape))
  }

  /// The node that makes a value; a constant becomes one where it is first used.
  private mutating func place(_ name: String, for user: ONNXNode) throws -> Int {
    if let place = places[name] { return place }
    if let (operation, shape) = narrow[name] {
      append(name, operation, [], shape)
      return built.count - 1
    }
    guard let tensor = tensors[name], tensor.type == .float, let floats = tensor.floats else {
      throw ONNXFault.badNode(user.output, "nothing makes its input \(name)")
    }
    let values = GraphTensor(shape: tensor.shape, values: floats)
    append(name, .constant(values, format: .float32), [], tensor.shape)
    return built.count - 1
  }

  private mutating func read(_ node: ONNXNode) throws {
    guard places[node.output] == nil, turned[node.output] == nil, narrow[node.output] == nil,
      let first = node.inputs.first
    else { throw ONNXFault.badNode(node.output, "it has no input, or its name is taken") }
    if let constant = try constant(node) {
      narrow[node.output] = constant
      return
    }
    if node.operation == "Transpose", node.output.hasSuffix(ONNXEmitter.Suffix.turned) {
      turned[node.output] = try place(first, for: node)
      return
    }
    let sides = places[first].map { built[$0].shape } ?? tensors[first]?.shape ?? []
    let operation = try ONNXOperation(node, tensors, sides).operation(
      turned: node.inputs.map { turned[$0] != nil })
    let count = operation.inputCount ?? node.inputs.count
    guard node.inputs.count >= count else {
      throw ONNXFault.badNode(node.output, "it has too few inputs")
    }
    var inputs: [Int] = []
    for name in node.inputs.prefix(count) {
      inputs.append(try turned[name] ?? place(name, for: node))
    }
    guard let shape = operation.shape(of: inputs.map { built[$0].shape }) else {
      throw ONNXFault.badNode(node.output, "the shapes of its inputs do not fit")
    }
    append(node.output, operation, inputs, shape)
  }

  /// A constant that is stored in fewer bits.
  private func constant(_ node: ONNXNode) throws -> (GraphOperation, [Int])? {
    let stored = node.inputs.compactMap { tensors[$0] }
    guard let first = stored.first else { return nil }
    if node.operation == "Cast", first.type == .float16, let halves = first.floats {
      let tensor = GraphTensor(shape: first.shape, values: halves)
      return (.constant(tensor, format: .float16), first.shape)
    }
    guard node.operation == "DequantizeLinear" else { return nil }
    guard stored.count == 2, first.type == .int8, first.shape.count == 2,
      stored[1].type == .float, let scales = stored[1].floats, scales.count == first.shape[0]
    else { throw ONNXFault.badNode(node.output, "it is no matrix with a scale a row") }
    let weights = Int8Weights(
      rows: first.shape[0], columns: first.shape[1],
      values: first.bytes.map { Int8(bitPattern: $0) }, scales: scales
    ).matrix
    let tensor = GraphTensor(shape: first.shape, values: weights.values)
    return (.constant(tensor, format: .int8), first.shape)
  }
}
