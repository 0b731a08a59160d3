import Cupola
import CupolaTestSupport
import Testing

@testable import CupolaTraining

@Suite("Temperature scaling")
struct TemperatureScalingTests {
  /// Logits that tell the truth, and labels drawn by them.
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
    "finds by how much logits are too sure or too timid",
    arguments: [0.25, 0.5, 1, 2, 5] as [Float])
  func recovers(factor: Float) {
    var (logits, labels) = Self.honest(6000)
    for index in logits.values.indices { logits.values[index] *= factor }
    let temperature = TemperatureScaling.temperature(logits: logits, labels: labels)
    #expect(abs(temperature / Double(factor) - 1) < 0.05)
  }

  @Test("no temperature nearby is better")
  func isMinimum() {
    let (logits, labels) = Self.honest(300)
    let temperature = TemperatureScaling.temperature(logits: logits, labels: labels)
    let least = TemperatureScaling.loss(logits, labels, temperature)
    for factor in [0.9, 0.99, 1.01, 1.1] {
      #expect(least <= TemperatureScaling.loss(logits, labels, temperature * factor))
    }
  }

  @Test("stays in 0.05...20, also when every answer is right or every one is wrong")
  func bounds() {
    let logits = Matrix(rows: 2, columns: 2, values: [3, 0, 0, 3])
    let coldest = TemperatureScaling.temperature(logits: logits, labels: [0, 1])
    let hottest = TemperatureScaling.temperature(logits: logits, labels: [1, 0])
    #expect((0.0499...0.06).contains(coldest))
    #expect((19...20.01).contains(hottest))
  }

  @Test("a few wrong labels do not blunt a trimmed temperature")
  func trimmed() {
    var (logits, labels) = Self.honest(400)
    // Nearly all are right for sure; one in fifty is wrong for sure.
    for (row, label) in labels.enumerated() { logits[row, label] += 12 }
    for row in stride(from: 0, to: 400, by: 50) { labels[row] = (labels[row] + 1) % 4 }
    let blunted = TemperatureScaling.temperature(logits: logits, labels: labels)
    let trimmed = TemperatureScaling.temperature(logits: logits, labels: labels, trimmed: 0.05)
    #expect(blunted > 2 && trimmed < 0.5, "\(blunted), \(trimmed)")
    // What is trimmed of nothing wrong changes little.
    let (clean, right) = Self.honest(6000)
    let whole = TemperatureScaling.temperature(logits: clean, labels: right)
    let part = TemperatureScaling.temperature(logits: clean, labels: right, trimmed: 0.01)
    #expect(part < whole && part > 0.7 * whole)
  }

  @Test("without photos nothing is scaled")
  func empty() {
    let logits = Matrix(rows: 0, columns: 3)
    #expect(TemperatureScaling.temperature(logits: logits, labels: []) == 1)
  }

  @Test("the loss of equal logits is the logarithm of the number of labels")
  func uniformLoss() {
    let loss = TemperatureScaling.loss(Matrix(rows: 3, columns: 4), [0, 1, 3], 0.7)
    #expect(abs(loss - 1.386_294_361_119_890_6) < 1e-12)
  }
}
