import Cupola
import CupolaTestSupport
import Testing

@testable import CupolaTraining

@Suite("Rounding check")
struct RoundingCheckTests {
  private static let names = Labels(["_street", "chapel", "tower"])
  private static let settings = ClassifierSettings(whitening: nil, regularization: 10)

  /// Nearly random features, so that many decisions are close. The first feature has small values and a large weight,
  /// so the other weights are rounded coarsely.
  private static func material() -> (examples: Matrix, targets: [Int], folds: Folds) {
    var generator = SplitMix64(seed: 4)
    let targets = (0..<400).map { $0 % 3 }
    let noise = generator.matrix(400, 6).values.enumerated()
    let values = noise.map { $0 % 6 == 0 ? 0.01 * $1 : $1 }
    let folds = Folds(
      labels: targets, groups: Array(0..<400), maximum: 4, using: &generator)
    return (Matrix(rows: 400, columns: 6, values: values).halved, targets, folds)
  }

  private static func model(_ weights: WeightFormat, leastShare: Double) -> Model {
    // Only the calibration, labels and format of this model are used.
    let recipe = Recipe.hog
    return Model(
      recipe: recipe, extractor: FeatureExtractor(hog: .standard), labels: names,
      classifier: .softmax(
        LinearClassifier(
          weights: Matrix(rows: 3, columns: recipe.featureCount), biases: [0, 0, 0])),
      calibration: Calibration(
        temperature: 1, wrongNames: ErrorCurve(photos: 19, wrong: [leastShare])),
      campus: nil,
      provenance: Provenance(
        version: "test", dataDigest: "00", photos: [:], seed: 0, regularization: 1, kernel: "none"),
      weightFormat: weights)
  }

  private static func rounding(
    _ examples: Matrix, _ targets: [Int], _ folds: Folds, leastShare: Double,
    backgroundShift: Float = 0, threads: Int = 1
  ) async -> [WeightFormat: Provenance.Rounding] {
    let rows = ExampleRows(examples)
    let span = await ExampleSpan(of: rows, threads: 2)
    let problem = SettingsSearch.Input(
      features: Recipe.hog.features,
      views: PhotoViews(counts: targets.map { _ in 1 }, testView: 0), labels: targets, names: names,
      folds: folds, threads: threads)
    return await RoundingCheck(
      span: span, examples: rows, input: problem,
      fits: problem.validate(span, [settings]).trials.first?.classifiers.compactMap(\.linear) ?? [],
      completion: FitCompletion(trained: names, backgroundShift: backgroundShift)
    ).changes(of: model(.float32, leastShare: leastShare))
  }

  private static func check(
    _ weights: WeightFormat, leastShare: Double = 0.55, backgroundShift: Float = 0, threads: Int = 1
  ) async -> Provenance.Rounding? {
    let (examples, targets, folds) = material()
    return await rounding(
      examples, targets, folds, leastShare: leastShare, backgroundShift: backgroundShift,
      threads: threads)[weights]
  }

  /// The number of held-out photos whose answers change when weights fitted directly on the features are rounded.
  private static func changed(
    _ examples: Matrix, _ targets: [Int], _ folds: Folds, leastShare: Double,
    backgroundShift: Float = 0
  ) -> Int {
    let model = model(.int8, leastShare: leastShare)
    var changed = 0
    for fold in 0..<folds.count {
      let training = targets.indices.filter { folds.assignment[$0] != fold }
      let fit = SoftmaxRegression.fits(
        [settings], examples.selecting(rows: training), labels: training.map { targets[$0] },
        names: names)[0].classifier
      let biases = [fit.biases[0] + backgroundShift] + fit.biases[1...]
      let exact = LinearClassifier(weights: fit.weights, biases: biases)
      let rounded = LinearClassifier(weights: Int8Weights(fit.weights).matrix, biases: biases)
      for photo in targets.indices where folds.assignment[photo] == fold {
        let features = Array(examples.values[examples.range(ofRow: photo)])
        if model.building(logits: exact.logits(features))
          != model.building(logits: rounded.logits(features))
        {
          changed += 1
        }
      }
    }
    return changed
  }

  @Test("Counts held-out photos whose answer changes by rounding", arguments: [0, 0.55])
  func counts(leastShare: Double) async throws {
    let (examples, targets, folds) = Self.material()
    let changed = Self.changed(examples, targets, folds, leastShare: leastShare)
    #expect(changed > 0 && changed < 60)
    let check = try #require(await Self.check(.int8, leastShare: leastShare))
    #expect(check.changed == changed && check.asked == 400)
    #expect(check.ofBuildings == targets.count { $0 > 0 })
    #expect((1..<check.ofBuildings).contains(check.rightBefore))
    #expect(abs(check.rightBefore - check.rightAfter) <= 60)
    #expect(await Self.check(.int8, leastShare: leastShare, threads: 3) == check)
  }

  @Test("Applies the background shift of the calibration")
  func backgroundShift() async throws {
    let (examples, targets, folds) = Self.material()
    let changed = Self.changed(examples, targets, folds, leastShare: 0.5, backgroundShift: -1)
    #expect(changed != Self.changed(examples, targets, folds, leastShare: 0.5))
    let check = try #require(await Self.check(.int8, leastShare: 0.5, backgroundShift: -1))
    #expect(check.changed == changed && check.asked == 400)
    // If the street is never the answer, no answer can change.
    let never = try #require(await Self.check(.int8, leastShare: 0.5, backgroundShift: 1000))
    #expect(never.changed == 0 && never.asked == 400)
    // The ranking of buildings ignores background classes.
    #expect(never.rightBefore == check.rightBefore)
  }

  @Test("Fewer photos than features are checked on their features")
  func fewPhotos() async throws {
    var generator = SplitMix64(seed: 14)
    let targets = (0..<60).map { $0 % 3 }
    let folds = Folds(labels: targets, groups: Array(0..<60), maximum: 4, using: &generator)
    var examples = generator.matrix(60, 90).halved
    for row in 0..<60 { examples[row, 0] = Float(targets[row]) / 1000 }
    let expected = Self.changed(examples, targets, folds, leastShare: 0.6)
    let found = try #require(
      await Self.rounding(examples, targets, folds, leastShare: 0.6)[.int8])
    // Fits stop at a tolerance, so they may differ in close decisions.
    #expect(found.asked == 60 && abs(found.changed - expected) <= 2)
  }

  @Test("Halves change fewer answers than Int8, floats change no answer")
  func formats() async throws {
    let halves = try #require(await Self.check(.float16))
    let bytes = try #require(await Self.check(.int8))
    #expect(halves.changed < bytes.changed)
    #expect(await Self.check(.float32) == nil)
  }

  @Test("The check is empty if no photo can be held out")
  func nothingHeldOut() async {
    var generator = SplitMix64(seed: 0)
    let examples = Matrix(rows: 2, columns: 6)
    let folds = Folds(labels: [1, 2], groups: [0, 1], maximum: 5, using: &generator)
    #expect(await Self.rounding(examples, [1, 2], folds, leastShare: 0).isEmpty)
  }
}
