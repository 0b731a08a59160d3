internal import Cupola

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
  /// A function of every value.
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

  /// Operations on pairs of values.
  enum Elementwise {
    case add, subtract, multiply, divide, minimum, maximum
  }

  /// What is made of the values along an axis.
  enum Reduction { case sum, maximum }

  /// Operations on single values.
  enum Unary { case squareRoot, absolute, relu }
}

/// Where the channels of a picture stand among the axes.
enum GraphLayout {
  /// Batch, channel, row, column: ONNX and Core ML.
  case channelsFirst
  /// Batch, row, column, channel: TFLite.
  case channelsLast
}
