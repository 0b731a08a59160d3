internal import Cupola

/// Turns a graph into the tables of a TFLite model, operation by operation.
///
/// Matrix products with a constant become FULLY_CONNECTED, which every delegate knows; convolutions
/// whose zeros are not what SAME means get a PAD before them.
struct TFLiteEmitter {
  typealias Schema = TFLiteSchema

  /// What the picture is called, whatever its node is.
  static let inputName = "image"
  /// What the last node is called.
  static let outputName = "probabilities"

  private let graph: Graph
  private var tensors = TFLiteTensors()
  private var operators: [FlatBufferTable] = []
  private var codes: [Code] = []
  /// The tensors of nodes that were emitted.
  private var indices: [Key: Int] = [:]

  private struct Code: Equatable {
    let kind: TFLiteOperator
    let version: Int

    var table: FlatBufferTable {
      [
        Schema.OperatorCode.deprecatedCode: .int8(Int8(min(kind.rawValue, 127))),
        Schema.OperatorCode.version: .int32(Int32(version)),
        Schema.OperatorCode.code: .int32(Int32(kind.rawValue)),
      ]
    }
  }

  private struct Key: Hashable {
    let node: Int
    let transposed: Bool
  }

  /// The root table of a model file.
  ///
  /// - Parameter metadata: a file of the metadata schema that comes with the model.
  static func model(of graph: Graph, description: String, metadata: [UInt8]) -> FlatBufferTable {
    precondition(graph.layout == .channelsLast, "TFLite has the channels last")
    var emitter = TFLiteEmitter(graph: graph)
    for node in graph.nodes.indices { emitter.emit(node) }
    let subgraph: FlatBufferTable = [
      Schema.Subgraph.tensors: .tables(emitter.tensors.tables),
      Schema.Subgraph.inputs: .int32s([Int32(emitter.tensor(of: 0))]),
      Schema.Subgraph.outputs: .int32s([Int32(emitter.tensor(of: graph.nodes.count - 1))]),
      Schema.Subgraph.operators: .tables(emitter.operators),
      Schema.Subgraph.name: .text("main"),
    ]
    let entry: FlatBufferTable = [
      Schema.Metadata.name: .text(TFLiteMetadata.entryName),
      Schema.Metadata.buffer: .uint32(UInt32(emitter.tensors.addBuffer(metadata))),
    ]
    return [
      Schema.Model.version: .uint32(Schema.version),
      Schema.Model.operatorCodes: .tables(emitter.codes.map(\.table)),
      Schema.Model.subgraphs: .tables([subgraph]),
      Schema.Model.description: .text(description),
      Schema.Model.buffers: .tables(emitter.tensors.buffers),
      Schema.Model.metadata: .tables([entry]),
    ]
  }

  private init(graph: Graph) { self.graph = graph }

  // MARK: - Nodes

  private mutating func emit(_ index: Int) {
    let node = graph.nodes[index]
    precondition(node.shape.count <= 4, "node \(node.name) has \(node.shape.count) axes")
    switch node.operation {
    case .input:
      indices[Key(node: index, transposed: false)] =
        tensors.add(Self.inputName, .uint8, shape: node.shape)
    case .constant: break  // Where it is used: a product may want it transposed.
    default: emit(node, at: index)
    }
  }

  private mutating func emit(_ node: Graph.Node, at index: Int) {
    switch node.operation {
    case .input, .constant: break
    case .toFloat:
      add(
        .cast, index, [tensor(of: node.inputs[0])],
        [
          Schema.Options.castFrom: .int8(Int8(Schema.Element.uint8.rawValue)),
          Schema.Options.castTo: .int8(Int8(Schema.Element.float32.rawValue)),
        ])
    case .reshape(let shape):
      add(
        .reshape, index, [tensor(of: node.inputs[0]), tensors.argument(shape)],
        [Schema.Options.newShape: .int32s(shape.map { Int32($0) })])
    case .transpose(let permutation):
      add(.transpose, index, [tensor(of: node.inputs[0]), tensors.argument(permutation)])
    case .slice(let starts, let ends, let steps):
      emitSlice(node, at: index, starts, ends, steps)
    case .concatenate(let axis):
      add(
        .concatenation, index, node.inputs.map { tensor(of: $0) },
        [Schema.Options.concatenationAxis: .int32(Int32(axis))])
    case .pad(let before, let after, let mode):
      let widths = tensors.argument(zip(before, after).flatMap { [$0, $1] }, pairs: true)
      add(mode == .zero ? .pad : .mirrorPad, index, [tensor(of: node.inputs[0]), widths])
    case .elementwise(let operation):
      add(TFLiteOperator(operation), index, node.inputs.map { tensor(of: $0) })
    case .unary(let function):
      add(TFLiteOperator(function), index, [tensor(of: node.inputs[0])])
    case .power(let exponent):
      let constant = tensors.add(
        node.name + "_exponent", .float32, shape: [], bytes: exponent.bitPattern.littleEndianBytes)
      add(.power, index, [tensor(of: node.inputs[0]), constant])
    case .sum(let axis):
      add(
        .sum, index, [tensor(of: node.inputs[0]), tensors.argument([axis])],
        [Schema.Options.keepAxis: .bool(true)])
    case .product(let transposeA, let transposeB):
      emitProduct(node, at: index, transposeA, transposeB)
    case .depthwiseConvolution(_, let stride, let padding):
      emitConvolution(.depthwiseConvolution, node, at: index, stride, padding)
    case .convolution(_, let stride, let padding):
      emitConvolution(.convolution, node, at: index, stride, padding)
    case .softmax:
      add(.softmax, index, [tensor(of: node.inputs[0])], [Schema.Options.beta: .float32(1)])
    }
  }

