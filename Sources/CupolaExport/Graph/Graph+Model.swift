internal import Cupola

// 1. Add steps that several kinds of features share: image layout, scaling, gradients and cells.
// 2. Add the nodes for the model's features.
// 3. Add classifier, temperature and softmax, and combine the background classes into one label.

extension GraphBuilder {
  mutating func picture(side: Int) -> Value {
    let floats = apply(.toFloat, [input(side: side)])
    return layout == .channelsFirst ? transpose(floats, [0, 3, 1, 2]) : floats
  }

  /// Reduces a square image by area averaging. Returns it with a factor to apply to its samples.
  mutating func resized(_ picture: Value, from: Int, to side: Int) -> (Value, scale: Float) {
    stage = "resize"
    guard side < from else {
      precondition(side == from, "only makes smaller")
      return (picture, 1)
    }
    if from.isMultiple(of: side) {
      return (averaged(picture, side: from / side, stride: from / side), 1)
    }
    return (weighted(picture, overlaps(from: from, to: side)), 1 / (Float(from) * Float(from)))
  }

  /// The area weights of ``AreaResampler`` (outputs x sources). Each row sums to `from`.
  ///
  /// They are computed from the distances between sample centers. The unit is chosen so that a source has length
  /// `outputs` and an output has length `sources`. Halves of these lengths are exact, and two vectors take much less
  /// space in a file than the matrix.
  private mutating func overlaps(from sources: Int, to outputs: Int) -> Value {
    let distances = distances(
      (0..<outputs).map { (Float($0) + 0.5) * Float(sources) },
      (0..<sources).map { (Float($0) + 0.5) * Float(outputs) })
    let reach = constant([Float(sources + outputs) / 2], shape: [])
    let overlaps = apply(.minimum, apply(.subtract, reach, distances), Float(outputs))
    return apply(.relu, overlaps)
  }

  /// The absolute differences between all pairs of numbers from two lists.
  mutating func distances(_ rows: [Float], _ columns: [Float]) -> Value {
    let down = constant(rows, shape: [rows.count, 1])
    let across = constant(columns, shape: [1, columns.count])
    return apply(.absolute, apply(.subtract, down, across))
  }

  /// The luma weights of red, green and blue. They are multiples of 1/256, so luma computed from integers is exact.
  static let luma: [Float] = [77.0 / 256, 150.0 / 256, 29.0 / 256]

  /// Returns linear forms of a single-channel image's gradient: one value per list, one channel per form.
  ///
  /// The gradient is the central difference without the factor 1/2, along rows and columns, and 0 across the border.
  mutating func gradients(_ luma: Value, _ lists: [[[Float]]]) -> [Value] {
    stage = "gradient"
    // Reflection at the border makes the difference there 0. Subtract first, so that constant areas give exactly 0.
    let framed = padded(luma, before: 1, after: 1, .reflect)
    let kernels: [Float] = [0, 0, 0, -1, 0, 1, 0, 0, 0] + [0, -1, 0, 0, 0, 0, 0, 1, 0]
    let shape = layout == .channelsFirst ? [2, 1, 3, 3] : [2, 3, 3, 1]
    let differences = apply(
      .convolution(layout: layout), [framed, constant(kernels, shape: shape)])
    return mix(differences, lists)
  }

  /// Joins neighboring cells into `count` x `count` descriptors, one every `step` cells.
  ///
  /// A descriptor has `side` x `side` cells that are `spacing` cells apart. Its values are ordered by cell row, cell
  /// column and channel. Descriptors are rows if channels are last, and columns if channels are first.
  mutating func gathered(
    _ cells: Value, count: Int, step: Int, side: Int, spacing: Int
  ) -> Value {
    stage = "descriptors"
    var joined = cells
    for axis in [layout.columnAxis, layout.rowAxis] {
      let parts = (0..<side).map { index in
        let start = index * spacing
        return slice(joined, axes: [axis], [start..<start + step * (count - 1) + 1], step: step)
      }
      joined = concatenate(parts, axis: layout.channelAxis)
    }
    let values = joined.shape[layout.channelAxis]
    return reshape(
      joined, layout == .channelsFirst ? [values, count * count] : [count * count, values])
  }

  mutating func rows(_ descriptors: [Value]) -> Value {
    switch layout {
    case .channelsFirst: transpose(concatenate(descriptors, axis: 1), [1, 0])
    case .channelsLast: concatenate(descriptors, axis: 0)
    }
  }
}

