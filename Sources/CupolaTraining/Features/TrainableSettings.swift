internal import Cupola

/// What training has to know of one kind of features, beside what a phone has to.
protocol TrainableSettings: ExtractorSettings {
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
  func extractor(for sample: TrainingSample) async -> Extractor?
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
    guard let trainable = own as? any TrainableSettings else {
      preconditionFailure("\(kind) features do not say how they are trained")
    }
    return trainable
  }

  /// What computes these features, learned from photos; `nil` when nothing can be learned.
  func extractor(for sample: TrainingSample) async -> FeatureExtractor? {
    func learn<Settings: TrainableSettings>(_ own: Settings) async -> FeatureExtractor? {
      await own.extractor(for: sample).map { FeatureExtractor($0) }
    }
    return await learn(trainable)
  }
}
