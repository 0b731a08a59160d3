extension GraphBuilder {
  /// Sums, differences and so on of two values.
  mutating func apply(_ kind: GraphOperation.Elementwise, _ a: Value, _ b: Value) -> Value {
    apply(.elementwise(kind), [a, b])
  }

  /// The same with one number.
  mutating func apply(_ kind: GraphOperation.Elementwise, _ a: Value, _ number: Float) -> Value {
    apply(.elementwise(kind), [a, constant([number], shape: [])])
  }

  mutating func apply(_ kind: GraphOperation.Unary, _ value: Value) -> Value {
    apply(.unary(kind), [value])
  }

  mutating func reshape(_ value: Value, _ shape: [Int]) -> Value {
    value.shape == shape ? value : apply(.reshape(shape), [value])
  }

  mutating func transpose(_ value: Value, _ permutation: [Int]) -> Value {
    apply(.transpose(permutation), [value])
  }

  mutating func sum(_ value: Value, axis: Int) -> Value { apply(.sum(axis: axis), [value]) }

  mutating func product(
    _ a: Value, _ b: Value, transposeA: Bool = false, transposeB: Bool = false
  ) -> Value {
    apply(.product(transposeA: transposeA, transposeB: transposeB), [a, b])
  }

  /// Values one after the other; a single one stays as it is.
  mutating func concatenate(_ values: [Value], axis: Int) -> Value {
    values.count == 1 ? values[0] : apply(.concatenate(axis: axis), values)
  }

  /// Every `step`th from `range`, along one axis or several.
  mutating func slice(
    _ value: Value, axes: [Int], _ ranges: [Range<Int>], step: Int = 1
  ) -> Value {
    var starts = [Int](repeating: 0, count: value.shape.count)
    var ends = value.shape
    var steps = [Int](repeating: 1, count: value.shape.count)
    for (axis, range) in zip(axes, ranges) {
      (starts[axis], ends[axis], steps[axis]) = (range.lowerBound, range.upperBound, step)
    }
    let isWhole = starts.allSatisfy { $0 == 0 } && ends == value.shape && step == 1
    return isWhole ? value : apply(.slice(starts: starts, ends: ends, steps: steps), [value])
  }

  /// The square roots of the sums of squares along an axis; `plus` is added to the sums.
  mutating func norm(_ value: Value, axis: Int, plus term: Float = 0) -> Value {
    let sums = sum(apply(.multiply, value, value), axis: axis)
    return apply(.squareRoot, term == 0 ? sums : apply(.add, sums, term))
  }

  /// A row scaled to L2 norm 1; a row of zeros stays.
  mutating func unit(_ row: Value) -> Value {
    let norm = norm(row, axis: 1)
    return apply(.divide, row, apply(.maximum, norm, Self.tiny))
  }

  /// What stands for 0 where something is divided by it: far below everything that occurs.
  static let tiny: Float = 1e-30

  /// Each channel convolved with the same kernel, of so many rows and columns.
  mutating func convolveEach(
    _ picture: Value, kernel: [Float], side: Int, stride: Int, padding: [Int]
  ) -> Value {
    let channels = picture.shape[layout.channelAxis]
    let values: [Float]
    let shape: [Int]
    switch layout {
    case .channelsFirst:
      values = (0..<channels).flatMap { _ in kernel }
      shape = [channels, 1, side, side]
    case .channelsLast:
      values = kernel.flatMap { [Float](repeating: $0, count: channels) }
      shape = [1, side, side, channels]
    }
    let kernels = constant(values, shape: shape)
    return channels == 1
      ? apply(
        .convolution(layout: layout, stride: stride, padding: padding), [picture, kernels])
      : apply(
        .depthwiseConvolution(layout: layout, stride: stride, padding: padding),
        [picture, kernels])
  }

  /// Linear forms of the channels of every pixel, one a row of `forms`.
  mutating func mix(_ picture: Value, _ forms: [[Float]]) -> Value {
    let weights = forms.flatMap(\.self)
    let (count, inputs) = (forms.count, forms[0].count)
    guard layout == .channelsFirst else {
      return apply(
        .convolution(layout: layout, stride: 1, padding: [0, 0, 0, 0]),
        [picture, constant(weights, shape: [count, 1, 1, inputs])])
    }
    // A product is several times as fast as a convolution by 1 x 1 in ONNX Runtime.
    let (height, width) = (picture.shape[2], picture.shape[3])
    let planes = reshape(picture, [inputs, height * width])
    let mixed = product(constant(weights, shape: [count, inputs]), planes)
    return reshape(mixed, [1, count, height, width])
  }
}
