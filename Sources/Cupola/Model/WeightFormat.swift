/// How a model file stores the classifier's weights.
public enum WeightFormat: String, Codable, CaseIterable, Sendable {
  /// As they were fitted: 4 bytes a weight.
  case float32
  /// IEEE 754 half precision: 2 bytes a weight.
  case float16
  /// Whole numbers with one scale a label, see ``Int8Weights``: 1 byte a weight.
  case int8
}

extension LinearClassifier {
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
    model.weightFormat = format
    return model
  }
}
