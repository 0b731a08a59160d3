import Foundation
import Testing

@testable import Cupola

@Suite("Softmax") struct SoftmaxTests {
  static let cases: [[Float]] = [
    [0], [0, 0], [1, 2, 3], [-1e30, 0, 1e30], [1000, 1001, 999], [-1000, -1001], [3.5, 3.5, -2],
  ]

  @Test("Probabilities are within 0...1, sum to 1, and keep the order", arguments: cases)
  func range(logits: [Float]) {
    let probabilities = Softmax.probabilities(logits)
    #expect(probabilities.count == logits.count)
    #expect(probabilities.allSatisfy { (0...1).contains($0) })
    #expect(abs(probabilities.reduce(0, +) - 1) < 1e-12)
    for first in logits.indices {
      for second in logits.indices where logits[first] > logits[second] {
        #expect(probabilities[first] >= probabilities[second])
      }
    }
  }

  @Test("The values are those of the definition", arguments: [0.5, 1, 4])
  func definition(temperature: Double) {
    let logits: [Float] = [0.25, -1.5, 3, 2.75]
    let powers = logits.map { exp(Double($0) / temperature) }
    let found = Softmax.probabilities(logits, temperature: temperature)
    #expect(found.count == 4)
    for (one, other) in zip(found, powers) {
      #expect(abs(one - other / powers.reduce(0, +)) < 1e-14)
    }
  }

  @Test("Only differences of logits count")
  func shift() {
    #expect(Softmax.probabilities([1, 2, 4]) == Softmax.probabilities([101, 102, 104]))
  }

  @Test("Heat makes the probabilities alike, cold decides")
  func temperature() {
    let hot = Softmax.probabilities([1, 2, 4], temperature: 1e6)
    #expect(hot.allSatisfy { abs($0 - 1.0 / 3) < 1e-5 })
    #expect(Softmax.probabilities([1, 2, 4], temperature: 1e-3) == [0, 0, 1])
  }
}
