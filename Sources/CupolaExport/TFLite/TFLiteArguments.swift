/// What an operator of a TFLite file does, from its arguments and options.
struct TFLiteArguments {
  typealias Schema = TFLiteSchema
  typealias Options = TFLiteSchema.Options

  let kind: TFLiteOperator
  let inputs: [TFLiteTensor]
  let output: TFLiteTensor
  let options: FlatBufferReader.Table?

  /// `nil` when there are not as many inputs as there should be, or options that change what
  /// operators do, such as activations.
  init?(
    _ kind: TFLiteOperator, inputs: [TFLiteTensor], output: TFLiteTensor,
    options: FlatBufferReader.Table?
  ) {
    let counts = Self.inputCounts(of: kind)
    guard counts.contains(inputs.count), (options != nil) == (kind.optionsType != 0),
      options?.used.isSubset(of: Self.options(of: kind)) ?? true
    else { return nil }
    self.kind = kind
    self.inputs = inputs
    self.output = output
    self.options = options
  }

  /// How many inputs are values; the others say what is to be done with them.
  var valueCount: Int {
    switch kind {
    case .concatenation: inputs.count
    case .add, .subtract, .multiply, .divide, .minimum, .maximum, .batchMatrixProduct,
      .fullyConnected, .convolution:
      2
    default: 1
    }
  }

  private static func inputCounts(of kind: TFLiteOperator) -> ClosedRange<Int> {
    switch kind {
    case .concatenation: 1...FlatBufferReader.maximumCount
    case .dequantize, .relu, .softmax, .cast, .squareRoot, .absolute, .averagePool: 1...1
    case .convolution, .slice: 3...3
    case .stridedSlice: 4...4
    default: 2...2
    }
  }

  /// The slots that are written.
  private static func options(of kind: TFLiteOperator) -> Set<Int> {
    switch kind {
    case .cast: [Options.castFrom, Options.castTo]
    case .concatenation: [Options.concatenationAxis]
    case .sum: [Options.keepAxis]
    case .softmax: [Options.beta]
    case .fullyConnected: [Options.keepShape]
    case .batchMatrixProduct: [Options.transposeFirst, Options.transposeSecond]
    case .convolution: convolutionOptions
    case .averagePool: convolutionOptions.union([Options.poolWidth, Options.poolHeight])
    default: []
    }
  }

  private static let convolutionOptions: Set<Int> = [
    Options.convolutionPadding, Options.convolutionStrideWidth, Options.convolutionStrideHeight,
  ]

  // MARK: - Operations

  /// The operation; `nil` when its arguments are not such as exports have. Shapes are not looked at.
  func operation() throws -> GraphOperation? {
    switch kind {
    case .add: .elementwise(.add)
    case .subtract: .elementwise(.subtract)
    case .multiply: .elementwise(.multiply)
    case .divide: .elementwise(.divide)
    case .minimum: .elementwise(.minimum)
    case .maximum: .elementwise(.maximum)
    case .squareRoot: .unary(.squareRoot)
    case .absolute: .unary(.absolute)
    case .relu: .unary(.relu)
    case .dequantize: nil
    case .cast: try cast()
    case .reshape: .reshape(try inputs[1].arguments())
    case .transpose: .transpose(try inputs[1].arguments())
    case .slice: try slice()
    case .stridedSlice:
      .slice(
        starts: try inputs[1].arguments(), ends: try inputs[2].arguments(),
        steps: try inputs[3].arguments())
    case .concatenation: .concatenate(axis: try options?.int32(Options.concatenationAxis) ?? 0)
    case .pad: try pad(.zero)
    case .mirrorPad: try pad(.reflect)
    case .power: try power()
    case .sum: try sum()
    case .softmax: try options?.float32(Options.beta) == 1 ? .softmax : nil
    case .fullyConnected: try fullyConnected()
    case .batchMatrixProduct:
      .product(
        transposeA: try options?.bool(Options.transposeFirst) ?? false,
        transposeB: try options?.bool(Options.transposeSecond) ?? false)
    case .convolution: try convolution()
    case .averagePool: try averagePool()
    }
  }

  private func cast() throws -> GraphOperation? {
    guard inputs[0].type == .uint8,
      try options?.int8(Options.castFrom) == Schema.Element.uint8.rawValue,
      try options?.int8(Options.castTo) == Schema.Element.float32.rawValue
    else { return nil }
    return .toFloat
  }

  private func slice() throws -> GraphOperation? {
    let starts = try inputs[1].arguments()
    let sizes = try inputs[2].arguments()
    guard starts.count == sizes.count else { return nil }
    return .slice(
      starts: starts, ends: zip(starts, sizes).map { $0 + $1 },
      steps: [Int](repeating: 1, count: starts.count))
  }

  private func pad(_ mode: GraphOperation.Padding) throws -> GraphOperation? {
    let widths = try inputs[1].arguments()
    guard inputs[1].shape == [widths.count / 2, 2] else { return nil }
    let axes = 0..<widths.count / 2
    return .pad(
      before: axes.map { widths[2 * $0] }, after: axes.map { widths[2 * $0 + 1] }, mode: mode)
  }

  private func power() throws -> GraphOperation? {
    guard inputs[1].shape.isEmpty, inputs[1].type == .float32 else { return nil }
    return .power(try inputs[1].constant().tensor.values[0])
  }

  private func sum() throws -> GraphOperation? {
    let axes = try inputs[1].arguments()
    guard axes.count == 1, try options?.bool(Options.keepAxis) == true else { return nil }
    return .sum(axis: axes[0])
  }

  private func fullyConnected() throws -> GraphOperation? {
    guard try options?.bool(Options.keepShape) == (output.shape.count > 2) else { return nil }
    return .product(transposeA: false, transposeB: true)
  }

  private func convolution() throws -> GraphOperation? {
    let biases = try inputs[2].constant().tensor
    guard output.shape.count == 4, biases.shape == [output.shape[3]],
      biases.values.allSatisfy({ $0 == 0 }), try stride() == 1
    else { return nil }
    return .convolution(layout: .channelsLast)
  }

  private func averagePool() throws -> GraphOperation? {
    guard let options, let stride = try stride(),
      case let side = try options.int32(Options.poolWidth),
      try options.int32(Options.poolHeight) == side
    else { return nil }
    return .averagePool(layout: .channelsLast, side: side, stride: stride)
  }

  /// The step of kernels that only stand where they fit whole.
  private func stride() throws -> Int? {
    guard let options, try options.int8(Options.convolutionPadding) == Schema.validEdges,
      case let stride = try options.int32(Options.convolutionStrideWidth),
      try options.int32(Options.convolutionStrideHeight) == stride
    else { return nil }
    return stride
  }
}