  private mutating func emitSlice(
    _ node: Graph.Node, at index: Int, _ starts: [Int], _ ends: [Int], _ steps: [Int]
  ) {
    let input = tensor(of: node.inputs[0])
    if steps.allSatisfy({ $0 == 1 }) {
      let sizes = zip(starts, ends).map { $1 - $0 }
      add(.slice, index, [input, tensors.argument(starts), tensors.argument(sizes)])
    } else {
      let arguments = [starts, ends, steps].map { tensors.argument($0) }
      add(.stridedSlice, index, [input] + arguments)
    }
  }

  private mutating func emitProduct(
    _ node: Graph.Node, at index: Int, _ transposeA: Bool, _ transposeB: Bool
  ) {
    let second = graph.nodes[node.inputs[1]]
    // Weights of one byte have a scale a row, which transposing would make a scale a column.
    if case .constant(_, let format) = second.operation, second.shape.count == 2, !transposeA,
      transposeB || format != .int8
    {
      let weights = tensor(of: node.inputs[1], transposed: !transposeB)
      let keepsShape = node.shape.count > 2
      add(
        .fullyConnected, index, [tensor(of: node.inputs[0]), weights],
        [Schema.Options.keepShape: keepsShape ? .bool(true) : nil])
    } else {
      add(
        .batchMatrixProduct, index, node.inputs.map { tensor(of: $0) },
        [
          Schema.Options.transposeFirst: transposeA ? .bool(true) : nil,
          Schema.Options.transposeSecond: transposeB ? .bool(true) : nil,
        ])
    }
  }

  private mutating func emitConvolution(
    _ kind: TFLiteOperator, _ node: Graph.Node, at index: Int, _ stride: Int, _ padding: [Int]
  ) {
    var input = tensor(of: node.inputs[0])
    var edges = Schema.Edges.valid
    let picture = graph.nodes[node.inputs[0]].shape
    let kernel = graph.nodes[node.inputs[1]].shape
    if padding.contains(where: { $0 != 0 }) {
      if padding == Schema.Edges.same(picture: picture, kernel: kernel, stride: stride) {
        edges = .same
      } else {
        let rows = picture[1] + padding[0] + padding[2]
        let columns = picture[2] + padding[1] + padding[3]
        let widths = tensors.argument(
          [0, 0, padding[0], padding[2], padding[1], padding[3], 0, 0], pairs: true)
        let padded = tensors.add(
          node.name + "_padded", .float32, shape: [1, rows, columns, picture[3]])
        append(.pad, version: 1, [input, widths], padded)
        input = padded
      }
    }
    let channels = node.shape[3]
    add(
      kind, index, [input, tensor(of: node.inputs[1]), tensors.zeroBiases(channels)],
      [
        Schema.Options.convolutionPadding: .int8(Int8(edges.rawValue)),
        Schema.Options.convolutionStrideWidth: .int32(Int32(stride)),
        Schema.Options.convolutionStrideHeight: .int32(Int32(stride)),
        Schema.Options.depthMultiplier: kind == .depthwiseConvolution ? .int32(1) : nil,
      ])
  }

  // MARK: - Tensors and operators

  /// The tensor of a node that comes before; constants are added where they are used first.
  private mutating func tensor(of index: Int, transposed: Bool = false) -> Int {
    let key = Key(node: index, transposed: transposed)
    if let known = indices[key] { return known }
    let node = graph.nodes[index]
    guard case .constant(let values, let format) = node.operation else {
      preconditionFailure("node \(node.name) is used before it is computed")
    }
    let name = node.name + (transposed ? "_transposed" : "")
    let result: Int
    if format == .float32 {
      result = tensors.add(name, values, format: format, transposed: transposed)
    } else {
      let stored = tensors.add(
        name + "_stored", values, format: format, transposed: transposed)
      result = tensors.add(
        name, .float32, shape: transposed ? node.shape.reversed() : node.shape)
      append(.dequantize, version: format == .float16 ? 3 : 5, [stored], result)
    }
    indices[key] = result
    return result
  }

  /// Adds the operator that computes a node.
  private mutating func add(
    _ kind: TFLiteOperator, _ index: Int, _ inputs: [Int], _ options: FlatBufferTable = [:]
  ) {
    let node = graph.nodes[index]
    let name = index == graph.nodes.count - 1 ? Self.outputName : node.name
    let output = tensors.add(name, .float32, shape: node.shape)
    indices[Key(node: index, transposed: false)] = output
    append(kind, version: kind.versions[0], inputs, output, options)
  }

  private mutating func append(
    _ kind: TFLiteOperator, version: Int, _ inputs: [Int], _ output: Int,
    _ options: FlatBufferTable = [:]
  ) {
    let code = Code(kind: kind, version: version)
    if !codes.contains(code) { codes.append(code) }
    let place = codes.firstIndex(of: code) ?? 0
    let type = kind.optionsType
    operators.append([
      Schema.Operator.code: .uint32(UInt32(place)),
      Schema.Operator.inputs: .int32s(inputs.map { Int32($0) }),
      Schema.Operator.outputs: .int32s([Int32(output)]),
      Schema.Operator.optionsType: type == 0 ? nil : .uint8(type),
      Schema.Operator.options: type == 0 ? nil : .table(options),
    ])
  }
}
