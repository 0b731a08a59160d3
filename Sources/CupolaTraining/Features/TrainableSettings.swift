internal import Cupola

// 1. Declare what training requires from each kind of features (`TrainableSettings`).
// 2. Conform `HOG`: its features are fixed, so only the classifier has settings.
// 3. Conform `FisherSettings`: its features are fitted and have an adjustable color weight.

/// The settings of a feature kind that are only used in training.
protocol TrainableSettings: Sendable {
  static var areLearned: Bool { get }

  /// Whether drawn non-building images are used for training; the baseline does not use them.
  static var usesDrawnNegatives: Bool { get }

  /// The classifier settings to try, in order of preference.
  ///
  /// - Parameter regularization: The only strength to try, if given.
  static func candidates(regularization: Double?) -> [ClassifierSettings]

  static var labelSmoothing: Double { get }

  /// The temperature used when no building photo can be held out.
  static var usualTemperature: Double { get }

  /// Color weights to try besides the default; empty if the features have no color part.
  static var otherWeights: [Float] { get }

  func reweighted(_ features: ExampleRows, from old: Float, to new: Float) -> ExampleRows

  /// Fits the feature extractor; returns `nil` if there are too few usable photos.
  func extractor(for sample: TrainingSample) async -> FeatureExtractor?
}

extension TrainableSettings {
  static var otherWeights: [Float] { [] }
  static var labelSmoothing: Double { 0 }
  static var usualTemperature: Double { 1 }

  func reweighted(
    _ features: ExampleRows, from old: Float, to new: Float
  ) -> ExampleRows {
    features
  }
}

struct TrainingSample: Sendable {
  let photos: [LabeledPhoto]
  let recipe: Recipe
  let decoder: PhotoDecoder
  let seed: UInt64
  let threads: Int
  let cache: FeatureCache?
}

extension FeatureSettings {
  var trainable: any TrainableSettings {
    switch self {
    case .hog(let hog): hog
    case .fisher(let fisher): fisher
    }
  }

  func extractor(for sample: TrainingSample) async -> FeatureExtractor? {
    await trainable.extractor(for: sample)
  }
}

extension HOG: TrainableSettings {
  static let areLearned = false
  static let usesDrawnNegatives = false

  static func candidates(regularization: Double?) -> [ClassifierSettings] {
    (regularization.map { [$0] } ?? [100, 1000, 10])
      .map { ClassifierSettings(whitening: nil, regularization: $0) }
  }

  func extractor(for sample: TrainingSample) -> FeatureExtractor? { FeatureExtractor(hog: self) }
}

extension FisherSettings: TrainableSettings {
  static let areLearned = true
  static let usesDrawnNegatives = true
  static let otherWeights: [Float] = [0.2, 0.5]
  static let labelSmoothing = 0.1
  // Label smoothing compresses the logits; the temperatures fitted in tests were 0.19 to 0.28.
  static let usualTemperature = 0.25

  static func candidates(regularization: Double?) -> [ClassifierSettings] {
    // Whitening improved accuracy on other sessions and lighting in all measured sets.
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

  func reweighted(
    _ features: ExampleRows, from old: Float, to new: Float
  ) -> ExampleRows {
    precondition(old > 0, "color weight \(old) is not positive")
    let hog = 2 * components * (hogDimensions + 2)
    let hogScale = ((1 + old * old) / (1 + new * new)).squareRoot()
    return features.multiplied(first: hog, by: hogScale, rest: hogScale * new / old)
  }

  func extractor(for sample: TrainingSample) async -> FeatureExtractor? {
    await FisherFit(settings: self, decoder: sample.decoder, recipe: sample.recipe).extractor(
      for: sample.photos, seed: sample.seed, threads: sample.threads, cache: sample.cache
    ).map { .fisher($0) }
  }
}

extension Recipe {
  /// Whether the recipe can be used for training; always true for recipes read from files.
  var canTrain: Bool { !trainingGeometries.isEmpty }

  func checkTraining() throws(CupolaError) {
    try Self.require(canTrain, "no training geometry")
  }
}
