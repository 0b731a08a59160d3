internal import Cupola

// 1. Write each operation of the graph as an operator with options.
// 2. Write each constant at its first use, in its storage format. Dequantize half-precision and integer constants.
// 3. Combine tensors, buffers and operators in the file's root table.

/// Converts a graph to the tables of a TFLite model. Only input and output have names, which makes the file a third
/// smaller.
struct TFLiteEmitter {
  typealias Schema = TFLiteSchema

  private let graph: Graph
  private var tensors = TFLiteTensors()
  private var operators: [FlatBufferTable] = []
  private var codes: [Code] = []
  private var indices: [Key: Int] = [:]

  private struct Code: Equatable {
    let kind: TFLiteOperator
    let version: Int

    var table: FlatBufferTable {
      [
        Schema.OperatorCode.deprecatedCode: .int8(Int8(min(kind.rawValue, 127))),
        Schema.OperatorCode.version: version == 1 ? nil : .int32(Int32(version)),
        Schema.OperatorCode.code: .int32(Int32(kind.rawValue)),
      ]
    }
  }

  private struct Key: Hashable {
    let node: Int
    let transposed: Bool
  }

  /// Returns the root table of a model file with embedded metadata.
  static func model(
    of graph: Graph, description: String, metadata: [UInt8]
  ) -> FlatBufferTable {
    precondition(graph.layout == .channelsLast, "TFLite requires channels last")
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
    let runtime: FlatBufferTable = [
      Schema.Metadata.name: .text("min_runtime_version"),
      Schema.Metadata.buffer: .uint32(UInt32(emitter.tensors.addBuffer(emitter.oldestRuntime))),
    ]
    return [
      Schema.Model.version: .uint32(Schema.version),
      Schema.Model.operatorCodes: .tables(emitter.codes.map(\.table)),
      Schema.Model.subgraphs: .tables([subgraph]),
      Schema.Model.description: .text(description),
      Schema.Model.buffers: .tables(emitter.tensors.buffers),
      Schema.Model.metadata: .tables([entry, runtime]),
    ]
  }

  /// The first TFLite version that supports the versions of all operators, padded with zeros to 16 bytes. Products of
  /// stacks of matrices require 2.3, and weights with one scale per row require 2.7.
  private var oldestRuntime: [UInt8] {
    let hasScales = codes.contains { $0.kind == .dequantize && $0.version >= 5 }
    let version = Array((hasScales ? "2.7.0" : "2.3.0").utf8)
    return version + [UInt8](repeating: 0, count: 16 - version.count)
  }

  // MARK: - Nodes

  private mutating func emit(_ index: Int) {
    let node = graph.nodes[index]
    switch node.operation {
    case .input:
      indices[Key(node: index, transposed: false)] =
        tensors.add(.uint8, name: "image", shape: node.shape)
    case .constant: break  // Added at first use, because a product may need it transposed.
    case .toFloat:
      add(
        .cast, at: index, [tensor(of: node.inputs[0])],
        [
          Schema.Options.castFrom: .int8(Int8(Schema.Element.uint8.rawValue)),
          Schema.Options.castTo: .int8(Int8(Schema.Element.float32.rawValue)),
        ])
    case .reshape(let shape):
      add(.reshape, at: index, [tensor(of: node.inputs[0]), tensors.argument(shape)])
    case .transpose(let permutation):
      add(.transpose, at: index, [tensor(of: node.inputs[0]), tensors.argument(permutation)])
    case .slice(let starts, let ends, let steps):
      emitSlice(node, at: index, starts: starts, ends: ends, steps: steps)
    case .concatenate(let axis):
      add(
        .concatenation, at: index, node.inputs.map { tensor(of: $0) },
        [Schema.Options.concatenationAxis: .int32(Int32(axis))])
    case .pad(let before, let after, let mode):
      let widths = tensors.argument(zip(before, after).flatMap { [$0, $1] }, pairs: true)
      add(mode == .zero ? .pad : .mirrorPad, at: index, [tensor(of: node.inputs[0]), widths])
    case .elementwise(let operation):
      add(operation.names.tflite, at: index, node.inputs.map { tensor(of: $0) })
    case .unary(let function):
      add(function.names.tflite, at: index, [tensor(of: node.inputs[0])])
    case .power(let exponent):
      let constant = tensors.add(
        .float32, shape: [], bytes: exponent.bitPattern.littleEndianBytes)
      add(.power, at: index, [tensor(of: node.inputs[0]), constant])
    case .reduce(let reduction, let axis):
      add(
        reduction == .sum ? .sum : .largest, at: index,
        [tensor(of: node.inputs[0]), tensors.argument([axis])],
        [Schema.Options.keepAxis: .bool(true)])
    case .product(let transposeA, let transposeB, _):
      emitProduct(node, at: index, transposeA, transposeB)
    case .convolution:
      let biases = tensors.zeroBiases(node.shape[3])
      add(
        .convolution, at: index, node.inputs.map { tensor(of: $0) } + [biases],
        Self.window(stride: 1))
    case .averagePool(_, let side, let stride):
      add(
        .averagePool, at: index, [tensor(of: node.inputs[0])],
        Self.window(stride: stride, poolSide: side))
    case .softmax:
      add(.softmax, at: index, [tensor(of: node.inputs[0])], [Schema.Options.beta: .float32(1)])
    }
  }

