/// How a model file stores the classifier's weights.
public enum WeightFormat: String, Codable, CaseIterable, Sendable {
  /// As they were fitted: 4 bytes a weight.
  case float32
  /// IEEE 754 half precision: 2 bytes a weight.
  case float16
  /// Whole numbers with one scale a label: 1 byte a weight.
  case int8
}

extension WeightFormat {
  /// How retrieval classifiers store their projection, always.
  package static let ofRetrieval = WeightFormat.float16
}

extension Classifier {
  /// The classifier that comes back from a file in this format; retrieval has one format.
  func rounded(to format: WeightFormat) -> Classifier {
    switch self {
    case .softmax(let linear): .softmax(linear.rounded(to: format))
    case .retrieval(let retrieval):
      .retrieval(retrieval.projecting(by: retrieval.projection.inHalves))
    }
  }
}

extension LinearClassifier {
  /// A multiple of it whose weights are halves: times a power of two, so that the largest are far from the largest
  /// half, and the smallest far from zero.
  fileprivate var inHalves: LinearClassifier {
    let largest = weights.values.reduce(0) { max($0, $1.magnitude) }
    guard largest > 0, largest.isFinite else { return self }
    let factor = Float(sign: .plus, exponent: 5 - largest.exponent, significand: 1)
    let scaled = Matrix(
      rows: weights.rows, columns: weights.columns, values: weights.values.map { $0 * factor })
    return LinearClassifier(weights: scaled.halved, biases: biases.map { $0 * factor })
  }

  /// The classifier that comes back from a file in this format; rounding twice is rounding once.
  public func rounded(to format: WeightFormat) -> LinearClassifier {
    switch format {
    case .float32: self
    case .float16: LinearClassifier(weights: weights.halved, biases: biases)
    case .int8: LinearClassifier(weights: Int8Weights(weights).matrix, biases: biases)
    }
  }
}

extension Model {
  /// The model with its weights in another format: it answers as its file will.
  ///
  /// Going from fewer bits to more brings nothing back.
  public func rounded(to format: WeightFormat) -> Model {
    var model = self
    model.classifier = classifier.rounded(to: format)
    model.weightFormat = classifier.kind == .retrieval ? .ofRetrieval : format
    return model
  }
}
