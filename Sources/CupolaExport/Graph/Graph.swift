internal import Cupola

// 1. A graph is a list of operations from the pixels of a picture to probabilities.
// 2. Each operation gives the shape of its value from the shapes of its inputs.
// 3. Constants are stored as floats, as halves, or as whole numbers with a scale a row.

/// A whole pipeline, from the pixels of a square picture to one probability a label, as a list of
/// operations.
///
/// Emitters write it in the formats of device runtimes; the tests compute it, operation by operation, and
/// compare with the recognizer.
struct Graph: Equatable, Sendable {
  struct Node: Equatable, Sendable {
    /// Unique, a letter followed by letters, digits and underscores.
    let name: String
    let operation: GraphOperation
    /// Nodes whose values are used, all before this one.
    let inputs: [Int]
    /// The shape of the value.
    let shape: [Int]
  }

  /// In order of computation; the first is the input, the last are the probabilities, 1 x labels.
  let nodes: [Node]
  /// Names of the probabilities: ``notACampusBuilding``, then the buildings in the model's order, then
  /// ``unknownBuilding`` where the model has it.
  let labels: [String]
  /// Where the channels stand; the input is always 1 x side x side x 3.
  let layout: GraphLayout

  /// The label of everything that is no building of the campus, first of all labels.
  static let notACampusBuilding = "not_a_campus_building"
  /// The label of what looks like a building, but like none that trained: ``Labels/unfamiliar``.
  static let unknownBuilding = "unknown_building"
}

/// The operations that exported models are made of: each exists in ONNX, Core ML and TFLite.
///
/// Two inputs of an elementwise operation broadcast as in NumPy: shapes are aligned at their last
/// axis, and an axis of length 1 is repeated.
enum GraphOperation: Equatable, Sendable {
  // MARK: Sources

  /// The picture: 8-bit RGB samples of the graph's input shape.
  case input
  /// Values known when the model is exported, stored as `format`.
  case constant(GraphTensor, format: WeightFormat)

  // MARK: Shape

  /// From 8-bit samples to 32-bit floats of the same values.
  case toFloat
  /// The same values in another shape.
  case reshape([Int])
  /// Axis `i` of the output is axis `permutation[i]` of the input.
  case transpose([Int])
  /// One part of every axis: from `starts` up to and without `ends`, every `steps`th.
  case slice(starts: [Int], ends: [Int], steps: [Int])
  /// The inputs one after the other along an axis.
  case concatenate(axis: Int)
  /// Rows and columns around a picture, so many before and after along each axis.
  case pad(before: [Int], after: [Int], mode: Padding)

  // MARK: Arithmetic

  /// The inputs' sums, differences, products, quotients, minima or maxima.
  case elementwise(Elementwise)
  case unary(Unary)
  /// Every value to a constant power; values are not negative.
  case power(Float)
  /// Sums or largest values over one axis, which stays with length 1.
  case reduce(Reduction, axis: Int)
  /// Matrix products over the last two axes; axes before those broadcast. At most one input is
  /// transposed.
  case product(transposeA: Bool, transposeB: Bool)
  /// All channels of the first input, a picture, convolved together with the kernels of the second,
  /// where these fit whole.
  ///
  /// Shapes by layout: channels first 1 x C x H x W and D x C x h x w; channels last 1 x H x W x C
  /// and D x h x w x C.
  case convolution(layout: GraphLayout)
  /// Means over `side` x `side` pixels of each channel, every `stride` pixels, where these fit whole.
  case averagePool(layout: GraphLayout, side: Int, stride: Int)
  /// Powers of e, scaled to sum 1 along the last axis.
  case softmax

  /// How `pad` makes what it adds.
  enum Padding { case zero, reflect }

  enum Elementwise {
    case add, subtract, multiply, divide, minimum, maximum
  }

  /// What is made of the values along an axis.
  enum Reduction { case sum, maximum }

  enum Unary { case squareRoot, absolute, relu }
}

/// What an operation is called in the formats.
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

/// Where the channels of a picture stand among the axes.
enum GraphLayout {
  /// Batch, channel, row, column: ONNX and Core ML.
  case channelsFirst
  /// Batch, row, column, channel: TFLite.
  case channelsLast

  var channelAxis: Int { self == .channelsFirst ? 1 : 3 }
  var rowAxis: Int { self == .channelsFirst ? 2 : 1 }
  var columnAxis: Int { self == .channelsFirst ? 3 : 2 }
}

/// Values of one shape, the last axis running fastest.
struct GraphTensor: Equatable, Sendable {
  /// The length of each axis; empty for a single value.
  let shape: [Int]
  /// As many values as the shape has room for.
  let values: [Float]

  init(shape: [Int], values: [Float]) {
    precondition(
      shape.reduce(1, *) == values.count, "\(values.count) values for the shape \(shape)")
    (self.shape, self.values) = (shape, values)
  }
}

