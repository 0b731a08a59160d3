import Cupola
import CupolaExport
import CupolaTestSupport
import Foundation

/// Small models with random parameters.
enum SampleModels {
  /// HOG features of a 32 x 32 picture.
  static func hog(labels: [String] = usualLabels) -> Model {
    labels == usualLabels ? usualHOG : newHOG(labels)
  }

  static let usualLabels = ["hall", "_street", "tower", "_indoor"]
  private static let usualHOG = newHOG(usualLabels)

  private static func newHOG(_ labels: [String]) -> Model {
    var recipe = Recipe.hog
    recipe.inputSide = 64
    return model(recipe, FeatureExtractor(hog: .standard), labels)
  }

  /// Fisher features; sides may be odd.
  ///
  /// - Parameter variances: The variances of the mixtures. If they are small, most components are
  /// far from a patch.
  static func fisher(
    sides: [Int] = [48, 33], step: Int = 4,
    labels: [String] = usualLabels,
    variances: ClosedRange<Float> = 0.2...1.5
  ) -> Model {
    var settings = FisherSettings.balanced
    (settings.sides, settings.step, settings.components) = (sides, step, 8)
    (settings.hogDimensions, settings.colorDimensions, settings.colorWeight) = (6, 4, 0.5)
    var generator = SplitMix64(seed: 7)
    let extractor = FisherExtractor(
      settings: settings,
      hog: encoder(LocalHOG.count, settings.hogDimensions, scale: 5, variances, &generator),
      color: encoder(
        LocalColor.count, settings.colorDimensions, scale: 2, variances, &generator))
    return model(.fisher(settings), .fisher(extractor), labels)
  }

  /// Fisher features with a novelty detector.
  static func detecting() -> Model {
    var model = fisher(labels: usualLabels + [Labels.unfamiliar])
    var generator = SplitMix64(seed: 11)
    model.novelty = NoveltyDetector(
      directions: generator.matrix(model.labels.buildings.count, model.recipe.featureCount),
      intercept: -0.5, slope: 4)
    return model
  }

  /// A retrieval classifier without photos.
  static func retrieval() -> Model {
    var model = hog()
    let labels = model.labels.names.count
    model.classifier = .retrieval(
      RetrievalClassifier(
        projection: LinearClassifier(
          weights: Matrix(rows: 4, columns: model.recipe.featureCount), biases: [0, 0, 0, 0]),
        quantizer: ProductQuantizer(parts: 1, values: Matrix(rows: 1, columns: 4)), codes: [],
        starts: [Int](repeating: 0, count: labels + 1), viewsPerPhoto: 1, concentration: 24,
        biases: [Float](repeating: 0, count: labels)))
    return model
  }

  private static func encoder(
    _ inputs: Int, _ kept: Int, scale: Float, _ variances: ClosedRange<Float>,
    _ generator: inout SplitMix64
  ) -> FisherExtractor.Encoder {
    func uniform(_ rows: Int, _ columns: Int, _ range: ClosedRange<Float>) -> Matrix {
      let values = (0..<rows * columns).map { _ in Float.random(in: range, using: &generator) }
      return Matrix(rows: rows, columns: columns, values: values).halved
    }
    let components = PrincipalComponents(
      projection: uniform(kept, inputs, -scale / 10...scale / 10),
      offset: uniform(1, kept, -0.5...0.5).values)
    let weights = uniform(1, 8, 0.5...1.5).values
    let mixture = GaussianMixture(
      weights: weights.map { $0 / weights.reduce(0, +) }, means: uniform(8, kept + 2, -1...1),
      variances: uniform(8, kept + 2, variances))
    return FisherExtractor.Encoder(components: components, mixture: mixture)
  }

  private static func model(
    _ recipe: Recipe, _ extractor: FeatureExtractor, _ labels: [String]
  ) -> Model {
    var generator = SplitMix64(seed: 9)
    let weights = generator.matrix(labels.count, recipe.featureCount)
    return Model(
      recipe: recipe, extractor: extractor, labels: Labels(labels),
      classifier: .softmax(
        LinearClassifier(
          weights: weights, biases: labels.indices.map { 0.25 * Float($0) - 0.5 })),
      calibration: Calibration(
        temperature: 0.5, notBuildings: ErrorCurve(photos: 40, wrong: [-1, 0.5]),
        wrongNames: ErrorCurve(photos: 60, wrong: [0.4, 0.5]), falseRejectionRate: 0.05),
      campus: nil,
      provenance: Provenance(
        version: "test", dataDigest: "00", photos: [:], seed: 1, regularization: 1, kernel: "none"))
  }
}

/// Exports that several tests share.
enum SampleExports {
  private struct Key: Hashable {
    let source: [UInt8]
    let format: ExportFormat
    let weights: WeightFormat?
  }

  /// Options without compiling the program of a web export, which takes seconds.
  static func options(_ format: ExportFormat) -> ExportOptions {
    var options = ExportOptions()
    if format == .web { options.program = Array("compiled".utf8) }
    return options
  }

  private static let made = Locked<[Key: ModelExport]>([:])

  static func export(
    _ format: ExportFormat, of model: Model = SampleModels.hog(), weights: WeightFormat? = nil
  ) throws -> ModelExport {
    let source = try model.bytes()
    let key = Key(source: source, format: format, weights: weights)
    if let known = made.withLock({ $0[key] }) { return known }
    let export = try ModelExport(
      source: source, format: format, weights: weights, options: options(format))
    made.withLock { $0[key] = export }
    return export
  }
}

/// Square pictures for testing exports.
enum SampleSquares: String, CaseIterable {
  case black, white, gray, noise, lines, corner, steps

  /// All pictures in full runs, otherwise the most different ones.
  static let tried =
    Verification.isFull ? allCases : [.black, .gray, .lines, .corner]

  func image(side: Int) -> RGBImage {
    var generator = SplitMix64(seed: 3)
    let pixels = (0..<side * side * 3).map { index -> UInt8 in
      let (x, y, channel) = (index / 3 % side, index / 3 / side, index % 3)
      let random = UInt8.random(in: 0...255, using: &generator)
      return switch self {
      case .black: 0
      case .white: 255
      case .gray: [90, 140, 77][channel]
      case .noise: random
      case .lines: (x + 2 * y) / 7 % 2 == 0 ? 200 : 40 + random / 8
      case .corner: x > side / 2 && y > side / 2 ? random : 255
      case .steps: UInt8(x / 4 * 4 * 255 / side)
      }
    }
    return RGBImage(width: side, height: side, pixels: pixels)
  }
}
