internal import Cupola

extension FisherSettings: TrainableSettings {
  static let areLearned = true
  static let usesDrawnNegatives = true
  static let otherWeights: [Float] = [0.2, 0.5]
  static let labelSmoothing = 0.1
  // Smoothing keeps logits close together: 0.19 to 0.28 on sets whose photos can be held out.
  static let usualTemperature = 0.25

  static func candidates(regularization: Double?) -> [ClassifierSettings] {
    // Whitening was better on photos of another light and session on every set measured.
    var pairs: [(whitening: Double?, strength: Double)] = [
      (0.3, 100), (0.3, 10), (0.7, 100), (nil, 1000), (nil, 100),
    ]
    if let regularization {
      pairs = [(0.3, regularization), (0.7, regularization), (nil, regularization)]
    }
    return pairs.map {
      ClassifierSettings(
        whitening: $0.whitening, regularization: $0.strength, colorWeight: usualColorWeight,
        smoothing: labelSmoothing)
    }
  }

  /// Both parts have norm 1 before they are weighed.
  func reweighted(
    _ features: ExampleRows, from old: Float, to new: Float
  ) -> ExampleRows {
    precondition(old > 0, "a color weight of \(old)")
    let hog = 2 * components * (hogDimensions + 2)
    let hogScale = ((1 + old * old) / (1 + new * new)).squareRoot()
    return features.multiplied(first: hog, by: hogScale, rest: hogScale * new / old)
  }

  func extractor(for sample: TrainingSample) async -> FisherExtractor? {
    await FisherFit(settings: self, decoder: sample.decoder, recipe: sample.recipe).extractor(
      for: sample.photos, seed: sample.seed, threads: sample.threads, cache: sample.cache)
  }
}
