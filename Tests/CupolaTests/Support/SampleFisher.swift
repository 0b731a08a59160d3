@testable import Cupola

/// Small Fisher extractors with random parameters.
enum SampleFisher {
  static let settings = FisherSettings(
    sides: [32, 23], step: 4, components: 8, hogDimensions: 5, colorDimensions: 3,
    colorWeight: 0.5)

  static func matrix(_ rows: Int, _ columns: Int, in range: ClosedRange<Float>, seed: UInt64)
    -> Matrix
  {
    var generator = SplitMix64(seed: seed)
    let values = (0..<rows * columns).map { _ in Float.random(in: range, using: &generator) }
    return Matrix(rows: rows, columns: columns, values: values)
  }

  static func mixture(dimensions: Int, components: Int = 8, seed: UInt64) -> GaussianMixture {
    let shares = matrix(1, components, in: 0.5...1.5, seed: seed).values
    let sum = shares.reduce(0, +)
    return GaussianMixture(
      weights: shares.map { $0 / sum },
      means: matrix(components, dimensions, in: -1...1, seed: seed + 1),
      variances: matrix(components, dimensions, in: 0.2...1.5, seed: seed + 2))
  }

  private static func encoder(_ inputs: Int, _ kept: Int, seed: UInt64)
    -> FisherExtractor.Encoder
  {
    FisherExtractor.Encoder(
      components: PrincipalComponents(
        projection: matrix(kept, inputs, in: -0.5...0.5, seed: seed),
        offset: matrix(1, kept, in: -0.2...0.2, seed: seed + 1).values),
      mixture: mixture(dimensions: kept + 2, seed: seed + 2))
  }

  static func extractor(_ settings: FisherSettings = settings) -> FisherExtractor {
    FisherExtractor(
      settings: settings, hog: encoder(LocalHOG.count, settings.hogDimensions, seed: 10),
      color: encoder(LocalColor.count, settings.colorDimensions, seed: 20))
  }

  static func model() -> Model {
    let recipe = Recipe.fisher(settings)
    return Model(
      recipe: recipe, extractor: .fisher(extractor()),
      labels: Labels(["hall", "tower", "_street"]),
      classifier: .softmax(
        LinearClassifier(
          weights: matrix(3, recipe.featureCount, in: -9...9, seed: 30), biases: [0.5, 0, -0.5])),
      calibration: Calibration(
        temperature: 1.5, notBuildings: ErrorCurve(photos: 40, wrong: [-1, 0.5]),
        wrongNames: ErrorCurve(photos: 60, wrong: [0.6, 0.7]), falseRejectionRate: 0.05),
      campus: nil,
      provenance: Provenance(
        version: "test", dataDigest: "00", photos: ["hall": 3], seed: 1, regularization: 1000,
        whitening: 0.8, kernel: "none"))
  }

  /// The sample model with a novelty detector.
  static func detecting() -> Model {
    let model = model()
    let labels = Labels(model.labels.names + [Labels.unfamiliar])
    let count = model.recipe.featureCount
    return Model(
      recipe: model.recipe, extractor: model.extractor, labels: labels,
      classifier: .softmax(
        LinearClassifier(
          weights: matrix(4, count, in: -9...9, seed: 30), biases: [0.5, 0, -0.5, -1000])),
      novelty: NoveltyDetector(
        directions: matrix(2, count, in: -0.1...0.1, seed: 40), intercept: -1, slope: 8),
      calibration: model.calibration, campus: nil, provenance: model.provenance)
  }
}
