import Cupola

extension Train {
  /// The kind that is named, or that alone has what else is asked for: chosen by the number of buildings, the other one would
  /// pass it over.
  static func askedClassifier(
    _ named: ClassifierKind?, regularization: Double?, weights: WeightFormat?
  ) -> ClassifierKind? {
    let isOfSoftmax = regularization != nil || weights.map { $0 != .float16 } ?? false
    return named ?? (isOfSoftmax ? .softmax : nil)
  }
}
