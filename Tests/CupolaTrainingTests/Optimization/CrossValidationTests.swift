import Cupola
import CupolaTestSupport
import Testing

@testable import CupolaTraining

@Suite("Cross-validation")
struct CrossValidationTests {
  private static let names = Labels(["_street", "chapel", "tower"])

  /// Four photos a label in two views each; the second view is the first with some noise.
  private static func material() -> (examples: Matrix, labels: [Int]) {
    var generator = SplitMix64(seed: 8)
    let labels = (0..<12).map { $0 % 3 }
    var examples = Matrix(rows: 24, columns: 5)
    for (photo, label) in labels.enumerated() {
      for view in 0..<2 {
        for column in 0..<5 {
          examples[photo * 2 + view, column] = generator.normal() + (column == label ? 2 : 0)
        }
      }
    }
    return (examples, labels)
  }

  private static func folds(_ labels: [Int], _ groups: [Int]) -> Folds {
    var generator = SplitMix64(seed: 0)
    return Folds(labels: labels, groups: groups, maximum: 4, using: &generator)
  }

  private static func strengths(
    _ regularizations: [Double], whitening: Double? = nil
  ) -> [ClassifierSettings] {
    regularizations.map { ClassifierSettings(whitening: whitening, regularization: $0) }
  }

  private static func validation(
    _ folds: Folds, threads: Int = 1, settings: [ClassifierSettings] = strengths([1, 10])
  ) async -> CrossValidation {
    let (examples, labels) = material()
    return await CrossValidation(
      LabeledExamples(
        source: examples, views: PhotoViews(counts: labels.map { _ in 2 }, testView: 1),
        labels: labels, names: names),
      folds: folds, settings: settings, threads: threads)
  }

  @Test("has no trials when no photo can be held out")
  func nothingHeldOut() async {
    let (_, labels) = Self.material()
    let validation = await Self.validation(Self.folds(labels, labels))
    #expect(validation.trials.isEmpty)
    #expect(validation.photos.isEmpty)
    #expect(CrossValidation.best(validation.trials) == nil)
  }

  @Test("when only photos of no building can be held out, the trials have their logits")
  func onlyBackgroundHeldOut() async {
    let (_, labels) = Self.material()
    let groups = (0..<12).map { labels[$0] == 0 ? $0 : 100 + labels[$0] }
    let folds = Self.folds(labels, groups)
    #expect(folds.count > 1)
    let validation = await Self.validation(folds)
    #expect(validation.photos == labels.indices.filter { labels[$0] == 0 })
    #expect(validation.trials.map(\.accuracy) == [0, 0])
    #expect(validation.trials.allSatisfy { $0.logits.rows == 4 })
    // Nothing tells them apart: the first is the best.
    #expect(CrossValidation.best(validation.trials) == validation.trials.first)
  }

  @Test("a held-out photo gets the logits of a fit that saw no photo of its fold")
  func heldOut() async throws {
    let (examples, labels) = Self.material()
    let folds = Self.folds(labels, Array(0..<12))
    let validation = await Self.validation(folds)
    #expect(validation.photos == Array(0..<12))
    let trial = try #require(validation.trials.first)
    for photo in 0..<12 {
      let training = (0..<12).filter { folds.assignment[$0] != folds.assignment[photo] }
      let rows = training.flatMap { [2 * $0, 2 * $0 + 1] }
      let fit = SoftmaxRegression(regularization: 1, solver: ClassifierSettings.solver).fit(
        examples.selecting(rows: rows), labels: training.flatMap { [labels[$0], labels[$0]] },
        labelCount: 3)
      let view = examples.values[examples.range(ofRow: 2 * photo + 1)]
      let wanted = fit.classifier.logits(Array(view))
      for label in 0..<3 { #expect(abs(trial.logits[photo, label] - wanted[label]) < 1e-4) }
    }
  }

  @Test("photos that always train are no part of the figures")
  func alwaysTraining() async throws {
    let (_, labels) = Self.material()
    // All photos of the tower are one group.
    let groups = (0..<12).map { labels[$0] == 2 ? 100 : $0 }
    let validation = await Self.validation(Self.folds(labels, groups))
    #expect(validation.photos == (0..<12).filter { labels[$0] != 2 })
    #expect(try #require(validation.trials.first).logits.rows == 8)
  }

  @Test("accuracy is of buildings, by the most probable building")
  func accuracy() async throws {
    let (_, labels) = Self.material()
    let validation = await Self.validation(Self.folds(labels, Array(0..<12)))
    for trial in validation.trials {
      let right = (0..<12).count { photo in
        let (chapel, tower) = (trial.logits[photo, 1], trial.logits[photo, 2])
        return labels[photo] == 1 && chapel > tower || labels[photo] == 2 && tower > chapel
      }
      #expect(abs(trial.accuracy - Double(right) / 8) < 1e-12)
      #expect(trial.loss > 0)
      let temperature = TemperatureScaling.temperature(logits: trial.logits, labels: labels)
      let loss = TemperatureScaling.loss(trial.logits, labels, temperature)
      #expect(abs(trial.loss - loss) < 1e-12)
    }
  }

  @Test("the number of threads changes nothing", arguments: [2, 8])
  func threads(count: Int) async {
    let (_, labels) = Self.material()
    let folds = Self.folds(labels, Array(0..<12))
    let one = await Self.validation(folds)
    let several = await Self.validation(folds, threads: count)
    #expect(one.trials.map(\.logits) == several.trials.map(\.logits))
  }

  @Test("a whitened held-out photo gets the logits of a fit whose whitening did not see it")
  func whitened() async throws {
    let (examples, labels) = Self.material()
    let folds = Self.folds(labels, Array(0..<12))
    let settings = Self.strengths([1], whitening: 0.5)
    let validation = await Self.validation(folds, settings: Self.strengths([2]) + settings)
    let trial = try #require(validation.trials.last)
    #expect(trial.settings == settings[0])
    for photo in 0..<12 {
      let training = (0..<12).filter { folds.assignment[$0] != folds.assignment[photo] }
      let fit = ClassifierSettings.fits(
        settings, examples.selecting(rows: training.flatMap { [2 * $0, 2 * $0 + 1] }),
        labels: training.flatMap { [labels[$0], labels[$0]] }, names: Self.names)
      let view = examples.values[examples.range(ofRow: 2 * photo + 1)]
      let wanted = try #require(fit.first).classifier.logits(Array(view))
      for label in 0..<3 { #expect(abs(trial.logits[photo, label] - wanted[label]) < 1e-4) }
    }
  }

  @Test("the best trial is the first within a standard error of the highest accuracy")
  func best() async throws {
    let (_, labels) = Self.material()
    for strengths in [[1e-4, 0.01, 1, 100], [100, 1, 0.01, 1e-4]] {
      let settings = Self.strengths(strengths)
      let validation = await Self.validation(
        Self.folds(labels, Array(0..<12)), settings: settings)
      #expect(validation.trials.map(\.settings) == settings)
      let best = try #require(CrossValidation.best(validation.trials))
      let highest = try #require(validation.trials.map(\.accuracy).max())
      // Eight held-out photos are of buildings.
      let error = (highest * (1 - highest) / 8).squareRoot()
      #expect(best.accuracy >= highest - error)
      for trial in validation.trials.prefix(while: { $0.settings != best.settings }) {
        #expect(trial.accuracy < highest - error)
      }
    }
  }
}
