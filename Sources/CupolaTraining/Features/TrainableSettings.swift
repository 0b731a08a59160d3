internal import Cupola

// 1. `TrainableSettings` lists what training needs of a kind of features.
// 2. `HOG` has fixed features, so it only lists the classifiers to try.
// 3. `FisherSettings` learns its features with `FisherFit` and can change the weight of color.

/// What training has to know of one kind of features, beside what a phone has to.
protocol TrainableSettings: Sendable {
  /// Whether anything about the features is learned from photos.
  static var areLearned: Bool { get }

  /// Whether drawn pictures of no buildings train beside the photos; the plain baseline does without.
  static var usesDrawnNegatives: Bool { get }

  /// How the classifier may be fitted, in order of preference.
  ///
  /// - Parameter regularization: the only strength to try, if given.
  static func candidates(regularization: Double?) -> [ClassifierSettings]

  /// The share of label smoothing in every fit.
  static var labelSmoothing: Double { get }

  /// The temperature of the probabilities where no photo of a building can be held out to learn it.
  static var usualTemperature: Double { get }

  /// Tried beside the usual weight of the color part; none without such a part.
  static var otherWeights: [Float] { get }

  /// Features as if the color part had another weight.
  func reweighted(_ features: ExampleRows, from old: Float, to new: Float) -> ExampleRows

  /// What computes these features, learned from photos.
  ///
  /// - Returns: `nil` when nothing can be learned from them.
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

/// What features can be learned from.
struct TrainingSample: Sendable {
  /// Of all labels, in order.
  let photos: [LabeledPhoto]
  let recipe: Recipe
  let decoder: PhotoDecoder
  let seed: UInt64
  let threads: Int
  /// Where what was learned is kept.
  let cache: FeatureCache?
}

extension FeatureSettings {
  /// The same for training.
  var trainable: any TrainableSettings {
    switch self {
    case .hog(let hog): hog
    case .fisher(let fisher): fisher
    }
  }

  /// What computes these features, learned from photos; `nil` when nothing can be learned.
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

  func extractor(for sample: TrainingSample) async -> FeatureExtractor? {
    await FisherFit(settings: self, decoder: sample.decoder, recipe: sample.recipe).extractor(
      for: sample.photos, seed: sample.seed, threads: sample.threads, cache: sample.cache
    ).map { .fisher($0) }
  }
}

extension Recipe {
  /// Whether photos can train by it; those of files always can, ones made in memory need not.
  var canTrain: Bool { !trainingGeometries.isEmpty }

  /// Refuses a recipe that photos cannot train by.
  ///
  /// - Throws: ``CupolaError/badModel(_:)``.
  func checkTraining() throws(CupolaError) {
    try Self.require(canTrain, "no geometry to train with")
  }
}
