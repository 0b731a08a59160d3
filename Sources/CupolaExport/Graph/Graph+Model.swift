internal import Cupola

// 1. Lay out the picture, scale it, and take gradients and cells: the steps that features share.
// 2. Let the model's features add their nodes.
// 3. Add classifier, temperature and softmax, and sum the backgrounds as one label.

/// From pixels to scaled pictures, votes for orientations and descriptors.
extension GraphBuilder {
  /// The picture's samples as floats, laid out as everything that follows.
  mutating func picture(side: Int) -> Value {
    let floats = apply(.toFloat, [input(side: side)])
    return layout == .channelsFirst ? transpose(floats, [0, 3, 1, 2]) : floats
  }

  /// A square picture made smaller by area averaging; see `PlaneResampler`.
  ///
  /// - Returns: the picture, and what its samples have to be multiplied by.
  mutating func resized(_ picture: Value, from: Int, to side: Int) -> (Value, scale: Float) {
    guard side < from else {
      precondition(side == from, "only makes smaller")
      return (picture, 1)
    }
    if from.isMultiple(of: side) {
      return (averaged(picture, side: from / side, stride: from / side), 1)
    }
    return (weighed(picture, overlaps(from: from, to: side)), 1 / (Float(from) * Float(from)))
  }

  /// How much of each source sample belongs to each output sample, outputs x sources, summing to
  /// `from` along each row: the weights of ``AreaResampler``.
  ///
  /// Computed from the distances between the samples' centers, in units in which a source is
  /// `outputs` long and an output `sources`: halves are exact, and two vectors take far less room in
  /// a file than the matrix.
  private mutating func overlaps(from sources: Int, to outputs: Int) -> Value {
    let distances = distances(
      (0..<outputs).map { (Float($0) + 0.5) * Float(sources) },
      (0..<sources).map { (Float($0) + 0.5) * Float(outputs) })
    let reach = constant([Float(sources + outputs) / 2], shape: [])
    let overlaps = apply(.minimum, apply(.subtract, reach, distances), Float(outputs))
    return apply(.relu, overlaps)
  }

  /// The distance of every number of one list to every number of another.
  mutating func distances(_ rows: [Float], _ columns: [Float]) -> Value {
    let down = constant(rows, shape: [rows.count, 1])
    let across = constant(columns, shape: [1, columns.count])
    return apply(.absolute, apply(.subtract, down, across))
  }

  /// Weights of red, green and blue in the luma; dyadic, so that the luma of whole numbers is exact.
  static let luma: [Float] = [77.0 / 256, 150.0 / 256, 29.0 / 256]

  /// Linear forms of the gradient of a picture of one channel: central differences without the half,
  /// along the row and down. At the ends of the picture the difference across them is 0.
  ///
  /// - Parameter lists: lists of forms, each the factors of both differences.
  /// - Returns: one value for each list, with a channel a form.
  mutating func gradients(_ luma: Value, _ lists: [[[Float]]]) -> [Value] {
    // What is mirrored at the ends has no difference across them. Differences are taken first: where
    // nothing changes they are 0 exactly, which forms of pixels would not be.
    let framed = padded(luma, before: 1, after: 1, .reflect)
    let kernels: [Float] = [0, 0, 0, -1, 0, 1, 0, 0, 0] + [0, -1, 0, 0, 0, 0, 0, 1, 0]
    let shape = layout == .channelsFirst ? [2, 1, 3, 3] : [2, 3, 3, 1]
    let differences = apply(
      .convolution(layout: layout), [framed, constant(kernels, shape: shape)])
    return mix(differences, lists)
  }

  /// Neighboring cells joined to descriptors: `count` x `count` of them, every `step` cells.
  ///
  /// A descriptor has `side` x `side` cells, `spacing` cells apart; its values are ordered cell row,
  /// cell column, channel. One descriptor a row with channels last, a column with channels first.
  mutating func gathered(
    _ cells: Value, count: Int, step: Int, side: Int, spacing: Int
  ) -> Value {
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

  /// Descriptors of several pictures, one a row.
  mutating func rows(_ descriptors: [Value]) -> Value {
    switch layout {
    case .channelsFirst: transpose(concatenate(descriptors, axis: 1), [1, 0])
    case .channelsLast: concatenate(descriptors, axis: 0)
    }
  }
}

extension Graph {
  /// The pipeline of a model: features, classifier, temperature, and the backgrounds as one label.
  ///
  /// The probabilities are those of ``Recognition/Candidate/imageProbability``; a model without backgrounds gives
  /// ``notACampusBuilding`` the probability 0.
  ///
  /// - Parameter weights: how the classifier is stored; what the features learned is stored in half
  ///   precision where `weights` is not `float32` and nothing is lost.
  /// - Throws: ``ExportError`` for labels or recipes that no graph is made for.
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

  /// Protocol buffers and FlatBuffers, which graphs are written as, end at 2 GiB; this leaves room for all but the
  /// classifier.
  private static let mostBytes = 2_000 << 20

  /// Refuses a classifier that no file holds.
  ///
  /// - Throws: ``ExportError/file(_:)`` with ``FileError/tooLarge(bytes:limit:)``.
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
  /// Probabilities of no building, of every building, and of an unknown one; the last node.
  fileprivate mutating func probabilities(
    _ features: GraphFeatures, _ model: Model, _ format: WeightFormat
  ) {
    // Backgrounds stand first, so that they can be summed as one part.
    let backgrounds = model.labels.trainedBackgrounds.count
    let unknown = [model.labels.unfamiliar].compactMap(\.self)
    let order = model.labels.trainedBackgrounds + model.labels.buildings + unknown
    let classifier = model.classifier.front.rounded(to: format).ordered(
      rows: order, columns: features.columns)
    let products = product(
      features.value, constant(classifier.weights, format: format), transposeB: true)
    let temperature = Float(model.calibration.temperature)
    let softened = apply(
      .add, apply(.multiply, products, features.scale / temperature),
      constant(classifier.biases.map { $0 / temperature }, shape: [classifier.biases.count]))
    let all = apply(.softmax, [softened])
    var parts: [Value] = []
    if backgrounds == 0 {
      parts.append(constant([0], shape: [1, 1]))
    } else {
      parts.append(sum(slice(all, axes: [1], [0..<backgrounds]), axis: 1))
    }
    if backgrounds < order.count {
      parts.append(slice(all, axes: [1], [backgrounds..<order.count]))
    }
    _ = concatenate(parts, axis: 1)
  }
}

extension LinearClassifier {
  /// The same with rows and columns in another order.
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
