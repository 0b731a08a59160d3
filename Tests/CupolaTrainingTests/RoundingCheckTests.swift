import Cupola
import Testing

@testable import CupolaTraining

@Suite("Rounding check")
struct RoundingCheckTests {
  private static let names = Labels(["_street", "chapel", "tower"])
  private static let settings = ClassifierSettings(whitening: nil, regularisation: 10)

  /// Photos of one view whose features say next to nothing, so that many answers are close calls.
  /// The first feature is small and its weight large, so that the others' weights are rounded coarsely.
  private static func material() -> (examples: Matrix, targets: [Int], folds: Folds) {
    var generator = SplitMix64(seed: 4)
    let targets = (0..<400).map { $0 % 3 }
    let noise = generator.matrix(400, 6).values.enumerated()
    let values = noise.map { $0 % 6 == 0 ? 0.01 * $1 : $1 }
    let folds = Folds(
      labels: targets, groups: Array(0..<400), maximum: 4, using: &generator)
    return (Matrix(rows: 400, columns: 6, values: values).halved, targets, folds)
  }

  private static func model(_ weights: WeightFormat, threshold: Double) -> Model {
    // Only the calibration, the labels and the format of this model are used.
    let recipe = Recipe.hog
    return Model(
      recipe: recipe, extractor: FeatureExtractor(hog: .standard), labels: names,
      classifier: LinearClassifier(
        weights: Matrix(rows: 3, columns: recipe.featureCount), biases: [0, 0, 0]),
      calibration: Calibration(temperature: 1, threshold: threshold, falseRejectionRate: nil),
      campus: nil,
      provenance: Provenance(
        version: "test", dataDigest: "00", photos: [:], seed: 0, regularisation: 1, kernel: "none"),
      weightFormat: weights)
  }

  private static func check(
    _ weights: WeightFormat, threshold: Double = 0.36, threads: Int = 1
  ) async -> TrainingResult.ChangedAnswers? {
    let (examples, targets, folds) = material()
    let rows = targets.indices.map { photo in
      FeatureTable.Row(
        photo: LabelledPhoto(path: "", name: "", label: "", split: nil, group: nil), digest: "",
        metadata: PhotoMetadata(),
        features: .init(
          halves: Array(examples.values[examples.range(ofRow: photo)]), shape: [1, 6]))
    }
    return await RoundingCheck(
      span: ExampleSpan(of: examples), views: 1, testView: 0, targets: targets, folds: folds,
      settings: settings
    ).changedAnswers(of: model(weights, threshold: threshold), rows: rows, threads: threads)
  }

  @Test("counts the held-out photos that rounded weights answer otherwise", arguments: [0, 0.36])
  func counts(threshold: Double) async throws {
    let (examples, targets, folds) = Self.material()
    let model = Self.model(.int8, threshold: threshold)
    var changed = 0
    for fold in 0..<folds.count {
      let training = targets.indices.filter { folds.assignment[$0] != fold }
      let exact = ClassifierSettings.fits(
        [Self.settings], examples.selecting(rows: training), labels: training.map { targets[$0] },
        names: Self.names)[0].classifier
      let rounded = LinearClassifier(
        weights: Int8Weights(exact.weights).matrix, biases: exact.biases)
      for photo in targets.indices where folds.assignment[photo] == fold {
        let features = Array(examples.values[examples.range(ofRow: photo)])
        if model.building(logits: exact.logits(features))
          != model.building(logits: rounded.logits(features))
        {
          changed += 1
        }
      }
    }
    #expect(changed > 0 && changed < 40)
    let check = try #require(await Self.check(.int8, threshold: threshold))
    #expect(check == .init(changed: changed, asked: 400))
    #expect(await Self.check(.int8, threshold: threshold, threads: 3) == check)
  }

  @Test("halves change less, and floats are not asked about")
  func formats() async throws {
    let halves = try #require(await Self.check(.float16))
    let bytes = try #require(await Self.check(.int8))
    #expect(halves.changed < bytes.changed)
    #expect(await Self.check(.float32) == nil)
  }

  @Test("says nothing when no photo can be held out")
  func nothingHeldOut() async {
    var generator = SplitMix64(seed: 0)
    let check = RoundingCheck(
      span: ExampleSpan(of: Matrix(rows: 2, columns: 6)), views: 1, testView: 0, targets: [1, 2],
      folds: Folds(labels: [1, 2], groups: [0, 1], maximum: 5, using: &generator),
      settings: Self.settings)
    let answer = await check.changedAnswers(
      of: Self.model(.int8, threshold: 0), rows: [], threads: 1)
    #expect(answer == nil)
  }
}
