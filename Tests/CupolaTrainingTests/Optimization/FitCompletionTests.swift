import Cupola
import Testing

@testable import CupolaTraining

@Suite("Completion of fits")
struct FitCompletionTests {
  private static let names = Labels(["_sky", "_street", "chapel"])

  @Test("a fit and its logits are completed alike, and only in biases")
  func alike() {
    let completion = FitCompletion(trained: Self.names, backgroundShift: 0.5, unfamiliar: 1.25)
    let classifier = LinearClassifier(
      weights: Matrix(rows: 3, columns: 2, values: [1, 2, 3, 4, 5, 6]), biases: [1, 2, 3])
    let completed = completion.completed(classifier)
    #expect(completion.names.names == ["_sky", "_street", "chapel", "_unfamiliar"])
    #expect(completion.names.unfamiliar == 3 && completion.names.backgrounds == [0, 1, 3])
    #expect(completed.weights.values == classifier.weights.values + [0, 0])
    #expect(completed.biases == [1.5, 2.5, 3, 1.25])
    let features: [Float] = [0.5, -2]
    #expect(
      completed.logits(features) == completion.completed(classifier.logits(features)))
  }

  @Test("without anything to add a fit stays what it is")
  func nothing() {
    let classifier = LinearClassifier(weights: Matrix(rows: 3, columns: 2), biases: [1, 2, 3])
    let completion = FitCompletion(trained: Self.names)
    #expect(completion.completed(classifier) == classifier && completion.names == Self.names)
  }
}
