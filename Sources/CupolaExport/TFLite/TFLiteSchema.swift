/// Numbers of the TFLite schema, version 3: the slots of its tables and the values of its enumerations.
enum TFLiteSchema {
  static let version: UInt32 = 3
  static let identifier = "TFL3"

  enum Model {
    static let version = 0
    static let operatorCodes = 1
    static let subgraphs = 2
    static let description = 3
    static let buffers = 4
    static let metadata = 6
  }

  enum OperatorCode {
    /// Codes up to 127 also stand here, for old runtimes.
    static let deprecatedCode = 0
    static let version = 2
    static let code = 3
  }

  enum Subgraph {
    static let tensors = 0
    static let inputs = 1
    static let outputs = 2
    static let operators = 3
    static let name = 4
  }

  enum Tensor {
    static let shape = 0
    static let type = 1
    static let buffer = 2
    static let name = 3
    static let quantization = 4
  }

  enum Quantization {
    static let scale = 2
    static let zeroPoint = 3
    static let axis = 6
  }

  enum Buffer {
    static let data = 0
  }

  enum Operator {
    static let code = 0
    static let inputs = 1
    static let outputs = 2
    static let optionsType = 3
    static let options = 4
  }

  enum Metadata {
    static let name = 0
    static let buffer = 1
  }

  /// Slots of the operators' options, as far as they are not at their defaults.
  enum Options {
    static let concatenationAxis = 0
    static let convolutionPadding = 0
    static let convolutionStrideWidth = 1
    static let convolutionStrideHeight = 2
    static let poolWidth = 3
    static let poolHeight = 4
    static let keepShape = 2
    static let transposeFirst = 0
    static let transposeSecond = 1
    static let keepAxis = 0
    static let beta = 0
    static let castFrom = 0
    static let castTo = 1
  }

  /// Elements of tensors.
  enum Element: Int {
    case float32 = 0
    case float16 = 1
    case int32 = 2
    case uint8 = 3
    case int8 = 9
  }

  /// Kernels stand only where they fit whole.
  static let validEdges = 1
}
