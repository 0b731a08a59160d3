internal import Cupola

// 1. Define the slots of TFLite's tables and the values of its enumerations (schema version 3).
// 2. Define the operators that exports use, with their options and versions.
// 3. Collect the tensors of a model under construction. Small shared tensors are stored once.

enum TFLiteSchema {
  static let version: UInt32 = 3
  static let identifier = "TFL3"

  enum Model {
    static let (version, operatorCodes, subgraphs, description) = (0, 1, 2, 3)
    static let (buffers, metadata) = (4, 6)
  }

  enum OperatorCode {
    /// Codes up to 127 are also stored in the deprecated slot, for old runtimes.
    static let (deprecatedCode, version, code) = (0, 2, 3)
  }

  enum Subgraph {
    static let (tensors, inputs, outputs, operators, name) = (0, 1, 2, 3, 4)
  }

  enum Tensor {
    static let (shape, type, buffer, name, quantization) = (0, 1, 2, 3, 4)
  }

  enum Quantization {
    static let (scale, zeroPoint, axis) = (2, 3, 6)
  }

  enum Buffer {
    static let data = 0
  }

  enum Operator {
    static let (code, inputs, outputs, optionsType, options) = (0, 1, 2, 3, 4)
  }

  enum Metadata {
    static let (name, buffer) = (0, 1)
  }

  enum Options {
    static let (padding, strideWidth, strideHeight, poolWidth, poolHeight) = (0, 1, 2, 3, 4)
    /// No padding.
    static let validEdges: Int8 = 1
    static let concatenationAxis = 0
    static let keepShape = 2
    static let (transposeFirst, transposeSecond) = (0, 1)
    static let keepAxis = 0
    static let beta = 0
    static let (castFrom, castTo) = (0, 1)
  }

  enum Element: Int {
    case float32 = 0
    case float16 = 1
    case int32 = 2
    case uint8 = 3
    case int8 = 9
  }
}

/// TFLite operators used in exports, with their built-in codes.
enum TFLiteOperator: Int {
  case add = 0
  case averagePool = 1
  case concatenation = 2
  case convolution = 3
  case dequantize = 6
  case fullyConnected = 9
  case multiply = 18
  case relu = 19
  case reshape = 22
  case softmax = 25
  case pad = 34
  case transpose = 39
  case subtract = 41
  case divide = 42
  case stridedSlice = 45
  case cast = 53
  case maximum = 55
  case minimum = 57
  case slice = 65
  case sum = 74
  case squareRoot = 75
  case power = 78
  case largest = 82
  case mirrorPad = 100
  case absolute = 101
  case batchMatrixProduct = 126

  /// The type of the operator's options table; 0 if all options have default values or are inputs.
  var optionsType: UInt8 {
    switch self {
    case .convolution: 1
    case .averagePool: 5
    case .fullyConnected: 8
    case .softmax: 9
    case .concatenation: 10
    case .sum, .largest: 27
    case .cast: 37
    // Without an options table, the mode would be undefined instead of the default.
    case .mirrorPad: 77
    case .batchMatrixProduct: 101
    default: 0
    }
  }

  /// The operator version: 1, except where optional biases require a newer version.
  var version: Int { self == .fullyConnected ? 6 : 1 }
}

/// The tensors of a TFLite model under construction, with their buffers.
struct TFLiteTensors {
  private(set) var tables: [FlatBufferTable] = []
  /// By convention, buffer 0 is empty and is used for tensors without values.
  private(set) var buffers: [FlatBufferTable] = [[:]]
  /// Tensors used as arguments of operators.
  private var arguments: [Argument: Int] = [:]

  private struct Argument: Hashable {
    let type: TFLiteSchema.Element
    let shape: [Int]
    let bytes: [UInt8]
  }

  /// Adds a tensor and returns its index. The input and intermediate results are tensors without values.
  mutating func add(
    _ type: TFLiteSchema.Element, name: String? = nil, shape: [Int], bytes: [UInt8]? = nil,
    quantization: FlatBufferTable? = nil
  ) -> Int {
    typealias Slot = TFLiteSchema.Tensor
    let buffer = bytes.map { UInt32(addBuffer($0)) }
    tables.append([
      Slot.shape: .int32s(shape.map { Int32($0) }),
      Slot.type: type == .float32 ? nil : .int8(Int8(type.rawValue)),
      Slot.buffer: buffer.map { .uint32($0) },
      Slot.name: name.map { .text($0) },
      Slot.quantization: quantization.map { .table($0) },
    ])
    return tables.count - 1
  }

  /// Adds a constant in its storage format and returns its index.
  mutating func add(_ tensor: GraphTensor, format: WeightFormat) -> Int {
    let stored = StoredConstant(tensor, as: format)
    let type: TFLiteSchema.Element =
      switch format {
      case .float32: .float32
      case .float16: .float16
      case .int8: .int8
      }
    let quantization: FlatBufferTable = [
      TFLiteSchema.Quantization.scale: .float32s(stored.scales),
      TFLiteSchema.Quantization.zeroPoint: .int64s(stored.scales.map { _ in 0 }),
      TFLiteSchema.Quantization.axis: .int32(0),
    ]
    return add(
      type, shape: tensor.shape, bytes: stored.bytes,
      quantization: format == .int8 ? quantization : nil)
  }

  /// Returns the index of an integer vector, or of a matrix of pairs, that is an operator's argument.
  mutating func argument(_ values: [Int], pairs: Bool = false) -> Int {
    let bytes = values.flatMap { UInt32(bitPattern: Int32($0)).littleEndianBytes }
    return argument(
      Argument(type: .int32, shape: pairs ? [values.count / 2, 2] : [values.count], bytes: bytes))
  }

  /// Returns the index of a zero vector, for operators that require a bias.
  mutating func zeroBiases(_ count: Int) -> Int {
    let bytes = [UInt8](repeating: 0, count: 4 * count)
    return argument(Argument(type: .float32, shape: [count], bytes: bytes))
  }

  private mutating func argument(_ argument: Argument) -> Int {
    if let known = arguments[argument] { return known }
    let index = add(argument.type, shape: argument.shape, bytes: argument.bytes)
    arguments[argument] = index
    return index
  }

  mutating func addBuffer(_ bytes: [UInt8]) -> Int {
    buffers.append([TFLiteSchema.Buffer.data: .bytes(bytes)])
    return buffers.count - 1
  }
}

extension GraphTensor {
  var transposed: GraphTensor {
    precondition(shape.count == 2, "not a matrix: \(shape)")
    let columns = (0..<shape[1]).flatMap { column in
      (0..<shape[0]).map { row in values[row * shape[1] + column] }
    }
    return GraphTensor(shape: shape.reversed(), values: columns)
  }
}
