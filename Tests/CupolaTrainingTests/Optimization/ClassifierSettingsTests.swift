import Cupola
import CupolaTestSupport
import Testing

@testable import CupolaTraining

@Suite("Classifier settings")
struct ClassifierSettingsTests {
  private static let names = Labels(["chapel", "tower", "_street"])

  private static func material() -> (examples: Matrix, labels: [Int]) {
    let (unscaled, classes) = WhiteningTests.material()
    var examples = unscaled
    // As features are: of length 1, more or less.
    let square = VectorMath.preciseDot(examples.values, examples.values) / Double(examples.rows)
    for index in examples.values.indices { examples.values[index] /= Float(square.squareRoot()) }
    return (examples, classes.map { $0 ?? 0 })
  }

  private static func setting(_ whitening: Double?, _ strength: Double) -> ClassifierSettings {
    ClassifierSettings(whitening: whitening, regularization: strength)
  }

  /// The largest difference of two classifiers' logits, relative to the largest logit.
  private static func difference(_ a: LinearClassifier, _ b: LinearClassifier) -> Float {
    let examples = material().examples
    let (one, other) = (a.logits(ofRows: examples), b.logits(ofRows: examples))
    return one.largestDifference(to: other) / max(1, other.largest)
  }

  @Test("without whitening a fit is that of the softmax regression")
  func plain() throws {
    let (examples, labels) = Self.material()
    let fits = ClassifierSettings.fits(
      [Self.setting(nil, 0.5)], examples, labels: labels, names: Self.names)
    let wanted = SoftmaxRegression(regularization: 0.5, solver: ClassifierSettings.solver).fit(
      examples, labels: labels, labelCount: 3)
    let fit = try #require(fits.first)
    #expect(fits.count == 1 && fit.classifier == wanted.classifier)
    #expect(fit.iterations == wanted.iterations && fit.converged == wanted.converged)
  }

  @Test("with whitening it is that of whitened examples, brought back; only buildings whiten")
  func whitened() throws {
    let (examples, labels) = Self.material()
    let fit = try #require(
      ClassifierSettings.fits(
        [Self.setting(0.3, 2)], examples, labels: labels, names: Self.names
      ).first)
    let classes = labels.map { $0 == 2 ? nil : Optional($0) }
    let whitening = Whitening(examples: examples, classes: classes, shrinkage: 0.3)
    let inner = SoftmaxRegression(regularization: 2, solver: ClassifierSettings.solver).fit(
      whitening.examples, labels: labels, labelCount: 3)
    #expect(Self.difference(fit.classifier, whitening.classifier(from: inner.classifier)) < 1e-4)
    let everything = Whitening(examples: examples, classes: labels, shrinkage: 0.3)
    let other = SoftmaxRegression(regularization: 2, solver: ClassifierSettings.solver).fit(
      everything.examples, labels: labels, labelCount: 3)
    #expect(Self.difference(fit.classifier, everything.classifier(from: other.classifier)) > 1e-3)
  }

  @Test("fits come in the order of the settings, each as if it were alone")
  func order() {
    let (examples, labels) = Self.material()
    let settings = [
      Self.setting(nil, 1), Self.setting(nil, 0.1), Self.setting(0.8, 1), Self.setting(0.8, 0.1),
      Self.setting(0.2, 0.1), Self.setting(nil, 0.3),
    ]
    let fits = ClassifierSettings.fits(settings, examples, labels: labels, names: Self.names)
    #expect(fits.count == settings.count)
    for (setting, fit) in zip(settings, fits) {
      #expect(fit.converged, "\(setting) after \(fit.iterations)")
    }
    for (setting, fit) in zip(settings, fits) {
      let alone = ClassifierSettings.fits([setting], examples, labels: labels, names: Self.names)
      for other in alone { #expect(Self.difference(fit.classifier, other.classifier) < 2e-2) }
    }
    for (index, fit) in fits.enumerated() {
      for other in fits[..<index] {
        #expect(Self.difference(fit.classifier, other.classifier) > 2e-2)
      }
    }
    #expect(ClassifierSettings.fits([], examples, labels: labels, names: Self.names).isEmpty)
  }
}
