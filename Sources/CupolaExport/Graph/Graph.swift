internal import Cupola

// 1. A graph is a list of operations that computes probabilities from an image's pixels.
// 2. Each operation derives the shape of its value from the shapes of its inputs.
// 3. Constants are stored as floats, half-precision floats, or integers with one scale per row.

/// A pipeline from a square image's pixels to one probability per label.
struct Graph: Equatable, Sendable {
  struct Node: Equatable, Sendable {
    /// A unique name: a letter followed by letters, digits and underscores.
    let name: String
    let operation: GraphOperation
    /// The indices of earlier nodes.
    let inputs: [Int]
    let shape: [Int]
  }

  /// The nodes in order of computation. The first is the input; the last has the probabilities (1 x labels).
  let nodes: [Node]
  /// ``notACampusBuilding``, then the buildings in the model's order, then ``unknownBuilding`` if the model has it.
  let labels: [String]
  let layout: GraphLayout

  /// The first label, which stands for everything that is not a campus building.
  static let notACampusBuilding = "not_a_campus_building"
  /// The label for buildings without training photos; see ``Labels/unfamiliar``.
  static let unknownBuilding = "unknown_building"
}

/// The operations used in exported models, all available in ONNX, Core ML and TFLite. They broadcast as in NumPy.
enum GraphOperation: Equatable, Sendable {
  // MARK: Sources

  /// The input image: 8-bit RGB samples in the graph's input shape.
  case input
  /// A constant, stored as `format`.
  case constant(GraphTensor, format: WeightFormat)

  // MARK: Shape

  /// Converts 8-bit samples to 32-bit floats.
  case toFloat
  case reshape([Int])
  /// Reorders the axes: axis `i` of the output is axis `permutation[i]` of the input.
  case transpose([Int])
  /// Extracts a range from every axis: `starts` to `ends` (exclusive), in steps of `steps`.
  case slice(starts: [Int], ends: [Int], steps: [Int])
  /// Joins the inputs along an axis.
  case concatenate(axis: Int)
  /// Adds rows and columns around an image. The widths are given for each axis.
  case pad(before: [Int], after: [Int], mode: Padding)

  // MARK: Arithmetic

  /// Combines two inputs element by element.
  case elementwise(Elementwise)
  case unary(Unary)
  /// Raises non-negative values to a constant power.
  case power(Float)
  /// Sums or maxima along one axis, which is kept with length 1.
  case reduce(Reduction, axis: Int)
  /// Multiplies matrices in the last two axes; other axes broadcast. At most one input is transposed. If `half`, no
  /// number exceeds the range of half precision, and rounding to it hardly changes the probabilities.
  case product(transposeA: Bool, transposeB: Bool, half: Bool)
  /// Convolves an image with kernels, without padding. Kernels are D x C x h x w, or D x h x w x C.
  case convolution(layout: GraphLayout)
  /// Averages each channel over `side` x `side` pixels, every `stride` pixels, without padding.
  case averagePool(layout: GraphLayout, side: Int, stride: Int)
  /// Applies a softmax along the last axis.
  case softmax

  enum Padding { case zero, reflect }

  enum Elementwise {
    case add, subtract, multiply, divide, minimum, maximum
  }

  enum Reduction { case sum, maximum }

  enum Unary { case squareRoot, absolute, relu }
}

typealias OperationNames = (onnx: String, coreML: String, tflite: TFLiteOperator)

extension GraphOperation.Elementwise {
  var names: OperationNames {
    switch self {
    case .add: ("Add", "add", .add)
    case .subtract: ("Sub", "sub", .subtract)
    case .multiply: ("Mul", "mul", .multiply)
    case .divide: ("Div", "real_div", .divide)
    case .minimum: ("Min", "minimum", .minimum)
    case .maximum: ("Max", "maximum", .maximum)
    }
  }
}

extension GraphOperation.Unary {
  var names: OperationNames {
    switch self {
    case .squareRoot: ("Sqrt", "sqrt", .squareRoot)
    case .absolute: ("Abs", "abs", .absolute)
    case .relu: ("Relu", "relu", .relu)
    }
  }
}

enum GraphLayout {
  /// Batch, channel, row, column. Used by ONNX and Core ML.
  case channelsFirst
  /// Batch, row, column, channel. Used by TFLite.
  case channelsLast

  var channelAxis: Int { self == .channelsFirst ? 1 : 3 }
  var rowAxis: Int { self == .channelsFirst ? 2 : 1 }
  var columnAxis: Int { self == .channelsFirst ? 3 : 2 }
}

struct GraphTensor: Equatable, Sendable {
  /// The length of each axis; empty for a scalar.
  let shape: [Int]
  let values: [Float]

  init(shape: [Int], values: [Float]) {
    precondition(
      shape.reduce(1, *) == values.count, "shape \(shape) does not match \(values.count) values")
    (self.shape, self.values) = (shape, values)
  }
}

