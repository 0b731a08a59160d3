internal import Cupola

extension HOG: TrainableSettings {
  static let areLearned = false
  static let usesDrawnNegatives = false

  static func candidates(regularization: Double?) -> [ClassifierSettings] {
    (regularization.map { [$0] } ?? [100, 1000, 10])
      .map { ClassifierSettings(whitening: nil, regularization: $0) }
  }

  func extractor(for sample: TrainingSample) -> HOGExtractor? { HOGExtractor(settings: self) }
}
