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

  /// The operator of a reduction.
  init(_ reduction: GraphOperation.Reduction) {
    switch reduction {
    case .sum: self = .sum
    case .maximum: self = .largest
    }
  }

  /// The operator of an elementwise operation.
  init(_ operation: GraphOperation.Elementwise) {
    switch operation {
    case .add: self = .add
    case .subtract: self = .subtract
    case .multiply: self = .multiply
    case .divide: self = .divide
    case .minimum: self = .minimum
    case .maximum: self = .maximum
    }
  }

  /// The operator of a function.
  init(_ function: GraphOperation.Unary) {
    switch function {
    case .squareRoot: self = .squareRoot
    case .absolute: self = .absolute
    case .relu: self = .relu
    }
  }
}