  private mutating func emitSlice(
    _ node: Graph.Node, at index: Int, starts: [Int], ends: [Int], steps: [Int]
  ) {
    let input = tensor(of: node.inputs[0])
    if steps.allSatisfy({ $0 == 1 }) {
      let sizes = zip(starts, ends).map { $1 - $0 }
      add(.slice, at: index, [input, tensors.argument(starts), tensors.argument(sizes)])
    } else {
      let arguments = [starts, ends, steps].map { tensors.argument($0) }
      add(.stridedSlice, at: index, [input] + arguments)
    }
  }

  private mutating func emitProduct(
    _ node: Graph.Node, at index: Int, _ transposeA: Bool, _ transposeB: Bool
  ) {
    let second = graph.nodes[node.inputs[1]]
    // Transposing int8 weights would turn their row scales into column scales.
    if case .constant(_, let format) = second.operation, second.shape.count == 2, !transposeA,
      transposeB || format != .int8
    {
      let weights = tensor(of: node.inputs[1], transposed: !transposeB)
      let keepsShape = node.shape.count > 2
      add(
        .fullyConnected, at: index, [tensor(of: node.inputs[0]), weights],
        [Schema.Options.keepShape: keepsShape ? .bool(true) : nil])
    } else {
      add(
        .batchMatrixProduct, at: index, node.inputs.map { tensor(of: $0) },
        [
          Schema.Options.transposeFirst: transposeA ? .bool(true) : nil,
          Schema.Options.transposeSecond: transposeB ? .bool(true) : nil,
        ])
    }
  }

  /// Options for convolutions and pooling without padding.
  private static func window(stride: Int, poolSide: Int? = nil) -> FlatBufferTable {
    [
      Schema.Options.padding: .int8(Schema.Options.validEdges),
      Schema.Options.strideWidth: .int32(Int32(stride)),
      Schema.Options.strideHeight: .int32(Int32(stride)),
      Schema.Options.poolWidth: poolSide.map { .int32(Int32($0)) },
      Schema.Options.poolHeight: poolSide.map { .int32(Int32($0)) },
    ]
  }

  // MARK: - Tensors and operators

  /// Returns the tensor of an earlier node. Constants are added at their first use.
  private mutating func tensor(of index: Int, transposed: Bool = false) -> Int {
    let key = Key(node: index, transposed: transposed)
    if let known = indices[key] { return known }
    let node = graph.nodes[index]
    guard case .constant(let values, let format) = node.operation else {
      preconditionFailure("node \(node.name) is used before it is computed")
    }
    let tensor = transposed ? values.transposed : values
    var result = tensors.add(tensor, format: format)
    if format != .float32 {
      let stored = result
      result = tensors.add(.float32, shape: tensor.shape)
      // Operator versions that support half precision, and integers with one scale per row.
      append(
        .dequantize, version: format == .float16 ? 3 : 5, inputs: [stored], output: result)
    }
    indices[key] = result
    return result
  }

  private mutating func add(
    _ kind: TFLiteOperator, at index: Int, _ inputs: [Int], _ options: FlatBufferTable = [:]
  ) {
    let node = graph.nodes[index]
    let name = index == graph.nodes.count - 1 ? "probabilities" : nil
    let output = tensors.add(.float32, name: name, shape: node.shape)
    indices[Key(node: index, transposed: false)] = output
    append(kind, version: kind.version, inputs: inputs, output: output, options: options)
  }

  private mutating func append(
    _ kind: TFLiteOperator, version: Int, inputs: [Int], output: Int,
    options: FlatBufferTable = [:]
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
