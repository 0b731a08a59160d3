/// A classifier as tensors of a model file.
package enum ClassifierTensors {
  private static let weights = "classifier.weight"
  private static let biases = "classifier.bias"
  private static let scales = "classifier.scale"

  package static func tensors(
    of classifier: LinearClassifier, as format: WeightFormat
  ) -> [String: SafeTensors.Tensor] {
    let matrix = classifier.weights
    let shape = [matrix.rows, matrix.columns]
    var tensors = [
      biases: SafeTensors.Tensor(floats: classifier.biases, shape: [classifier.biases.count])
    ]
    switch format {
    case .float32: tensors[weights] = .init(floats: matrix.values, shape: shape)
    case .float16: tensors[weights] = .init(halves: matrix.halved.values, shape: shape)
    case .int8:
      let rounded = Int8Weights(matrix)
      tensors[weights] = .init(int8s: rounded.values, shape: shape)
      tensors[scales] = .init(floats: rounded.scales, shape: [matrix.rows])
    }
    return tensors
  }

  /// - Throws: ``CupolaError/badModel(_:)`` when a tensor is missing, of another type or shape, or makes logits that
  ///   are too large.
  static func classifier(
    in file: SafeTensors, as format: WeightFormat, labels: Int, features: Int
  ) throws -> LinearClassifier {
    let classifier = try unbounded(in: file, as: format, labels: labels, features: features)
    try ModelBounds.check(classifier, weights)
    return classifier
  }

  private static func unbounded(
    in file: SafeTensors, as format: WeightFormat, labels: Int, features: Int
  ) throws -> LinearClassifier {
    let biases = try ModelFile.floats(biases, in: file, shape: [labels])
    let shape = [labels, features]
    switch format {
    case .float32:
      let values = try ModelFile.floats(weights, in: file, shape: shape)
      return LinearClassifier(
        weights: Matrix(rows: labels, columns: features, values: values), biases: biases)
    case .float16:
      let values = try ModelFile.floats(weights, in: file, shape: shape, types: ["F16"])
      return LinearClassifier(
        weights: Matrix(rows: labels, columns: features, values: values), biases: biases)
    case .int8:
      let values = try ModelFile.tensor(weights, in: file, shape: shape, types: ["I8"])
      let scales = try ModelFile.positiveFloats(scales, in: file, shape: [labels])
      let rounded = Int8Weights(
        rows: labels, columns: features, values: values.int8s ?? [], scales: scales
      ).matrix
      return LinearClassifier(weights: rounded, biases: biases)
    }
  }
}
