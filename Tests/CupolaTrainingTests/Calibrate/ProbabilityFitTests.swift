import Cupola
import CupolaTestSupport
import Foundation
import Testing

@testable import CupolaTraining

@Suite("Fit completion")
struct FitCompletionTests {
  private static let names = Labels(["_sky", "_street", "chapel"])

  @Test("A classifier and its logits are completed consistently")
  func consistency() {
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

  @Test("An empty completion changes nothing")
  func nothing() {
    let classifier = LinearClassifier(weights: Matrix(rows: 3, columns: 2), biases: [1, 2, 3])
    let completion = FitCompletion(trained: Self.names)
    #expect(completion.completed(classifier) == classifier && completion.names == Self.names)
  }
}

@Suite("Temperature scaling")
struct TemperatureScalingTests {
  private static func honest(_ count: Int) -> (logits: Matrix, labels: [Int]) {
    var generator = SplitMix64(seed: 11)
    var logits = generator.matrix(count, 4)
    for index in logits.values.indices { logits.values[index] *= 2 }
    let labels = (0..<count).map { row in
      let probabilities = Softmax.probabilities(Array(logits.values[logits.range(ofRow: row)]))
      var left = Double.random(in: 0..<1, using: &generator)
      return probabilities.firstIndex { probability in
        left -= probability
        return left < 0
      } ?? 3
    }
    return (logits, labels)
  }

  @Test(
    "Finds the factor by which logits are over- or underconfident",
    arguments: [0.25, 0.5, 1, 2, 5] as [Float])
  func recovers(factor: Float) {
    var (logits, labels) = Self.honest(6000)
    for index in logits.values.indices { logits.values[index] *= factor }
    let temperature = TemperatureScaling.temperature(logits: logits, labels: labels)
    #expect(abs(temperature / Double(factor) - 1) < 0.05)
  }

  @Test("The temperature is a local minimum of the loss")
  func isMinimum() {
    let (logits, labels) = Self.honest(300)
    let temperature = TemperatureScaling.temperature(logits: logits, labels: labels)
    let least = TemperatureScaling.loss(logits, labels, temperature)
    for factor in [0.9, 0.99, 1.01, 1.1] {
      #expect(least <= TemperatureScaling.loss(logits, labels, temperature * factor))
    }
  }

  @Test("Reused losses do not change the temperature", arguments: [0.001, 0.3, 1, 40] as [Float])
  func reusesLosses(factor: Float) {
    var (logits, labels) = Self.honest(50)
    for index in logits.values.indices { logits.values[index] *= factor }
    func loss(_ position: Double) -> Double {
      TemperatureScaling.losses(logits, labels, exp(position)).reduce(0, +)
    }
    let golden = (5.0.squareRoot() - 1) / 2
    var (low, high) = (log(0.05), log(20.0))
    for _ in 0..<40 {
      let span = golden * (high - low)
      let (left, right) = (high - span, low + span)
      if loss(left) <= loss(right) { high = right } else { low = left }
    }
    let temperature = TemperatureScaling.temperature(logits: logits, labels: labels)
    #expect(temperature == exp((low + high) / 2))
  }

  @Test("The temperature stays in 0.05...20")
  func bounds() {
    let logits = Matrix(rows: 2, columns: 2, values: [3, 0, 0, 3])
    let coldest = TemperatureScaling.temperature(logits: logits, labels: [0, 1])
    let hottest = TemperatureScaling.temperature(logits: logits, labels: [1, 0])
    #expect((0.0499...0.06).contains(coldest))
    #expect((19...20.01).contains(hottest))
  }

  @Test("A trimmed temperature ignores a few wrong labels")
  func trimmed() {
    var (logits, labels) = Self.honest(400)
    for (row, label) in labels.enumerated() { logits[row, label] += 12 }
    for row in stride(from: 0, to: 400, by: 50) { labels[row] = (labels[row] + 1) % 4 }
    let blunted = TemperatureScaling.temperature(logits: logits, labels: labels)
    let trimmed = TemperatureScaling.temperature(logits: logits, labels: labels, trimmed: 0.05)
    #expect(blunted > 2 && trimmed < 0.5, "\(blunted), \(trimmed)")
    // Trimming has little effect if no label is wrong.
    let (clean, right) = Self.honest(6000)
    let whole = TemperatureScaling.temperature(logits: clean, labels: right)
    let part = TemperatureScaling.temperature(logits: clean, labels: right, trimmed: 0.01)
    #expect(part < whole && part > 0.7 * whole)
  }

  @Test("The temperature is 1 without photos")
  func empty() {
    let logits = Matrix(rows: 0, columns: 3)
    #expect(TemperatureScaling.temperature(logits: logits, labels: []) == 1)
  }

  @Test("The loss of equal logits is the logarithm of the label count")
  func uniformLoss() {
    let loss = TemperatureScaling.loss(Matrix(rows: 3, columns: 4), [0, 1, 3], 0.7)
    #expect(abs(loss - 1.386_294_361_119_890_6) < 1e-12)
  }
}