extension Graph {
  /// A model's pipeline: features, classifier and temperature, with all background classes combined into one label.
  ///
  /// The probabilities equal ``Recognition/Candidate/imageProbability``. If the model has no background classes,
  /// ``notACampusBuilding`` has probability 0.
  ///
  /// - Parameter weights: The storage format of the classifier. Learned parameters of features are stored in half
  ///   precision if `weights` is not `float32` and if this is lossless.
  /// - Throws: ``ExportError`` if the labels or the recipe are not supported.
  init(
    model: Model, layout: GraphLayout, weights: WeightFormat
  ) throws(ExportError) {
    try model.checkForExport()
    try Self.check(weights: model.classifier.front.weights.values.count, as: weights)
    var builder = GraphBuilder(layout: layout)
    let side = model.recipe.inputSide
    let picture = builder.picture(side: side)
    let features = model.extractor.exportable.graphFeatures(of: picture, side: side, in: &builder)
    builder.probabilities(features, model, weights)
    self.init(
      nodes: builder.nodes(naming: "probabilities"), labels: model.exportLabels, layout: layout)
  }

  /// Protocol buffers and FlatBuffers are limited to 2 GiB. This leaves space for everything other than the classifier.
  private static let mostBytes = 2_000 << 20

  /// Throws ``FileError/tooLarge(bytes:limit:)`` if the classifier does not fit in a file.
  static func check(weights count: Int, as format: WeightFormat) throws(ExportError) {
    let bytes =
      switch format {
      case .float32: 4 * count
      case .float16: 2 * count
      case .int8: count
      }
    guard bytes <= mostBytes else { throw .file(.tooLarge(bytes: bytes, limit: mostBytes)) }
  }
}

extension GraphBuilder {
  fileprivate mutating func probabilities(
    _ features: GraphFeatures, _ model: Model, _ format: WeightFormat
  ) {
    stage = "classifier"
    // Background classes come first, so they can be summed as one slice.
    let backgrounds = model.labels.trainedBackgrounds.count
    // A detector sets the probability of unknown buildings, so they have no row in the classifier.
    let unknown = model.novelty == nil ? [model.labels.unfamiliar].compactMap(\.self) : []
    let order = model.labels.trainedBackgrounds + model.labels.buildings + unknown
    let classifier = model.classifier.front.rounded(to: format).ordered(
      rows: order, columns: features.columns)
    let products = product(
      features.value, constant(classifier.weights, format: format), transposeB: true,
      half: true)
    let temperature = Float(model.calibration.temperature)
    let softened = apply(
      .add, apply(.multiply, products, features.scale / temperature),
      constant(classifier.biases.map { $0 / temperature }, shape: [classifier.biases.count]))
    let known = model.novelty.map { self.known($0, features, format) }
    stage = "labels"
    let all =
      known.map { apply(.multiply, apply(.softmax, [softened]), $0.familiar) }
      ?? apply(.softmax, [softened])
    var parts: [Value] = []
    if backgrounds == 0 {
      parts.append(constant([0], shape: [1, 1]))
    } else {
      parts.append(sum(slice(all, axes: [1], [0..<backgrounds]), axis: 1))
    }
    if backgrounds < order.count {
      parts.append(slice(all, axes: [1], [backgrounds..<order.count]))
    }
    if let known { parts.append(known.unfamiliar) }
    _ = concatenate(parts, axis: 1)
  }

  /// The probabilities that the image shows a known building or background, and that it does not; see
  /// ``NoveltyDetector``.
  private mutating func known(
    _ detector: NoveltyDetector, _ features: GraphFeatures, _ format: WeightFormat
  ) -> (familiar: Value, unfamiliar: Value) {
    stage = "novelty"
    let products = product(
      features.value,
      constant(detector.directions.ordered(columns: features.columns), format: format),
      transposeB: true, half: true)
    let score = apply(.reduce(.maximum, axis: 1), [products])
    let odds = apply(
      .add, apply(.multiply, score, features.scale * Float(detector.slope)),
      Float(detector.intercept))
    let both = apply(.softmax, [concatenate([odds, constant([0], shape: [1, 1])], axis: 1)])
    return (slice(both, axes: [1], [0..<1]), slice(both, axes: [1], [1..<2]))
  }
}

extension Matrix {
  fileprivate func ordered(columns chosen: [Int]?) -> Matrix {
    guard let chosen else { return self }
    return Matrix(
      rows: rows, columns: columns,
      values: (0..<rows).flatMap { row in chosen.map { self[row, $0] } })
  }
}

extension LinearClassifier {
  fileprivate func ordered(rows: [Int], columns: [Int]?) -> LinearClassifier {
    let source = weights.values
    let values = [Float](capacity: source.count) { output in
      for row in rows {
        for column in 0..<weights.columns {
          output.append(source[row * weights.columns + (columns?[column] ?? column)])
        }
      }
    }
    return LinearClassifier(
      weights: Matrix(rows: rows.count, columns: weights.columns, values: values),
      biases: rows.map { biases[$0] })
  }
}
