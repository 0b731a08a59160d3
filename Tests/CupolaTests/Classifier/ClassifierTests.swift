import Testing

@testable import Cupola

@Suite("Labels")
struct LabelsTests {
  @Test("Probabilities of familiar labels sum to 1")
  func familiar() {
    let labels = Labels(["_street", "hall", "tower", Labels.unfamiliar])
    let shares = labels.amongFamiliar([0.1, 0.3, 0.1, 0.5])
    #expect(zip(shares, [0.2, 0.6, 0.2, 0.5]).allSatisfy { abs($0 - $1) < 1e-12 })
    #expect(labels.amongFamiliar([0, 0, 0, 1]) == [0, 0, 0, 1])
    #expect(Labels(["hall", "tower"]).amongFamiliar([0.3, 0.7]) == [0.3, 0.7])
    // 1 minus the unfamiliar probability is dominated by rounding.
    for rest in [1e-15, 1e-16, 3e-17, 1e-300] {
      let few = labels.amongFamiliar([0, 0.75 * rest, 0.25 * rest, 1 - rest])
      #expect(zip(few, [0, 0.75, 0.25]).allSatisfy { abs($0 - $1) < 1e-12 }, "\(rest)")
    }
  }
}

@Suite("Linear classifier") struct LinearClassifierTests {
  static let classifier = LinearClassifier(
    weights: Matrix(rows: 2, columns: 3, values: [1, 2, 3, -1, 0, 1]), biases: [0.5, -4])

  @Test("Logits are weights times features plus biases")
  func logits() {
    #expect(Self.classifier.logits([1, 10, 100]) == [321.5, 95])
    #expect(Self.classifier.logits([0, 0, 0]) == [0.5, -4])
  }

  @Test("A matrix of features yields the same logits as single vectors")
  func rows() {
    let rows = Matrix(rows: 3, columns: 3, values: [1, 10, 100, 0, 0, 0, -1, 2, 5])
    let logits = Self.classifier.logits(ofRows: rows)
    for row in 0..<3 {
      let features = Array(rows.values[rows.range(ofRow: row)])
      #expect(Array(logits.values[logits.range(ofRow: row)]) == Self.classifier.logits(features))
    }
  }

  @Test("A wrong feature count traps")
  func mismatch() async {
    await #expect(processExitsWith: .failure) {
      let classifier = LinearClassifier(weights: Matrix(rows: 1, columns: 2), biases: [0])
      _ = classifier.logits([1])
    }
  }
}
