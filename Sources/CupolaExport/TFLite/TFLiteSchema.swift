// 1. The slots of TFLite's tables and the values of its enumerations, schema version 3.
// 2. The operators that exports use, with their options and versions.

/// Numbers of the TFLite schema.
enum TFLiteSchema {
  static let version: UInt32 = 3
  static let identifier = "TFL3"

  enum Model {
    static let (version, operatorCodes, subgraphs, description) = (0, 1, 2, 3)
    static let (buffers, metadata) = (4, 6)
  }

  enum OperatorCode {
    /// Codes up to 127 also stand in the deprecated slot, for old runtimes.
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

  /// Slots of the operators' options, as far as they are not at their defaults.
  enum Options {
    /// Of convolutions and pools.
    static let (padding, strideWidth, strideHeight, poolWidth, poolHeight) = (0, 1, 2, 3, 4)
    /// Kernels stand only where they fit whole.
    static let validEdges: Int8 = 1
    static let concatenationAxis = 0
    static let keepShape = 2
    static let (transposeFirst, transposeSecond) = (0, 1)
    static let keepAxis = 0
    static let beta = 0
    static let (castFrom, castTo) = (0, 1)
  }

  /// Elements of tensors.
  enum Element: Int {
    case float32 = 0
    case float16 = 1
    case int32 = 2
    case uint8 = 3
    case int8 = 9
  }
}

/// The TFLite operators that exports use, by their builtin codes.
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

  /// The kind of options table that comes with it; 0 is none, where all options have their defaults or
  /// stand in an input.
  var optionsType: UInt8 {
    switch self {
    case .convolution: 1
    case .averagePool: 5
    case .fullyConnected: 8
    case .softmax: 9
    case .concatenation: 10
    case .sum, .largest: 27
    case .cast: 37
    // Without it the mode is unknown, not the default.
    case .mirrorPad: 77
    case .batchMatrixProduct: 101
    default: 0
    }
  }

  /// The version that exports use: the first unless something newer is needed, here that biases may
  /// be left out.
  var version: Int { self == .fullyConnected ? 6 : 1 }
}
