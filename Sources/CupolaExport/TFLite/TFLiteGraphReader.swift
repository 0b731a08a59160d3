internal import Cupola

/// Reads the graph of a TFLite file, operator by operator: only what ``TFLiteEmitter`` writes is known.
struct TFLiteGraphReader {
  typealias Schema = TFLiteSchema

  let tensors: [TFLiteTensor]
  private let codes: [(kind: TFLiteOperator, version: Int)]
  private(set) var nodes: [Graph.Node] = []
  /// The nodes that compute tensors, by the tensors' places.
  private var indices: [Int: Int] = [:]
  /// Bytes of all constants so far.
  private var constantBytes = 0
  private let sizeLimit: Int
  /// Values of all computed tensors so far.
  private var computed = 0

  /// Values in one computed tensor, and in all of them: some times what the largest recipe makes.
  private static let largestTensor = 1 << 24
  private static let mostComputed = 1 << 28

  /// The graph in a model's root table.
  ///
  /// - Parameter size: bytes of the file: its constants cannot be more.
  static func graph(in root: FlatBufferReader.Table, labels: [String], size: Int) throws -> Graph {
    guard try root.uint32(Schema.Model.version) == Int(Schema.version) else {
      throw TFLiteFault.badModel("it is of version \(try root.uint32(Schema.Model.version))")
    }
    let subgraphs = try root.tables(Schema.Model.subgraphs)
    guard subgraphs.count == 1 else {
      throw TFLiteFault.badModel("it has \(subgraphs.count) graphs instead of one")
    }
    var reader = try TFLiteGraphReader(root, subgraphs[0], size: size)
    try reader.readInput(subgraphs[0])
    for (index, table) in try subgraphs[0].tables(Schema.Subgraph.operators).enumerated() {
      try reader.readOperator(table, index)
    }
    try reader.checkOutput(subgraphs[0])
    let graph = Graph(nodes: reader.nodes, labels: labels, layout: .channelsLast)
    if let fault = graph.fault() { throw TFLiteFault.badModel(fault) }
    return graph
  }

  private init(
    _ root: FlatBufferReader.Table, _ subgraph: FlatBufferReader.Table, size: Int
  ) throws {
    let buffers = try root.tables(Schema.Model.buffers)
    tensors = try subgraph.tables(Schema.Subgraph.tensors).enumerated().map {
      try TFLiteTensor($0.element, $0.offset, buffers: buffers)
    }
    codes = try root.tables(Schema.Model.operatorCodes).map { table in
      let code = try table.int32(Schema.OperatorCode.code)
      guard let kind = TFLiteOperator(rawValue: code) else {
        throw TFLiteFault.badModel("it uses operator code \(code), which no export has")
      }
      let version = try table.int32(Schema.OperatorCode.version, default: 1)
      guard kind.versions.contains(version),
        try table.int8(Schema.OperatorCode.deprecatedCode) == min(code, 127)
      else { throw TFLiteFault.badModel("it uses version \(version) of \(kind.name)") }
      return (kind, version)
    }
    sizeLimit = size
  }

  private mutating func readInput(_ subgraph: FlatBufferReader.Table) throws {
    let inputs = try subgraph.int32s(Schema.Subgraph.inputs)
    guard inputs.count == 1, let tensor = tensor(inputs[0]), tensor.type == .uint8,
      tensor.bytes.isEmpty, tensor.name == TFLiteEmitter.inputName
    else { throw TFLiteFault.badModel("its input is no picture named \(TFLiteEmitter.inputName)") }
    append(.input, [], tensor: inputs[0])
  }

  private func checkOutput(_ subgraph: FlatBufferReader.Table) throws {
    let outputs = try subgraph.int32s(Schema.Subgraph.outputs)
    guard outputs.count == 1, indices[outputs[0]] == nodes.count - 1,
      tensors[outputs[0]].name == TFLiteEmitter.outputName
    else {
      throw TFLiteFault.badModel(
        "its output is not the last tensor computed, named \(TFLiteEmitter.outputName)")
    }
  }

  // MARK: - Operators

  private mutating func readOperator(_ table: FlatBufferReader.Table, _ index: Int) throws {
    let place = try table.uint32(Schema.Operator.code)
    guard codes.indices.contains(place) else {
      throw TFLiteFault.badOperator(index, "its code is not listed")
    }
    let (kind, version) = codes[place]
    let inputs = try table.int32s(Schema.Operator.inputs)
    let outputs = try table.int32s(Schema.Operator.outputs)
    guard outputs.count == 1, let output = tensor(outputs[0]), output.type == .float32,
      output.bytes.isEmpty, indices[outputs[0]] == nil,
      inputs.allSatisfy({ tensor($0) != nil })
    else { throw TFLiteFault.badOperator(index, "\(kind.name) has other inputs or outputs") }
    guard try table.uint8(Schema.Operator.optionsType) == Int(kind.optionsType) else {
      throw TFLiteFault.badOperator(index, "\(kind.name) has options of another operator")
    }
    guard
      let arguments = TFLiteArguments(
        kind, inputs: inputs.map { tensors[$0] }, output: output,
        options: try table.table(Schema.Operator.options))
    else { throw TFLiteFault.badOperator(index, "\(kind.name) has options that no export has") }
    if kind == .dequantize {
      try readStored(inputs[0], version: version, output: outputs[0], index)
    } else {
      guard let operation = try arguments.operation() else {
        throw TFLiteFault.badOperator(index, "\(kind.name) has arguments that no export has")
      }
      let nodes = try inputs.prefix(arguments.valueCount).map { try node(of: $0) }
      let count = output.shape.reduce(1, *)
      computed += count
      guard count <= Self.largestTensor, computed <= Self.mostComputed else {
        throw TFLiteFault.badModel("tensor \(output.name) is too large")
      }
      append(operation, nodes, tensor: outputs[0])
    }
  }

  /// Weights in a narrower format.
  private mutating func readStored(
    _ input: Int, version: Int, output: Int, _ index: Int
  ) throws {
    let (tensor, format) = try constant(input)
    guard version == (format == .float16 ? 3 : 5), format != .float32,
      tensor.shape == tensors[output].shape
    else { throw TFLiteFault.badOperator(index, "DEQUANTIZE of another type or version") }
    append(.constant(tensor, format: format), [], tensor: output)
  }

  // MARK: - Nodes

  private func tensor(_ index: Int) -> TFLiteTensor? {
    tensors.indices.contains(index) ? tensors[index] : nil
  }

  /// The node that computes a tensor; one for the values in the file, where there is none yet.
  private mutating func node(of index: Int) throws -> Int {
    if let known = indices[index] { return known }
    let (tensor, format) = try constant(index)
    guard format == .float32 else {
      throw TFLiteFault.badModel("tensor \(tensors[index].name) is used without DEQUANTIZE")
    }
    return append(.constant(tensor, format: format), [], tensor: index)
  }

  private mutating func constant(_ index: Int) throws -> (GraphTensor, WeightFormat) {
    constantBytes += tensors[index].bytes.count
    guard constantBytes <= sizeLimit else {
      throw TFLiteFault.badModel("its tensors share their values")
    }
    let (tensor, format) = try tensors[index].constant()
    return (tensor, format)
  }

  @discardableResult
  private mutating func append(
    _ operation: GraphOperation, _ inputs: [Int], tensor index: Int
  ) -> Int {
    nodes.append(
      Graph.Node(
        name: tensors[index].name, operation: operation, inputs: inputs,
        shape: tensors[index].shape))
    indices[index] = nodes.count - 1
    return nodes.count - 1
  }
}
