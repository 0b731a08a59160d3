internal import Cupola

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