/// The values of a constant as files store them.
struct StoredConstant {
  /// Little-endian, the last axis running fastest.
  let bytes: [UInt8]
  /// What the whole numbers of each row are multiplied by: one a row for int8, else none.
  let scales: [Float]

  init(_ tensor: GraphTensor, as format: WeightFormat) {
    let (values, shape) = (tensor.values, tensor.shape)
    switch format {
    case .float32: (bytes, scales) = (SafeTensors.Tensor(floats: values, shape: shape).bytes, [])
    case .float16: (bytes, scales) = (SafeTensors.Tensor(halves: values, shape: shape).bytes, [])
    case .int8:
      precondition(shape.count == 2, "int8 weights are a matrix")
      let weights = Int8Weights(Matrix(rows: shape[0], columns: shape[1], values: values))
      bytes = SafeTensors.Tensor(int8s: weights.values, shape: shape).bytes
      scales = weights.scales
    }
  }
}

// MARK: - Shapes

extension GraphOperation {
  /// The shape of the value made from inputs of some shapes, which must fit; that of `input` is not known from the operation.
  func shape(of inputs: [[Int]]) -> [Int] {
    switch self {
    case .input: return []
    case .constant(let tensor, _): return tensor.shape
    case .toFloat, .unary, .power, .softmax: return inputs[0]
    case .reshape(let shape):
      precondition(
        shape.reduce(1, *) == inputs[0].reduce(1, *), "\(inputs[0]) reshaped to \(shape)")
      return shape
    case .transpose(let permutation): return permutation.map { inputs[0][$0] }
    case .slice(let starts, let ends, let steps):
      precondition(zip(ends, inputs[0]).allSatisfy { $0 <= $1 }, "a slice beyond \(inputs[0])")
      return inputs[0].indices.map { (ends[$0] - starts[$0] - 1) / steps[$0] + 1 }
    case .concatenate(let axis):
      var joined = inputs[0]
      joined[axis] = inputs.reduce(0) { $0 + $1[axis] }
      return joined
    case .pad(let before, let after, let mode):
      // The ends' own rows are not repeated.
      let isPossible = inputs[0].indices.allSatisfy {
        mode == .zero || max(before[$0], after[$0]) < inputs[0][$0]
      }
      precondition(isPossible, "\(inputs[0]) has too few rows to reflect")
      return inputs[0].indices.map { before[$0] + inputs[0][$0] + after[$0] }
    case .elementwise: return Self.broadcast(inputs[0], inputs[1])
    case .reduce(_, let axis):
      var shape = inputs[0]
      shape[axis] = 1
      return shape
    case .product(let transposeA, let transposeB):
      return Self.product(inputs[0], inputs[1], transposeA, transposeB)
    case .convolution(let layout):
      let kernel = inputs[1]
      precondition(
        kernel[layout.channelAxis] == inputs[0][layout.channelAxis], "a kernel of other channels")
      let sides = (kernel[layout.rowAxis], kernel[layout.columnAxis])
      return Self.window(inputs[0], layout, sides: sides, stride: 1, channels: kernel[0])
    case .averagePool(let layout, let side, let stride):
      return Self.window(
        inputs[0], layout, sides: (side, side), stride: stride,
        channels: inputs[0][layout.channelAxis])
    }
  }

  /// The common shape of two inputs of an elementwise operation.
  private static func broadcast(_ a: [Int], _ b: [Int]) -> [Int] {
    let rank = max(a.count, b.count)
    let pairs = zip(
      [Int](repeating: 1, count: rank - a.count) + a,
      [Int](repeating: 1, count: rank - b.count) + b)
    precondition(
      pairs.allSatisfy { $0 == $1 || $0 == 1 || $1 == 1 }, "shapes \(a) and \(b) in one operation")
    return pairs.map { max($0, $1) }
  }

  private static func product(
    _ a: [Int], _ b: [Int], _ transposeA: Bool, _ transposeB: Bool
  ) -> [Int] {
    let (m, k) = transposeA ? (a[a.count - 1], a[a.count - 2]) : (a[a.count - 2], a[a.count - 1])
    let (l, n) = transposeB ? (b[b.count - 1], b[b.count - 2]) : (b[b.count - 2], b[b.count - 1])
    precondition(k == l, "a product of shapes \(a) and \(b)")
    return broadcast(Array(a.dropLast(2)), Array(b.dropLast(2))) + [m, n]
  }

  /// The shape of what a window makes where it fits whole in a picture.
  private static func window(
    _ picture: [Int], _ layout: GraphLayout, sides: (Int, Int), stride: Int, channels: Int
  ) -> [Int] {
    let rows = picture[layout.rowAxis] - sides.0
    let columns = picture[layout.columnAxis] - sides.1
    precondition(rows >= 0 && columns >= 0, "a window larger than the picture \(picture)")
    let (height, width) = (rows / stride + 1, columns / stride + 1)
    return layout == .channelsFirst
      ? [1, channels, height, width] : [1, height, width, channels]
  }
}