struct StoredConstant {
  /// Little-endian values in row-major order.
  let bytes: [UInt8]
  /// One scale per row for int8; empty for other formats.
  let scales: [Float]

  init(_ tensor: GraphTensor, as format: WeightFormat) {
    let (values, shape) = (tensor.values, tensor.shape)
    switch format {
    case .float32: (bytes, scales) = (SafeTensors.Tensor(floats: values, shape: shape).bytes, [])
    case .float16: (bytes, scales) = (SafeTensors.Tensor(halves: values, shape: shape).bytes, [])
    case .int8:
      precondition(shape.count == 2, "int8 weights must be a matrix")
      let weights = Int8Weights(Matrix(rows: shape[0], columns: shape[1], values: values))
      bytes = SafeTensors.Tensor(int8s: weights.values, shape: shape).bytes
      scales = weights.scales
    }
  }
}

// MARK: - Shapes

extension GraphOperation {
  /// Returns the result's shape for compatible inputs. Not defined for `input`.
  func shape(of inputs: [[Int]]) -> [Int] {
    switch self {
    case .input: return []
    case .constant(let tensor, _): return tensor.shape
    case .toFloat, .unary, .power, .softmax: return inputs[0]
    case .reshape(let shape):
      precondition(
        shape.reduce(1, *) == inputs[0].reduce(1, *), "cannot reshape \(inputs[0]) to \(shape)")
      return shape
    case .transpose(let permutation): return permutation.map { inputs[0][$0] }
    case .slice(let starts, let ends, let steps):
      precondition(zip(ends, inputs[0]).allSatisfy { $0 <= $1 }, "slice exceeds \(inputs[0])")
      return inputs[0].indices.map { (ends[$0] - starts[$0] - 1) / steps[$0] + 1 }
    case .concatenate(let axis):
      var joined = inputs[0]
      joined[axis] = inputs.reduce(0) { $0 + $1[axis] }
      return joined
    case .pad(let before, let after, let mode):
      // Reflection does not repeat the border rows, so the image must be larger than the padding.
      let isPossible = inputs[0].indices.allSatisfy {
        mode == .zero || max(before[$0], after[$0]) < inputs[0][$0]
      }
      precondition(isPossible, "\(inputs[0]) is too small to reflect")
      return inputs[0].indices.map { before[$0] + inputs[0][$0] + after[$0] }
    case .elementwise: return Self.broadcast(inputs[0], inputs[1])
    case .reduce(_, let axis):
      var shape = inputs[0]
      shape[axis] = 1
      return shape
    case .product(let transposeA, let transposeB, _):
      return Self.product(inputs[0], inputs[1], transposeA, transposeB)
    case .convolution(let layout):
      let kernel = inputs[1]
      precondition(
        kernel[layout.channelAxis] == inputs[0][layout.channelAxis], "kernel channels do not match")
      let sides = (kernel[layout.rowAxis], kernel[layout.columnAxis])
      return Self.window(inputs[0], layout, sides: sides, stride: 1, channels: kernel[0])
    case .averagePool(let layout, let side, let stride):
      return Self.window(
        inputs[0], layout, sides: (side, side), stride: stride,
        channels: inputs[0][layout.channelAxis])
    }
  }

  private static func broadcast(_ a: [Int], _ b: [Int]) -> [Int] {
    let rank = max(a.count, b.count)
    let pairs = zip(
      [Int](repeating: 1, count: rank - a.count) + a,
      [Int](repeating: 1, count: rank - b.count) + b)
    precondition(
      pairs.allSatisfy { $0 == $1 || $0 == 1 || $1 == 1 }, "cannot broadcast shapes \(a) and \(b)")
    return pairs.map { max($0, $1) }
  }

  private static func product(
    _ a: [Int], _ b: [Int], _ transposeA: Bool, _ transposeB: Bool
  ) -> [Int] {
    let (m, k) = transposeA ? (a[a.count - 1], a[a.count - 2]) : (a[a.count - 2], a[a.count - 1])
    let (l, n) = transposeB ? (b[b.count - 1], b[b.count - 2]) : (b[b.count - 2], b[b.count - 1])
    precondition(k == l, "cannot multiply shapes \(a) and \(b)")
    return broadcast(Array(a.dropLast(2)), Array(b.dropLast(2))) + [m, n]
  }

  private static func window(
    _ picture: [Int], _ layout: GraphLayout, sides: (Int, Int), stride: Int, channels: Int
  ) -> [Int] {
    let rows = picture[layout.rowAxis] - sides.0
    let columns = picture[layout.columnAxis] - sides.1
    precondition(rows >= 0 && columns >= 0, "window is larger than the picture \(picture)")
    let (height, width) = (rows / stride + 1, columns / stride + 1)
    return layout == .channelsFirst
      ? [1, channels, height, width] : [1, height, width, channels]
  }
}
